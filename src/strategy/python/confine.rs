//! Shutting in the process that becomes the interpreter: a root of its own, limits, Landlock, an allow-list of system calls.
//!
//! The launcher's program does this to itself and then becomes the interpreter, so nothing has to happen between fork and
//! exec, and no code here is unsafe. What it is to do comes first on standard input; its word (that it is done, or why
//! not) goes to what is standard error at first, and that is closed before the interpreter runs. Locks overlap: each of
//! the last two alone keeps a strategy from writing.
//!
//! * **Limits** (any Unix): processor time, mapped memory, no core dump, no file may grow, 64 open files; the process
//!   is killed when its parent ends (Linux).
//! * **A root of its own** ([`root`](super::root), Linux, where it is allowed): other files and processes are not there.
//! * **Landlock** (Linux 5.13 or later, required): nothing can be read but the interpreter, shared libraries and the
//!   strategy's own files, and nothing can be written, made, renamed or removed. Later kernels add truncation, TCP,
//!   devices, signals and abstract sockets. Without a root of its own names and sizes of files can still be asked for.
//! * **seccomp** (required): system calls not on the list fail with "operation not permitted". There are none for
//!   sockets, new processes or threads, signals, other processes' memory, mounts, times, owners and permissions; files
//!   open for reading only, limits can be read but not set.

/// How the launcher's word begins when all is done; nothing follows it unless the interpreter cannot be run after all.
pub(super) const READY: &str = "ready\n";

/// Becomes the interpreter that standard input describes. Returns only if it cannot; whoever asked has been told.
pub fn confine() {
    #[cfg(unix)]
    launch::launch();
}

#[cfg(unix)]
mod launch {
    use std::fs::File;
    use std::io::{self, Read, Write};
    use std::os::fd::AsFd;
    use std::os::unix::process::CommandExt;
    use std::path::Path;
    use std::process::Command;

    use rustix::process::{Resource, Rlimit, setrlimit};

    use super::super::launcher::Confinement;
    use super::{READY, lock};

    /// The most that a launcher is told, in bytes.
    const LONGEST: u32 = 1 << 20;

    /// Most files a strategy's process may have open.
    const OPEN_FILES: u64 = 64;

    /// Nothing: a program that becomes another does not return.
    enum Never {}

    pub fn launch() {
        // Closed when the interpreter runs, unlike standard error itself.
        let Ok(word) = io::stderr().as_fd().try_clone_to_owned() else { return };
        let mut word = File::from(word);
        match become_interpreter(&mut word) {
            Ok(never) => match never {},
            // Nobody is left to be told if this cannot be written.
            Err(reason) => drop(writeln!(word, "{reason}")),
        }
    }

    fn become_interpreter(word: &mut File) -> Result<Never, String> {
        let confinement = told().map_err(|_| "this command is for hog's own use")?;
        end_with_parent(confinement.parent)?;
        let said = |error: io::Error| error.to_string();
        let nothing = File::options().write(true).open("/dev/null").map_err(said)?;
        if confinement.shut_in {
            lock::leave(&confinement);
        }
        limit(&confinement).map_err(|error| format!("limits cannot be set: {error}"))?;
        let folder = confinement.folder.as_deref().unwrap_or(Path::new("/"));
        std::env::set_current_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        if confinement.shut_in {
            lock::shut(&confinement)?;
        }
        word.write_all(READY.as_bytes()).map_err(said)?;
        rustix::stdio::dup2_stderr(nothing).map_err(|error| error.to_string())?;
        let error = Command::new(&confinement.program).args(&confinement.arguments).exec();
        Err(format!("{} cannot be run: {error}", confinement.program.display()))
    }

    /// What is to be done: the first bytes of standard input, and no byte more.
    fn told() -> io::Result<Confinement> {
        let mut input = File::from(io::stdin().as_fd().try_clone_to_owned()?);
        let mut length = [0; 4];
        input.read_exact(&mut length)?;
        let mut text = vec![0; u32::from_le_bytes(length).min(LONGEST) as usize];
        input.read_exact(&mut text)?;
        Ok(serde_json::from_slice(&text)?)
    }

    /// Is killed when the process that asked ends, and ends at once if it has.
    fn end_with_parent(parent: u32) -> Result<(), String> {
        #[cfg(target_os = "linux")]
        rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))
            .map_err(|error| error.to_string())?;
        let now = rustix::process::getppid().map(|pid| pid.as_raw_nonzero().get().unsigned_abs());
        if now == Some(parent) { Ok(()) } else { Err("the program that asked has ended".into()) }
    }

    fn limit(confinement: &Confinement) -> io::Result<()> {
        let at_most = |resource, most| setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) });
        // The first signal can be told; the second, a moment later, is the end.
        let (first, last) = (Some(confinement.seconds), Some(confinement.seconds + 1));
        setrlimit(Resource::Cpu, Rlimit { current: first, maximum: last })?;
        at_most(Resource::As, confinement.memory)?;
        at_most(Resource::Core, 0)?;
        if confinement.shut_in {
            at_most(Resource::Fsize, 0)?;
            at_most(Resource::Nofile, OPEN_FILES)?;
        }
        Ok(())
    }
}

#[cfg(all(unix, not(target_os = "linux")))]
mod lock {
    use super::super::launcher::Confinement;

    pub fn leave(_: &Confinement) {}

    pub fn shut(_: &Confinement) -> Result<(), String> {
        Err("strategies in Python files can be shut in on Linux only".into())
    }
}

#[cfg(target_os = "linux")]
mod lock {
    use std::collections::BTreeMap;
    use std::os::fd::OwnedFd;
    use std::path::{Path, PathBuf};

    use landlock::{
        ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, Ruleset, RulesetAttr,
        RulesetCreatedAttr, RulesetError, RulesetStatus, Scope, path_beneath_rules,
    };
    use rustix::fs::{CWD, FileType, Mode, OFlags};
    use seccompiler::{
        BpfProgram, SeccompAction, SeccompCmpArgLen as Length, SeccompCmpOp as Operator, SeccompCondition,
        SeccompFilter, SeccompRule, apply_filter,
    };

    use super::super::launcher::Confinement;
    use super::super::{calls, root};

    /// Leaves for a root that holds what may be read, if the system allows it.
    pub fn leave(confinement: &Confinement) {
        let own: &[PathBuf] = confinement.folder.as_ref().map_or(&confinement.files, std::slice::from_ref);
        root::leave_with(&[&confinement.readable, &confinement.runnable, own].concat());
    }

    /// Shuts the calling thread in, and all that it becomes.
    pub fn shut(confinement: &Confinement) -> Result<(), String> {
        files(confinement).map_err(|error| format!("Landlock (Linux 5.13 or later) is needed: {error}"))?;
        system_calls().map_err(|error| format!("seccomp is needed: {error}"))
    }

    fn files(confinement: &Confinement) -> Result<(), String> {
        let said = |error: RulesetError| error.to_string();
        let status = Ruleset::default()
            .set_compatibility(CompatLevel::HardRequirement)
            .handle_access(AccessFs::from_all(ABI::V1))
            .map_err(said)?
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(AccessFs::from_all(ABI::V5))
            .and_then(|rules| rules.handle_access(AccessNet::from_all(ABI::V4)))
            .and_then(|rules| rules.scope(Scope::from_all(ABI::V6)))
            .and_then(Ruleset::create)
            .and_then(|rules| {
                let read = AccessFs::ReadFile | AccessFs::ReadDir;
                rules.add_rules(path_beneath_rules(&confinement.readable, read))
            })
            .and_then(|rules| {
                let run = AccessFs::ReadFile | AccessFs::Execute;
                rules.add_rules(path_beneath_rules(&confinement.runnable, run))
            })
            .and_then(|rules| rules.add_rules(path_beneath_rules(&confinement.folder, AccessFs::ReadDir)))
            .and_then(|rules| rules.add_rules(confinement.files.iter().filter_map(|path| own(path))))
            .and_then(|rules| rules.restrict_self())
            .map_err(said)?;
        if status.ruleset == RulesetStatus::NotEnforced { Err("it is switched off".into()) } else { Ok(()) }
    }

    /// A file of the strategy may be read if it is a plain one, and no link by now.
    fn own(path: &Path) -> Option<Result<PathBeneath<OwnedFd>, RulesetError>> {
        let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = rustix::fs::openat(CWD, path, flags, Mode::empty()).ok()?;
        let kind = FileType::from_raw_mode(rustix::fs::fstat(&file).ok()?.st_mode);
        let read: BitFlags<AccessFs> = AccessFs::ReadFile.into();
        (kind == FileType::RegularFile).then(|| Ok(PathBeneath::new(file, read)))
    }

    fn system_calls() -> Result<(), String> {
        let said = |error: seccompiler::BackendError| error.to_string();
        let mut rules: BTreeMap<i64, Vec<SeccompRule>> = calls::free().map(|call| (call, Vec::new())).collect();
        for bound in calls::BOUND {
            let operator = Operator::MaskedEq(bound.mask);
            let condition =
                SeccompCondition::new(bound.argument, Length::Dword, operator, bound.value).map_err(said)?;
            rules.entry(bound.call).or_default().push(SeccompRule::new(vec![condition]).map_err(said)?);
        }
        let (limits, nulls) = calls::READ_LIMITS;
        let null = |argument: u8| SeccompCondition::new(argument, Length::Qword, Operator::Eq, 0);
        let conditions: Result<Vec<_>, _> = nulls.into_iter().map(null).collect();
        rules.insert(limits, vec![SeccompRule::new(conditions.map_err(said)?).map_err(said)?]);
        let refuse = SeccompAction::Errno(libc::EPERM as u32);
        let machine = std::env::consts::ARCH.try_into().map_err(said)?;
        let filter = SeccompFilter::new(rules, refuse, SeccompAction::Allow, machine).map_err(said)?;
        let program: BpfProgram = filter.try_into().map_err(said)?;
        apply_filter(&program).map_err(|error| error.to_string())
    }
}
