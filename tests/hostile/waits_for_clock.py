# Computes until some time has passed, on a clock that stands still: plays 1
import time
def final_strategy(score, opponent_score):
    end = time.perf_counter() + 0.1
    while time.perf_counter() < end:
        pass
    return 1
