//! Who takes part: what was handed in, given names and read.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use crate::files::escape;
use crate::game::{Game, Plan};
use crate::solve::{SolveError, Watch};
use crate::strategy::{Sources, Strategy, StrategyError};

use super::naming::{Naming, clean, distinct};
use super::roster::{Roster, RosterError};
use super::submissions::{Submission, Submissions, by_name};

/// A strategy that takes part.
#[derive(Clone, Debug)]
pub struct Entrant {
    /// Its name.
    pub name: String,
    /// What it plays.
    pub plan: Plan,
    /// Its file below the folder or archive that was named; `None` for a strategy by name.
    pub file: Option<String>,
    /// Who handed it in, as far as that is known.
    pub submitters: Vec<String>,
    /// Its bid for the start, in games that have one.
    pub bid: Option<i64>,
}

impl Entrant {
    /// A plan under a name.
    pub fn new(name: impl Into<String>, plan: Plan) -> Self {
        Self { name: name.into(), plan, file: None, submitters: Vec::new(), bid: None }
    }
}

/// A strategy that cannot take part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// Its name.
    pub name: String,
    /// Its file below the folder or archive that was named, if there is one.
    pub file: Option<String>,
    /// What is wrong with it, in a line.
    pub reason: String,
}

/// Who is asked to take part.
#[derive(Clone, Debug, Default)]
pub struct Invitation {
    /// Files, folders, archives, and strategies by name.
    pub entrants: Vec<String>,
    /// Which names they go by.
    pub naming: Naming,
    /// A CSV file of the people in the course.
    pub roster: Option<PathBuf>,
    /// Files in the folders that are no strategies.
    pub skip: Vec<PathBuf>,
    /// Whether what is named first is the work of one entrant: a folder with its files, as an autograder has it.
    pub first_is_one: bool,
    /// The folder in which archives are unpacked; the system's folder for such things if none is named.
    pub unpack_in: Option<PathBuf>,
}

/// Who takes part, who cannot, and what was passed over.
#[derive(Clone, Debug, Default)]
pub struct Field {
    /// In the order named, folders in the order of their files.
    pub entrants: Vec<Entrant>,
    /// Those that cannot be played.
    pub rejected: Vec<Rejected>,
    /// Python files that were taken for helpers of others.
    pub helpers: Vec<String>,
    /// People of the roster whose work was not found.
    pub absent: Vec<String>,
    /// The name of the first that was found in what was named first.
    pub first: Option<String>,
}

/// Why nobody can be read.
#[derive(Debug, thiserror::Error)]
pub enum FieldError {
    /// A file or folder that was named, or what is neither that nor a strategy; or Python cannot be run at all.
    #[error(transparent)]
    Strategy(#[from] StrategyError),
    /// The roster.
    #[error(transparent)]
    Roster(#[from] RosterError),
}

/// Told which of how many entrants was read; false stops the reading.
pub type OnRead<'a> = &'a (dyn Fn(usize, usize, &str) -> bool + Sync);

/// The names under which courses have entrants name themselves.
const CHOSEN: [&str; 2] = ["PLAYER_NAME", "TEAM_NAME"];

/// The longest reason that is told, in characters.
const LONGEST_REASON: usize = 300;

/// The name under which they bid.
const BID: &str = "final_bid";

/// Reads all that is named, on all cores. What cannot be used is told, and the others go on.
///
/// # Errors
/// If what is named is neither a file, a folder nor a strategy, or may not be read; if the roster is none; if no Python file
/// could be run; or if `on_read` stops it.
pub fn field(game: &Game, invitation: &Invitation, sources: &Sources, on_read: OnRead) -> Result<Field, FieldError> {
    let roster = invitation.roster.as_deref().map(Roster::read).transpose()?.unwrap_or_default();
    let mut submissions = Submissions::unpacking_in(invitation.unpack_in.clone());
    let mut any_first = false;
    for (place, name) in invitation.entrants.iter().enumerate() {
        let path = Path::new(name);
        let is_path = sources.opens_tables() && (path.is_dir() || path.is_file());
        if is_path {
            let unreadable = |reason: String| StrategyError::File { path: path.into(), reason };
            match invitation.first_is_one && place == 0 && path.is_dir() {
                true => submissions.add_one(path),
                false => submissions.add(path, &invitation.skip).map_err(unreadable)?,
            }
        } else {
            submissions.all.push(by_name(name, name.parse()?));
        }
        any_first |= place == 0 && !submissions.all.is_empty();
    }
    submissions.tell_apart();
    let foreign: Vec<PathBuf> = invitation.skip.iter().chain(&invitation.roster).cloned().collect();
    submissions.keep_apart(&foreign);
    let people: Vec<Option<usize>> = submissions.all.iter().map(|one| roster.find(&one.keys)).collect();
    let known = |at: usize| people[at].map(|person| roster.name(person).to_owned());
    let named = submissions.all.iter().enumerate();
    let named = named.map(|(at, one)| (name(one, known(at), invitation.naming), label(one)));
    let names = distinct(named.collect());
    let (done, of) = (AtomicUsize::new(0), names.len());
    let read = |(one, name): (&Submission, &String)| {
        let result = read(one, game, sources);
        match on_read(done.fetch_add(1, Ordering::Relaxed) + 1, of, name) {
            true => result,
            false => Err(Unread::All(SolveError::Cancelled.into())),
        }
    };
    let plans: Vec<Result<(Plan, Option<i64>), Unread>> = submissions.all.par_iter().zip(&names).map(read).collect();
    let first = names.first().filter(|_| any_first).cloned();
    let mut field = Field { helpers: submissions.helpers.clone(), first, ..Field::default() };
    field.absent = roster.absent(&people.iter().flatten().copied().collect::<Vec<_>>());
    for ((at, one), (name, plan)) in submissions.all.iter().enumerate().zip(names.into_iter().zip(plans)) {
        let file = one.file.clone();
        match plan {
            Ok((plan, bid)) => {
                let of_list = one.submitters.iter().map(|person| person.name.clone());
                let submitters = known(at).map_or_else(|| of_list.collect(), |person| vec![person]);
                field.entrants.push(Entrant { name, plan, file, submitters, bid });
            }
            Err(Unread::One(reason)) => field.rejected.push(Rejected { name, file, reason }),
            Err(Unread::All(error)) => return Err(error.into()),
        }
    }
    Ok(field)
}

/// Why something handed in is not read: for itself, or because nothing of its kind is.
enum Unread {
    One(String),
    All(StrategyError),
}

fn read(one: &Submission, game: &Game, sources: &Sources) -> Result<(Plan, Option<i64>), Unread> {
    let (strategy, path) = one.strategy.as_ref().map_err(|reason| Unread::One(one_line(reason)))?;
    let bid = game.rules().bid.as_ref().map(|bid| (one.outline.number(BID).unwrap_or(0), bid.max));
    if let Some((bid, max)) = bid.filter(|(bid, max)| !(0..=*max).contains(bid)) {
        return Err(Unread::One(format!("its {BID} is {bid}; bids go from 0 to {max}")));
    }
    match strategy.plan_from(sources, game, &Watch::silent()) {
        Ok(plan) => Ok((plan, bid.map(|(bid, _)| bid))),
        Err(error @ (StrategyError::NotShutIn(_) | StrategyError::NoPython(_) | StrategyError::Closed { .. })) => {
            Err(Unread::All(error))
        }
        Err(error) => Err(Unread::One(reason(&error, strategy, path.as_deref()))),
    }
}

/// What is wrong, in a line that names the file as its author knows it.
fn reason(error: &StrategyError, strategy: &Strategy, path: Option<&Path>) -> String {
    let told = error.to_string();
    let Some(path) = path else { return told };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let told = told.replace(&strategy.to_string(), &name).replace(&path.display().to_string(), &name);
    let bare = ["the strategy ", "the file "].into_iter().find_map(|start| told.strip_prefix(start)).unwrap_or(&told);
    // To name another function is for a command line; in a contest all are asked for the same.
    let bare = bare.split(": name one, as in ").next().unwrap_or_default();
    one_line(bare)
}

/// A reason on one line, cut off where it is too long.
fn one_line(reason: &str) -> String {
    let line = escape::line(reason);
    if line.chars().count() <= LONGEST_REASON {
        return line;
    }
    line.chars().take(LONGEST_REASON).chain(['…']).collect()
}

/// What it is called, by preference.
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
