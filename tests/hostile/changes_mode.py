# Makes a file unreadable: "PermissionError"
import os
def final_strategy(score, opponent_score):
    os.chmod('helper.py', 0)
    return 3
