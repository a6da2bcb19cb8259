//! Reads the entrants of a contest: finds the submissions, names them and makes their plans.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::files::escape;
use crate::game::{Game, Plan, USUAL_MEMORY};
use crate::solve::{SolveError, Watch};
use crate::strategy::{KNOWN, NO_SUCH_FILE, Sources, Strategy, StrategyError, not_a_file};

use super::archive::UnpackError;
use super::invitation::Invitation;
use super::limits;
use super::naming::{Naming, clean, distinct};
use super::paths::identity;
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

/// The least time that an entrant has in a turn, if all share a limited time: several times what a
/// quick file takes, also on a busy machine.
const LEAST_SHARE: Duration = Duration::from_millis(500);

const NOT_IN_TIME: &str =
    "it was not read: it takes longer than its share of the time for all entrants together";

/// The variable that gives an entrant's bid.
const BID: &str = "final_bid";

/// Reads all entrants of an invitation, on all cores. Submissions that cannot be used are listed in
/// [`Field::rejected`].
///
/// # Errors
/// Returns an error if a name is neither a file, a folder nor a strategy; if a file does not exist,
/// or may not or cannot be read; if the roster cannot be used; if Python files cannot be run at
/// all; or if `on_read` cancels.
pub fn field(
    game: &Game,
    invitation: &Invitation,
    sources: &Sources,
    on_read: OnRead,
) -> Result<Field, FieldError> {
    field_with_fates(game, invitation, sources, USUAL_MEMORY, on_read, &|_, _| ())
}

/// As [`field`], and calls `on_fate` for each submission as soon as it was read. Together, the
/// strategies that are solved at the same time may take `memory` bytes.
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
    let registry = Registry::read(invitation.roster.as_deref())?;
    let going_on = || on_read(0, 1, "submissions");
    let unpack_in = invitation.unpack_in.clone();
    let mut submissions = Submissions::new(unpack_in, invitation.sent_in.clone(), &going_on);
    let any_first = gather(&mut submissions, invitation, sources)?;
    let hand_ins: Vec<HandIn> =
        submissions.all.iter().map(|one| registry.hand_in(one, invitation)).collect();
    if invitation.refuse_late {
        refuse_late(&mut submissions.all, &hand_ins, invitation.deadline.as_ref());
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
        done: AtomicUsize::new(0),
        ended_at: AtomicUsize::new(usize::MAX),
    };
    let plans = reading.read_all()?;
    let first = names.first().filter(|_| any_first).cloned();
    let helpers = submissions.helpers.clone();
    let skipped = submissions.skipped.clone();
    let mut field = Field { helpers, skipped, first, unclear, ..Field::default() };
    if invitation.deadline.is_some() || invitation.refuse_late {
        let handed_in = submissions.all.iter().zip(&hand_ins);
        let undated = handed_in.filter(|(one, hand)| one.file.is_some() && hand.late.is_none());
        field.undated = undated.count();
    }
    field.absent = registry.absent(&hand_ins);
    field.roster = registry.into_lines();
    for ((one, hand_in), (name, plan)) in
        submissions.all.iter().zip(hand_ins).zip(names.into_iter().zip(plans))
    {
        field.add(one, hand_in, name, plan);
    }
    Ok(field)
}

impl Field {
    /// Adds a submission that was read, or rejects it.
    fn add(&mut self, one: &Submission, hand_in: HandIn, name: String, plan: PlanRead) {
        let file = one.file.clone();
        match plan {
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

fn refuse_late(all: &mut [Submission], hand_ins: &[HandIn], deadline: Option<&Time>) {
    for (one, hand_in) in all.iter_mut().zip(hand_ins) {
        if let Some(reason) = hand_in.refusal(deadline) {
            one.strategy = Err(reason);
        }
    }
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
        UnpackError::Archive(reason) => StrategyError::File { path: path.into(), reason },
    }
}

/// Parses the name of a strategy; an error says if it is probably the path of a file or folder.
fn parsed(name: &str, sources: &Sources) -> Result<Strategy, StrategyError> {
    name.parse().map_err(|error| match error {
        StrategyError::Unknown { text, reason } if sources.opens_strategy_files() => {
            let reason = match not_a_file(&text) {
                Some(fault) => fault.to_owned(),
                None if reason.ends_with(KNOWN) => {
                    format!("{NO_SUCH_FILE} of this name either; {reason}")
                }
                None => reason,
            };
            StrategyError::Unknown { text, reason }
        }
        other => other,
    })
}

/// Returns a strategy given by its name, unless the user names a file that does not exist.
fn existing(strategy: Strategy, sources: &Sources) -> Result<Strategy, StrategyError> {
    if sources.opens_strategy_files()
        && let Some(path) = strategy.files().into_iter().find(|path| !path.exists())
    {
        let reason = "there is no such file".into();
        return Err(StrategyError::File { path: path.into(), reason });
    }
    Ok(strategy)
}

/// Why a submission is not read.
enum Unread {
    /// This submission cannot be used.
    One(Unusable),
    /// None of its kind can be read; the work ends.
    All(StrategyError),
}

impl Unread {
    /// A submission that cannot be used for this reason.
    fn refused(reason: String) -> Self {
        Self::One(Unusable { reason, is_unread: false, lacks_package: false })
    }
}

/// Why a submission cannot be used.
struct Unusable {
    /// The reason, on one line.
    reason: String,
    /// Whether the reason is the time that there was.
    is_unread: bool,
    /// Whether it imports a package that this Python lacks.
    lacks_package: bool,
}

/// A submission that plays.
struct ReadEntrant {
    plan: Plan,
    bid: Option<i64>,
    /// Why and where it rolls a default.
    failing: Option<String>,
}

/// A submission that plays, or the reason why it cannot be used.
type PlanRead = Result<ReadEntrant, Unusable>;

/// What a turn has made of a submission.
enum ReadingTurn {
    /// It was read, or is refused, or ends the work.
    Read(Result<PlanRead, StrategyError>),
    /// Its share of the time was not enough.
    PutOff,
    /// It comes after one that ends the work.
    LeftOut,
}

fn is_over(share: Option<Instant>) -> bool {
    share.is_some_and(|share| Instant::now() >= share)
}

/// The reading of all submissions.
struct FieldReader<'a> {
    all: &'a [Submission],
    names: &'a [String],
    game: &'a Game,
    sources: &'a Sources,
    /// The memory for each that is read, in bytes.
    each: u64,
    invitation: &'a Invitation,
    on_read: OnRead<'a>,
    on_fate: OnFate<'a>,
    /// How many have been read.
    done: AtomicUsize,
    /// The place of the first that ends the work.
    ended_at: AtomicUsize,
}

impl FieldReader<'_> {
    /// Reads all submissions, on all cores, until one of them ends the work. A time `until` is
    /// shared out: in a first turn those are read that keep their share of its half, so that slow
    /// ones cannot use up the time of others; in a second turn the others share what is left.
    /// Strategies given by their names come first, and are never left out for time: the user's own
    /// choice.
    fn read_all(&self) -> Result<Vec<PlanRead>, StrategyError> {
        let mut read: Vec<ReadingTurn> = self.all.iter().map(|_| ReadingTurn::PutOff).collect();
        let turns = if self.invitation.until.is_some() { 2 } else { 1 };
        for turn in 1..=turns {
            let mut open: Vec<usize> =
                (0..read.len()).filter(|at| matches!(read[*at], ReadingTurn::PutOff)).collect();
            open.sort_by_key(|at| self.all[*at].file.is_some());
            for (at, result) in self.turn(&open, turn == turns) {
                read[at] = result;
            }
        }
        // Those left out come after an error, and in the last turn none is put off.
        let results = read.into_iter().filter_map(|turn| match turn {
            ReadingTurn::Read(result) => Some(result),
            ReadingTurn::PutOff | ReadingTurn::LeftOut => None,
        });
        results.collect()
    }

    /// Reads the submissions at these places, some at the same time. In the last turn none is put
    /// off.
    fn turn(&self, open: &[usize], is_last: bool) -> Vec<(usize, ReadingTurn)> {
        let began = Instant::now();
        let end = self.invitation.until.map(|until| {
            let left = until.saturating_duration_since(began);
            if is_last { until } else { began + left / 2 }
        });
        // A file runs in two processes. More at the same time than the cores have room for would
        // spend each other's time.
        let threads = rayon::current_num_threads();
        let at_once = if end.is_some() { (threads / 2).max(1) } else { threads };
        let next = AtomicUsize::new(0);
        let found = Mutex::new(Vec::with_capacity(open.len()));
        rayon::scope(|scope| {
            for _ in 0..at_once {
                scope.spawn(|_| {
                    loop {
                        let place = next.fetch_add(1, Ordering::Relaxed);
                        let Some(at) = open.get(place) else { break };
                        // What the quick ones leave is shared by those that follow.
                        let end = end.filter(|_| self.all[*at].file.is_some());
                        let share = end.map(|end| {
                            let now = Instant::now();
                            let rounds = (open.len() - place).div_ceil(at_once) as u32;
                            let even = end.saturating_duration_since(now) / rounds;
                            self.invitation.until.unwrap_or(end).min(now + even.max(LEAST_SHARE))
                        });
                        let turn = self.one(*at, share, is_last);
                        found.lock().unwrap_or_else(PoisonError::into_inner).push((*at, turn));
                    }
                });
            }
        });
        found.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reports that a submission is read, and returns false if the caller cancels.
    fn goes_on(&self, at: usize, done: usize) -> bool {
        (self.on_read)(done, self.all.len(), &self.names[at])
    }

    /// Whether the reading of a submission may go on.
    fn has_time(&self, at: usize, share: Option<Instant>) -> bool {
        self.goes_on(at, self.done.load(Ordering::Relaxed)) && !is_over(share)
    }

    /// Reads a submission until its share of the time is over.
    fn one(&self, at: usize, share: Option<Instant>, is_last: bool) -> ReadingTurn {
        // Those before the one that ends the work are still read: the error is that of the first in
        // order.
        if at > self.ended_at.load(Ordering::Relaxed) {
            return ReadingTurn::LeftOut;
        }
        // One that is refused already needs no time, and is told its own reason.
        let mut result = if self.all[at].strategy.is_err() || self.has_time(at, share) {
            let watch = &|_: usize, _: usize| self.has_time(at, share);
            self.read(&self.all[at], &Watch::new(watch).memory(self.each))
        } else {
            Err(Unread::All(SolveError::Cancelled.into()))
        };
        if let Err(Unread::All(error)) = &result
            && error.is_stop()
            && is_over(share)
        {
            if !is_last {
                return ReadingTurn::PutOff;
            }
            let reason = NOT_IN_TIME.to_owned();
            let unread = Unusable { reason, is_unread: true, lacks_package: false };
            result = Err(Unread::One(unread));
        }
        if !matches!(result, Err(Unread::All(_)))
            && !self.goes_on(at, self.done.fetch_add(1, Ordering::Relaxed) + 1)
        {
            result = Err(Unread::All(SolveError::Cancelled.into()));
        }
        match result {
            Ok(plan) => {
                (self.on_fate)(&self.names[at], None);
                ReadingTurn::Read(Ok(Ok(plan)))
            }
            Err(Unread::One(unusable)) => {
                (self.on_fate)(&self.names[at], Some(&unusable.reason));
                ReadingTurn::Read(Ok(Err(unusable)))
            }
            Err(Unread::All(error)) => {
                self.ended_at.fetch_min(at, Ordering::Relaxed);
                ReadingTurn::Read(Err(error))
            }
        }
    }

    fn read(&self, one: &Submission, watch: &Watch) -> Result<ReadEntrant, Unread> {
        let (strategy, path) =
            one.strategy.as_ref().map_err(|reason| Unread::refused(one_line(reason)))?;
        let bid = bid(one, self.game)?;
        let error = match strategy.plan_from(self.sources, self.game, watch) {
            Ok(plan) => return Ok(ReadEntrant { plan, bid, failing: None }),
            Err(error) => error,
        };
        let path = path.as_deref();
        let is_of_scores =
            matches!(&error, StrategyError::Python { fault, .. } if fault.is_of_scores());
        if let Some(default) = self.invitation.default_roll.filter(|_| is_of_scores)
            && let Strategy::Python(file) = strategy
        {
            let rolled = file
                .plan_with_default(default, self.game, self.sources, watch)
                .map_err(|error| Unread::of(error, strategy, path))?;
            let reason = reason(&error, strategy, path);
            let failing = format!(
                "{reason}; it rolls {default} at the {} of {} pairs of scores where it fails",
                rolled.failures, rolled.asked
            );
            return Ok(ReadEntrant { plan: rolled.plan, bid, failing: Some(failing) });
        }
        Err(Unread::of(error, strategy, path))
    }
}

impl Unread {
    fn of(error: StrategyError, strategy: &Strategy, path: Option<&Path>) -> Self {
        if error.is_stop() {
            return Self::All(error);
        }
        let lacks_package = match &error {
            StrategyError::NotConfined(_)
            | StrategyError::NoPython(_)
            | StrategyError::Closed { .. } => return Self::All(error),
            StrategyError::Python { fault, .. } => fault.lacks_package(),
            _ => false,
        };
        let reason = reason(&error, strategy, path);
        Self::One(Unusable { reason, is_unread: false, lacks_package })
    }
}

/// Returns the bid of a submission, in games with bids.
fn bid(one: &Submission, game: &Game) -> Result<Option<i64>, Unread> {
    let Some(rules) = &game.rules().bid else { return Ok(None) };
    let given = one.outline.number(BID);
    if given.is_none() && one.outline.defines(BID) {
        return Err(Unread::refused(format!(
            "its {BID} is not a whole number in plain digits, as in `{BID} = 7`"
        )));
    }
    let bid = given.unwrap_or(0);
    if !(0..=rules.max).contains(&bid) {
        let max = rules.max;
        return Err(Unread::refused(format!("its {BID} is {bid}; bids go from 0 to {max}")));
    }
    Ok(Some(bid))
}

/// Describes an error on one line, with only the name of the file, as its author knows it.
fn reason(error: &StrategyError, strategy: &Strategy, path: Option<&Path>) -> String {
    let text = error.to_string();
    let Some(path) = path else { return text };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let text =
        text.replace(&strategy.to_string(), &name).replace(&path.display().to_string(), &name);
    let bare = ["the strategy ", "the file "]
        .into_iter()
        .find_map(|start| text.strip_prefix(start))
        .unwrap_or(&text);
    // The advice to name another function is for the command line; in a contest the function's name
    // is fixed.
    let bare = bare.split("; name one, as in ").next().unwrap_or_default();
    one_line(bare)
}

/// Puts a reason on one line, and cuts it to [`limits::REASON_CHARS`].
fn one_line(reason: &str) -> String {
    let line = escape::line(reason);
    if line.chars().count() <= limits::REASON_CHARS {
        return line;
    }
    line.chars().take(limits::REASON_CHARS).chain(['…']).collect()
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
