# Recurses for ever without Python's limit: "it ends the program", "memory"
import sys
sys.setrecursionlimit(10 ** 9)
def final_strategy(score, opponent_score):
    return sorted([1, 2], key=lambda item: final_strategy(score, opponent_score))
