# Has signals about a pipe sent to its parent process: "PermissionError"
import fcntl, os
def final_strategy(score, opponent_score):
    fcntl.fcntl(1, fcntl.F_SETOWN, os.getppid())
    return 3
