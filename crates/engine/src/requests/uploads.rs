//! Uploaded strategies: written to a folder of their own, which is deleted when the request is
//! answered.

use std::path::{Component, Path, PathBuf};

use base64::Engine as _;
use tempfile::TempDir;

use super::Upload;
use crate::engine::{Error, SentFiles, StrategyNames};
use crate::files::has_extension;
use crate::strategy::python::{PythonFile, is_notebook};
use crate::strategy::{ENDINGS, Strategy};

/// The uploaded files of one request.
#[derive(Default)]
pub struct Uploads {
    folder: Option<TempDir>,
    /// The name of each file as it was sent, and its path.
    files: Vec<(String, PathBuf)>,
    /// The files of the strategies that the request names: none of them may read another.
    used: Vec<PathBuf>,
}

/// The most files of one request.
const MOST_FILES: usize = 8_000;

/// The most components of a file's relative path.
const DEEPEST: usize = 4;

impl Uploads {
    /// Writes the files into a new folder below `root`; `strategies` are the names of the
    /// strategies in the request, `others` those of the files that it takes besides.
    pub(super) fn write(
        root: &Path,
        sent: &[Upload],
        strategies: &[String],
        others: &[&str],
    ) -> Result<Self, Error> {
        if sent.is_empty() {
            return Ok(Self::default());
        }
        if sent.len() > MOST_FILES {
            return Err(Error::TooManyFiles { files: sent.len(), most: MOST_FILES });
        }
        // In a tab there is one request at a time, and what a Python file has printed is found
        // again by its path.
        let random_letters = if cfg!(target_family = "wasm") { 0 } else { 6 };
        let mut builder = tempfile::Builder::new();
        let folder = builder.prefix("files").rand_bytes(random_letters).tempdir_in(root);
        let folder = folder.map_err(Error::Storage)?;
        let mut files = Vec::new();
        for upload in sent {
            let path = folder.path().join(inner_path(&upload.name, others)?);
            if path.is_file() {
                return Err(Error::malformed(format!("two files are called `{}`", upload.name)));
            }
            if path.is_dir() || path.ancestors().any(Path::is_file) {
                return Err(Error::malformed(format!(
                    "`{}`: the same name is used for a file and for a folder",
                    upload.name
                )));
            }
            if let Some(parent) = path.parent() {
                std::fs::create_dir_all(parent).map_err(Error::Storage)?;
            }
            std::fs::write(&path, contents(upload)?).map_err(Error::Storage)?;
            files.push((upload.name.clone(), path));
        }
        let mut uploads = Self { folder: Some(folder), files, used: Vec::new() };
        for mut name in strategies.iter().map(String::as_str) {
            while let Some(inner) =
                name.strip_prefix("beat:").or_else(|| name.strip_prefix("seeded:"))
            {
                name = inner;
            }
            if let Some((path, _)) = uploads.file(name) {
                uploads.used.push(path.to_owned());
            }
        }
        Ok(uploads)
    }

    /// Whether the request has no files.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Returns the strategy of an uploaded file, named like the file and optionally `:FUNCTION`, or
    /// a built-in strategy.
    fn named(&self, text: &str) -> Result<Strategy, Error> {
        if let Some(inner) = text.strip_prefix("beat:")
            && let Some(strategy) = self.sent(inner)
        {
            return Ok(Strategy::Beat(Box::new(strategy)));
        }
        if let Some(strategy) = self.sent(text) {
            return Ok(strategy);
        }
        let strategy: Strategy = text.parse()?;
        if strategy.is_builtin() {
            return Ok(strategy);
        }
        Err(Error::NotSent { name: text.to_owned() })
    }

    fn sent(&self, text: &str) -> Option<Strategy> {
        // The prefix is accepted once: repeated, it does not name a strategy.
        let seeded = text.strip_prefix("seeded:").filter(|rest| !rest.starts_with("seeded:"));
        if let Some(Strategy::Python(mut file)) = seeded.and_then(|rest| self.sent(rest)) {
            file.seeded = true;
            return Some(Strategy::Python(file));
        }
        let (path, function) = self.file(text)?;
        if !is_python(path) {
            return Some(Strategy::Table(path.to_owned()));
        }
        let mut file = PythonFile::new(path).temporary().known_as(text);
        if let Some(function) = function {
            function.clone_into(&mut file.function);
        }
        let folder = path.parent().unwrap_or(path);
        let shares_it = self.used.iter().any(|other| other != path && other.starts_with(folder));
        Some(Strategy::Python(if shares_it { file.alone() } else { file }))
    }

    /// Returns the path of the file with this name, and the function that the name ends with.
    fn file<'t>(&self, text: &'t str) -> Option<(&Path, Option<&'t str>)> {
        if let Some((_, path)) = self.files.iter().find(|(name, _)| name == text) {
            return Some((path, None));
        }
        let (file, function) = text.rsplit_once(':')?;
        if !function.chars().all(|c| c.is_alphanumeric() || c == '_') {
            return None;
        }
        let (_, path) = self.files.iter().find(|(name, _)| name == file)?;
        is_python(path).then_some((path, Some(function)))
    }

    /// Removes the path of the uploads' folder from a JSON document.
    pub(super) fn without_folder(&self, document: Vec<u8>) -> Vec<u8> {
        let Some(folder) = &self.folder else { return document };
        // As it is written inside a string of JSON.
        let folder =
            serde_json::Value::String(folder.path().display().to_string() + "/").to_string();
        let folder = folder.trim_matches('"');
        let text = String::from_utf8_lossy(&document);
        let kinds = ["python:", "table:", ""].map(|kind| format!("{kind}{folder}"));
        kinds.iter().fold(text.into_owned(), |text, place| text.replace(place, "")).into_bytes()
    }
}

impl StrategyNames for Uploads {
    fn strategy(&self, name: &str) -> Result<Strategy, Error> {
        self.named(name)
    }

    fn sent_files(&self) -> Option<SentFiles<'_>> {
        let folder = self.folder.as_ref().map(TempDir::path);
        Some(SentFiles { folder, files: &self.files })
    }
}

fn is_python(path: &Path) -> bool {
    has_extension(path, "py") || is_notebook(path)
}

/// Checks that a file's name is a relative path without `..` and has an extension of strategy
/// files, or is one of `others`.
fn inner_path(name: &str, others: &[&str]) -> Result<PathBuf, Error> {
    let path = Path::new(name);
    let plain = path.components().all(|part| matches!(part, Component::Normal(_)));
    let readable =
        name.len() <= 200 && !name.chars().any(|c| c.is_control() || c == '\\' || c == ':');
    if !plain || !readable || path.components().count() > DEEPEST {
        return Err(Error::malformed(format!(
            "`{name}` is not a valid file name: use plain names and slashes"
        )));
    }
    if others.iter().any(|other| path.ends_with(other)) {
        return Ok(path.to_owned());
    }
    let ending = path
        .extension()
        .and_then(|ending| ending.to_str())
        .unwrap_or_default()
        .to_ascii_lowercase();
    if !is_python(path) && !ENDINGS.contains(&ending.as_str()) {
        let known = ENDINGS.map(|ending| format!(".{ending}")).join(", ");
        return Err(Error::malformed(format!(
            "`{name}`: the file of a strategy ends in .py, .ipynb, {known}"
        )));
    }
    Ok(path.to_owned())
}

fn contents(upload: &Upload) -> Result<Vec<u8>, Error> {
    match (&upload.text, &upload.base64) {
        (Some(text), None) => Ok(text.clone().into_bytes()),
        (None, Some(coded)) => base64::engine::general_purpose::STANDARD
            .decode(coded)
            .map_err(|error| Error::malformed(format!("`{}`: base64: {error}", upload.name))),
        _ => Err(Error::malformed(format!(
            "`{}`: give its `text` or its bytes in `base64`",
            upload.name
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn upload(name: &str) -> Upload {
        Upload { name: name.into(), text: Some("6\n".into()), base64: None }
    }

    #[test]
    fn only_plain_names_are_written_and_only_uploaded_files_are_opened() {
        let root = TempDir::new().unwrap();
        for name in [
            "../a.py",
            "/etc/a.py",
            "a/../../b.py",
            "a",
            "a.sh",
            "a\\b.py",
            "a:b.py",
            "",
            ".py",
            "a/b/c/d/e.py",
        ] {
            assert!(Uploads::write(root.path(), &[upload(name)], &[], &[]).is_err(), "{name}");
        }
        for names in [
            ["a.py", "a.py"],
            ["a.py", "a.py/b.py"],
            ["a.py/b.py", "a.py"],
            ["a/b.py", "a/b.py/c/d.py"],
        ] {
            let refused = Uploads::write(root.path(), &names.map(upload), &[], &[]);
            assert!(matches!(refused, Err(Error::Malformed { .. })), "{names:?}");
        }
        let sent =
            Uploads::write(root.path(), &[upload("team/hog.py"), upload("hog.csv")], &[], &[])
                .unwrap();
        for known in [
            "team/hog.py",
            "team/hog.py:f",
            "hog.csv",
            "beat:hog.csv",
            "seeded:team/hog.py",
            "optimal",
            "always_roll:4",
        ] {
            assert!(sent.named(known).is_ok(), "{known}");
        }
        for foreign in [
            "hog.py",
            "python:/etc/passwd",
            "table:x.csv",
            "beat:python:x.py",
            "/etc/passwd",
            "hog.csv:f",
        ] {
            assert!(sent.named(foreign).is_err(), "{foreign}");
        }
        let folder = sent.folder.as_ref().unwrap().path().to_owned();
        let document = format!("{{\"a\":\"python:{}/team/hog.py\"}}", folder.display());
        assert_eq!(sent.without_folder(document.into_bytes()), b"{\"a\":\"team/hog.py\"}");
        drop(sent);
        assert!(!folder.exists());
    }

    #[test]
    fn files_that_are_no_strategies_are_accepted_if_the_question_takes_them() {
        let root = TempDir::new().unwrap();
        let sent = [upload("hog.py"), upload("class/list.yml")];
        assert!(Uploads::write(root.path(), &sent, &[], &[]).is_err());
        let uploads = Uploads::write(root.path(), &sent, &[], &["list.yml"]).unwrap();
        let SentFiles { folder, files } = uploads.sent_files().unwrap();
        let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["hog.py", "class/list.yml"]);
        assert!(files.iter().all(|(name, path)| *path == folder.unwrap().join(name)));
    }

    /// The name of the server's temporary folder may have characters that JSON escapes.
    #[cfg(unix)]
    #[test]
    fn the_folder_is_removed_from_a_document_whatever_its_name() {
        let root = TempDir::with_prefix("a \"b\" \\ \t").unwrap();
        let sent = Uploads::write(root.path(), &[upload("hog.py")], &[], &[]).unwrap();
        let path = sent.file("hog.py").unwrap().0.display().to_string();
        let document =
            serde_json::json!({ "a": format!("python:{path}"), "b": format!("in {path}: 7") })
                .to_string();
        assert_eq!(
            sent.without_folder(document.into_bytes()),
            b"{\"a\":\"hog.py\",\"b\":\"in hog.py: 7\"}"
        );
    }

    #[test]
    fn of_two_strategies_neither_may_read_the_files_of_the_other() {
        let root = TempDir::new().unwrap();
        let sent = [upload("a.py"), upload("b.py"), upload("own/c.py"), upload("d.csv")];
        let reads_its_folder = |strategies: &[&str], name: &str| {
            let strategies: Vec<String> = strategies.iter().map(|name| (*name).into()).collect();
            let uploads = Uploads::write(root.path(), &sent, &strategies, &[]).unwrap();
            let Ok(Strategy::Python(file)) = uploads.named(name) else { panic!("{name}") };
            file.clone() != file.alone()
        };
        assert!(reads_its_folder(&["a.py"], "a.py"));
        assert!(reads_its_folder(&["a.py", "optimal"], "a.py"));
        assert!(reads_its_folder(&["a.py", "own/c.py"], "own/c.py"));
        for other in ["b.py", "b.py:f", "beat:b.py", "seeded:b.py", "own/c.py", "beat:d.csv"] {
            assert!(!reads_its_folder(&["a.py", other], "a.py"), "{other}");
            assert!(!reads_its_folder(&["a.py:f", other], "seeded:a.py:f"), "{other}");
        }
    }
}
