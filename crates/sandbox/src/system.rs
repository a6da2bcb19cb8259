//! What differs between operating systems, as functions of a system's name
//! ([`std::env::consts::OS`]), so that the tests of each run on all of them.

use std::path::Path;

/// The commands that may start Python 3, each with its arguments, in the order in which they are
/// tried.
pub(super) fn interpreters(os: &str) -> &'static [&'static [&'static str]] {
    match os {
        // `py` comes with the installer of python.org. Where Python is not installed, `python` and
        // `python3` are programs of the system that open its shop.
        "windows" => &[&["py", "-3"], &["python"], &["python3"]],
        _ => &[&["python3"]],
    }
}

/// Where the interpreter is in the folder of a virtual environment, or of an installation by conda.
pub(super) fn in_environment(os: &str) -> &'static [&'static str] {
    match os {
        "windows" => &["Scripts/python.exe", "python.exe"],
        _ => &["bin/python"],
    }
}

/// The variables of the environment without which the interpreter does not start.
pub(super) fn needed_variables(os: &str) -> &'static [&'static str] {
    match os {
        // Its random numbers and sockets come from libraries that are found by this variable.
        "windows" => &["SYSTEMROOT"],
        _ => &[],
    }
}

/// Whether the system limits the memory that a process may map. macOS refuses the limit.
pub(super) fn limits_memory(os: &str) -> bool {
    !matches!(os, "windows" | "macos" | "ios" | "openbsd")
}

/// Returns a path as the harness reads it, which takes names apart at `/`: on Windows without the
/// prefix `\\?\`, after which `/` separates nothing.
pub(super) fn as_harness_reads(os: &str, path: &Path) -> Vec<u8> {
    let bytes = path.as_os_str().as_encoded_bytes();
    if os != "windows" {
        return bytes.to_vec();
    }
    let plain = if let Some(shared) = bytes.strip_prefix(br"\\?\UNC\") {
        [br"\\", shared].concat()
    } else {
        let drive = bytes.strip_prefix(br"\\?\").filter(|rest| rest.get(1) == Some(&b':'));
        drive.unwrap_or(bytes).to_vec()
    };
    plain.into_iter().map(|byte| if byte == b'\\' { b'/' } else { byte }).collect()
}

/// Says what a file may do that runs without the sandbox ([`trusting`](crate::Launcher::trusting)),
/// and what still limits it.
pub fn without_sandbox(os: &str) -> String {
    let time = match os {
        "linux" => "the time that it computes and waits",
        "windows" => "the time until it ends",
        _ => "the time that it computes",
    };
    let memory = if limits_memory(os) { ", its memory" } else { "" };
    let processes = match os {
        "windows" => "Programs that it starts may go on after it",
        _ => "Programs that it starts end with it, unless they leave its process group",
    };
    format!(
        "a Python file can do whatever you can: read, change and send your files, and start \
         programs. Limited are only {time}{memory}. {processes}."
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_system_has_the_interpreter_where_it_keeps_it() {
        assert_eq!(interpreters("linux"), [["python3"]]);
        assert_eq!(interpreters("macos"), [["python3"]]);
        assert_eq!(interpreters("windows")[0], ["py", "-3"]);
        assert!(interpreters("windows").contains(&&["python"][..]));
        assert_eq!(in_environment("macos"), ["bin/python"]);
        assert_eq!(in_environment("windows")[0], "Scripts/python.exe");
        assert_eq!(needed_variables("windows"), ["SYSTEMROOT"]);
        assert!(needed_variables("linux").is_empty() && needed_variables("macos").is_empty());
    }

    #[test]
    fn only_limits_that_a_system_has_are_set_and_promised() {
        assert!(limits_memory("linux") && limits_memory("freebsd"));
        assert!(!limits_memory("macos") && !limits_memory("windows"));
        for (os, memory, group) in
            [("linux", true, true), ("macos", false, true), ("windows", false, false)]
        {
            let text = without_sandbox(os);
            assert!(text.contains("memory") == memory && text.contains("group") == group, "{text}");
        }
    }

    #[test]
    fn paths_of_windows_are_read_as_those_of_others() {
        let read = |os, path: &str| {
            String::from_utf8(as_harness_reads(os, Path::new(path))).expect("as it was")
        };
        assert_eq!(read("windows", r"\\?\C:\Users\ada\hog.py"), "C:/Users/ada/hog.py");
        assert_eq!(read("windows", r"\\?\UNC\server\hog.py"), "//server/hog.py");
        assert_eq!(read("windows", r"C:\hog.py"), "C:/hog.py");
        assert_eq!(read("linux", r"/home/ada/a\b.py"), r"/home/ada/a\b.py");
    }
}
