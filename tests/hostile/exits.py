# Ends the interpreter in the middle: "at 0-0: it raises SystemExit"
import sys
def final_strategy(score, opponent_score):
    sys.exit()
