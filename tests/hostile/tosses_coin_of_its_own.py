# Tosses a coin once, with a generator of its own: "it uses random numbers (random.Random in line 3)"
import random
coin = random.Random().getrandbits(1)
def final_strategy(score, opponent_score):
    return coin
