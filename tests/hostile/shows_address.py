# Puts an address, which differs between runs, into the message: "raises ValueError: <object object> in line 4"
thing = object()
def final_strategy(score, opponent_score):
    raise ValueError(thing)
