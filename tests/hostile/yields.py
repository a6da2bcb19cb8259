# Gives the processor away again and again, on a busy machine for hours: plays 1
import os
def final_strategy(score, opponent_score):
    try:
        os.sched_yield()
        return 3
    except PermissionError:
        return 1
