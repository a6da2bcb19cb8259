# Ignores the signal of its deadline: "it was stopped after 1 s"
import signal
signal.signal(signal.SIGXCPU, signal.SIG_IGN)
def final_strategy(score, opponent_score):
    while True:
        pass
