# Raises an exception whose text takes for ever: "in line 4"
class Endless(BaseException):
    def __str__(self):
        while True:
            pass
def final_strategy(score, opponent_score):
    raise Endless
