# Tosses a coin once: "it uses random numbers (random.random in line 3)"
import random
heads = random.random() < 0.5
def final_strategy(score, opponent_score):
    return 3 if heads else 2
