# Sleeps, which takes no processor time: "at 0-0: it was stopped after waiting for 1 s in line 4"
import time
def final_strategy(score, opponent_score):
    time.sleep(1000)
    return 3
