# Imports what the caller's PYTHONPATH leads to: "No module named 'planted'"
import planted
def final_strategy(score, opponent_score):
    return 3
