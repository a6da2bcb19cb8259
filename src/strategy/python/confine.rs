//! Shutting in the process that becomes the interpreter: limits, then Landlock, then an allow-list of system calls.
//!
//! The launcher's program does this to itself and then becomes the interpreter, so nothing has to happen between fork and
//! exec, and no code here is unsafe. Each lock alone already keeps a strategy from writing:
//!
//! * **Limits** (any Unix): processor time, mapped memory, no core dump, no file may grow, 64 open files; the process
//!   is killed when its parent ends (Linux).
//! * **Landlock** (Linux 5.13 or later, required): nothing can be read but the interpreter, shared libraries and the
//!   strategy's own file, and nothing can be written, made, renamed or removed. Later kernels add truncation, TCP,
//!   devices, signals and abstract sockets. Names and sizes of files can still be asked for.
//! * **seccomp** (required): system calls not on the list fail with "operation not permitted". There are none for
//!   sockets, new processes or threads, signals, other processes' memory, mounts, times, owners and permissions; files
//!   open for reading only, limits can be read but not set.

use std::io;

use super::launcher::Confinement;

/// Becomes the interpreter that `told` describes (the second argument of the launcher's program). Returns only if it
/// cannot; the message is for the process that asked, on standard error.
pub fn confine(told: &str) -> String {
    let failed = |reason: String| String::from_utf8_lossy(super::process::REFUSAL).into_owned() + &reason;
    let confinement: Confinement = match serde_json::from_str(told) {
        Ok(confinement) => confinement,
        Err(_) => return failed("this command is for hog's own use".into()),
    };
    match become_interpreter(&confinement) {
        Ok(never) => match never {},
        Err(reason) => failed(reason),
    }
}

/// Nothing: a program that becomes another does not return.
enum Never {}

#[cfg(unix)]
fn become_interpreter(confinement: &Confinement) -> Result<Never, String> {
    use std::os::unix::process::CommandExt;
    limit(confinement).map_err(|error| format!("limits cannot be set: {error}"))?;
    if confinement.shut_in {
        lock::shut(confinement)?;
    }
    let error = std::process::Command::new(&confinement.program).args(&confinement.arguments).exec();
    Err(format!("{} cannot be run: {error}", confinement.program.display()))
}

#[cfg(not(unix))]
fn become_interpreter(_: &Confinement) -> Result<Never, String> {
    Err("this system has no locks that hog knows".into())
}

/// Most files a strategy's process may have open.
#[cfg(unix)]
const OPEN_FILES: u64 = 64;

#[cfg(unix)]
fn limit(confinement: &Confinement) -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let at_most = |resource, most| setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) });
    at_most(Resource::Cpu, confinement.seconds)?;
    at_most(Resource::As, confinement.memory)?;
    at_most(Resource::Core, 0)?;
    if confinement.shut_in {
        at_most(Resource::Fsize, 0)?;
        at_most(Resource::Nofile, OPEN_FILES)?;
    }
    #[cfg(target_os = "linux")]
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
    Ok(())
}

#[cfg(all(unix, not(target_os = "linux")))]
mod lock {
    pub fn shut(_: &super::Confinement) -> Result<(), String> {
        Err("strategies in Python files can be shut in on Linux only".into())
    }
}

#[cfg(target_os = "linux")]
mod lock {
    use std::collections::BTreeMap;

    use landlock::{
        ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreatedAttr,
        RulesetStatus, Scope, path_beneath_rules,
    };
    use seccompiler::{
        BpfProgram, SeccompAction, SeccompCmpArgLen as Length, SeccompCmpOp as Operator, SeccompCondition,
        SeccompFilter, SeccompRule, apply_filter,
    };

    use super::super::calls;
    use super::Confinement;

    /// Shuts the calling thread in, and all that it becomes.
    pub fn shut(confinement: &Confinement) -> Result<(), String> {
        files(confinement).map_err(|error| format!("Landlock (Linux 5.13 or later) is needed: {error}"))?;
        system_calls().map_err(|error| format!("seccomp is needed: {error}"))
    }

    fn files(confinement: &Confinement) -> Result<(), String> {
        let said = |error: landlock::RulesetError| error.to_string();
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
            .and_then(|rules| rules.restrict_self())
            .map_err(said)?;
        if status.ruleset == RulesetStatus::NotEnforced { Err("it is switched off".into()) } else { Ok(()) }
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
