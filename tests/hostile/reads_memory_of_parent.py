# Opens the memory of the process that asks it: "PermissionError", "FileNotFoundError"
import os
def final_strategy(score, opponent_score):
    open('/proc/%d/mem' % os.getppid(), 'rb')
    return 3
