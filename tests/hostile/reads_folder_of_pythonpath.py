# Reads a file in a folder that the caller's PYTHONPATH opens: "PermissionError", "FileNotFoundError"
import sys
def final_strategy(score, opponent_score):
    return len(open('/@OUTSIDE@/secret').read()) and 3
