# Prints for ever: "it was stopped after 1 s"
def final_strategy(score, opponent_score):
    while True:
        print('x' * 1000000)
