//! The entrants of a contest: their submissions are found, named and read.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use crate::files::escape;
use crate::game::{Game, Plan};
use crate::solve::SolveError;
use crate::strategy::{Sources, Strategy, StrategyError};

use super::archive::UnpackError;
use super::invitation::Invitation;
use super::naming::{Naming, clean, distinct};
use super::paths::identity;
use super::reading::{FieldReader, ReadEntrant, Unusable};
use super::roster::{RosterError, RosterLines};
use super::submissions::{Given, Submission, Submissions, by_name};
use super::time::Time;
use super::whose::{HandIn, NameClaims, Registry};

/// A strategy that takes part.
#[derive(Clone, Debug)]
pub struct Entrant {
    /// Its name.
    pub name: String,
    /// Its actions.
    pub plan: Plan,
    /// Its file, relative to the folder or archive that the user named; `None` for a strategy
    /// given by its name.
    pub file: Option<String>,
    /// The names of its submitters, if they are known.
    pub submitters: Vec<String>,
    /// Its bid for the start, in games with bids.
    pub bid: Option<i64>,
    /// Who handed it in, and when.
    pub hand_in: HandIn,
    /// How its plan was made, where that is known.
    pub(super) strategy: Option<Strategy>,
}

impl Entrant {
    /// Makes an entrant from a plan.
    pub fn new(name: impl Into<String>, plan: Plan) -> Self {
        Self {
            name: name.into(),
            plan,
            file: None,
            submitters: Vec::new(),
            bid: None,
            hand_in: HandIn::default(),
            strategy: None,
        }
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
    /// Whether it was named as one entrant's, and may hold the work of several.
    pub may_hold_several: bool,
    /// Whether it was not read in the time that there was, so that it may be asked for again.
    pub is_unread: bool,
    /// Whether it imports a package that this Python lacks.
    pub lacks_package: bool,
    /// Who handed it in, and when.
    pub hand_in: HandIn,
}

/// A submission of which something could not be told, such as whose it is. It takes part, or is
/// rejected, as others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unclear {
    /// Its name.
    pub name: String,
    /// Its file, relative to the folder or archive that the user named.
    pub file: Option<String>,
    /// What could not be told, and why, on one line.
    pub reason: String,
}

/// The entrants that were read, those that cannot take part, and what was ignored.
#[derive(Clone, Debug, Default)]
pub struct Field {
    /// The entrants in the order of the invitation, and within a folder in the order of its files.
    pub entrants: Vec<Entrant>,
    /// The submissions that cannot take part.
    pub rejected: Vec<Rejected>,
    /// Python files that do not take part: helpers, and other files of an entrant beside the
    /// chosen one.
    pub helpers: Vec<String>,
    /// Files beside the submissions that cannot be strategies.
    pub skipped: Vec<String>,
    /// The students of the roster whose submissions were not found.
    pub absent: Vec<String>,
    /// The submissions of which something could not be told.
    pub unclear: Vec<Unclear>,
    /// The number of submissions of which nothing says whether they are late.
    pub undated: usize,
    /// The lines of the roster.
    pub roster: RosterLines,
    /// The name of the first submission found in the first of the invitation's entrants.
    pub first: Option<String>,
}

/// Why the entrants cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum FieldError {
    /// A named file or folder cannot be read, a name is not a strategy, Python cannot be run, or
    /// the work was cancelled.
    #[error(transparent)]
    Strategy(#[from] StrategyError),
    /// The roster cannot be used.
    #[error(transparent)]
    Roster(#[from] RosterError),
}

/// Called once for each submission, when it was read, with its name and the reason why it cannot
/// take part, if it cannot.
pub type OnFate<'a> = &'a (dyn Fn(&str, Option<&str>) + Sync);

/// Called while submissions are found and unpacked, before each, periodically while it is read, and
/// after it, with the number of submissions read, the number of all, and its name; returns false to
/// cancel.
pub type OnRead<'a> = &'a (dyn Fn(usize, usize, &str) -> bool + Sync);

/// The variables in which entrants name themselves.
const CHOSEN: [&str; 2] = ["PLAYER_NAME", "TEAM_NAME"];

/// Reads all entrants of an invitation, on all cores, and calls `on_fate` for each submission as
/// soon as it was read. Submissions that cannot be used are listed in [`Field::rejected`]. The
/// strategies that are solved at the same time may take `memory` bytes together.
///
/// # Errors
/// Returns an error if a name is neither a file, a folder nor a strategy; if a file does not exist,
/// or may not or cannot be read; if the roster cannot be used; if Python files cannot be run at
/// all; or if `on_read` cancels.
pub fn field(
    game: &Game,
    invitation: &Invitation,
    sources: &Sources,
    memory: u64,
    on_read: OnRead,
    on_fate: OnFate,
) -> Result<Field, FieldError> {
    let registry = Registry::read(invitation.roster.as_deref())?;
    let going_on = || on_read(0, 1, "submissions");
    let unpack_in = invitation.unpack_in.clone();
    let mut submissions = Submissions::new(unpack_in, invitation.sent_in.clone(), &going_on);
    let any_first = gather(&mut submissions, invitation, sources)?;
    let mut hand_ins: Vec<HandIn> =
        submissions.all.iter().map(|one| registry.hand_in(one, invitation)).collect();
    if invitation.refuse_late {
        refuse_late(&mut submissions.all, &mut hand_ins, invitation.deadline.as_ref());
    }
    let claims = NameClaims::of(&registry, &submissions.all, &hand_ins);
    let (names, unclear) = names(&submissions.all, &hand_ins, &claims, invitation.naming);
    let reading = FieldReader {
        all: &submissions.all,
        names: &names,
        game,
        sources: &sources.clone().without_links(),
        each: memory / rayon::current_num_threads() as u64,
        invitation,
        on_read,
        on_fate,
        done: Default::default(),
        ended_at: usize::MAX.into(),
    };
    let read = reading.read_all()?;
    assert_eq!(read.len(), submissions.all.len(), "each submission is read once");
    let first = names.first().filter(|_| any_first).cloned();
    let helpers = submissions.helpers.clone();
    let skipped = submissions.skipped.clone();
    let mut field = Field { helpers, skipped, first, unclear, ..Field::default() };
    if invitation.deadline.is_some() || invitation.refuse_late {
        field.undated = undated(&submissions.all, &hand_ins);
    }
    field.absent = registry.absent(&hand_ins);
    field.roster = registry.into_lines();
    for ((one, hand_in), (name, read)) in
        submissions.all.iter().zip(hand_ins).zip(names.into_iter().zip(read))
    {
        field.add(one, hand_in, name, read);
    }
    Ok(field)
}

impl Field {
    /// Returns the submissions of which somebody is not on the roster; none without a roster.
    pub(super) fn unlisted(&self) -> Vec<String> {
        if self.roster.headings.is_empty() {
            return Vec::new();
        }
        let entrants = self.entrants.iter().filter(|one| one.file.is_some());
        let entrants = entrants.map(|one| (&one.name, &one.hand_in));
        let rejected = self.rejected.iter().map(|one| (&one.name, &one.hand_in));
        let all = entrants.chain(rejected).filter(|(_, hand_in)| hand_in.is_off_roster());
        all.map(|(name, _)| name.clone()).collect()
    }

    /// Adds a submission that was read, or rejects it.
    fn add(
        &mut self,
        one: &Submission,
        hand_in: HandIn,
        name: String,
        read: Result<ReadEntrant, Unusable>,
    ) {
        let file = one.file.clone();
        match read {
            Ok(ReadEntrant { plan, bid, failing }) => {
                self.unclear.extend(failing.map(|reason| Unclear {
                    name: name.clone(),
                    file: file.clone(),
                    reason,
                }));
                let submitters = hand_in.people.iter().map(|person| person.name.clone()).collect();
                let strategy = one.strategy.as_ref().ok().map(|(strategy, _)| strategy.clone());
                let entrant = Entrant { name, plan, file, submitters, bid, hand_in, strategy };
                self.entrants.push(entrant);
            }
            Err(Unusable { reason, is_unread, lacks_package }) => self.rejected.push(Rejected {
                name,
                file,
                reason,
                may_hold_several: one.may_hold_several,
                is_unread,
                lacks_package,
                hand_in,
            }),
        }
    }
}

/// Returns whether a text names a file or folder that may be read.
fn is_path(path: &Path, sources: &Sources) -> bool {
    sources.opens_strategy_files() && (path.is_dir() || path.is_file())
}

/// Finds the submissions of an invitation. Returns whether any is in the first of its entrants.
fn gather(
    submissions: &mut Submissions,
    invitation: &Invitation,
    sources: &Sources,
) -> Result<bool, StrategyError> {
    let mut any_first = false;
    for (place, (name, given)) in invited(invitation, sources).into_iter().enumerate() {
        let path = Path::new(name);
        match given {
            Some(given) => {
                let alike = alike(path, invitation);
                submissions
                    .add(path, given, &alike, &invitation.skip)
                    .map_err(|error| unreadable(error, path))?;
            }
            None => submissions.all.push(by_name(name, existing(parsed(name, sources)?, sources)?)),
        }
        any_first |= place == 0 && !submissions.all.is_empty();
    }
    for path in &invitation.each_in {
        submissions
            .add(path, Given::Each, &[], &invitation.skip)
            .map_err(|error| unreadable(error, path))?;
    }
    submissions.refuse_evicted();
    submissions.remove_repeated();
    submissions.distinguish();
    let files: HashSet<&String> =
        submissions.all.iter().filter_map(|one| one.file.as_ref()).collect();
    submissions.skipped.retain(|file| !files.contains(file));
    let foreign: Vec<PathBuf> = invitation.skip.iter().chain(&invitation.roster).cloned().collect();
    submissions.isolate(&foreign);
    for one in &mut submissions.all {
        let Some(name) = &one.file else { continue };
        if let Ok((Strategy::Python(file), _)) = &mut one.strategy {
            // What is sent lies in a new folder each time.
            if invitation.sent_in.is_some() {
                *file = file.clone().temporary();
            }
            *file = file.clone().known_as(name);
        }
        if let Some(reason) = invitation.refused.get(name) {
            one.strategy = Err(reason.clone());
        }
    }
    Ok(any_first)
}

/// The number of submissions of which nothing says whether they are late.
fn undated(all: &[Submission], hand_ins: &[HandIn]) -> usize {
    let handed_in = all.iter().zip(hand_ins);
    handed_in.filter(|(one, hand_in)| one.file.is_some() && hand_in.late.is_none()).count()
}

fn refuse_late(all: &mut [Submission], hand_ins: &mut [HandIn], deadline: Option<&Time>) {
    for (one, hand_in) in all.iter_mut().zip(hand_ins) {
        if let Some(reason) = hand_in.refusal(deadline) {
            one.strategy = Err(reason);
            hand_in.is_refused = true;
        }
    }
}

/// Returns the submissions of people of the roster who have several, with what follows for them.
fn several_of_one(all: &[Submission], hand_ins: &[HandIn]) -> Vec<(usize, String)> {
    let mut of_person: BTreeMap<usize, (&str, BTreeSet<usize>)> = BTreeMap::new();
    for (at, hand_in) in hand_ins.iter().enumerate().filter(|(_, one)| !one.is_refused) {
        for person in &hand_in.people {
            if let Some(line) = person.line {
                of_person.entry(line).or_insert((&person.name, BTreeSet::new())).1.insert(at);
            }
        }
    }
    let mut found = Vec::new();
    for (name, own) in of_person.values().filter(|(_, own)| own.len() > 1) {
        for at in own {
            let others: Vec<String> = own
                .iter()
                .filter(|other| *other != at)
                .map(|other| all[*other].shown_label())
                .collect();
            let others = others.join(", ");
            found.push((
                *at,
                format!(
                    "{name} has handed in {others} too: for {name} none of them counts in the \
                     gradebook, so leave out all but one"
                ),
            ));
        }
    }
    found
}

/// Returns the names of submissions, and those of which something is unclear.
fn names(
    all: &[Submission],
    hand_ins: &[HandIn],
    claims: &NameClaims,
    naming: Naming,
) -> (Vec<String>, Vec<Unclear>) {
    let mut reasons: Vec<(usize, String)> = Vec::new();
    let mut named = Vec::with_capacity(all.len());
    for (at, (one, hand_in)) in all.iter().zip(hand_ins).enumerate() {
        reasons.extend(hand_in.unclear.iter().map(|reason| (at, reason.clone())));
        let mut chosen = chosen(one);
        if let Some(name) =
            chosen.take_if(|name| naming == Naming::Chosen && !claims.may_use(name, at))
        {
            let name = escape::shortened(&name);
            reasons.push((at, format!("it calls itself `{name}`, which is another's name")));
        }
        named.push((name(one, hand_in, chosen, naming), one.shown_label()));
    }
    reasons.extend(several_of_one(all, hand_ins));
    let names = distinct(named);
    let mut unclear = Vec::with_capacity(reasons.len());
    for (at, reason) in reasons {
        unclear.push(Unclear { name: names[at].clone(), file: all[at].file.clone(), reason });
    }
    (names, unclear)
}

/// Returns the invited entrants, without the paths that occur earlier, and how much of a path is
/// known: `None` for the name of a strategy.
fn invited<'a>(invitation: &'a Invitation, sources: &Sources) -> Vec<(&'a str, Option<Given>)> {
    let mut known: HashSet<PathBuf> =
        invitation.each_in.iter().map(|path| identity(path)).collect();
    let mut invited = Vec::new();
    let mut others = invitation.each_in.len();
    for name in &invitation.entrants {
        let path = Path::new(name);
        if !is_path(path, sources) {
            invited.push((name.as_str(), None));
        } else if known.insert(identity(path)) {
            let is_told = invited.is_empty() && invitation.first_is_one;
            others += usize::from(!is_told);
            invited.push((name, Some(if is_told { Given::Told } else { Given::Alone })));
        }
    }
    if others > 1 {
        for (_, given) in &mut invited {
            if *given == Some(Given::Alone) {
                *given = Some(Given::One);
            }
        }
    }
    invited
}

/// Returns the folders among the entrants with the same parent as one of them.
fn alike<'a>(path: &Path, invitation: &'a Invitation) -> Vec<&'a Path> {
    let names =
        invitation.entrants.iter().skip(usize::from(invitation.first_is_one)).map(Path::new);
    names.filter(|other| other.parent() == path.parent() && other.is_dir()).collect()
}

/// Returns why a path cannot be read at all.
fn unreadable(error: UnpackError, path: &Path) -> StrategyError {
    match error {
        UnpackError::Stopped => SolveError::Cancelled.into(),
        UnpackError::Archive(reason) => {
            StrategyError::File { path: path.into(), fault: reason.into() }
        }
    }
}

/// Parses the name of a strategy; an error says if it is probably the path of a file or folder.
fn parsed(name: &str, sources: &Sources) -> Result<Strategy, StrategyError> {
    name.parse().map_err(|error: StrategyError| {
        if sources.opens_strategy_files() { error.of_name_or_file() } else { error }
    })
}

/// Returns a strategy given by its name, unless the user names a file that does not exist.
fn existing(strategy: Strategy, sources: &Sources) -> Result<Strategy, StrategyError> {
    if sources.opens_strategy_files()
        && let Some(path) = strategy.files().into_iter().find(|path| !path.exists())
    {
        let fault = "there is no such file".to_owned().into();
        return Err(StrategyError::File { path: path.into(), fault });
    }
    Ok(strategy)
}

/// Returns the name that a submission gives itself.
fn chosen(one: &Submission) -> Option<String> {
    let mut names = CHOSEN.iter().filter_map(|name| one.outline.text(name)).map(clean);
    // A name in an encoding that is not read would be garbled.
    names.find(|name| !name.is_empty() && !name.contains(char::REPLACEMENT_CHARACTER))
}

/// Returns the name of a submission by the preferences of `naming`.
fn name(one: &Submission, hand_in: &HandIn, chosen: Option<String>, naming: Naming) -> String {
    let name = match naming {
        Naming::Chosen if hand_in.is_on_roster() => hand_in.names().or(chosen),
        Naming::Chosen => chosen.or_else(|| hand_in.names()),
        Naming::People => hand_in.names(),
        Naming::Files => None,
    };
    name.unwrap_or_else(|| one.shown_label())
}
