# Has its answer's text do what it should not: "an unshowable Odd"
class Odd:
    def __repr__(self):
        raise SystemExit
def final_strategy(score, opponent_score):
    return Odd()
