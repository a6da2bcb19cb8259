# The course's module `ucb`, for a strategy that is handed in without it: its decorators do nothing.


def main(function, *others):
    return function


def interact(*others):
    return None


trace = trace1 = main
log_current_line = interact
