//! The frame of all pages of a contest: one file each, which loads nothing else, in light and dark,
//! for screens of any width.
//!
//! Text from other people is escaped by [`html`]. Should any of it ever become markup, it still
//! could not run: the page's content security policy allows only one script, by its checksum.

use std::io::{self, Write};

use crate::files::escape::html;
use crate::naming::between;

/// The script that sorts and searches the ranking; without it a page shows the same content.
pub(super) const SCRIPT: &str = include_str!("page.js");

/// The SHA-256 checksum of [`SCRIPT`] in base 64, as browsers compute it.
pub(super) const SCRIPT_SHA256: &str = "jE3CAQKSyPqKs8t1cfaJsq10KZSvRjY1mgc856W5Myg=";

const STYLE: &str = include_str!("page.css");

/// Writes a page with the content that `body` writes.
pub(super) fn write(
    out: &mut dyn Write,
    title: &str,
    body: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let title = html(title);
    let policy = format!(
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src \
         'sha256-{SCRIPT_SHA256}'; base-uri 'none'; form-action 'none'"
    );
    writeln!(out, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">")?;
    writeln!(out, "<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">")?;
    writeln!(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")?;
    writeln!(
        out,
        "<meta name=\"generator\" content=\"Made by hog\">\n<meta name=\"color-scheme\" \
         content=\"light dark\">"
    )?;
    writeln!(out, "<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>")?;
    body(out)?;
    writeln!(out, "</main>\n</body>\n</html>")
}

/// Formats a name, isolated from the writing direction of the text around it.
pub(super) fn name(name: &str) -> String {
    format!("<bdi>{}</bdi>", html(name))
}

/// Lists names, each isolated as [`name`] does.
pub(super) fn listed(all: &[impl AsRef<str>]) -> String {
    let shown: Vec<String> = all.iter().map(|one| name(one.as_ref())).collect();
    shown.join(between(all))
}

/// Formats a win rate as the page does: 0.39657 is "39.66 %".
pub(super) fn percent(rate: f64) -> String {
    format!("{:.2} %", rate * 100.0)
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::process::{Command, Stdio};

    use super::*;

    /// Skipped without Python.
    #[test]
    #[allow(clippy::disallowed_macros)]
    fn the_checksum_is_that_of_the_script() {
        let program = "import base64, hashlib, sys\n\
                       digest = hashlib.sha256(sys.stdin.buffer.read()).digest()\n\
                       print(base64.b64encode(digest).decode())";
        let child = Command::new("python3")
            .args(["-c", program])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let Ok(mut child) = child else {
            eprintln!("skipped: no python3");
            return;
        };
        child.stdin.take().unwrap().write_all(SCRIPT.as_bytes()).unwrap();
        let printed = child.wait_with_output().unwrap().stdout;
        assert_eq!(String::from_utf8(printed).unwrap().trim(), SCRIPT_SHA256);
    }
}
