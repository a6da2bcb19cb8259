# Tosses a coin of the system once, which shows the same in two processes half of the time: "it is not pure: started again"
import os
coin = os.urandom(1)[0] % 2
def final_strategy(score, opponent_score):
    return coin
