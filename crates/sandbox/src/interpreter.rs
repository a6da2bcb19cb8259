//! The Python interpreter of this machine, and the files that it needs.

use std::env::consts::{EXE_SUFFIX, OS};
use std::ffi::{OsStr, OsString};
use std::fs::Metadata;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::UNIX_EPOCH;

use hog_files as files;

use crate::kept::{AnswerKey, KeptAnswers};
use crate::limits;
use crate::system::{in_environment, interpreters};

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
library = os.path.dirname(os.__file__)
settings = os.path.join(os.path.dirname(os.path.dirname(program)), 'pyvenv.cfg')
for path in [library, settings] + sys.path:
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
    named = [line for line in open('/proc/self/maps') if '/' in line]
    for path in set(line.split(None, 5)[5].strip() for line in named):
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
    /// default the first that the system has under a usual name.
    ///
    /// # Errors
    /// Returns a message if it cannot be run, or is not a supported version of Python.
    pub fn find(named: Option<&Path>, kept: Option<&KeptAnswers>) -> Result<Self, String> {
        if cfg!(target_family = "wasm") {
            // The page has one, with its library and no other packages.
            let program = "pyodide".into();
            let version = String::new();
            let readable = Vec::new();
            let packages = Vec::new();
            let runnable = Vec::new();
            return Ok(Self { program, version, readable, packages, runnable });
        }
        if let Some(named) = named {
            let mut of_folder = in_environment(OS).iter().map(|inside| named.join(inside));
            let program = of_folder.find(|program| program.is_file());
            return Self::of_command(program.as_deref().unwrap_or(named).as_os_str(), &[], kept);
        }
        let mut first_error = None;
        for command in interpreters(OS) {
            let [name, arguments @ ..] = command else { continue };
            match Self::of_command(OsStr::new(name), arguments, kept) {
                Ok(found) => return Ok(found),
                Err(error) => _ = first_error.get_or_insert(error),
            }
        }
        Err(first_error.unwrap_or_default())
    }

    /// Returns the interpreter that a command starts. It is asked for its description unless that
    /// is kept and nothing that it depends on has changed.
    fn of_command(
        name: &OsStr,
        arguments: &[&str],
        kept: Option<&KeptAnswers>,
    ) -> Result<Self, String> {
        let Some((kept, key)) = kept.and_then(|kept| Some((kept, key(name, arguments)?))) else {
            return Ok(Self::ask(name, arguments)?.0);
        };
        let of_earlier = kept.read_description(&key).and_then(|kept| {
            let (stamp, text) = kept.split_once('\n')?;
            let found = Self::read(text).ok()?;
            (stamp_of(&found.program)? == stamp).then_some(found)
        });
        if let Some(found) = of_earlier {
            return Ok(found);
        }
        let (found, text) = Self::ask(name, arguments)?;
        if let Some(stamp) = stamp_of(&found.program) {
            kept.write_description(&key, &format!("{stamp}\n{text}"));
        }
        Ok(found)
    }

    /// Returns an interpreter, and its description of itself.
    fn ask(name: &OsStr, arguments: &[&str]) -> Result<(Self, String), String> {
        Self::described(name, arguments).map_err(|reason| {
            let shown = Path::new(name).display();
            format!("cannot run {shown}: {reason}; install Python 3 or name another program")
        })
    }

    fn described(name: &OsStr, arguments: &[&str]) -> Result<(Self, String), String> {
        // A relative path is resolved here: the interpreter starts in `/`, since it may look for
        // settings where it starts.
        let program = if Path::new(name).components().count() > 1 {
            std::path::absolute(name)
        } else {
            Ok(name.into())
        };
        let mut command = Command::new(program.map_err(|error| error.to_string())?);
        command.args(arguments).args(["-X", "utf8", "-I", "-S", "-B", "-c", DESCRIBE]);
        command.current_dir("/").stdin(Stdio::null());
        for (variable, _) in std::env::vars_os() {
            if variable.to_string_lossy().starts_with("PYTHON") {
                command.env_remove(variable);
            }
        }
        let output = command.output().map_err(|error| error.to_string())?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            let said =
                said.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("without a message");
            return Err(format!("it is not Python 3 ({})", said.trim()));
        }
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        Ok((Self::read(&text)?, text))
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
            let (major, minor) = number;
            let (at_least, least) = OLDEST;
            return Err(format!(
                "it is Python {major}.{minor}, and {at_least}.{least} or later is needed"
            ));
        }
        found.readable.retain(|path| path.exists());
        found.packages.retain(|path| path.is_dir());
        Ok(found)
    }
}

/// Returns the size and the time of the last change of a file; they are others after an update.
fn stamp_of(path: &Path) -> Option<String> {
    let metadata = path.metadata().ok()?;
    let changed = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some(format!("{} {}", metadata.len(), changed.as_nanos()))
}

/// Digests everything that the description of a command depends on, besides the program that it
/// names; `None` if that is not known.
fn key(name: &OsStr, arguments: &[&str]) -> Option<AnswerKey> {
    let place = command_place(name)?;
    let mut key = AnswerKey::new()
        .with(env!("CARGO_PKG_VERSION").as_bytes())
        .with(DESCRIBE.as_bytes())
        .with(arguments.join(" ").as_bytes())
        .with(place.as_os_str().as_encoded_bytes())
        .with(place.canonicalize().ok()?.as_os_str().as_encoded_bytes())
        .with(stamp_of(&place)?.as_bytes())
        .with(variable("LD_LIBRARY_PATH").as_encoded_bytes());
    let mut texts = vec![place.parent()?.parent()?.join("pyvenv.cfg")];
    let mut first = [0; 2];
    files::open(&place, u64::MAX).ok()?.read_exact(&mut first).ok()?;
    if first == *b"#!" {
        // A script starts the interpreter that it chooses. What those of pyenv choose by is known.
        if !files::read_text(&place, limits::SCRIPT_BYTES).ok()?.contains("PYENV_ROOT=") {
            return None;
        }
        for name in ["PATH", "PYENV_VERSION", "PYENV_DIR", "PYENV_ROOT"] {
            key = key.with(variable(name).as_encoded_bytes());
        }
        // The interpreter is asked in `/`.
        texts.push(place.parent()?.parent()?.join("version"));
        texts.push("/.python-version".into());
    }
    for path in texts {
        key =
            key.with(files::read_text(&path, limits::SCRIPT_BYTES).unwrap_or_default().as_bytes());
    }
    Some(key)
}

/// Returns a variable of the environment in which the command is started; empty if it is not set.
#[expect(clippy::disallowed_methods, reason = "the command that is started reads it")]
pub(super) fn variable(name: &str) -> OsString {
    std::env::var_os(name).unwrap_or_default()
}

/// Returns the path of a command, which is searched for like every program.
fn command_place(name: &OsStr) -> Option<PathBuf> {
    let path = Path::new(name);
    if path.components().count() > 1 {
        return std::path::absolute(path).ok();
    }
    let folders = variable("PATH");
    let mut file = name.to_owned();
    if path.extension().is_none() {
        file.push(EXE_SUFFIX);
    }
    let mut places = std::env::split_paths(&folders).map(|folder| folder.join(&file));
    places.find(|place| place.metadata().is_ok_and(|found| found.is_file() && may_run(&found)))
}

#[cfg(unix)]
fn may_run(metadata: &Metadata) -> bool {
    std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o111 != 0
}

#[cfg(not(unix))]
fn may_run(_: &Metadata) -> bool {
    true
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
        let missing = Interpreter::ask(OsStr::new("no-such-python"), &[]).unwrap_err();
        assert!(missing.contains("cannot run no-such-python: "), "{missing}");
        assert_eq!(Interpreter::read("").unwrap_err(), "it is not Python 3");
        let old = Interpreter::read("number 3 6\nprogram /usr/bin/python3\n").unwrap_err();
        assert_eq!(old, "it is Python 3.6, and 3.8 or later is needed");
        let found =
            Interpreter::read("number 3 8\nprogram /p\nread /\npackage /nowhere\n").unwrap();
        assert!(found.readable.contains(&PathBuf::from("/")) && found.packages.is_empty());
    }
    /// A script that counts how often it is run, and describes a program beside it.
    #[cfg(unix)]
    fn script(folder: &Path, manager: &str) -> PathBuf {
        use std::os::unix::fs::PermissionsExt;
        std::fs::create_dir_all(folder.join("shims")).unwrap();
        std::fs::write(folder.join("program"), "1").unwrap();
        let (script, folder) = (folder.join("shims/python"), folder.display());
        let text = format!(
            "#!/bin/sh\n{manager}=/nowhere\necho >> '{folder}/runs'\n\
             echo number 3 11; echo program '{folder}/program'\n"
        );
        std::fs::write(&script, text).unwrap();
        std::fs::set_permissions(&script, PermissionsExt::from_mode(0o755)).unwrap();
        script
    }

    #[cfg(unix)]
    #[test]
    fn a_description_is_kept_until_the_interpreter_or_the_choice_of_it_changes() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let kept = KeptAnswers::new(at("kept"));
        let python = script(folder.path(), "PYENV_ROOT");
        let runs = || {
            let found = Interpreter::find(Some(&python), Some(&kept)).unwrap();
            assert_eq!(found.program, at("program"));
            std::fs::read_to_string(at("runs")).unwrap().len()
        };
        assert_eq!([runs(), runs()], [1, 1]);
        std::fs::write(at("program"), "another").unwrap();
        assert_eq!([runs(), runs()], [2, 2], "the interpreter was replaced");
        std::fs::write(at("version"), "3.12").unwrap();
        assert_eq!([runs(), runs()], [3, 3], "another one was chosen");
        std::fs::write(at("pyvenv.cfg"), "include-system-site-packages = true").unwrap();
        assert_eq!([runs(), runs()], [4, 4], "the environment was changed");
        script(folder.path(), "OTHER_ROOT");
        assert_eq!([runs(), runs()], [5, 6], "who knows what this script chooses by");
    }
}
