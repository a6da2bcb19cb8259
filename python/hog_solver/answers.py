"""The answers of the library as types, and the questions as methods of :class:`hog_solver.Game`.

Made by ``scripts/python_answers.py`` from the engine's list of questions and from ``docs/schema``; do not edit it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from ._progress import Progress
from ._strategies import StrategyLike
from ._views import Rate, View


class Choice(View):
    """One number of dice and its win rate."""

    dice: int
    win_rate: float
    means: str | None


class KeepChoice(View):
    """A choice of dice to keep and its win rate."""

    keep: list[int]
    marked: list[int]
    points: int
    win_rate: float
    then: list[str]
    bust: float | None
    kept: str
    next: list[Choice]


class BestAnswer(View):
    """The best rolls and all choices in one position."""

    rules: str
    score: int
    opponent: int
    memory: Mapping[str, int]
    win_rate: float
    best: list[int]
    choices: list[Choice]
    numbers: str
    source: str
    arithmetic: str
    error_bound: float
    against: str | None
    assumed: list[str]
    keeps: list[KeepChoice]
    roll: list[int]


class BidShare(View):
    """One bid of the equilibrium."""

    bid: int
    share: float


class BidAnswer(View):
    """The equilibrium of the bids for the start."""

    rules: str
    win_rate: float
    shares: list[BidShare]
    answers: list[float]
    text: str | None


class Choices(View):
    """How much the choice of a roll matters if both players play optimally otherwise."""

    mean_spread: float
    share_that_matter: float
    interval: list[float] | None


class Comeback(View):
    """How often the winner was close to losing."""

    win_rate: float
    share: float
    interval: list[float] | None


class DescribeAnswer(View):
    """A description of a game as two strategies play it, and of how much skill matters in it. A figure whose `interval` is not
    null is an estimate from simulated games, with its 95% confidence interval; all others are computed.
    """

    rules: str
    game: str
    title: str
    play: list[str]
    win_rate: Rate
    first_mover_edge: float
    turns: GameTurns
    tied: Mean
    lead_changes: Mean
    comebacks: list[Comeback]
    rule_uses: list[RuleUse]
    skill: list[Skill]
    choices: Choices
    games: int
    given_up: int
    rolls: Mean | None


class GameTurns(View):
    """The length of a game, in turns of both players. Extra turns count; where a turn may be several rolls, as in a game with a
    pot, it ends when the other player is to move.
    """

    distribution: list[float]
    interval: list[float] | None
    mean: float | None
    median: int | None
    p95: int | None


class Mean(View):
    """A mean over games."""

    mean: float
    interval: list[float] | None


class PositionDifference(View):
    """A position where best play differs."""

    score: int
    opponent: int
    best: list[list[int]]
    costs: list[float | None]
    left: Mapping[str, int]
    pot: int | None


class RuleUse(View):
    """How often a rule has an effect."""

    name: str
    per_game: float
    interval: list[float] | None


class Skill(View):
    """The win rates of one strategy against optimal play."""

    level: str
    strategy: str
    against_optimal: Rate
    games: int | None
    interval: list[float] | None


class CompareAnswer(View):
    """The descriptions of two games, and where best play differs."""

    games: list[DescribeAnswer]
    compared: int
    differing: int
    positions: list[PositionDifference]


class EffectChange(View):
    """The figures of one game less those of another."""

    first_mover_edge: float
    skill: float | None
    turns: float | None


class EffectFigures(View):
    """The figures of a game that both play optimally."""

    first_mover_edge: float
    skill: float | None
    turns: float | None
    turns_interval: list[float] | None


class RuleEffect(View):
    """A game without one of its rules."""

    rule: str
    change: EffectChange | None
    figures: EffectFigures | None
    reason: str | None


class EffectsAnswer(View):
    """What each rule of a game does."""

    rules: str
    whole: EffectFigures
    without: list[RuleEffect]
    error_bound: float
    baseline: str | None


class Handicap(View):
    """Scores at the start of the game."""

    first: int
    second: int
    first_player: float


class FairAnswer(View):
    """What makes the first and the second player equal."""

    rules: str
    first_player: float
    handicaps: list[Handicap]
    error_bound: float


class HoldLayer(View):
    """When to hold: the least value of a memory at which no dice are rolled."""

    over: str
    first: list[int | None]
    last: list[int | None]
    again: list[int | None]


class StrategyLayer(View):
    """The rolls of a strategy."""

    name: str
    dice: list[int]
    hold: HoldLayer | None


class MapAnswer(View):
    """Best rolls and win rates for every pair of scores, at fixed values of the memories. The index of a pair in each list is
    `score * goal + opponent`.
    """

    rules: str
    goal: int
    min_dice: int
    max_dice: int
    memory: Mapping[str, int]
    sets: list[list[int]]
    best: list[int]
    win_rate: list[float]
    numbers: str
    source: str
    arithmetic: str
    error_bound: float
    against: str | None
    hold: HoldLayer | None
    met: list[float] | None
    spread: list[float] | None
    strategy: StrategyLayer | None


class Hint(View):
    """The value of a number of dice."""

    dice: int
    win_rate: float
    best: bool
    keep: list[int]
    means: str | None


class PlayedTurn(View):
    """One turn with its grade and commentary."""

    player: int
    name: str
    dice: int
    faces: list[int]
    points: int
    scores: list[int]
    again: bool
    steps: list[Step]
    memory: Mapping[str, int]
    said: list[str]
    grade: str | None
    keep: list[int]
    kept: Mapping[str, int]
    loss: float | None
    remark: str | None


class Remark(View):
    """A remark on a roll."""

    dice: int
    loss: float
    best: list[int]
    grade: str
    words: str | None


class Step(View):
    """The effect of one rule."""

    rule: str
    text: str


class Summary(View):
    """A summary of one player's rolls."""

    moves: int
    mean_loss: float
    grades: list[int]
    worst: list[Any] | None


class PlayAnswer(View):
    """The current state of a game that is played."""

    rules: str
    goal: int
    seed: int
    names: list[str]
    people: list[bool]
    turns: list[PlayedTurn]
    scores: list[int]
    choices: list[int]
    memory: Mapping[str, int]
    hints: list[Hint]
    mover: int | None
    result: Mapping[str, Any] | str | None
    roll: list[int]
    summaries: list[Summary] | None


class RateAnswer(View):
    """The win rates of one strategy against another."""

    rules: str
    strategy: str
    against: str
    win_rate: Rate
    remark: str | None


class ErrorDetail(View):
    """What went wrong."""

    message: str
    kind: str
    faults: list[ErrorFault]
    parameter: str | None


class ErrorFault(View):
    """One fault of a rule file or a strategy's file."""

    file: str
    kind: str
    line: int
    message: str
    column: int | None


class GameSize(View):
    """How large a game is, and about what it takes to solve it."""

    game: str
    states: int
    seconds: float
    bytes: int


class RulesCheckAnswer(View):
    """The result of checking rules: they were read and tabulated, and their examples were played."""

    checked: list[list[Any]]
    sizes: list[GameSize]
    error: ErrorDetail | None
    warnings: list[list[Any]]


class GameDefault(View):
    """A part of the game that its file does not say."""

    key: str
    value: str
    meaning: str


class GameMemory(View):
    """One memory."""

    name: str
    of: str
    start: int
    max: int
    next: str


class GameRule(View):
    """One rule and its formulas."""

    name: str
    hooks: list[list[Any]]
    text: str | None


class KindOfDice(View):
    """Equal dice of a hand."""

    name: str
    count: int
    weights: list[int]


class NamedNumber(View):
    """A number with a name."""

    name: str
    value: int
    used_in: list[NumberUse]


class NumberUse(View):
    """A formula that uses a number with a name."""

    of: str
    key: str


class RulesShowAnswer(View):
    """One game's rules."""

    id: str
    origin: str
    title: str
    aliases: list[str]
    goal: int
    min_dice: int
    max_dice: int
    memories: list[GameMemory]
    rules: list[GameRule]
    examples: int
    fingerprint: str
    baseline: str | None
    bid: GameRule | None
    defaults: list[GameDefault]
    hand: list[KindOfDice]
    numbers: list[NamedNumber]
    pot: str | None
    source: str | None
    step: int | None
    target: str | None


class RulesTextAnswer(View):
    """The text of a rule file."""

    id: str
    text: str


class BaselineRate(View):
    """Win rates against a game's baseline."""

    baseline: str
    win_rate: Rate


class SimpleStrategy(View):
    """A strategy of a few lines."""

    lines: int
    loss: float
    sentences: list[str]
    python: str


class SimplifyAnswer(View):
    """Short strategies for a game, with what they lose: the highest win rate against an opponent less their own, averaged over
    moving first and second. Optimal play, the usual opponent, wins half of the games against itself.
    """

    rules: str
    reached: bool
    against: str
    best: float
    win_rate: Rate
    strategies: list[SimpleStrategy]
    against_baseline: BaselineRate | None
    file: str
    within: float | None


class NearTies(View):
    """The result of comparing near ties of floats with more digits than doubles have."""

    digits: int
    open: int


class TableSearch(View):
    """The search for the best table that sees only part of the state."""

    decisions: int
    at_most: float
    tries: int
    tried: int
    seed: int


class SolveAnswer(View):
    """A summary of a solved game: its win rates, the method and the error bound."""

    rules: str
    goal: int
    max_dice: int
    objective: str
    sees: str
    arithmetic: str
    method: str
    states: int
    win_rate: Rate
    first_roll: list[int]
    ties: int
    loops: int
    seconds: float
    against: str | None
    bid: BidAnswer | None
    file: str
    fraction: str | None
    near_ties: NearTies | None
    output: str | None
    search: TableSearch | None


class HandoutComparison(View):
    """How the functions in a student's file compare with those of the handout."""

    wrong_functions: list[WrongFunction]
    other_semester: OtherSemester | None
    swapped_scores: str | None


class Loss(View):
    """A position and the loss there."""

    score: int
    opponent: int
    memory: Mapping[str, int]
    dice: int
    best: list[int]
    loss: float
    met: float
    loss_each: float
    words: str
    keeps: list[list[int]]
    mistake: str | None
    roll: list[int]
    roll_loss: float | None


class MistakeLoss(View):
    """The loss by one kind of mistake."""

    kind: str
    positions: int
    loss: float


class OtherSemester(View):
    """Another semester whose functions a file defines, if it defines more of theirs than of the game's."""

    functions: list[str]
    rules: list[str]
    words: str


class WrongFunction(View):
    """A rule function that differs from the handout's."""

    function: str
    arguments: list[int]
    expected: str
    words: str


class TryAnswer(View):
    """How good a strategy is, how good it could be, where it loses, and what changed since it was last tried."""

    rules: str
    strategy: str
    against: str
    win_rate: Rate
    best_response: Rate
    loss: Rate
    unseen: list[str]
    optimal: Rate
    mistakes: list[MistakeLoss]
    worst: list[Loss]
    positions_met: int
    handout: HandoutComparison
    changed: int | None
    file: str
    previous: Rate | None
    target: str | None


class TunedStrategy(View):
    """One strategy of a family."""

    @property
    def values(self) -> list[int]:  # type: ignore[override]
        return cast("list[int]", self["values"])

    strategy: str
    first: float
    second: float
    average: float


class TuneAnswer(View):
    """The win rates of all strategies of a family against one."""

    rules: str
    strategy: str
    against: str
    parameters: list[str]
    best: TunedStrategy
    rates: list[TunedStrategy]
    error_bound: float
    file: str


class TurnAnswer(View):
    """One turn, with the effect of each rule."""

    points: int
    score: int
    opponent: int
    again: bool
    over: bool
    memory: Mapping[str, int]
    steps: list[Step]


class DiceShare(View):
    """The share of states in which a number of dice is the smallest best number."""

    dice: int
    share: float


class RefusedValues(View):
    """Values with which the rules are none, as those with which a formula divides by 0."""

    @property
    def values(self) -> list[int]:  # type: ignore[override]
        return cast("list[int]", self["values"])

    reason: str


class SurveyRow(View):
    """The figures of one game."""

    rules: str
    title: str
    group: str
    goal: int
    win_rate: Rate
    first_roll: list[int]
    arithmetic: str
    ties: int
    states: int
    seconds: float
    aliases: list[str]
    baseline: str | None
    best_dice: list[DiceShare]
    best_response: Rate | None
    bids: list[BidShare]
    equilibrium: Rate | None
    source: str | None


class VariedRow(View):
    """The figures of a game for one combination of values."""

    @property
    def values(self) -> list[int]:  # type: ignore[override]
        return cast("list[int]", self["values"])

    figures: SurveyRow
    where: list[float]


class VaryAnswer(View):
    """The figures of a game for all combinations of values of its numbers."""

    rules: str
    vary: list[str]
    tried: int
    rows: list[VariedRow]
    file: str
    having: list[int]
    nearest: VariedRow | None
    refused: list[RefusedValues]
    spans: list[list[float]]
    where: list[str]


class DifferencePart(View):
    """A part of the difference: consecutive points that favour the same roll, or all outcomes of another kind by the same
    rules.
    """

    kind: str
    chance: list[float]
    share: float
    least: int | None
    most: int | None
    rules: list[str]


class RollOutcome(View):
    """An outcome of one or both rolls."""

    kind: str
    win_rate: list[float | None]
    chance: list[float]
    opponent: int | None
    rules: list[str]
    score: int | None


class WhyAnswer(View):
    """A comparison of two rolls in one position."""

    rules: str
    score: int
    opponent: int
    memory: Mapping[str, int]
    dice: list[int]
    win_rate: list[float]
    outcomes: list[RollOutcome]
    parts: list[DifferencePart]
    numbers: str
    source: str
    arithmetic: str
    error_bound: float
    against: str | None
    assumed: list[str]
    keeps: list[KeepChoice]
    means: list[str]
    reason: str


class PersonPoints(View):
    """The points of a person, as the gradebook has them."""

    name: str
    points: float | None


class PointsStep(View):
    """A step of the points of an entrant."""

    words: str
    points: float
    reached: bool
    rate: float | None


class RankedBy(View):
    """How the ranking of a contest was made."""

    rank_by: str
    break_ties: str


class RankedEntrant(View):
    """One row of the ranking."""

    rank: int
    name: str
    wins: int
    losses: int
    ties: int
    mean: float
    submitters: list[str]
    at: int | None
    baseline: float | None
    bid: int | None
    file: str | None
    late: bool | None
    points: float | None
    steps: list[PointsStep]
    submission: str | None
    worst_against: str | None
    worst_win_rate: float | None


class RejectedEntrant(View):
    """An entrant that could not take part."""

    name: str
    reason: str
    may_hold_several: bool
    unread: bool
    at: int | None
    file: str | None
    lacks_package: bool
    late: bool | None
    submission: str | None


class UnclearSubmission(View):
    """A submission of which something could not be told."""

    name: str
    reason: str
    file: str | None


class UnwrittenFile(View):
    """A file that could not be written."""

    file: str
    reason: str


class ContestAnswer(View):
    """The results of a contest."""

    rules: str
    entrants: list[str]
    ranking: list[RankedEntrant]
    matrix: list[list[float]]
    first: list[list[float]]
    same: list[list[str]]
    rejected: list[RejectedEntrant]
    cycles: list[list[str]]
    all_cycles: int
    pairs: int
    kept: int
    winning: float
    scoring: RankedBy
    bids: bool
    helpers: list[str]
    skipped: list[str]
    absent: list[str]
    unlisted: list[str]
    unclear: list[UnclearSubmission]
    undated: int
    error_bound: float
    seconds: float
    unwritten: list[UnwrittenFile]
    asked: str | None
    people: list[PersonPoints]
    points: str | None
    title: str | None


class GradeData(View):
    """What programs read in a grade."""

    rules: str
    points: str
    rates: list[GradedRate]
    error_bound: float
    not_graded: str | None
    rejected: str | None


class GradeTest(View):
    """A test, which is a step of the points, or a text."""

    name: str
    output: str
    max_score: float | None
    score: float | None
    status: str | None


class GradedRate(View):
    """The win rates against an opponent."""

    against: str
    average: float
    first: float
    second: float


class LeaderboardEntry(View):
    """A number of the leaderboard; the largest is the first."""

    name: str
    value: float


class Grade(View):
    """The result of one submission: a `results.json`."""

    score: float
    output: str
    stdout_visibility: str
    tests: list[GradeTest]
    leaderboard: list[LeaderboardEntry]
    extra_data: GradeData


class AutograderAnswer(View):
    """An archive of an autograder."""

    rules: str
    kind: str
    points: str
    files: list[str]
    output: str | None


class PlotAnswer(View):
    """A picture."""

    title: str
    output: str | None
    size: int | None
    svg: str | None


class TableCheck(View):
    """The verdict on one table."""

    table: str
    rules: str
    published: bool
    differences: list[str]
    ok: bool
    states: int
    worst_difference: float
    wrong_values: int
    wrong_rolls: int
    faults: list[str]
    proven: str
    seconds: float
    against: str | None


class PlayTurn(View):
    """One move of a game: in games of several rolls a turn, one roll."""

    player: int
    name: str
    dice: int
    faces: list[int]
    points: int
    scores: list[int]
    again: bool
    steps: list[Step]
    keep: list[int]
    kept: Mapping[str, int]
    loss: float | None
    remark: str | None


class PlayEnd(View):
    """The end of a game."""

    names: list[str]
    scores: list[int]
    turns: int
    result: Mapping[str, Any] | str | None
    summaries: list[Summary] | None


class SimulatedGames(View):
    """Simulated games of one strategy against another."""

    rules: str
    strategy: str
    against: str
    games: int
    seed: int
    first: SimulatedRate
    second: SimulatedRate
    average: SimulatedRate
    tied: int
    endless: int
    turns: float
    seconds: float


class SimulatedRate(View):
    """The win rate in simulated games, with its confidence interval."""

    win_rate: float
    low: float
    high: float
    exact: float
    in_interval: bool


class Questions:
    """The questions as methods of a game."""

    def _asked(self, question: str, /, *, progress: Progress = None, **parameters: Any) -> tuple[str, str]:
        """Returns the answer as JSON and as text."""
        raise NotImplementedError

    def bid(self, *, progress: Progress = None) -> BidAnswer:
        """How to bid for the start, in games that begin with bids."""
        asked = self._asked("bid", progress=progress)
        return BidAnswer._of(asked)

    def effects(self, *, progress: Progress = None) -> EffectsAnswer:
        """What each rule does: the game without it."""
        asked = self._asked("effects", progress=progress)
        return EffectsAnswer._of(asked)

    def fair(self, *, progress: Progress = None) -> FairAnswer:
        """What makes the first and the second player equal."""
        asked = self._asked("fair", progress=progress)
        return FairAnswer._of(asked)

    def map(
        self,
        *,
        against: StrategyLike | None = None,
        layers: Sequence[str] = (),
        memory: Mapping[str, int] | None = None,
        strategy: StrategyLike | None = None,
        progress: Progress = None,
    ) -> MapAnswer:
        """Best rolls and win rates of every pair of scores.

        ``against``: The opponent's strategy (default: best play; in the win rates of a strategy the game's
            baseline).
        ``layers``: What to show besides best rolls and win rates.
        ``memory``: A memory's value (default: as at the start of the game).
        ``strategy``: The strategy to show (default: best play).
        """
        asked = self._asked(
            "map",
            against=against,
            layers=layers,
            memory=memory,
            strategy=strategy,
            progress=progress,
        )
        return MapAnswer._of(asked)

    def rules_check(self, *, progress: Progress = None) -> RulesCheckAnswer:
        """A check of a rule file and its worked examples."""
        asked = self._asked("rules/check", progress=progress)
        return RulesCheckAnswer._of(asked)

    def rules_show(self, *, progress: Progress = None) -> RulesShowAnswer:
        """The rules of a game as sentences and formulas."""
        asked = self._asked("rules/show", progress=progress)
        return RulesShowAnswer._of(asked)

    def rules_text(self, *, progress: Progress = None) -> RulesTextAnswer:
        """The text of a game's rule file."""
        asked = self._asked("rules/text", progress=progress)
        return RulesTextAnswer._of(asked)

    def simplify(
        self,
        *,
        against: StrategyLike | None = None,
        lines: int | None = None,
        within: float | None = None,
        progress: Progress = None,
    ) -> SimplifyAnswer:
        """A strategy to remember: a few lines that lose little.

        ``against``: The opponent against which it is to win (default: optimal play).
        ``lines``: The most lines (default: 16).
        ``within``: The most that the strategy may lose: lines are added until it loses no more (default: 0.005,
            without --lines).
        """
        asked = self._asked("simplify", against=against, lines=lines, within=within, progress=progress)
        return SimplifyAnswer._of(asked)

    def why(
        self,
        score: int,
        opponent: int,
        *,
        against: StrategyLike | None = None,
        memory: Mapping[str, int] | None = None,
        roll: Sequence[int] = (),
        rolls: Sequence[int] = (),
        progress: Progress = None,
    ) -> WhyAnswer:
        """Why a roll is better: the outcomes that make the difference.

        ``score``: The score of the player to move.
        ``opponent``: The opponent's score.
        ``against``: The opponent's strategy (default: optimal play).
        ``memory``: Values of memories by name; those not given have their value at the start of the game.
        ``roll``: The faces rolled, in games in which a player then chooses which dice to keep: why the best choice
            is better than the next.
        ``rolls``: Two numbers of dice to compare (default: a best one, and the best of the others).
        """
        asked = self._asked(
            "why",
            score=score,
            opponent=opponent,
            against=against,
            memory=memory,
            roll=roll,
            rolls=rolls,
            progress=progress,
        )
        return WhyAnswer._of(asked)

    def grade(
        self,
        *,
        against: Sequence[StrategyLike] = (),
        feedback: str | None = None,
        points: str | None = None,
        submission: str | None = None,
        progress: Progress = None,
    ) -> Grade:
        """Grade one submission, as an autograder does.

        ``against``: The opponent: a strategy by name, or a file; may be repeated (default: the game's baseline).
        ``feedback``: What students see besides their points.
        ``points``: Give points: for each of plays, baseline and mean, those of the best tier reached. `baseline=2`
            is for a win against the game's baseline, `baseline:0.6=3` and `mean:0.5=1` for at least this win rate,
            on average against all opponents.
        ``submission``: The folder, file or .zip file of the submission (over HTTP the files that are sent).
        """
        asked = self._asked(
            "grade",
            against=against,
            feedback=feedback,
            points=points,
            submission=submission,
            progress=progress,
        )
        return Grade._of(asked)

    def gradescope(
        self,
        *,
        against: Sequence[StrategyLike] = (),
        feedback: str | None = None,
        kind: str = 'gradescope',
        packages: Sequence[str] = (),
        points: str | None = None,
        progress: Progress = None,
    ) -> AutograderAnswer:
        """Make an autograder for Gradescope or Otter-Grader.

        ``against``: The opponent: a strategy by name, or a file; may be repeated (default: the game's baseline).
        ``feedback``: What students see besides their points.
        ``kind``: What the archive is for.
        ``packages``: Packages that submissions may import, as pip names them, as in numpy,pandas: they are installed
            when Gradescope builds the image, for which it needs a network.
        ``points``: Give points: for each of plays, baseline and mean, those of the best tier reached. `baseline=2`
            is for a win against the game's baseline, `baseline:0.6=3` and `mean:0.5=1` for at least this win rate,
            on average against all opponents.
        """
        asked = self._asked(
            "gradescope",
            against=against,
            feedback=feedback,
            kind=kind,
            packages=packages,
            points=points,
            progress=progress,
        )
        return AutograderAnswer._of(asked)
