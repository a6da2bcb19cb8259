# Starts a thread that runs while it answers: "can't start new thread"
import threading
def final_strategy(score, opponent_score):
    threading.Thread(target=print).start()
    return 3
