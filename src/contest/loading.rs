//! Who takes part: files, folders of files, and strategies by name.

use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::game::{Game, Plan};
use crate::solve::Watch;
use crate::strategy::python::PythonFile;
use crate::strategy::{ENDINGS, Sources, Strategy, StrategyError};

/// A strategy that takes part.
#[derive(Clone, Debug)]
pub struct Entrant {
    /// Its name: the file's without its ending, or more of the path where two would be the same.
    pub name: String,
    /// What it plays.
    pub plan: Plan,
}

/// A strategy that cannot take part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// Its name.
    pub name: String,
    /// What is wrong with it, in a line.
    pub reason: String,
}

/// Loads all that is named, on all cores, in the order given (folders in the order of their files' names). What cannot be
/// used is told, and the others go on.
///
/// # Errors
/// If a file or folder may not or cannot be read, or what is named is neither a file, a folder nor a strategy.
pub fn entrants(
    game: &Game,
    names: &[String],
    sources: &Sources,
) -> Result<(Vec<Entrant>, Vec<Rejected>), StrategyError> {
    let mut found: Vec<(String, PathBuf, Strategy)> = Vec::new();
    let mut rejected = Vec::new();
    for name in names {
        let path = Path::new(name);
        if !sources.opens_tables() {
            found.push((name.clone(), path.to_owned(), name.parse()?));
        } else if path.is_dir() {
            for file in files(path)? {
                // What a link leads to may be another's file.
                if file.is_symlink() {
                    let reason = format!("{} is a link; put the file itself there", file.display());
                    rejected.push(Rejected { name: stem(&file), reason });
                } else {
                    found.push((stem(&file), file.clone(), of_file(&file)));
                }
            }
        } else if path.is_file() {
            found.push((stem(path), path.to_owned(), of_file(path)));
        } else {
            found.push((name.clone(), path.to_owned(), name.parse()?));
        }
    }
    keep_apart(&mut found);
    let names = distinct(&found);
    let plans: Vec<Result<Plan, StrategyError>> =
        found.par_iter().map(|(_, _, strategy)| strategy.plan_from(sources, game, &Watch::silent())).collect();
    let mut entrants = Vec::new();
    for (name, plan) in names.into_iter().zip(plans) {
        match plan {
            Ok(plan) => entrants.push(Entrant { name, plan }),
            Err(error) => rejected.push(Rejected { name, reason: error.to_string() }),
        }
    }
    Ok((entrants, rejected))
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, StrategyError> {
    let unreadable = |error: std::io::Error| StrategyError::File { path: folder.into(), reason: error.to_string() };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
        if (path.is_file() || path.is_symlink()) && (ending == "py" || ENDINGS.contains(&ending.as_str())) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Sees to it that no entrant reads the file of another: a Python file reads what lies in its folder only if the folder is
/// its own.
fn keep_apart(found: &mut [(String, PathBuf, Strategy)]) {
    let full = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let mut all: Vec<PathBuf> = found.iter().map(|(_, path, _)| full(path)).collect();
    all.sort();
    all.dedup();
    for (_, path, strategy) in found {
        let Strategy::Python(file) = strategy else { continue };
        let path = full(path);
        let folder = path.parent().unwrap_or(&path);
        // In this order all that lies in a folder comes together.
        let from = all.partition_point(|other| other.as_path() < folder);
        if all[from..].iter().take(2).filter(|other| other.starts_with(folder)).count() > 1 {
            *file = file.clone().alone();
        }
    }
}

fn of_file(path: &Path) -> Strategy {
    match path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("py")) {
        true => Strategy::Python(PythonFile::new(path)),
        false => Strategy::Table(path.to_owned()),
    }
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// The short names, or paths where two short names are the same, numbered where those are.
fn distinct(found: &[(String, PathBuf, Strategy)]) -> Vec<String> {
    let alone = |name: &str| found.iter().filter(|(other, ..)| other == name).count() == 1;
    let mut names: Vec<String> = Vec::with_capacity(found.len());
    for (name, path, _) in found {
        let long = if alone(name) { name.clone() } else { path.display().to_string() };
        let same = names.iter().filter(|known| **known == long || known.starts_with(&format!("{long} ("))).count();
        names.push(if same == 0 { long } else { format!("{long} ({})", same + 1) });
    }
    names
}
