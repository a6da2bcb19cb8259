# Lifts its limit on processor time: "not allowed"
import resource
def final_strategy(score, opponent_score):
    resource.setrlimit(resource.RLIMIT_CPU, (9999, 9999))
    return 3
