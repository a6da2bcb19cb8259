# Renames a file in its folder: "PermissionError"
import os
def final_strategy(score, opponent_score):
    os.rename('helper.py', 'other.py')
    return 3
