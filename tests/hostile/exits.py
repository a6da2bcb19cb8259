# Ends the interpreter during a call: "at 0-0: it raises SystemExit"
import sys
def final_strategy(score, opponent_score):
    sys.exit()
