# Takes random numbers from the system: "it uses random numbers (random.Random in line 4)"
from random import SystemRandom
def final_strategy(score, opponent_score):
    return SystemRandom().randrange(10)
