# Answers by the number of calls so far: "it is not pure: asked again, in another order"
asked = 0
def final_strategy(score, opponent_score):
    global asked
    asked += 1
    return asked % 7
