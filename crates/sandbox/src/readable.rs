//! The files that a file may import and read.
//!
//! These are the regular files of its own folder and of the folders in it, down to a depth and a
//! number of files. Hidden files and folders, links, and virtual environments are excluded: the
//! folder may be the user's home directory.

use crate::limits;
use std::path::{Path, PathBuf};

/// The folder of a file and the files in it that it may read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ReadableFiles {
    /// The folder; `None` if it shares it with files of others.
    pub folder: Option<PathBuf>,
    /// The files in ascending order, itself among them.
    pub files: Vec<PathBuf>,
}

/// Where Python keeps compiled modules, which are made again from their sources.
const COMPILED: &str = "__pycache__";

/// The file that makes a folder a virtual environment.
const OF_ENVIRONMENTS: &str = "pyvenv.cfg";

impl ReadableFiles {
    /// The file alone (by its absolute path), for a folder that files of others share.
    pub fn alone(path: &Path) -> Self {
        Self { folder: None, files: vec![path.to_owned()] }
    }

    /// The files of the folder of a file (by its absolute path), and of the folders in it. Folders
    /// that cannot be listed are left out.
    pub fn own_folder(path: &Path) -> Self {
        let Some(folder) = path.parent() else { return Self::alone(path) };
        let mut files = Vec::new();
        let mut folders = vec![folder.to_owned()];
        for _ in 0..=limits::DEPTH {
            folders = folders.iter().flat_map(|folder| add(folder, &mut files)).collect();
            if files.len() >= limits::FILES {
                break;
            }
        }
        files.truncate(limits::FILES);
        if !files.iter().any(|file| file == path) {
            files.push(path.to_owned());
        }
        files.sort();
        Self { folder: Some(folder.to_owned()), files }
    }
}

/// Adds the files of a folder by name, and returns the folders in it.
fn add(folder: &Path, files: &mut Vec<PathBuf>) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut entries: Vec<_> = entries.flatten().collect();
    entries.retain(|entry| {
        let name = entry.file_name();
        !name.to_string_lossy().starts_with('.') && name != COMPILED
    });
    entries.sort_by_key(std::fs::DirEntry::path);
    let mut folders = Vec::new();
    for entry in entries {
        // The type of the entry itself; links are not followed.
        let Ok(kind) = entry.file_type() else { continue };
        let path = entry.path();
        if kind.is_file() && files.len() < limits::FILES {
            files.push(path);
        } else if kind.is_dir() && !path.join(OF_ENVIRONMENTS).exists() {
            folders.push(path);
        }
    }
    folders
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_own_folder_and_the_folders_in_it_are_readable() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for inside in ["package/deeper", "tables", ".git", "__pycache__", "venv", "1/2/3/4/5"] {
            std::fs::create_dir_all(at(inside)).unwrap();
        }
        let readable = [
            "1/2/3/4/data.txt",
            "helper.py",
            "mine.py",
            "package/__init__.py",
            "package/deeper/a.py",
            "tables/rolls.pkl",
        ];
        let others = [
            ".secret",
            ".git/config",
            "__pycache__/helper.pyc",
            "venv/pyvenv.cfg",
            "venv/a.py",
            "1/2/3/4/5/data.txt",
        ];
        for file in readable.iter().chain(&others) {
            std::fs::write(at(file), "").unwrap();
        }
        std::os::unix::fs::symlink("/etc/passwd", at("passwords")).unwrap();
        std::os::unix::fs::symlink("/etc", at("tables/etc")).unwrap();
        let found = ReadableFiles::own_folder(&at("mine.py"));
        assert_eq!(found.files, readable.map(at));
        assert_eq!(ReadableFiles::alone(&at("mine.py")).files, [at("mine.py")]);
    }

    /// Those of the folder itself come before those of the folders in it.
    #[test]
    fn of_too_many_files_the_nearest_are_readable() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir_all(at("a")).unwrap();
        for number in 0..limits::FILES {
            std::fs::write(at(&format!("a/{number}.txt")), "").unwrap();
        }
        for file in ["mine.py", "z.txt"] {
            std::fs::write(at(file), "").unwrap();
        }
        let files = ReadableFiles::own_folder(&at("mine.py")).files;
        assert!(
            files.len() == limits::FILES
                && files.contains(&at("mine.py"))
                && files.contains(&at("z.txt"))
        );
    }
}
