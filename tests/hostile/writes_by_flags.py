# Truncates a file that it opens for reading: "PermissionError"
import os
def final_strategy(score, opponent_score):
    os.open('helper.py', os.O_RDONLY | os.O_TRUNC)
    return 3
