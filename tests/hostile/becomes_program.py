# Replaces itself with another program: "PermissionError", "FileNotFoundError"
import os
def final_strategy(score, opponent_score):
    os.execv('/bin/sh', ['sh', '-c', 'echo out'])
