//! Reads the entrants of a contest: finds the submissions, names them and makes their plans.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use rayon::prelude::*;

use crate::files::escape;
use crate::game::{Game, Plan, USUAL_MEMORY};
use crate::solve::{SolveError, Watch};
use crate::strategy::python::PythonFault;
use crate::strategy::{KNOWN, NO_SUCH_FILE, Sources, Strategy, StrategyError, not_a_file};

use super::gradescope::Submitter;
use super::naming::{Naming, clean, distinct};
use super::paths::{identity, is_archive};
use super::roster::{Roster, RosterError};
use super::submissions::{Submission, Submissions, by_name};

/// A strategy that takes part.
#[derive(Clone, Debug)]
pub struct Entrant {
    /// Its name.
    pub name: String,
    /// Its actions.
    pub plan: Plan,
    /// Its file, relative to the folder or archive that the user named; `None` for a strategy given by its name.
    pub file: Option<String>,
    /// The names of its submitters, if they are known.
    pub submitters: Vec<String>,
    /// Its bid for the start, in games with bids.
    pub bid: Option<i64>,
}

impl Entrant {
    /// Makes an entrant from a plan.
    pub fn new(name: impl Into<String>, plan: Plan) -> Self {
        Self { name: name.into(), plan, file: None, submitters: Vec::new(), bid: None }
    }
}

/// A strategy that cannot take part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// Its name.
    pub name: String,
    /// Its file, relative to the folder or archive that the user named, if it has one.
    pub file: Option<String>,
    /// What is wrong with it, on one line.
    pub reason: String,
}

/// The entrants to read, and how to name them.
#[derive(Clone, Debug, Default)]
pub struct Invitation {
    /// Files, folders, archives, and names of strategies. A path that is repeated counts once.
    pub entrants: Vec<String>,
    /// Which names the entrants have.
    pub naming: Naming,
    /// A CSV file of the people in the course.
    pub roster: Option<PathBuf>,
    /// Files in the folders that are not strategies.
    pub skip: Vec<PathBuf>,
    /// Whether the first of `entrants`, if it is a folder, is the submission of one entrant, as for an autograder.
    pub first_is_one: bool,
    /// The folder in which archives are unpacked; `None` for the system's temporary folder.
    pub unpack_in: Option<PathBuf>,
    /// The folder of files that were sent rather than named: no entrant is called after it.
    pub sent_in: Option<PathBuf>,
    /// When the submissions must have been read; those that were not are rejected.
    pub until: Option<Instant>,
}

/// The entrants that were read, those that cannot take part, and what was ignored.
#[derive(Clone, Debug, Default)]
pub struct Field {
    /// The entrants in the order of the invitation, and within a folder in the order of its files.
    pub entrants: Vec<Entrant>,
    /// The submissions that cannot take part.
    pub rejected: Vec<Rejected>,
    /// Python files that do not take part: helpers of others, and other files of an entrant beside the chosen one.
    pub helpers: Vec<String>,
    /// The people of the roster whose submissions were not found.
    pub absent: Vec<String>,
    /// The name of the first submission found in the first of the invitation's entrants.
    pub first: Option<String>,
}

/// Why the entrants cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum FieldError {
    /// A named file or folder cannot be read, a name is not a strategy, Python cannot be run, or the work was
    /// cancelled.
    #[error(transparent)]
    Strategy(#[from] StrategyError),
    /// The roster cannot be used.
    #[error(transparent)]
    Roster(#[from] RosterError),
}

/// Called once for each submission, when it was read, with its name and the reason why it cannot take part, if it cannot.
pub type OnFate<'a> = &'a (dyn Fn(&str, Option<&str>) + Sync);

/// Called before each submission, periodically while it is read, and after it, with the number of submissions read, the
/// number of all, and its name; returns false to cancel.
pub type OnRead<'a> = &'a (dyn Fn(usize, usize, &str) -> bool + Sync);

/// The variables in which entrants name themselves.
const CHOSEN: [&str; 2] = ["PLAYER_NAME", "TEAM_NAME"];

/// The length limit of a reason, in characters; longer ones are cut.
const LONGEST_REASON: usize = 1000;

/// If all entrants share a limited time, an entrant that takes longer than this, in seconds for 10,000 positions, is read
/// after the others: it may use up the time left, but not theirs.
const FIRST_TURN: u64 = 1;

const NOT_IN_TIME: &str = "it was not read: the time for all entrants together was over";

/// The variable that gives an entrant's bid.
const BID: &str = "final_bid";

/// Reads all entrants of an invitation, on all cores. Submissions that cannot be used are listed in
/// [`Field::rejected`].
///
/// # Errors
/// Returns an error if a name is neither a file, a folder nor a strategy; if a file does not exist, or may not or
/// cannot be read; if the roster cannot be used; if Python files cannot be run at all; or if `on_read` cancels.
pub fn field(game: &Game, invitation: &Invitation, sources: &Sources, on_read: OnRead) -> Result<Field, FieldError> {
    field_with_fates(game, invitation, sources, USUAL_MEMORY, on_read, &|_, _| ())
}

/// As [`field`], and calls `on_fate` for each submission as soon as it was read. Together, the strategies that are solved
/// at the same time may take `memory` bytes.
///
/// # Errors
/// As [`field`].
pub fn field_with_fates(
    game: &Game,
    invitation: &Invitation,
    sources: &Sources,
    memory: u64,
    on_read: OnRead,
    on_fate: OnFate,
) -> Result<Field, FieldError> {
    let roster = invitation.roster.as_deref().map(Roster::read).transpose()?.unwrap_or_default();
    let mut submissions = Submissions::new(invitation.unpack_in.clone(), invitation.sent_in.clone());
    let invited = distinct_paths(&invitation.entrants, sources);
    let named = NamedPaths::of(&invited[usize::from(invitation.first_is_one).min(invited.len())..]);
    let mut any_first = false;
    for (place, name) in invited.into_iter().enumerate() {
        let path = Path::new(name);
        if is_path(path, sources) {
            let unreadable = |reason: String| StrategyError::File { path: path.into(), reason };
            match invitation.first_is_one && place == 0 {
                true => submissions.add_one(path).map_err(unreadable)?,
                false => submissions.add(path, &named.like(path), &invitation.skip).map_err(unreadable)?,
            }
        } else {
            submissions.all.push(by_name(name, existing(parsed(name, sources)?, sources)?));
        }
        any_first |= place == 0 && !submissions.all.is_empty();
    }
    submissions.remove_repeated();
    submissions.distinguish();
    let foreign: Vec<PathBuf> = invitation.skip.iter().chain(&invitation.roster).cloned().collect();
    submissions.isolate(&foreign);
    for one in &mut submissions.all {
        if let (Ok((Strategy::Python(file), _)), Some(name)) = (&mut one.strategy, &one.file) {
            *file = file.clone().known_as(name);
        }
    }
    let people: Vec<Vec<usize>> = submissions.all.iter().map(|one| of_roster(&roster, one)).collect();
    let known = |at: usize| people[at].iter().map(|person| roster.name(*person).to_owned()).collect::<Vec<_>>();
    let joined = |at: usize| Some(clean(&known(at).join(" and "))).filter(|names| !names.is_empty());
    let named = submissions.all.iter().enumerate();
    let named = named.map(|(at, one)| (name(one, joined(at), invitation.naming), label(one)));
    let names = distinct(named.collect());
    let plans = read_all(&submissions.all, &names, (game, sources, memory), invitation.until, on_read, on_fate)?;
    let first = names.first().filter(|_| any_first).cloned();
    let mut field = Field { helpers: submissions.helpers.clone(), first, ..Field::default() };
    field.absent = roster.absent(&people.iter().flatten().copied().collect::<Vec<_>>());
    for ((at, one), (name, plan)) in submissions.all.iter().enumerate().zip(names.into_iter().zip(plans)) {
        let file = one.file.clone();
        match plan {
            Ok((plan, bid)) => {
                let of_list = || one.submitters.iter().map(|person| person.name.clone()).collect();
                let submitters = if people[at].is_empty() { of_list() } else { known(at) };
                field.entrants.push(Entrant { name, plan, file, submitters, bid });
            }
            Err(reason) => field.rejected.push(Rejected { name, file, reason }),
        }
    }
    Ok(field)
}

/// Returns the people of the roster who made a submission: its submitters, or else all people to whom one of its keys
/// belongs, such as those of a team.
fn of_roster(roster: &Roster, one: &Submission) -> Vec<usize> {
    let submitter = |person: &Submitter| {
        let keys: Vec<String> = person.keys.iter().cloned().chain([person.name.to_lowercase()]).collect();
        roster.find(&keys).first().copied()
    };
    let mut people: Vec<usize> = one.submitters.iter().filter_map(submitter).collect();
    people.dedup();
    if people.is_empty() { roster.find(&one.keys) } else { people }
}

/// Returns whether a text names a file or folder that may be read.
fn is_path(path: &Path, sources: &Sources) -> bool {
    sources.opens_strategy_files() && (path.is_dir() || path.is_file())
}

/// Returns the entrants' names without the paths that occur earlier.
fn distinct_paths<'a>(names: &'a [String], sources: &Sources) -> Vec<&'a str> {
    let mut known = HashSet::new();
    let is_new = |name: &&str| !is_path(Path::new(name), sources) || known.insert(identity(Path::new(name)));
    names.iter().map(String::as_str).filter(is_new).collect()
}

/// Parses the name of a strategy; an error says if it is probably the path of a file or folder.
fn parsed(name: &str, sources: &Sources) -> Result<Strategy, StrategyError> {
    name.parse().map_err(|error| match error {
        StrategyError::Unknown { text, reason } if sources.opens_strategy_files() => {
            let reason = match not_a_file(&text) {
                Some(fault) => fault.to_owned(),
                None if reason.ends_with(KNOWN) => format!("{NO_SUCH_FILE} of this name either; {reason}"),
                None => reason,
            };
            StrategyError::Unknown { text, reason }
        }
        other => other,
    })
}

/// Returns a strategy given by its name, unless the user names a file that does not exist.
fn existing(strategy: Strategy, sources: &Sources) -> Result<Strategy, StrategyError> {
    let missing = |path: &&Path| sources.opens_strategy_files() && !path.exists();
    match strategy.files().into_iter().find(missing) {
        Some(path) => Err(StrategyError::File { path: path.into(), reason: "there is no such file".into() }),
        None => Ok(strategy),
    }
}

/// The folders and the archives that an invitation names, except for a folder that is certainly one entrant's.
struct NamedPaths<'a> {
    folders: Vec<&'a Path>,
    archives: Vec<&'a Path>,
}

impl<'a> NamedPaths<'a> {
    fn of(names: &[&'a str]) -> Self {
        let paths = names.iter().map(|name| Path::new(*name));
        let (folders, files): (Vec<&Path>, Vec<&Path>) = paths.partition(|path| path.is_dir());
        Self { folders, archives: files.into_iter().filter(|path| is_archive(path)).collect() }
    }

    /// Returns the folders, or the archives, with the same parent as one of them.
    fn like(&self, path: &Path) -> Vec<&'a Path> {
        let same = if is_archive(path) { &self.archives } else { &self.folders };
        same.iter().copied().filter(|other| other.parent() == path.parent()).collect()
    }
}

/// Why a submission is not read.
enum Unread {
    /// This submission cannot be used.
    One(String),
    /// This submission takes longer than it may.
    Slow(String),
    /// None of its kind can be read; the work ends.
    All(StrategyError),
}

/// A plan and its bid, or the reason why the submission cannot be used.
type PlanRead = Result<(Plan, Option<i64>), String>;

/// Reads all submissions, on all cores, until one of them ends the work. With a time `until`, first those that are read
/// quickly.
fn read_all(
    all: &[Submission],
    names: &[String],
    (game, sources, memory): (&Game, &Sources, u64),
    until: Option<Instant>,
    on_read: OnRead,
    on_fate: OnFate,
) -> Result<Vec<PlanRead>, StrategyError> {
    let (done, ended_at) = (AtomicUsize::new(0), AtomicUsize::new(usize::MAX));
    let each = memory / rayon::current_num_threads() as u64;
    let is_over = || until.is_some_and(|until| Instant::now() >= until);
    let hurried = sources.clone().hurried(FIRST_TURN);
    // Returns `None` for a submission after one that ends the work, and `Some(None)` for one that is put off.
    let read_next = |at: usize, is_first_turn: bool| {
        // Those before the one that ends the work are still read: the error is that of the first in order.
        if at > ended_at.load(Ordering::Relaxed) {
            return None;
        }
        let going_on = |done: usize| on_read(done, all.len(), &names[at]);
        let on_step = |_: usize, _: usize| going_on(done.load(Ordering::Relaxed)) && !is_over();
        let cancelled = || Err(Unread::All(SolveError::Cancelled.into()));
        let sources = if is_first_turn { &hurried } else { sources };
        let mut result =
            if on_step(0, 1) { read(&all[at], game, sources, &Watch::new(&on_step).memory(each)) } else { cancelled() };
        match &result {
            Err(Unread::All(error)) if error.is_stop() && is_over() => {
                result = Err(Unread::One(NOT_IN_TIME.to_owned()));
            }
            Err(Unread::Slow(_)) if is_first_turn => return Some(Ok(None)),
            _ => {}
        }
        if !matches!(result, Err(Unread::All(_))) && !going_on(done.fetch_add(1, Ordering::Relaxed) + 1) {
            result = cancelled();
        }
        match &result {
            Ok(_) => on_fate(&names[at], None),
            Err(Unread::One(reason) | Unread::Slow(reason)) => on_fate(&names[at], Some(reason)),
            Err(Unread::All(_)) => {}
        }
        Some(match result {
            Ok(plan) => Ok(Some(Ok(plan))),
            Err(Unread::One(reason) | Unread::Slow(reason)) => Ok(Some(Err(reason))),
            Err(Unread::All(error)) => {
                ended_at.fetch_min(at, Ordering::Relaxed);
                Err(error)
            }
        })
    };
    let first_turn = |at: usize| read_next(at, until.is_some());
    let read: Vec<Option<Result<Option<PlanRead>, StrategyError>>> =
        (0..all.len()).into_par_iter().map(first_turn).collect();
    let second_turn = |(at, read)| match read {
        Some(Ok(None)) => read_next(at, false),
        read => read,
    };
    let read: Vec<_> = read.into_par_iter().enumerate().map(second_turn).collect();
    // Those left out come after an error, and in the second turn none is put off.
    read.into_iter().flatten().filter_map(Result::transpose).collect()
}

fn read(one: &Submission, game: &Game, sources: &Sources, watch: &Watch) -> Result<(Plan, Option<i64>), Unread> {
    let (strategy, path) = one.strategy.as_ref().map_err(|reason| Unread::One(one_line(reason)))?;
    let given = one.outline.number(BID);
    if game.rules().bid.is_some() && given.is_none() && one.outline.defines(BID) {
        return Err(Unread::One(format!("its {BID} is not a whole number in plain digits, as in `{BID} = 7`")));
    }
    let bid = game.rules().bid.as_ref().map(|bid| (given.unwrap_or(0), bid.max));
    if let Some((bid, max)) = bid.filter(|(bid, max)| !(0..=*max).contains(bid)) {
        return Err(Unread::One(format!("its {BID} is {bid}; bids go from 0 to {max}")));
    }
    match strategy.plan_from(sources, game, watch) {
        Ok(plan) => Ok((plan, bid.map(|(bid, _)| bid))),
        Err(error) if error.is_stop() => Err(Unread::All(error)),
        Err(error @ (StrategyError::NotShutIn(_) | StrategyError::NoPython(_) | StrategyError::Closed { .. })) => {
            Err(Unread::All(error))
        }
        Err(error) => {
            let reason = reason(&error, strategy, path.as_deref());
            let is_slow = matches!(
                error,
                StrategyError::Python { fault: PythonFault::TooLong { .. } | PythonFault::Waits { .. }, .. }
            );
            Err(if is_slow { Unread::Slow(reason) } else { Unread::One(reason) })
        }
    }
}

/// Describes an error on one line, with only the name of the file, as its author knows it.
fn reason(error: &StrategyError, strategy: &Strategy, path: Option<&Path>) -> String {
    let text = error.to_string();
    let Some(path) = path else { return text };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let text = text.replace(&strategy.to_string(), &name).replace(&path.display().to_string(), &name);
    let bare = ["the strategy ", "the file "].into_iter().find_map(|start| text.strip_prefix(start)).unwrap_or(&text);
    // The advice to name another function is for the command line; in a contest the function's name is fixed.
    let bare = bare.split("; name one, as in ").next().unwrap_or_default();
    one_line(bare)
}

/// Puts a reason on one line, and cuts it to [`LONGEST_REASON`].
fn one_line(reason: &str) -> String {
    let line = escape::line(reason);
    if line.chars().count() <= LONGEST_REASON {
        return line;
    }
    line.chars().take(LONGEST_REASON).chain(['…']).collect()
}

/// Returns the name of a submission by the preferences of `naming`.
fn name(one: &Submission, person: Option<String>, naming: Naming) -> String {
    let chosen = || CHOSEN.iter().filter_map(|name| one.outline.text(name)).map(clean).find(|name| !name.is_empty());
    let people = || {
        let names: Vec<&str> = one.submitters.iter().map(|person| person.name.as_str()).collect();
        let names: Vec<&str> = names.into_iter().filter(|name| !name.is_empty()).collect();
        (!names.is_empty()).then(|| clean(&names.join(" and ")))
    };
    let name = match naming {
        Naming::Chosen => person.or_else(chosen).or_else(people),
        Naming::People => person.or_else(people),
        Naming::Files => None,
    };
    name.unwrap_or_else(|| label(one))
}

fn label(one: &Submission) -> String {
    match clean(&one.label) {
        label if label.is_empty() => "nameless".to_owned(),
        label => label,
    }
}
