//! What all pages of a contest share: one file each, which loads nothing, in light and dark, from a phone's width up.
//!
//! Texts of strangers pass through [`escape::html`] alone. Should one ever get through as markup it would still not run: the
//! page's own policy allows one script, by its checksum, and nothing else.

use std::io::{self, Write};

use crate::files::escape::html;

/// Sorts and searches the ranking; a page without it shows the same.
pub(super) const SCRIPT: &str = include_str!("page.js");

/// The SHA-256 of [`SCRIPT`] in base 64, which browsers compare.
pub(super) const SCRIPT_SHA256: &str = "jE3CAQKSyPqKs8t1cfaJsq10KZSvRjY1mgc856W5Myg=";

const STYLE: &str = include_str!("page.css");

/// Writes a page around what `body` writes.
pub(super) fn write(
    out: &mut dyn Write,
    title: &str,
    body: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let title = html(title);
    let policy = format!(
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-{SCRIPT_SHA256}'; \
         base-uri 'none'; form-action 'none'"
    );
    writeln!(out, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">")?;
    writeln!(out, "<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">")?;
    writeln!(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")?;
    writeln!(
        out,
        "<meta name=\"generator\" content=\"Made by hog\">\n<meta name=\"color-scheme\" content=\"light dark\">"
    )?;
    writeln!(out, "<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>")?;
    body(out)?;
    writeln!(out, "</main>\n</body>\n</html>")
}

/// A name, whose direction of writing stays its own.
pub(super) fn name(name: &str) -> String {
    format!("<bdi>{}</bdi>", html(name))
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::process::{Command, Stdio};

    use super::*;

    /// Where there is a Python to ask.
    #[test]
    fn the_checksum_is_that_of_the_script() {
        let program = "import base64,hashlib,sys;print(base64.b64encode(hashlib.sha256(sys.stdin.buffer.read()).digest()).decode())";
        let child = Command::new("python3").args(["-c", program]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let Ok(mut child) = child else {
            eprintln!("skipped: no python3");
            return;
        };
        child.stdin.take().unwrap().write_all(SCRIPT.as_bytes()).unwrap();
        let printed = child.wait_with_output().unwrap().stdout;
        assert_eq!(String::from_utf8(printed).unwrap().trim(), SCRIPT_SHA256);
    }
}
