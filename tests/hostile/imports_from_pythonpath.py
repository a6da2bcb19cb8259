# Imports a module from the caller's PYTHONPATH: "No module named 'planted'"
import planted
def final_strategy(score, opponent_score):
    return 3
