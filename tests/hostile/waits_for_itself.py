# Waits for a lock that only it could release: "it was stopped after 1 s of waiting"
import threading
lock = threading.Lock()
def final_strategy(score, opponent_score):
    lock.acquire()
    return 3
