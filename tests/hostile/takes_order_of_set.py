# Answers by the order of a set of strings: "it is not pure: started again"
order = [int(text) for text in {str(number) for number in range(10)}]
def final_strategy(score, opponent_score):
    return order[(score + opponent_score) % 10]
