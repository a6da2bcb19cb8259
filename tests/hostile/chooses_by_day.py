# Answers by the day of the week: "it is not pure: started again"
import datetime
def final_strategy(score, opponent_score):
    return datetime.date.today().weekday()
