# Replaces itself with a new interpreter, outside of the harness: "PermissionError"
import os, sys
def final_strategy(score, opponent_score):
    os.execv(sys.executable, [sys.executable, '-c', 'import os; os.fork()'])
