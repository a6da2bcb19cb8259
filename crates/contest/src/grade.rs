//! Grades one submission, as an autograder does: exact win rates, points by thresholds, and what to
//! improve, as far as the instructor lets students see it.
//!
//! A [`Grade`] is the `results.json` of Gradescope; its keys and what they mean are those of
//! <https://gradescope-autograders.readthedocs.io/en/latest/specs/>.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::answer::RankedEntrant;
use super::points::{Measure, Tier};
use super::{Invitation, Naming, Pairs, PlayedContest, PointsRule, Scoring, WINNING, limits};
use crate::analysis::{self, Explanation};
use crate::engine::{Call, Error};
use crate::format::Text;
use crate::format::style::{BEST, FAINT, LOSS, counted, paint};
use crate::game::Game;
use crate::pairs::PairRate;
use crate::rules::Rules;
use crate::strategy::{HandoutComparison, Strategy, StrategyError};
use hog_engine::queries::{GivenStrategy, Loss};

/// How submissions are graded.
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
pub struct Grading {
    /// The opponent: a strategy by name, or a file; may be repeated (default: the game's baseline)
    #[arg(long, value_name = "STRATEGY")]
    #[serde(default)]
    #[schemars(with = "Vec<GivenStrategy>")]
    pub against: Vec<String>,
    /// Give points: for each of plays, baseline and mean, those of the best tier reached.
    /// `baseline=2` is for a win against the game's baseline, `baseline:0.6=3` and
    /// `mean:0.5=1` for at least this win rate, on average against all opponents
    #[arg(long, value_name = "TIER=POINTS,...", default_value = "baseline=1")]
    #[serde(default)]
    pub points: PointsRule,
    /// What students see besides their points
    #[arg(long, value_enum, default_value_t = Feedback::default())]
    #[serde(default)]
    pub feedback: Feedback,
}

/// How much students see of how their strategy plays. Why a file cannot be played is always shown.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Deserialize,
    JsonSchema,
    clap::ValueEnum,
)]
#[serde(rename_all = "snake_case")]
pub enum Feedback {
    /// Only which points are reached
    Points,
    /// Also the exact win rates, and the rank among the opponents
    #[default]
    Rates,
    /// Also the kinds of mistakes and the positions that cost most, with the best rolls there
    Costs,
    /// Also a map of where it loses, for an autograder
    Map,
}

impl Feedback {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Points => "points",
            Self::Rates => "rates",
            Self::Costs => "costs",
            Self::Map => "map",
        }
    }
}

/// The result of one submission: a `results.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Grade {
    /// The points.
    pub score: f64,
    /// What the student reads first.
    pub output: String,
    /// Who sees what the autograder prints: `hidden`, only the staff.
    pub stdout_visibility: String,
    /// A test for each step of the points, and then texts without points.
    pub tests: Vec<GradeTest>,
    /// The lines of the leaderboard.
    pub leaderboard: Vec<LeaderboardEntry>,
    /// The same for programs.
    pub extra_data: GradeData,
}

/// A test, which is a step of the points, or a text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct GradeTest {
    /// Its heading.
    pub name: String,
    /// The points reached; left out for a text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// The points of the step; left out for a text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_score: Option<f64>,
    /// Whether the step is reached; left out for a text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<TestStatus>,
    /// What the student reads.
    pub output: String,
}

/// Whether a step of the points is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TestStatus {
    /// It is.
    Passed,
    /// It is not.
    Failed,
}

/// A number of the leaderboard; the largest is the first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct LeaderboardEntry {
    /// What it is.
    pub name: String,
    /// The number.
    pub value: f64,
}

/// What programs read in a grade.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct GradeData {
    /// The game's id; empty if it could not be read.
    pub rules: String,
    /// The rule of the points; empty if nothing was graded.
    pub points: String,
    /// Why nothing was graded, which is not the student's fault; null if it was.
    pub not_graded: Option<String>,
    /// Why the submission cannot be played; null if it can.
    pub rejected: Option<String>,
    /// The win rates against the opponents; empty if students do not see them.
    pub rates: Vec<GradedRate>,
    /// The bound on the error of each of these rates.
    pub error_bound: f64,
}

/// The win rates against an opponent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct GradedRate {
    /// The opponent.
    pub against: String,
    /// The average of moving first and second.
    pub average: f64,
    /// The win rate when moving first.
    pub first: f64,
    /// The win rate when moving second.
    pub second: f64,
}

impl Grading {
    /// Says what a step measured, if students see win rates.
    fn measured(&self, step: &Tier, mean: f64, baseline: f64) -> String {
        match step.measure {
            _ if self.feedback < Feedback::Rates => String::new(),
            Measure::Baseline => format!("It wins {baseline:.6}."),
            Measure::Mean => format!("It wins {mean:.6}."),
            Measure::Plays => String::new(),
        }
    }

    /// Returns the opponents in a game.
    ///
    /// # Errors
    /// Returns an error if there are none, and the game has no baseline.
    pub fn opponents(&self, rules: &Rules) -> Result<Vec<String>, StrategyError> {
        Ok(match &self.against[..] {
            [] => vec![Strategy::baseline(rules)?.to_string()],
            against => against.to_vec(),
        })
    }

    /// Returns the steps of the points, each with its name as students read it.
    ///
    /// # Errors
    /// Returns an error if the points need the game's baseline, and it has none.
    pub fn steps(&self, rules: &Rules) -> Result<Vec<(String, Tier)>, StrategyError> {
        let baseline = match self.points.needs_baseline() {
            true => Strategy::baseline(rules)?.to_string(),
            false => String::new(),
        };
        let steps = self.points.steps(WINNING).into_iter();
        Ok(steps.map(|step| (step.in_words(&baseline), step)).collect())
    }

    /// Grades the submission in a folder, file or archive. Archives are unpacked in the folder
    /// `unpack_in`, or in that of the system.
    ///
    /// # Errors
    /// Returns an error if nothing can be graded, whatever the submission is.
    pub fn grade(
        &self,
        call: &Call,
        game: &Arc<Game>,
        submission: &Path,
        unpack_in: Option<PathBuf>,
    ) -> Result<Grade, Error> {
        let rules = game.rules();
        let opponents = self.opponents(rules)?;
        let submission = submission.display().to_string();
        let invitation = Invitation {
            entrants: [submission].into_iter().chain(opponents).collect(),
            naming: Naming::Files,
            first_is_one: true,
            unpack_in,
            ..Invitation::default()
        };
        let scoring = Scoring { points: Some(self.points.clone()), ..Scoring::default() };
        let pairs = Pairs::none(game);
        let contest =
            PlayedContest::play::<Error>(call, game, &invitation, &scoring, pairs, |_| Ok(()))?;
        let own = contest.first();
        let mut others = contest.answer.rejected.iter().filter(|one| Some(&*one.name) != own);
        if let Some(opponent) = others.next() {
            let reason = format!("the opponent {} cannot play: {}", opponent.name, opponent.reason);
            return Ok(Grade::not_graded(&reason));
        }
        let steps = self.steps(rules)?;
        let entrants = &contest.field.entrants;
        let Some(at) = entrants.iter().position(|entrant| Some(&*entrant.name) == own) else {
            let reason = match contest.answer.rejected.first() {
                Some(own) => &own.reason,
                None => "no strategy was handed in",
            };
            return Ok(Grade::rejected(self, rules, &steps, reason));
        };
        let mut explained = None;
        if self.feedback >= Feedback::Costs
            && let Some(opponent) = entrants.iter().find(|entrant| Some(&*entrant.name) != own)
        {
            let plans = [&entrants[at].plan, &opponent.plan];
            let explanation =
                call.run("explaining", |watch| analysis::explain(game, plans, watch))?;
            explained = Some((&*opponent.name, explanation));
        }
        let handout = match &entrants[at].strategy {
            Some(strategy) => call.run("asking", |watch| {
                let sources = call.engine().sources();
                Ok::<_, StrategyError>(strategy.compared_with_handout(sources, game, watch))
            })?,
            None => HandoutComparison::default(),
        };
        Ok(Grade::of(self, &contest, at, &steps, explained, &handout))
    }
}

impl Grading {
    /// Returns the texts on where the strategy loses against an opponent.
    fn losses(&self, game: &Game, opponent: &str, explanation: &Explanation) -> Vec<GradeTest> {
        let title = format!("What costs most against {opponent}");
        let mut texts = vec![GradeTest::text(title, costs(game, explanation))];
        if self.feedback >= Feedback::Map {
            let title = format!("Where it loses against {opponent}");
            texts.push(GradeTest::text(title, map(game, explanation)));
        }
        texts
    }
}

impl Grade {
    /// The grade where nothing could be graded, whatever the submission is.
    pub fn not_graded(reason: &str) -> Self {
        let output = format!(
            "Your submission could not be graded. This is not your fault: tell the course staff. \
             The reason: {reason}"
        );
        Self {
            score: 0.0,
            tests: vec![GradeTest {
                name: "It was graded".to_owned(),
                score: None,
                max_score: None,
                status: Some(TestStatus::Failed),
                output: output.clone(),
            }],
            output,
            stdout_visibility: HIDDEN.to_owned(),
            leaderboard: Vec::new(),
            extra_data: GradeData {
                rules: String::new(),
                points: String::new(),
                not_graded: Some(reason.to_owned()),
                rejected: None,
                rates: Vec::new(),
                error_bound: 0.0,
            },
        }
    }

    /// Whether it says something of the submission.
    pub fn is_graded(&self) -> bool {
        self.extra_data.not_graded.is_none()
    }

    /// The grade of a submission that cannot be played.
    fn rejected(grading: &Grading, rules: &Rules, steps: &[(String, Tier)], reason: &str) -> Self {
        let mut tests = Vec::with_capacity(steps.len());
        for (name, step) in steps {
            // The reason stands above all tests.
            tests.push(GradeTest::step(name, step, false, ""));
        }
        Self {
            score: 0.0,
            output: format!("Your strategy cannot be played: {reason}"),
            stdout_visibility: HIDDEN.to_owned(),
            tests,
            leaderboard: Vec::new(),
            extra_data: GradeData {
                rules: rules.id.clone(),
                points: grading.points.to_string(),
                not_graded: None,
                rejected: Some(reason.to_owned()),
                rates: Vec::new(),
                error_bound: 0.0,
            },
        }
    }

    /// The grade of the entrant at this place of a contest. `explained` is where it loses against
    /// an opponent.
    fn of(
        grading: &Grading,
        contest: &PlayedContest,
        at: usize,
        steps: &[(String, Tier)],
        explained: Option<(&str, Explanation)>,
        handout: &HandoutComparison,
    ) -> Self {
        let game = &*contest.game;
        let robin = &contest.robin;
        let own = contest.standings.ranking.iter().position(|standing| standing.entrant == at);
        let own = &contest.answer.ranking[own.expect("every entrant is ranked")];
        let mean = own.mean;
        let baseline = own.baseline.unwrap_or(0.0);
        let winning = contest.answer.winning.max(0.5 + robin.error_bound);
        let mut rates = graded_rates(contest, at);
        let shows_rates = grading.feedback >= Feedback::Rates;
        let score = own.points.unwrap_or(0.0);

        let mut output = format!("{score} of {} points.", grading.points.most());
        if shows_rates {
            output.push_str(&in_words(own.rank, mean, &rates));
        }
        for sentence in handout.sentences() {
            let _ = write!(output, "\n{sentence}");
        }
        let mut tests = Vec::with_capacity(steps.len() + 2);
        for (name, step) in steps {
            let is_reached = step.is_reached(mean, baseline, winning);
            let measured = grading.measured(step, mean, baseline);
            tests.push(GradeTest::step(name, step, is_reached, &measured));
        }
        if let Some((opponent, explanation)) = &explained {
            tests.extend(grading.losses(game, opponent, explanation));
        }
        let mut shown = Vec::new();
        if shows_rates {
            shown = leaderboard(own, rates.len());
        } else {
            rates.clear();
        }
        Self {
            score,
            output,
            stdout_visibility: HIDDEN.to_owned(),
            tests,
            leaderboard: shown,
            extra_data: GradeData {
                rules: game.rules().id.clone(),
                points: grading.points.to_string(),
                not_graded: None,
                rejected: None,
                rates,
                error_bound: robin.error_bound,
            },
        }
    }
}

/// Returns the leaderboard's columns of an entrant with so many opponents.
fn leaderboard(own: &RankedEntrant, opponents: usize) -> Vec<LeaderboardEntry> {
    let name = if opponents > 1 { "Mean win rate" } else { "Win rate" };
    let mut entries = vec![LeaderboardEntry { name: name.to_owned(), value: own.mean }];
    if opponents > 1 {
        entries.push(LeaderboardEntry { name: "Wins".to_owned(), value: own.wins as f64 });
    }
    entries
}

/// The win rates of an entrant against all others.
fn graded_rates(contest: &PlayedContest, at: usize) -> Vec<GradedRate> {
    let mut rates = Vec::new();
    for (other, entrant) in contest.field.entrants.iter().enumerate() {
        if other != at {
            rates.push(GradedRate::new(&entrant.name, contest.robin.rates[at][other]));
        }
    }
    rates
}

/// Only the staff sees what the autograder prints.
const HIDDEN: &str = "hidden";

impl GradeTest {
    fn step(name: &str, step: &Tier, is_reached: bool, output: &str) -> Self {
        Self {
            name: name.to_owned(),
            score: Some(if is_reached { step.points } else { 0.0 }),
            max_score: Some(step.points),
            status: Some(if is_reached { TestStatus::Passed } else { TestStatus::Failed }),
            output: output.to_owned(),
        }
    }

    fn text(name: String, output: String) -> Self {
        Self { name, score: None, max_score: None, status: None, output }
    }
}

/// Returns the win rates in sentences.
fn in_words(rank: usize, mean: f64, rates: &[GradedRate]) -> String {
    match rates {
        [] => String::new(),
        [only] => format!(" Your strategy wins {}.", only.in_words()),
        several => {
            let ranks = several.len() + 1;
            let mut text = format!(
                " Your strategy wins {mean:.6} of its games on average, rank {rank} of {ranks}."
            );
            for rate in several {
                let _ = write!(text, "\n{}", rate.in_words());
            }
            text
        }
    }
}

impl GradedRate {
    fn new(against: &str, rate: PairRate) -> Self {
        let PairRate { first, second } = rate;
        Self { against: against.to_owned(), average: rate.average(), first, second }
    }

    fn in_words(&self) -> String {
        let Self { against, average, first, second } = self;
        format!(
            "{average:.6} of its games against {against} ({first:.6} moving first, \
             {second:.6} moving second)"
        )
    }
}

/// The largest number of positions that are listed.
const LISTED: usize = 10;

/// Lists the kinds of mistakes and the positions that cost most.
fn costs(game: &Game, explanation: &Explanation) -> String {
    let lost: Vec<_> =
        explanation.reached.iter().filter(|reached| reached.average_loss() > 0.0).collect();
    if lost.is_empty() {
        return "Nothing: no strategy does better.".to_owned();
    }
    let own = explanation.rate[2];
    let best = explanation.best[2];
    let mut text = format!(
        "Your strategy wins {own:.6}; the best one against this opponent wins {best:.6}.\n\n\
         By kind of mistake, in win rate:\n"
    );
    for (kind, positions, loss) in explanation.by_mistake() {
        if positions > 0 {
            let positions = counted(positions as u64, "position");
            let _ = writeln!(text, "{loss:.6}  {}, in {positions}", kind.in_words());
        }
    }
    text.push_str("\nBy position, in win rate:");
    for reached in lost.into_iter().take(LISTED) {
        let loss = Loss::new(game, &explanation.response, reached, None);
        let _ = write!(text, "\n{:.6}  {}", loss.loss, loss.words);
    }
    text
}

/// Draws how much is lost at which scores, over all memories: a line for each own score.
fn map(game: &Game, explanation: &Explanation) -> String {
    let goal = game.rules().goal;
    if goal > limits::MAP_GOAL {
        return format!("A map is drawn of games to at most {} points.", limits::MAP_GOAL);
    }
    let side = goal as usize;
    let mut cells = vec![None; side * side];
    for reached in &explanation.reached {
        let score = reached.position.score as usize;
        let opponent = reached.position.opponent as usize;
        if let Some(cell) = cells.get_mut(score * side + opponent) {
            *cell = Some(cell.unwrap_or(0.0) + reached.average_loss());
        }
    }
    let most = cells.iter().flatten().copied().fold(0.0, f64::max);
    let mut text = format!(
        "A line for each score of yours, from 0 down; in it a sign for each score of the \
         opponent, from 0.\n\
         `.` nothing is lost   `-` less than a hundredth of the largest loss   `+` less than a \
         tenth   `#` more   (the largest is {most:.6})\n\n"
    );
    for (score, row) in cells.chunks(side).enumerate() {
        let row: String = row.iter().map(|loss| sign(*loss, most)).collect();
        let _ = writeln!(text, "{score:>3} {}", row.trim_end());
    }
    text
}

/// Returns the sign of a loss on the map.
fn sign(loss: Option<f64>, most: f64) -> char {
    match loss {
        None => ' ',
        Some(loss) if loss <= 0.0 => '.',
        Some(loss) if loss < most / 100.0 => '-',
        Some(loss) if loss < most / 10.0 => '+',
        Some(_) => '#',
    }
}

impl Text for Grade {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let style = if self.score > 0.0 { BEST } else { LOSS };
        writeln!(out, "{}", paint(style, &self.output))?;
        for GradeTest { name, score, max_score, output, .. } in &self.tests {
            match score.zip(*max_score) {
                Some((score, most)) => writeln!(out, "  {score} of {most}  {name}")?,
                None if self.is_graded() => writeln!(out, "\n{name}\n{}", paint(FAINT, output))?,
                None => {}
            }
        }
        Ok(())
    }
}
