# Rolls the dice of the course: "it uses random numbers (random.randint in line 4)"
from dice import six_sided
def final_strategy(score, opponent_score):
    return six_sided()
