//! The Python interpreter of this machine, and the files that it needs.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// An interpreter.
#[derive(Clone, Debug)]
pub(super) struct Interpreter {
    /// The executable of the installation, even if a virtual environment was named.
    pub program: PathBuf,
    /// The value of `sys.version`.
    pub version: String,
    /// Files and folders of the standard library, and of the shared libraries that the interpreter
    /// loads.
    pub readable: Vec<PathBuf>,
    /// Folders of installed packages.
    pub packages: Vec<PathBuf>,
    /// Files that are executed when the interpreter starts: the program, the loader and shared
    /// libraries.
    pub runnable: Vec<PathBuf>,
}

/// The oldest supported version.
const OLDEST: (u32, u32) = (3, 8);

/// A Python program that prints the contents of an [`Interpreter`]. The environment and `.pth`
/// files do not affect its search path. The command that runs it may be a script that starts the
/// actual interpreter.
const DESCRIBE: &str = r"
import os, sys
def tell(kind, value):
    print(kind + ' ' + str(value))
tell('number', '%d %d' % sys.version_info[:2])
tell('version', ' '.join(sys.version.split()))
program = os.path.realpath(getattr(sys, '_base_executable', None) or sys.executable)
tell('program', program)
for path in [os.path.dirname(os.__file__), os.path.join(os.path.dirname(os.path.dirname(program)), 'pyvenv.cfg')] + sys.path:
    if path:
        tell('read', os.path.abspath(path))
if os.path.isdir(os.path.join(sys.base_prefix, 'conda-meta')):
    tell('read', os.path.join(sys.base_prefix, 'lib'))
prefixes = [sys.base_prefix, sys.base_exec_prefix]
venv = os.path.dirname(os.path.dirname(os.path.abspath(sys.executable)))
try:
    lines = open(os.path.join(venv, 'pyvenv.cfg')).read().lower().replace(' ', '').splitlines()
    prefixes = [venv] + (prefixes if 'include-system-site-packages=true' in lines else [])
except OSError:
    pass
import site
for path in site.getsitepackages(prefixes):
    tell('package', path)
tell('run', program)
try:
    for path in set(line.split(None, 5)[5].strip() for line in open('/proc/self/maps') if line.count('/') > 0):
        tell('run', path)
except OSError:
    pass
";

/// Where systems keep shared libraries, the loader's index of them, and the choice between
/// alternatives.
const LIBRARIES: [&str; 7] = [
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/etc/ld.so.cache",
    "/etc/alternatives",
];

impl Interpreter {
    /// Finds the named interpreter, or that of the virtual environment in the named folder; by
    /// default `python3`.
    ///
    /// # Errors
    /// Returns a message if it cannot be run, or is not a supported version of Python.
    pub fn find(named: Option<&Path>) -> Result<Self, String> {
        let name = named.unwrap_or(Path::new("python3"));
        let of_folder = name.join("bin/python");
        Self::ask(if of_folder.is_file() { of_folder.as_os_str() } else { name.as_os_str() })
    }

    fn ask(name: &OsStr) -> Result<Self, String> {
        let shown = Path::new(name).display();
        let failed = |reason: String| {
            format!("cannot run {shown}: {reason}; install Python 3 or name another program")
        };
        // A relative path is resolved here: the interpreter starts in `/`, since it may look for
        // settings where it starts.
        let program = if Path::new(name).components().count() > 1 {
            std::path::absolute(name)
        } else {
            Ok(name.into())
        };
        let mut command = Command::new(program.map_err(|error| failed(error.to_string()))?);
        command.args(["-I", "-S", "-B", "-c", DESCRIBE]).current_dir("/").stdin(Stdio::null());
        for (variable, _) in std::env::vars_os() {
            if variable.to_string_lossy().starts_with("PYTHON") {
                command.env_remove(variable);
            }
        }
        let output = command.output().map_err(|error| failed(error.to_string()))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            let said =
                said.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("without a message");
            return Err(failed(format!("it is not Python 3 ({})", said.trim())));
        }
        Self::read(&String::from_utf8_lossy(&output.stdout)).map_err(failed)
    }

    fn read(text: &str) -> Result<Self, String> {
        let mut found = Self {
            program: PathBuf::new(),
            version: String::new(),
            readable: LIBRARIES.map(PathBuf::from).into(),
            packages: vec![],
            runnable: vec![],
        };
        let mut number = (0, 0);
        for line in text.lines() {
            match line.split_once(' ') {
                Some(("number", text)) => number = read_number(text).unwrap_or(number),
                Some(("version", text)) => found.version = text.to_owned(),
                Some(("program", path)) => found.program = path.into(),
                Some(("read", path)) => found.readable.push(path.into()),
                Some(("package", path)) => found.packages.push(path.into()),
                Some(("run", path)) => found.runnable.push(path.into()),
                _ => {}
            }
        }
        if found.program.as_os_str().is_empty() || number.0 == 0 {
            return Err("it is not Python 3".into());
        }
        if number < OLDEST {
            let ((major, minor), (at_least, least)) = (number, OLDEST);
            return Err(format!(
                "it is Python {major}.{minor}, and {at_least}.{least} or later is needed"
            ));
        }
        found.readable.retain(|path| path.exists());
        found.packages.retain(|path| path.is_dir());
        Ok(found)
    }
}

fn read_number(text: &str) -> Option<(u32, u32)> {
    let (major, minor) = text.split_once(' ')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_is_not_python_or_too_old_is_refused() {
        let missing = Interpreter::ask(OsStr::new("no-such-python")).unwrap_err();
        assert!(missing.contains("cannot run no-such-python: "), "{missing}");
        assert_eq!(Interpreter::read("").unwrap_err(), "it is not Python 3");
        let old = Interpreter::read("number 3 6\nprogram /usr/bin/python3\n").unwrap_err();
        assert_eq!(old, "it is Python 3.6, and 3.8 or later is needed");
        let found =
            Interpreter::read("number 3 8\nprogram /p\nread /\npackage /nowhere\n").unwrap();
        assert!(found.readable.contains(&PathBuf::from("/")) && found.packages.is_empty());
    }
}
