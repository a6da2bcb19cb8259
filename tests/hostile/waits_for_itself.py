# Waits for a lock that only it could release: "it was stopped after waiting for 1 s"
import threading
lock = threading.Lock()
def final_strategy(score, opponent_score):
    lock.acquire()
    return 3
