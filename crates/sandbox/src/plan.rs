//! What a run may do, put together for the process that confines itself by it (`server.py`): a
//! ruleset of Landlock, filters of system calls, limits, and the contents of a root directory of
//! its own.

use std::collections::BTreeMap;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, Ruleset,
    RulesetAttr, RulesetCreatedAttr, RulesetError, Scope, path_beneath_rules,
};
use rustix::fs::{FileType, Stat};
use rustix::process::Resource;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen as Length, SeccompCmpOp as Operator,
    SeccompCondition, SeccompFilter, SeccompRule,
};

use hog_files as files;

use crate::calls;
use crate::confinement::{allowed, most_memory};
use crate::hex::encode;
use crate::interpreter::Interpreter;
use crate::limits;
use crate::readable::ReadableFiles;

/// The confinement of a run.
pub(super) struct RunPlan {
    /// A ruleset of Landlock, which need not be made by the process that it restricts; `None` if
    /// the process becomes another user instead.
    pub ruleset: Option<OwnedFd>,
    /// The other parts, a line each.
    pub lines: Vec<u8>,
}

/// The number of the user and group `nobody`, who owns no files.
const NOBODY: u32 = 65534;

impl RunPlan {
    /// Plans a run with a limit on processor time, in seconds. Where Landlock is missing, it may be
    /// planned as `nobody`, if this process can become that user.
    ///
    /// # Errors
    /// Returns which protection this system lacks.
    pub fn new(
        interpreter: &Interpreter,
        own: &ReadableFiles,
        seconds: u64,
        or_as_nobody: bool,
    ) -> Result<Self, String> {
        let shared: Vec<&Path> =
            [&interpreter.readable, &interpreter.packages, &interpreter.runnable]
                .into_iter()
                .flatten()
                .map(PathBuf::as_path)
                .collect();
        let ruleset = match ruleset(&shared, own) {
            Ok(Some(ruleset)) => Ok(ruleset),
            Ok(None) => Err(NO_LANDLOCK.to_owned()),
            Err(error) => Err(shown(&error)),
        };
        let (ruleset, user) = match ruleset {
            Ok(ruleset) => (Some(ruleset), String::new()),
            Err(_) if or_as_nobody && rustix::process::geteuid().is_root() => {
                (None, NOBODY.to_string())
            }
            Err(reason) => return Err(format!("Landlock is needed: {reason}")),
        };
        let [first_filter, second_filter] = FILTERS.as_ref().map_err(Clone::clone)?;
        let path = own.folder.as_ref().or(own.files.first()).ok_or("there is no file")?;
        let folder = own.folder.as_deref().unwrap_or(Path::new("/"));
        // If it has gone or become a link, there is no root of its own, and Landlock lets no file
        // be read there.
        let (mounts, place) = match stat_without_links(path) {
            Some(stat) => (mounts(&shared, path), format!("{} {}", stat.st_dev, stat.st_ino)),
            None => (String::new(), "0 0".to_owned()),
        };
        let lines = [
            CALLS.map(|call| call.to_string()).join(" "),
            limits(seconds),
            mounts,
            format!("{} {place}", hex(path)),
            hex(folder),
            user,
            first_filter.clone(),
            second_filter.clone(),
            String::new(),
        ];
        Ok(Self { ruleset, lines: lines.join("\n").into_bytes() })
    }
}

/// The system calls that `server.py` makes by number, in its order.
const CALLS: [i64; 9] = [
    libc::SYS_prctl,
    libc::SYS_landlock_restrict_self,
    libc::SYS_seccomp,
    libc::SYS_prlimit64,
    libc::SYS_unshare,
    libc::SYS_mount,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_capset,
];

fn hex(path: &Path) -> String {
    encode(path.as_os_str().as_encoded_bytes())
}

fn stat_without_links(path: &Path) -> Option<Stat> {
    rustix::fs::fstat(files::refer_without_links(path).ok()?).ok()
}

/// Returns the limits as "resource first last". At the first limit of processor time the harness
/// reports where it is; at the last the process is killed. Where the host's are lower they hold.
fn limits(seconds: u64) -> String {
    let memory = most_memory();
    let files = allowed(Resource::Nofile, limits::OPEN_FILES);
    let all = [
        (libc::RLIMIT_CPU, allowed(Resource::Cpu, seconds), allowed(Resource::Cpu, seconds + 1)),
        (libc::RLIMIT_AS, memory, memory),
        (libc::RLIMIT_CORE, 0, 0),
        (libc::RLIMIT_FSIZE, 0, 0),
        (libc::RLIMIT_NOFILE, files, files),
    ];
    all.map(|(resource, first, last)| format!("{resource} {first} {last}")).join(",")
}

/// Returns what exists in a run's own root: folders as "dPATH" and files as "fPATH".
fn mounts(shared: &[&Path], own: &Path) -> String {
    let mut mounts = Vec::new();
    for path in least_cover(&[shared, &[own]].concat()) {
        mounts.push(format!("{}{}", if path.is_dir() { "d" } else { "f" }, hex(path)));
    }
    mounts.join(",")
}

/// Returns the paths that exist, without those contained in another.
fn least_cover<'p>(paths: &[&'p Path]) -> Vec<&'p Path> {
    let mut sorted: Vec<&Path> = paths.iter().copied().filter(|path| path.exists()).collect();
    sorted.sort();
    let mut cover: Vec<&Path> = Vec::new();
    for path in sorted {
        // A folder comes before what it contains.
        if !cover.iter().any(|other| path.starts_with(other)) {
            cover.push(path);
        }
    }
    cover
}

const NO_LANDLOCK: &str = "this kernel is older than Linux 5.13, or Landlock is switched off";

/// Returns the system's error. The library's other errors list the flags that the kernel does not
/// know.
fn shown(error: &RulesetError) -> String {
    let mut cause: Option<&dyn std::error::Error> = Some(error);
    while let Some(error) = cause {
        match error.downcast_ref::<std::io::Error>() {
            Some(error) => return error.to_string(),
            None => cause = error.source(),
        }
    }
    NO_LANDLOCK.to_owned()
}

fn ruleset(shared: &[&Path], own: &ReadableFiles) -> Result<Option<OwnedFd>, RulesetError> {
    let rules = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(ABI::V1))?
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(ABI::V5))
        .and_then(|rules| rules.handle_access(AccessNet::from_all(ABI::V4)))
        .and_then(|rules| rules.scope(Scope::from_all(ABI::V6)))
        .and_then(Ruleset::create)
        .and_then(|rules| {
            let read = AccessFs::ReadFile | AccessFs::ReadDir;
            rules.add_rules(path_beneath_rules(shared, read))
        })
        .and_then(|rules| rules.add_rules(path_beneath_rules(&own.folder, AccessFs::ReadDir)))
        .and_then(|rules| rules.add_rules(own.files.iter().filter_map(|path| readable(path))))?;
    Ok(rules.into())
}

/// Allows one of the readable files to be read if it is a regular file; links that have replaced
/// it or one of its folders are not followed.
fn readable(path: &Path) -> Option<Result<PathBeneath<OwnedFd>, RulesetError>> {
    let file = files::refer_without_links(path).ok()?;
    let kind = FileType::from_raw_mode(rustix::fs::fstat(&file).ok()?.st_mode);
    let read: BitFlags<AccessFs> = AccessFs::ReadFile.into();
    (kind == FileType::RegularFile).then(|| Ok(PathBeneath::new(file, read)))
}

/// Two filters, as the kernel reads them, or which protection is missing.
static FILTERS: LazyLock<Result<[String; 2], String>> = LazyLock::new(|| {
    let filters = filters().map_err(|error| format!("seccomp is needed: {error}"))?;
    Ok(filters.map(|filter| encode(&filter)))
});

/// Returns two filters. First that which allows all other calls: the
/// second does not allow another filter.
fn filters() -> Result<[Vec<u8>; 2], seccompiler::BackendError> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
        calls::unrestricted().map(|call| (call, Vec::new())).collect();
    for bound in calls::BOUND {
        let operator = Operator::MaskedEq(bound.mask);
        let condition = SeccompCondition::new(bound.argument, Length::Dword, operator, bound.value);
        rules.entry(bound.call).or_default().push(SeccompRule::new(vec![condition?])?);
    }
    let (limits, nulls) = calls::READ_LIMITS;
    let mut conditions = Vec::new();
    for argument in nulls {
        conditions.push(SeccompCondition::new(argument, Length::Qword, Operator::Eq, 0)?);
    }
    rules.insert(limits, vec![SeccompRule::new(conditions)?]);
    let refuse = SeccompAction::Errno(libc::EPERM as u32);
    // Without an error, the call returns 0.
    let unnumbered = calls::NUMBERS_OF_PROCESSES.map(|call| (call, Vec::new())).into();
    Ok([
        filter(unnumbered, SeccompAction::Allow, SeccompAction::Errno(0))?,
        filter(rules, refuse, SeccompAction::Allow)?,
    ])
}

/// Returns a filter that applies `listed` to the calls of the rules, and `otherwise` to all others.
fn filter(
    rules: BTreeMap<i64, Vec<SeccompRule>>,
    otherwise: SeccompAction,
    listed: SeccompAction,
) -> Result<Vec<u8>, seccompiler::BackendError> {
    let machine = std::env::consts::ARCH.try_into()?;
    let program: BpfProgram = SeccompFilter::new(rules, otherwise, listed, machine)?.try_into()?;
    let mut bytes = Vec::new();
    for step in &program {
        bytes.extend(step.code.to_ne_bytes());
        bytes.extend([step.jt, step.jf]);
        bytes.extend(step.k.to_ne_bytes());
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_inside_another_path_are_not_mounted_separately() {
        let paths = ["/usr/lib", "/etc/passwd", "/usr", "/usr", "/etc/nothing"].map(Path::new);
        assert_eq!(least_cover(&paths), [Path::new("/etc/passwd"), Path::new("/usr")]);
    }
}
