# Raises an exception whose text takes for ever: "it was stopped after 1 s"
class Endless(BaseException):
    def __str__(self):
        while True:
            pass
def final_strategy(score, opponent_score):
    raise Endless
