# Lists a folder that is not its own: "PermissionError", "FileNotFoundError"
import os
def final_strategy(score, opponent_score):
    return len(os.listdir('/@OUTSIDE@')) * 0 + 3
