# Answers by the clock: "it is not pure: started again"
import time
def final_strategy(score, opponent_score):
    return time.time_ns() // 1000 % 9
