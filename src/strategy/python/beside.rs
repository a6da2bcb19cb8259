//! What lies beside a strategy's file: helper files that it may import and read.
//!
//! Plain files of its own folder, and of packages in it (folders with an `__init__.py`). Hidden files, links and anything
//! else are not among them: the folder may be somebody's home.

use std::path::{Path, PathBuf};

/// A strategy's folder and the files in it that it may read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Beside {
    /// None if the folder is not the strategy's own.
    pub folder: Option<PathBuf>,
    /// In order; the strategy's file is among them.
    pub files: Vec<PathBuf>,
}

/// Most files that may be read; a folder with more is no project.
const MOST_FILES: usize = 1000;

/// How deep packages may lie within packages.
const DEEPEST: usize = 4;

impl Beside {
    /// Of a file (by its full path) that lies among those of others: the file alone.
    pub fn alone(path: &Path) -> Self {
        Self { folder: None, files: vec![path.to_owned()] }
    }

    /// Of a file (by its full path) in a folder of its own; what cannot be listed is not there.
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

    /// What a strategy may read, in words.
    pub fn in_words(&self) -> String {
        match &self.folder {
            Some(folder) => format!("Python's library and the files in {}", folder.display()),
            None => "Python's library and its own file".into(),
        }
    }
}

fn add(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut packages = Vec::new();
    for entry in entries.flatten().filter(|entry| !entry.file_name().to_string_lossy().starts_with('.')) {
        // The kind of the entry itself, not of what a link leads to.
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
    fn own_files_and_packages_are_beside_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for inside in ["package/deeper", "private"] {
            std::fs::create_dir_all(at(inside)).unwrap();
        }
        for file in ["mine.py", "helper.py", ".secret", "package/__init__.py", "package/deeper/a.py", "private/b.py"] {
            std::fs::write(at(file), "").unwrap();
        }
        std::os::unix::fs::symlink("/etc/passwd", at("passwords")).unwrap();
        let beside = Beside::own_folder(&at("mine.py"));
        assert_eq!(beside.files, [at("helper.py"), at("mine.py"), at("package/__init__.py")]);
        assert!(beside.in_words().ends_with(&folder.path().display().to_string()));
        assert_eq!(Beside::alone(&at("mine.py")).files, [at("mine.py")]);
        for number in 0..2 * MOST_FILES {
            std::fs::write(at(&format!("{number}.txt")), "").unwrap();
        }
        let files = Beside::own_folder(&at("mine.py")).files;
        assert!(files.len() <= MOST_FILES + 1 && files.contains(&at("mine.py")));
    }
}
