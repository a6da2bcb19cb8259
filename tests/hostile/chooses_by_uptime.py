# Answers by how long the machine has been running: "it is not pure: started again"
import time
begun = time.monotonic()
def final_strategy(score, opponent_score):
    return int(begun) % 2
