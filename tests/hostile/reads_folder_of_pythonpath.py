# Reads a file in a folder of the caller's PYTHONPATH: "PermissionError", "FileNotFoundError"
import sys
def final_strategy(score, opponent_score):
    return len(open('/@OUTSIDE@/secret').read()) and 3
