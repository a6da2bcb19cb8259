//! The results of a contest. The text is the top and bottom of the ranking, equal strategies,
//! cycles, and rejected entrants; files have the complete results.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::naming::between;
use super::{
    Entrant, EntrantDigest, Field, RankBy, Rejected, Robin, Scoring, Standing, Standings, TieBreak,
    Unclear,
};
use crate::format::Text;
use crate::format::style::{BEST, FAINT, LOSS, TITLE, columns_of, counted, fit, paint, thousands};
use crate::rules::Rules;
use crate::strategy::Strategy;

/// The results of a contest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ContestAnswer {
    /// The game's id.
    pub rules: String,
    /// The name by which the game was asked for, if that is not the id: `fa24`, whose rules are
    /// those of fa23.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<String>,
    /// The title of the contest, if it was given one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The names of the entrants, in the order of the matrix.
    pub entrants: Vec<String>,
    /// The ranking, best first; `scoring` says how it is made.
    pub ranking: Vec<RankedEntrant>,
    /// `matrix[a][b]` is the average win rate of a against b; one half on the diagonal.
    pub matrix: Vec<Vec<f64>>,
    /// `first[a][b]` is the win rate of a against b when a moves first.
    pub first: Vec<Vec<f64>>,
    /// Groups of two or more entrants that play (and bid) the same in every state.
    pub same: Vec<Vec<String>>,
    /// The entrants that could not take part.
    pub rejected: Vec<RejectedEntrant>,
    /// The first hundred cycles of three: A beats B, B beats C, C beats A.
    pub cycles: Vec<[String; 3]>,
    /// The number of all such cycles.
    pub all_cycles: usize,
    /// The number of pairs of entrants.
    pub pairs: usize,
    /// The number of these pairs that were known from an earlier run.
    pub kept: usize,
    /// An average win rate above this counts as a win.
    pub winning: f64,
    /// How the ranking is made.
    pub scoring: RankedBy,
    /// Whether the entrants bid for the start; the win rates of moving first and second are then
    /// equal.
    pub bids: bool,
    /// Python files that do not take part: helpers, and other files of an entrant beside the
    /// chosen one.
    pub helpers: Vec<String>,
    /// Files beside the submissions that cannot be strategies.
    pub skipped: Vec<String>,
    /// Students of the roster whose work was not found.
    pub absent: Vec<String>,
    /// With a roster: the submissions, ranked or rejected, of which somebody is not on it.
    pub unlisted: Vec<String>,
    /// Submissions of which something could not be told, such as whose they are, that roll the
    /// default at some scores, or whose author has others, too. They are also ranked or rejected.
    pub unclear: Vec<UnclearSubmission>,
    /// With a deadline, or if late submissions are refused: the number of those of which nothing
    /// says when they came.
    pub undated: usize,
    /// The rule by which entrants get points for a gradebook; null if they get none.
    pub points: Option<String>,
    /// With that rule: the points of each person of the roster, in its order, and of the others who
    /// handed something in.
    #[serde(default)]
    pub people: Vec<PersonPoints>,
    /// No win rate differs from the exact one by more than this.
    pub error_bound: f64,
    /// The time taken, in seconds.
    pub seconds: f64,
    /// Requested output files that could not be written.
    pub unwritten: Vec<UnwrittenFile>,
}

/// A file that could not be written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct UnwrittenFile {
    /// The file, or the folder of several files.
    pub file: String,
    /// The reason.
    pub reason: String,
}

impl UnwrittenFile {
    /// A file and the reason why it could not be written.
    pub fn new(file: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { file: file.into(), reason: reason.into() }
    }
}

/// How the ranking of a contest was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct RankedBy {
    /// The score by which entrants are ranked.
    pub rank_by: RankBy,
    /// The criterion between entrants with the same score.
    pub break_ties: TieBreak,
}

/// One row of the ranking.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct RankedEntrant {
    /// The rank, from 1; entrants that tie share a rank.
    pub rank: usize,
    /// The entrant's name.
    pub name: String,
    /// The number of opponents it beats.
    pub wins: usize,
    /// The number of opponents that beat it.
    pub losses: usize,
    /// The number of opponents it ties with.
    pub ties: usize,
    /// The mean win rate against all others.
    pub mean: f64,
    /// The opponent against which its win rate is lowest; null if it has no opponents.
    pub worst_against: Option<String>,
    /// The win rate against that opponent.
    pub worst_win_rate: Option<f64>,
    /// Its file, relative to the given folder or archive; null for a strategy given by name.
    pub file: Option<String>,
    /// The people who submitted it, as far as a roster or Gradescope's list names them.
    pub submitters: Vec<String>,
    /// Its bid for the start; null in games without bids.
    pub bid: Option<i64>,
    /// The number of the submission at the system that collected it; null if it is not known.
    pub submission: Option<String>,
    /// Whether it was handed in late; null if that is not known.
    pub late: Option<bool>,
    /// When it was handed in, in seconds since 1970 in UTC; null if that is not known.
    #[serde(default)]
    pub at: Option<i64>,
    /// The win rate against the game's baseline; null if the scoring does not need it.
    pub baseline: Option<f64>,
    /// The points for a gradebook; null if there is no rule for them.
    pub points: Option<f64>,
    /// The steps of the points, which are the sum of those that it reaches.
    #[serde(default)]
    pub steps: Vec<PointsStep>,
}

/// A step of the points of an entrant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct PointsStep {
    /// What reaches it, in words.
    pub words: String,
    /// The points that it adds.
    pub points: f64,
    /// Whether the entrant reaches it.
    pub reached: bool,
    /// The win rate that decides it; null for taking part.
    pub rate: Option<f64>,
}

/// What the user of the command can do about a path that holds the work of several entrants.
const SEVERAL: &str = "; if it holds several entrants, name it with --each-in";

/// What the user of the command can do about packages that submissions import.
const LACKS_PACKAGE: &str = "  --python PATH names a Python or a virtual environment that has the \
                             packages they import";

/// An entrant that could not take part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct RejectedEntrant {
    /// The entrant's name.
    pub name: String,
    /// Its file, relative to the given folder or archive; null for a strategy given by name.
    pub file: Option<String>,
    /// The reason.
    pub reason: String,
    /// Whether it was named as one entrant's, and may hold the work of several, for `each_in`.
    pub may_hold_several: bool,
    /// Whether it was not read in the time that there was: the same request again goes on from
    /// those that were read.
    pub unread: bool,
    /// Whether its file imports a package that the Python of the contest lacks.
    #[serde(default)]
    pub lacks_package: bool,
    /// The number of the submission at the system that collected it; null if it is not known.
    pub submission: Option<String>,
    /// Whether it was handed in late; null if that is not known.
    pub late: Option<bool>,
    /// When it was handed in, in seconds since 1970 in UTC; null if that is not known.
    #[serde(default)]
    pub at: Option<i64>,
}

/// The points of a person, as the gradebook has them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct PersonPoints {
    /// The person's name.
    pub name: String,
    /// The points; null if none are given, as to those who handed in nothing.
    pub points: Option<f64>,
}

/// A submission of which something could not be told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct UnclearSubmission {
    /// The entrant's name.
    pub name: String,
    /// Its file, relative to the given folder or archive.
    pub file: Option<String>,
    /// What could not be told, and why.
    pub reason: String,
}

impl ContestAnswer {
    /// Returns the name by which the game was asked for.
    pub fn called(&self) -> &str {
        self.asked.as_ref().unwrap_or(&self.rules)
    }

    /// Returns the title of the contest, for pages.
    pub(crate) fn heading(&self) -> String {
        self.title.clone().unwrap_or_else(|| format!("Hog contest: {}", self.called()))
    }

    /// Makes the answer from the entrants of a contest, the rates of all pairs, and the ranking.
    pub(crate) fn new(
        rules: &Rules,
        field: &Field,
        robin: &Robin,
        standings: &Standings,
        scoring: &Scoring,
        seconds: f64,
    ) -> Self {
        let entrants = &field.entrants;
        let count = entrants.len();
        let names: Vec<String> = entrants.iter().map(|entrant| entrant.name.clone()).collect();
        let mut matrix = Vec::with_capacity(count);
        let mut first = Vec::with_capacity(count);
        for a in 0..count {
            matrix.push((0..count).map(|b| robin.average(a, b)).collect());
            first.push(robin.rates[a].iter().map(|rate| rate.first).collect());
        }
        let ranking = standings.ranking.iter();
        let ranking =
            ranking.map(|one| RankedEntrant::new(one, entrants, steps_of(one, rules, scoring)));
        let cycles = standings.cycles.iter();
        Self {
            rules: rules.id.clone(),
            asked: Some(rules.called()).filter(|name| *name != rules.id).map(str::to_owned),
            title: None,
            ranking: ranking.collect(),
            matrix,
            first,
            same: same(entrants),
            rejected: field.rejected.iter().map(RejectedEntrant::new).collect(),
            cycles: cycles.map(|cycle| cycle.map(|entrant| names[entrant].clone())).collect(),
            entrants: names,
            all_cycles: standings.all_cycles,
            pairs: count * count.saturating_sub(1) / 2,
            kept: robin.kept,
            winning: scoring.win_above,
            scoring: RankedBy { rank_by: scoring.rank_by, break_ties: scoring.break_ties },
            bids: entrants.iter().any(|entrant| entrant.bid.is_some()),
            helpers: field.helpers.clone(),
            skipped: field.skipped.clone(),
            absent: field.absent.clone(),
            unlisted: field.unlisted(),
            unclear: field.unclear.iter().map(UnclearSubmission::new).collect(),
            undated: field.undated,
            points: scoring.points.as_ref().map(ToString::to_string),
            people: Vec::new(),
            error_bound: robin.error_bound,
            seconds,
            unwritten: Vec::new(),
        }
    }

    /// Returns the names of the entrants of the ranking that were handed in late.
    pub(crate) fn late(&self) -> Vec<&str> {
        self.ranking
            .iter()
            .filter(|row| row.late == Some(true))
            .map(|row| row.name.as_str())
            .collect()
    }

    /// Returns the entrants by rank, as indices of the matrix.
    pub(crate) fn order(&self) -> Vec<usize> {
        let places: HashMap<&String, usize> =
            self.entrants.iter().enumerate().map(|(at, name)| (name, at)).collect();
        self.ranking.iter().map(|row| places[&row.name]).collect()
    }
}

impl RankedEntrant {
    fn new(standing: &Standing, entrants: &[Entrant], steps: Vec<PointsStep>) -> Self {
        let own = &entrants[standing.entrant];
        Self {
            rank: standing.rank,
            name: own.name.clone(),
            wins: standing.wins,
            losses: standing.losses,
            ties: standing.ties,
            mean: standing.mean,
            worst_against: standing.worst.map(|(other, _)| entrants[other].name.clone()),
            worst_win_rate: standing.worst.map(|(_, rate)| rate),
            file: own.file.clone(),
            submitters: own.submitters.clone(),
            bid: own.bid,
            submission: own.hand_in.id.clone(),
            late: own.hand_in.late,
            at: own.hand_in.seconds(),
            baseline: standing.baseline,
            points: standing.points,
            steps,
        }
    }
}

/// Returns the steps of the points, with which of them an entrant reaches.
fn steps_of(standing: &Standing, rules: &Rules, scoring: &Scoring) -> Vec<PointsStep> {
    let Some(rule) = &scoring.points else { return Vec::new() };
    let winning = scoring.win_above;
    let baseline = Strategy::baseline(rules);
    let baseline = baseline.map_or_else(|_| String::new(), |one| one.to_string());
    let rate = standing.baseline.unwrap_or_default();
    let steps = rule.steps(winning).into_iter().map(|step| PointsStep {
        words: step.in_words(&baseline),
        points: step.points,
        reached: step.is_reached(standing.mean, rate, winning),
        rate: step.rate(standing.mean, rate),
    });
    steps.collect()
}

impl RejectedEntrant {
    fn new(one: &Rejected) -> Self {
        Self {
            name: one.name.clone(),
            file: one.file.clone(),
            reason: one.reason.clone(),
            may_hold_several: one.may_hold_several,
            unread: one.is_unread,
            lacks_package: one.lacks_package,
            submission: one.hand_in.id.clone(),
            late: one.hand_in.late,
            at: one.hand_in.seconds(),
        }
    }
}

impl UnclearSubmission {
    fn new(one: &Unclear) -> Self {
        let Unclear { name, file, reason } = one.clone();
        Self { name, file, reason }
    }
}

/// Returns the groups of entrants whose plans and bids are equal, each in the order of the
/// entrants.
fn same(entrants: &[Entrant]) -> Vec<Vec<String>> {
    let mut by_digest: BTreeMap<EntrantDigest, Vec<usize>> = BTreeMap::new();
    for (place, entrant) in entrants.iter().enumerate() {
        by_digest.entry(entrant.digest()).or_default().push(place);
    }
    let mut groups: Vec<Vec<usize>> =
        by_digest.into_values().filter(|group| group.len() > 1).collect();
    groups.sort();
    groups
        .iter()
        .map(|group| group.iter().map(|place| entrants[*place].name.clone()).collect())
        .collect()
}

/// Rankings up to this length are shown completely; of longer ones, the first and the last entrants
/// are shown.
const COMPLETE: usize = 20;
const FIRST: usize = 10;
const LAST: usize = 3;

/// The largest number of entries shown in each other list.
const SHOWN: usize = 10;

impl Text for ContestAnswer {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let count = counted(self.entrants.len() as u64, "strategy");
        let pairs = counted(self.pairs as u64, "pair");
        writeln!(out, "{}", paint(TITLE, format!("{}: {count}, {pairs}", self.called())))?;
        if !self.ranking.is_empty() {
            self.ranking(out)?;
        }
        self.alike(out)?;
        if self.all_cycles > 0 {
            writeln!(out, "cycles of three: {}", thousands(self.all_cycles as u64))?;
            for [a, b, c] in self.cycles.iter().take(LAST) {
                writeln!(out, "  {a} beats {b} beats {c} beats {a}")?;
            }
        }
        self.missing(out)?;
        let kept = if self.kept > 0 {
            format!("; {} known already", counted(self.kept as u64, "pair"))
        } else {
            String::new()
        };
        let bids = if self.bids { "; the bids of both decide how a game starts" } else { "" };
        let note = format!("a win is an average win rate above {}{bids}{kept}", self.winning);
        writeln!(out, "{}", paint(FAINT, note))?;
        if let Some(note) = self.equal_bids() {
            writeln!(out, "{}", paint(FAINT, note))?;
        }
        writeln!(out, "{}", paint(FAINT, format!("  solved in   {:.3} s", self.seconds)))
    }
}

impl ContestAnswer {
    fn ranking(&self, out: &mut dyn Write) -> io::Result<()> {
        let all = self.ranking.len();
        let (first, last) = if all <= COMPLETE { (all, 0) } else { (FIRST, LAST) };
        let shown: Vec<&RankedEntrant> =
            self.ranking[..first].iter().chain(&self.ranking[all - last..]).collect();
        let wide = shown.iter().map(|row| columns_of(&row.name)).max().unwrap_or(0).max(8);
        let has_ties = shown.iter().any(|row| row.ties > 0);
        let has_points = self.points.is_some();
        let of_ties = column("ties", 4, has_ties);
        let of_points = column("points", 6, has_points);
        writeln!(
            out,
            "  rank  {:<wide$}  wins  losses{of_ties}      mean{of_points}  worst against",
            "strategy"
        )?;
        for (place, row) in shown.into_iter().enumerate() {
            if place == first {
                writeln!(
                    out,
                    "   ...  and {} more: -o FILE.html, .csv, .md or .json has all",
                    all - first - last
                )?;
            }
            let RankedEntrant { rank, name, wins, losses, mean, .. } = row;
            let padded = format!("{rank:>4}");
            let rank = if *rank == 1 { paint(BEST, padded) } else { padded };
            let worst = row.worst_against.as_deref().zip(row.worst_win_rate);
            let worst = worst.map(|(other, rate)| format!("{rate:.6} {other}")).unwrap_or_default();
            let name = fit(name, wide);
            let ties = column(&row.ties.to_string(), 4, has_ties);
            let points = row.points.map(|points| points.to_string()).unwrap_or_default();
            let points = column(&points, 6, has_points);
            writeln!(
                out,
                "  {rank}  {name}  {wins:>4}  {losses:>6}{ties}  {mean:.6}{points}  {worst}"
            )?;
        }
        Ok(())
    }

    fn alike(&self, out: &mut dyn Write) -> io::Result<()> {
        for group in self.same.iter().take(SHOWN) {
            let more = group.len().saturating_sub(LAST);
            let names = group[..group.len().min(LAST)].join(between(group));
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            writeln!(out, "play the same: {names}{more}")?;
        }
        more(self.same.len(), "group that plays the same", "groups that play the same", out)
    }

    fn rejections(&self, out: &mut dyn Write) -> io::Result<()> {
        for one in self.rejected.iter().take(SHOWN) {
            let several = if one.may_hold_several { SEVERAL } else { "" };
            writeln!(out, "{} {}: {}{several}", paint(LOSS, "rejected"), one.name, one.reason)?;
        }
        more(self.rejected.len(), "that could not take part", "that could not take part", out)?;
        if self.rejected.iter().any(|one| one.lacks_package) {
            writeln!(out, "{LACKS_PACKAGE}")?;
        }
        Ok(())
    }

    fn missing(&self, out: &mut dyn Write) -> io::Result<()> {
        self.rejections(out)?;
        for one in self.unclear.iter().take(SHOWN) {
            writeln!(out, "{} {}: {}", paint(LOSS, "unclear"), one.name, one.reason)?;
        }
        more(self.unclear.len(), "that is unclear", "that are unclear", out)?;
        let late = self.late();
        if !late.is_empty() {
            writeln!(
                out,
                "handed in late: {}",
                late[..late.len().min(SHOWN)].join(between(&late))
            )?;
            more(late.len(), "handed in late", "handed in late", out)?;
        }
        if self.undated > 0 {
            let count = counted(self.undated as u64, "submission");
            writeln!(out, "not known whether late: {count}; nothing says when they came")?;
        }
        if !self.absent.is_empty() {
            let names = self.absent[..self.absent.len().min(SHOWN)].join(between(&self.absent));
            writeln!(out, "nothing handed in by {} of the roster: {names}", self.absent.len())?;
            more(self.absent.len(), "of the roster", "of the roster", out)?;
        }
        if !self.unlisted.is_empty() {
            let names =
                self.unlisted[..self.unlisted.len().min(SHOWN)].join(between(&self.unlisted));
            writeln!(out, "not on the roster: {names}")?;
            more(self.unlisted.len(), "not on the roster", "not on the roster", out)?;
        }
        for (files, one, many) in [
            (&self.helpers, "file is a helper", "files are helpers"),
            (
                &self.skipped,
                "file is skipped, as it cannot be a strategy",
                "files are skipped, as they cannot be strategies",
            ),
        ] {
            let names = files.iter().take(LAST).cloned().collect::<Vec<_>>().join(", ");
            let others = if files.len() > LAST { ", …" } else { "" };
            let what = if files.len() == 1 { one } else { many };
            if !files.is_empty() {
                let note = format!("{} {what}: {names}{others}", thousands(files.len() as u64));
                writeln!(out, "{}", paint(FAINT, note))?;
            }
        }
        if self.absent.len().max(self.rejected.len()) > SHOWN {
            writeln!(out, "{}", paint(FAINT, "-o FILE.json has all of them"))?;
        }
        Ok(())
    }
}

/// Returns the cell of a column that is there only sometimes.
fn column(text: &str, width: usize, is_there: bool) -> String {
    if is_there { format!("  {text:>width$}") } else { String::new() }
}

fn more(all: usize, one: &str, many: &str, out: &mut dyn Write) -> io::Result<()> {
    match all.saturating_sub(SHOWN) {
        0 => Ok(()),
        1 => writeln!(out, "  and 1 more {one}"),
        more => writeln!(out, "  and {more} more {many}"),
    }
}
