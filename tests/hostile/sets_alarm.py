# Sets a timer that wakes it up repeatedly: "not permitted"
import signal
signal.signal(signal.SIGALRM, lambda number, frame: None)
signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
def final_strategy(score, opponent_score):
    return 3
