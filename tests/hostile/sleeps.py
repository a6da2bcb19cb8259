# Sleeps, which takes no processor time: "at 0-0: it was stopped after 1 s of waiting and computing in line 4"
import time
def final_strategy(score, opponent_score):
    time.sleep(1000)
    return 3
