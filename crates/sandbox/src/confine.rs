//! The sandbox of a file's process: its own root directory, limits, Landlock, and an allow-list
//! of system calls.
//!
//! The launcher's program sandboxes itself and then executes the interpreter, so nothing has to
//! happen between fork and exec, and no code here is unsafe. It reads a
//! [`Confinement`](crate::launcher::Confinement) from standard input, and writes [`READY`] or an
//! error to standard error, which is closed before the interpreter runs. The protections
//! overlap: Landlock and seccomp each keep a file from writing.
//!
//! * **No other open files**: descriptors that the program's caller left open are closed first,
//!   except the three streams.
//! * **Limits** (any Unix): processor time, mapped memory, no core dump, no file may grow, 64 open
//!   files; the process is killed when its parent ends (Linux).
//! * **A root directory of its own** ([`root`](crate::root), Linux, where it is allowed): it
//!   contains no other files, and no information about processes. Ordinary users get it through a
//!   user namespace, which only a process with a single thread may create: nothing here or before
//!   may start a thread.
//! * **Landlock** (Linux 5.13 or later, required): only the interpreter, shared libraries and the
//!   file's own folder can be read, and nothing can be written, created, renamed or removed.
//!   Later kernels add truncation, TCP, devices, signals and abstract sockets. Without its own root
//!   directory a process can still query names and sizes of files.
//! * **seccomp** (required): system calls that are not on the list fail with "operation not
//!   permitted". The list has no calls for sockets, new processes or threads, signals, other
//!   processes' memory, mounts, times, owners and permissions; files can be opened for reading
//!   only, and limits can be read but not set. The numbers of the process and of its parent are
//!   always 0: a function could choose by them.

/// The launcher's message when the sandbox is complete; more follows only if the interpreter cannot
/// be executed.
pub(super) const READY: &str = "ready\n";

/// Executes the interpreter described on standard input, in the sandbox. Returns only on failure,
/// after reporting the error on standard error.
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

    use super::{READY, lock};
    use crate::launcher::Confinement;

    /// The largest serialized [`Confinement`], in bytes: 1,000 files with the longest paths of
    /// Linux, four digits a byte.
    const LONGEST: u32 = 1 << 25;

    /// The largest number of open files of a file's process.
    const OPEN_FILES: u64 = 64;

    /// A type without values: `exec` returns only on failure.
    enum Never {}

    pub fn launch() {
        lock::close_inherited();
        // The duplicate is closed on exec, unlike standard error itself.
        let Ok(stderr) = io::stderr().as_fd().try_clone_to_owned() else { return };
        let mut stderr = File::from(stderr);
        match become_interpreter(&mut stderr) {
            Ok(never) => match never {},
            // If this cannot be written, there is nowhere else to report it.
            Err(reason) => drop(writeln!(stderr, "{reason}")),
        }
    }

    fn become_interpreter(stderr: &mut File) -> Result<Never, String> {
        let confinement =
            read_confinement().map_err(|_| "this command is for the program's own use")?;
        let said = |error: io::Error| error.to_string();
        let nothing = File::options().write(true).open("/dev/null").map_err(said)?;
        if confinement.sandboxed {
            lock::enter_own_root(&confinement);
        }
        end_with_parent(confinement.parent)?;
        limit(&confinement).map_err(|error| format!("limits cannot be set: {error}"))?;
        let folder = confinement.folder.as_ref().map_or(Path::new("/"), AsRef::as_ref);
        std::env::set_current_dir(folder)
            .map_err(|error| format!("{}: {error}", folder.display()))?;
        if confinement.sandboxed {
            lock::restrict(&confinement)?;
        }
        stderr.write_all(READY.as_bytes()).map_err(said)?;
        rustix::stdio::dup2_stderr(nothing).map_err(|error| error.to_string())?;
        let program: &Path = confinement.program.as_ref();
        let error = Command::new(program).args(&confinement.arguments).exec();
        Err(format!("{} cannot be run: {error}", program.display()))
    }

    /// Reads the confinement from standard input, and not a byte more: the remainder is for the
    /// harness.
    fn read_confinement() -> io::Result<Confinement> {
        let mut input = File::from(io::stdin().as_fd().try_clone_to_owned()?);
        let mut length = [0; 4];
        input.read_exact(&mut length)?;
        let mut text = vec![0; u32::from_le_bytes(length).min(LONGEST) as usize];
        input.read_exact(&mut text)?;
        Ok(serde_json::from_slice(&text)?)
    }

    /// Arranges for the process to be killed when its parent ends; an error if the parent has
    /// already ended.
    fn end_with_parent(parent: u32) -> Result<(), String> {
        #[cfg(target_os = "linux")]
        rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))
            .map_err(|error| error.to_string())?;
        let now = rustix::process::getppid().map(|pid| pid.as_raw_nonzero().get().unsigned_abs());
        if now == Some(parent) {
            Ok(())
        } else {
            Err("the program that started it has ended".into())
        }
    }

    fn limit(confinement: &Confinement) -> io::Result<()> {
        let at_most = |resource, most| {
            setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })
        };
        // At the first limit the harness reports where it is; at the second the process is killed.
        let (first, last) = (Some(confinement.seconds), Some(confinement.seconds + 1));
        setrlimit(Resource::Cpu, Rlimit { current: first, maximum: last })?;
        at_most(Resource::As, confinement.memory)?;
        at_most(Resource::Core, 0)?;
        if confinement.sandboxed {
            at_most(Resource::Fsize, 0)?;
            at_most(Resource::Nofile, OPEN_FILES)?;
        }
        Ok(())
    }
}

#[cfg(all(unix, not(target_os = "linux")))]
mod lock {
    use crate::launcher::Confinement;

    pub fn close_inherited() {}

    pub fn enter_own_root(_: &Confinement) {}

    pub fn restrict(_: &Confinement) -> Result<(), String> {
        Err("Python files can be sandboxed on Linux only".into())
    }
}

#[cfg(target_os = "linux")]
mod lock {
    use std::collections::BTreeMap;
    use std::os::fd::OwnedFd;
    use std::path::Path;

    use landlock::{
        ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, Ruleset,
        RulesetAttr, RulesetCreatedAttr, RulesetError, RulesetStatus, Scope, path_beneath_rules,
    };
    use nix::sys::personality::{self, Persona};
    use rustix::fs::{FileType, OFlags};
    use rustix::process::{Resource, getrlimit};
    use seccompiler::{
        BpfProgram, SeccompAction, SeccompCmpArgLen as Length, SeccompCmpOp as Operator,
        SeccompCondition, SeccompFilter, SeccompRule, apply_filter,
    };

    use hog_files as files;

    use crate::launcher::Confinement;
    use crate::{calls, root};

    /// Closes the files, folders, pipes and sockets that the program's caller left open; a file
    /// could use them whatever the other protections. Call it first: nothing that this process
    /// has opened is left either.
    pub fn close_inherited() {
        let listed = |folder: &str| -> std::io::Result<Vec<i32>> {
            let names = std::fs::read_dir(folder)?.flatten().map(|entry| entry.file_name());
            Ok(names.filter_map(|name| name.to_str()?.parse().ok()).collect())
        };
        let all = || {
            (0..getrlimit(Resource::Nofile).maximum.map_or(MOST_DESCRIPTORS, |most| most as i32))
                .collect()
        };
        let open = listed("/proc/self/fd").unwrap_or_else(|_| all());
        for descriptor in open.into_iter().filter(|number| *number > 2) {
            // The one that listed the others is closed already.
            let _ = nix::unistd::close(descriptor);
        }
    }

    /// The largest number of descriptors to close where the system neither lists nor limits them.
    const MOST_DESCRIPTORS: i32 = 1 << 20;

    /// Enters a root directory that contains only what may be read, if the system allows it.
    pub fn enter_own_root(confinement: &Confinement) {
        let own = confinement.folder.as_ref().map_or(&confinement.files[..], std::slice::from_ref);
        let own: Vec<&Path> = own.iter().map(AsRef::as_ref).collect();
        let shared = confinement.readable.iter().chain(&confinement.runnable);
        root::enter(&shared.map(AsRef::as_ref).collect::<Vec<_>>(), &own);
    }

    /// Restricts the calling thread, and every program that it executes.
    pub fn restrict(confinement: &Confinement) -> Result<(), String> {
        // Addresses are then the same in every run. Some containers forbid it, and nothing else
        // depends on it.
        let _ = personality::get()
            .and_then(|persona| personality::set(persona | Persona::ADDR_NO_RANDOMIZE));
        let status = files(confinement)
            .map_err(|error| format!("Landlock is needed: {}", without_flags(&error)))?;
        if status == RulesetStatus::NotEnforced {
            return Err(format!("Landlock is needed: {NO_LANDLOCK}"));
        }
        system_calls().map_err(|error| format!("seccomp is needed: {error}"))
    }

    const NO_LANDLOCK: &str = "this kernel is older than Linux 5.13, or Landlock is switched off";

    /// Returns the system's error. The library's other errors list the flags that the kernel does
    /// not know.
    fn without_flags(error: &RulesetError) -> String {
        let mut cause: Option<&dyn std::error::Error> = Some(error);
        while let Some(error) = cause {
            match error.downcast_ref::<std::io::Error>() {
                Some(error) => return error.to_string(),
                None => cause = error.source(),
            }
        }
        NO_LANDLOCK.to_owned()
    }

    fn files(confinement: &Confinement) -> Result<RulesetStatus, RulesetError> {
        let status = Ruleset::default()
            .set_compatibility(CompatLevel::HardRequirement)
            .handle_access(AccessFs::from_all(ABI::V1))?
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
            .and_then(|rules| {
                rules.add_rules(path_beneath_rules(&confinement.folder, AccessFs::ReadDir))
            })
            .and_then(|rules| {
                rules.add_rules(confinement.files.iter().filter_map(|path| own(path.as_ref())))
            })
            .and_then(|rules| rules.restrict_self())?;
        Ok(status.ruleset)
    }

    /// Allows one of the readable files to be read if it is a regular file; links that have
    /// replaced it or one of its folders are not followed.
    fn own(path: &Path) -> Option<Result<PathBeneath<OwnedFd>, RulesetError>> {
        let file = files::refer_without_links(path, OFlags::PATH).ok()?;
        let kind = FileType::from_raw_mode(rustix::fs::fstat(&file).ok()?.st_mode);
        let read: BitFlags<AccessFs> = AccessFs::ReadFile.into();
        (kind == FileType::RegularFile).then(|| Ok(PathBeneath::new(file, read)))
    }

    fn system_calls() -> Result<(), String> {
        let said = |error: seccompiler::BackendError| error.to_string();
        let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
            calls::unrestricted().map(|call| (call, Vec::new())).collect();
        for bound in calls::BOUND {
            let operator = Operator::MaskedEq(bound.mask);
            let condition =
                SeccompCondition::new(bound.argument, Length::Dword, operator, bound.value)
                    .map_err(said)?;
            rules
                .entry(bound.call)
                .or_default()
                .push(SeccompRule::new(vec![condition]).map_err(said)?);
        }
        let (limits, nulls) = calls::READ_LIMITS;
        let null = |argument: u8| SeccompCondition::new(argument, Length::Qword, Operator::Eq, 0);
        let conditions: Result<Vec<_>, _> = nulls.into_iter().map(null).collect();
        rules.insert(limits, vec![SeccompRule::new(conditions.map_err(said)?).map_err(said)?]);
        let refuse = SeccompAction::Errno(libc::EPERM as u32);
        // First the filter that allows all other calls: the second does not allow another filter.
        // Without an error, the call returns 0.
        let unnumbered = calls::NUMBERS_OF_PROCESSES.map(|call| (call, Vec::new())).into();
        apply(unnumbered, SeccompAction::Allow, SeccompAction::Errno(0))?;
        apply(rules, refuse, SeccompAction::Allow)
    }

    /// Applies `listed` to the calls of the rules, and `otherwise` to all others.
    fn apply(
        rules: BTreeMap<i64, Vec<SeccompRule>>,
        otherwise: SeccompAction,
        listed: SeccompAction,
    ) -> Result<(), String> {
        let said = |error: seccompiler::BackendError| error.to_string();
        let machine = std::env::consts::ARCH.try_into().map_err(said)?;
        let filter = SeccompFilter::new(rules, otherwise, listed, machine).map_err(said)?;
        let program: BpfProgram = filter.try_into().map_err(said)?;
        apply_filter(&program).map_err(|error| error.to_string())
    }
}
