# Removes a file in its folder: "PermissionError"
import os
def final_strategy(score, opponent_score):
    os.remove('helper.py')
    return 3
