# Returns something whose text has an address: "it returns <object object>, a object"
def final_strategy(score, opponent_score):
    return object()
