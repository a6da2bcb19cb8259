# Rolls dice to choose: "it uses random numbers (random.randint in line 4)"
import random
def final_strategy(score, opponent_score):
    return random.randint(0, 9)
