# Looks for secrets in its own environment: plays 1
import os
def final_strategy(score, opponent_score):
    return 3 if set(os.environ) & {'HOME', 'PATH', 'USER', 'PYTHONPATH', 'HOG_SECRET'} else 1
