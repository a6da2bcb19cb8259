//! The files that a strategy may import and read.
//!
//! These are regular files of its own folder, and of packages in it (folders with an `__init__.py`). Hidden files,
//! links and other folders are excluded: the folder may be the user's home directory.

use std::path::{Path, PathBuf};

/// A strategy's folder and the files in it that it may read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ReadableFiles {
    /// The folder; `None` if it is not the strategy's own.
    pub folder: Option<PathBuf>,
    /// The files in ascending order, the strategy's own among them.
    pub files: Vec<PathBuf>,
}

/// The largest number of files; a folder with more is not a project, and the others are left out.
const MOST_FILES: usize = 1000;

/// The largest depth of nested packages.
const DEEPEST: usize = 4;

impl ReadableFiles {
    /// The file alone (by its absolute path), for a folder that other strategies share.
    pub fn alone(path: &Path) -> Self {
        Self { folder: None, files: vec![path.to_owned()] }
    }

    /// The files of the folder of a file (by its absolute path). Folders that cannot be listed are left out.
    pub fn own_folder(path: &Path) -> Self {
        let Some(folder) = path.parent() else { return Self::alone(path) };
        let mut files = Vec::new();
        add(folder, 0, &mut files);
        files.truncate(MOST_FILES);
        if !files.iter().any(|file| file == path) {
            files.push(path.to_owned());
        }
        files.sort();
        Self { folder: Some(folder.to_owned()), files }
    }

    /// Describes what a strategy may read.
    pub fn description(&self) -> String {
        match &self.folder {
            Some(folder) => format!("Python's library and the files in {}", folder.display()),
            None => {
                "Python's library and its own file (more if it comes in a folder or .zip archive of its own)".into()
            }
        }
    }
}

fn add(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut packages = Vec::new();
    for entry in entries.flatten().filter(|entry| !entry.file_name().to_string_lossy().starts_with('.')) {
        // The type of the entry itself; links are not followed.
        let Ok(kind) = entry.file_type() else { continue };
        let path = entry.path();
        if kind.is_file() {
            files.push(path);
        } else if kind.is_dir() && depth < DEEPEST && path.join("__init__.py").is_file() {
            packages.push(path);
        }
        if files.len() > MOST_FILES {
            return;
        }
    }
    for package in packages {
        add(&package, depth + 1, files);
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn only_own_files_and_packages_are_readable() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for inside in ["package/deeper", "private"] {
            std::fs::create_dir_all(at(inside)).unwrap();
        }
        for file in ["mine.py", "helper.py", ".secret", "package/__init__.py", "package/deeper/a.py", "private/b.py"] {
            std::fs::write(at(file), "").unwrap();
        }
        std::os::unix::fs::symlink("/etc/passwd", at("passwords")).unwrap();
        let readable = ReadableFiles::own_folder(&at("mine.py"));
        assert_eq!(readable.files, [at("helper.py"), at("mine.py"), at("package/__init__.py")]);
        assert!(readable.description().ends_with(&folder.path().display().to_string()));
        assert_eq!(ReadableFiles::alone(&at("mine.py")).files, [at("mine.py")]);
        for number in 0..2 * MOST_FILES {
            std::fs::write(at(&format!("{number}.txt")), "").unwrap();
        }
        let files = ReadableFiles::own_folder(&at("mine.py")).files;
        assert!(files.len() <= MOST_FILES + 1 && files.contains(&at("mine.py")));
    }
}
