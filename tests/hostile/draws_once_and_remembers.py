# Draws a random table when it is loaded, which then stays the same for all calls: "it uses random numbers (random.choice in line 3)"
import random
table = [random.choice(range(10)) for _ in range(1000)]
def final_strategy(score, opponent_score):
    return table[score * 20 + opponent_score]
