# Answers by the parity of the second, which two processes share: "it is not pure: started again"
from datetime import datetime
def final_strategy(score, opponent_score):
    return datetime.now().second % 2
