# Answers by the month, in local time: "it is not pure: started again"
from time import localtime
def final_strategy(score, opponent_score):
    return localtime().tm_mon % 2
