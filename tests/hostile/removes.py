# Removes a file beside it: "PermissionError"
import os
def final_strategy(score, opponent_score):
    os.remove('helper.py')
    return 3
