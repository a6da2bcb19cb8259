# The course's module `dice`, for a strategy that is handed in without it. `random` is imported only when a die is rolled:
# importing it takes time.


def make_fair_dice(sides):
    def die():
        import random
        return random.randint(1, sides)
    return die


def make_test_dice(*outcomes):
    rolls = list(outcomes)
    def die():
        rolls.append(rolls.pop(0))
        return rolls[-1]
    return die


four_sided = four_sided_dice = make_fair_dice(4)
six_sided = six_sided_dice = make_fair_dice(6)
eight_sided = make_fair_dice(8)
