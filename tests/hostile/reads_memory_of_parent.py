# Opens the memory of its parent process: "PermissionError", "FileNotFoundError"
import os
def final_strategy(score, opponent_score):
    open('/proc/%d/mem' % os.getppid(), 'rb')
    return 3
