//! Becomes the interpreter: the program that runs a trusted file, or starts the processes of
//! others.
//!
//! The launcher's program prepares itself and then executes the interpreter, so nothing has to
//! happen between fork and exec, and no code here is unsafe. It reads a
//! [`Confinement`](crate::confinement::Confinement) from standard input, and writes
//! [`READY`](crate::confinement::READY) or an error to standard error, which is closed before the
//! interpreter runs.
//!
//! * **No other open files**: descriptors that the program's caller left open are closed first,
//!   except the three streams.
//! * **It ends with hog** (Linux): it is killed when its parent ends.
//! * A trusted file has limits (any Unix): processor time, mapped memory (not on macOS), no core
//!   dump.
//!
//! Other files never run in this process, but in one that it forks for each run. That process
//! confines itself (`server.py`, by a [`Plan`](crate::plan::Plan)) before it reads anything of the
//! file. The protections overlap: Landlock and seccomp each keep a file from writing.
//!
//! * **No other open files**: not even the socket by which hog orders runs.
//! * **Limits**: processor time, mapped memory, no core dump, no file may grow, 64 open files; the
//!   process is killed when its parent ends.
//! * **A root directory of its own** (where it is allowed): it contains no other files, and no
//!   information about processes. Ordinary users get it through a user namespace, which only a
//!   process with a single thread may create, and whose powers the process gives up; nothing in
//!   that interpreter may start a thread. If a step fails the process keeps its root: Landlock
//!   still restricts what can be read, but names, sizes and times of other files can be queried.
//! * **Landlock** (Linux 5.13 or later, required): only the interpreter's library, shared libraries
//!   and the file's own folder can be read, and nothing can be executed, written, created, renamed
//!   or removed. Later kernels add truncation, TCP, devices, signals and abstract sockets.
//! * **Another user** (instead of Landlock, if the caller allows it and is root): the process
//!   becomes the user `nobody` before it looks at the file, and can read what everybody can.
//! * **seccomp** (required): system calls that are not on the list fail with "operation not
//!   permitted". The list has no calls for sockets, new processes, programs or threads, signals,
//!   other processes' memory, mounts, times, owners and permissions; files can be opened for
//!   reading only, and limits can be read but not set. The numbers of the process and of its parent
//!   are always 0: a function could choose by them.

/// Executes the interpreter described on standard input. Returns only on failure, after reporting
/// the error on standard error.
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

    #[cfg(all(target_os = "linux", feature = "confine"))]
    use super::linux;
    use crate::confinement::{Confinement, ProcessLimits, READY, allowed};

    /// The largest serialized [`Confinement`], in bytes.
    const LONGEST: u32 = 1 << 20;

    /// A type without values: `exec` returns only on failure.
    enum Never {}

    pub fn launch() {
        #[cfg(all(target_os = "linux", feature = "confine"))]
        linux::close_inherited();
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
        let nothing = File::options().write(true).open("/dev/null");
        let nothing = nothing.map_err(|error| error.to_string())?;
        end_with_parent(confinement.parent)?;
        match confinement.limits {
            Some(limits) => {
                limit(limits).map_err(|error| format!("limits cannot be set: {error}"))?;
            }
            #[cfg(all(target_os = "linux", feature = "confine"))]
            None => linux::keep_addresses(),
            #[cfg(not(all(target_os = "linux", feature = "confine")))]
            None => {}
        }
        let folder: &Path = confinement.folder.as_ref();
        std::env::set_current_dir(folder)
            .map_err(|error| format!("{}: {error}", folder.display()))?;
        stderr.write_all(READY.as_bytes()).map_err(|error| error.to_string())?;
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
        #[cfg(all(target_os = "linux", feature = "confine"))]
        rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))
            .map_err(|error| error.to_string())?;
        let now = rustix::process::getppid().map(|pid| pid.as_raw_nonzero().get().unsigned_abs());
        if now == Some(parent) {
            Ok(())
        } else {
            Err("the program that started it has ended".into())
        }
    }

    fn limit(ProcessLimits { seconds, memory }: ProcessLimits) -> io::Result<()> {
        // At the first limit the harness reports where it is; at the second the process is killed.
        let processor = Rlimit {
            current: Some(allowed(Resource::Cpu, seconds)),
            maximum: Some(allowed(Resource::Cpu, seconds + 1)),
        };
        setrlimit(Resource::Cpu, processor)?;
        if let Some(memory) = memory {
            setrlimit(Resource::As, Rlimit { current: Some(memory), maximum: Some(memory) })?;
        }
        Ok(setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })?)
    }
}

#[cfg(all(target_os = "linux", feature = "confine"))]
mod linux {
    use nix::sys::personality::{self, Persona};
    use rustix::process::{Resource, getrlimit};

    /// Closes the files, folders, pipes and sockets that the program's caller left open; a file
    /// could use them whatever the other protections. Call it first: nothing that this process
    /// has opened is left either.
    pub fn close_inherited() {
        let open: Vec<i32> = match std::fs::read_dir("/proc/self/fd") {
            Ok(listed) => {
                let names = listed.flatten().map(|entry| entry.file_name());
                names.filter_map(|name| name.to_str()?.parse().ok()).collect()
            }
            Err(_) => {
                let most = getrlimit(Resource::Nofile).maximum;
                (0..most.map_or(MOST_DESCRIPTORS, |most| most as i32)).collect()
            }
        };
        for descriptor in open.into_iter().filter(|number| *number > 2) {
            // The one that listed the others is closed already.
            let _ = nix::unistd::close(descriptor);
        }
    }

    /// The largest number of descriptors to close where the system neither lists nor limits them.
    const MOST_DESCRIPTORS: i32 = 1 << 20;

    /// Makes addresses the same in every run. Some containers forbid it, and nothing else depends
    /// on it.
    pub fn keep_addresses() {
        let _ = personality::get()
            .and_then(|persona| personality::set(persona | Persona::ADDR_NO_RANDOMIZE));
    }
}
