//! The Python interpreter of this machine, and the files it is made of.

use std::path::{Path, PathBuf};
use std::process::Command;

/// An interpreter.
#[derive(Clone, Debug)]
pub(super) struct Interpreter {
    /// Its program.
    pub program: PathBuf,
    /// Files and folders of its library and of the shared libraries it loads.
    pub readable: Vec<PathBuf>,
    /// What is run when it starts: the program itself and the loader.
    pub runnable: Vec<PathBuf>,
}

/// The variable that names an interpreter other than `python3`.
const CHOICE: &str = "HOG_PYTHON";

/// Prints what [`Interpreter`] holds. The program may be a script that only leads to the interpreter.
const DESCRIBE: &str = "
import os, sys, sysconfig
print('program', sys.executable)
print('run', os.path.realpath(sys.executable))
for path in {sysconfig.get_path(name) for name in ('stdlib', 'platstdlib', 'purelib', 'platlib')} | set(sys.path):
    if path:
        print('read', os.path.abspath(path))
print('read', os.path.join(sys.prefix, 'pyvenv.cfg'))
try:
    for path in {line.split(None, 5)[5].strip() for line in open('/proc/self/maps') if line.count('/') > 0}:
        print('run', path)
except OSError:
    pass
";

/// Where systems keep shared libraries and the loader's index of them.
const LIBRARIES: [&str; 6] = ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache"];

impl Interpreter {
    /// `python3`, or what `HOG_PYTHON` names.
    ///
    /// # Errors
    /// If there is none, in words.
    pub fn find() -> Result<Self, String> {
        Self::ask(&std::env::var_os(CHOICE).unwrap_or_else(|| "python3".into()))
    }

    fn ask(name: &std::ffi::OsStr) -> Result<Self, String> {
        let shown = Path::new(name).display();
        let failed = |reason: String| format!("cannot run {shown}: {reason}; install Python 3 or name it in {CHOICE}");
        let output = Command::new(name).args(["-s", "-B", "-c", DESCRIBE]).output();
        let output = output.map_err(|error| failed(error.to_string()))?;
        if !output.status.success() {
            return Err(failed(output.status.to_string()));
        }
        let mut found =
            Self { program: PathBuf::new(), readable: LIBRARIES.map(PathBuf::from).into(), runnable: vec![] };
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            match line.split_once(' ') {
                Some(("program", path)) => found.program = path.into(),
                Some(("read", path)) => found.readable.push(path.into()),
                Some(("run", path)) => found.runnable.push(path.into()),
                _ => {}
            }
        }
        if found.program.as_os_str().is_empty() { Err(failed("it is no Python 3".into())) } else { Ok(found) }
    }
}
