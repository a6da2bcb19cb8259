# Kills its parent process: "PermissionError"
import os
def final_strategy(score, opponent_score):
    os.kill(os.getppid(), 9)
    return 3
