# Puts a file in the place of another: "PermissionError"
import os
def final_strategy(score, opponent_score):
    os.rename('helper.py', 'other.py')
    return 3
