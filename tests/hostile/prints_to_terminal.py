# Writes escape sequences to the user's terminal: plays 1
import os, sys
def final_strategy(score, opponent_score):
    print('\x1b]0;owned\x07\x1b[2J', flush=True)
    os.write(2, b'\x1b[2J')
    return 1
