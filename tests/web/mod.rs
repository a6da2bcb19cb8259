//! The page and its API over real sockets: what is answered, what is refused, and how clients that
//! stall or leave are treated.

mod answers;
mod safety;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

/// A server for one test; it ends with the value.
struct Server {
    child: Child,
    /// `127.0.0.1:PORT`.
    host: String,
}

/// An answer: its status, its head, its body.
struct Answer {
    status: u16,
    head: String,
    body: Vec<u8>,
}

impl Server {
    fn start() -> Self {
        Self::start_with(&[])
    }

    /// Starts a server with these variables in its environment.
    fn start_with(variables: &[(&str, &Path)]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_hog"))
            .args(["serve", "--port", "0", "--format", "json"])
            .envs(variables.iter().copied())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("piped"))
            .read_line(&mut line)
            .expect("its address");
        let started: Value = serde_json::from_str(&line).expect("a JSON line");
        let url = started["url"].as_str().expect("a URL");
        let host = url
            .strip_prefix("http://")
            .and_then(|rest| rest.strip_suffix('/'))
            .expect("a URL")
            .to_owned();
        Self { child, host }
    }

    /// Sends bytes unchanged, and reads the answer to its end.
    fn send(&self, request: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(&self.host).expect("it listens");
        // A server that has already refused may close the connection before everything is sent.
        let _ = stream.write_all(request);
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("a head") + 4;
        let head = String::from_utf8_lossy(&bytes[..end]).to_ascii_lowercase();
        let status =
            head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        let chunked = head.contains("transfer-encoding: chunked");
        let body = if chunked { unchunked(&bytes[end..]) } else { bytes[end..].to_vec() };
        Answer { status, head, body }
    }

    fn get(&self, path: &str) -> Answer {
        self.get_with(path, "")
    }

    fn get_with(&self, path: &str, more: &str) -> Answer {
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{more}\r\n",
            self.host
        );
        self.send(request.as_bytes())
    }

    fn post(&self, name: &str, request: &Value) -> Answer {
        self.post_text(name, &request.to_string(), "Content-Type: application/json\r\n")
    }

    fn post_text(&self, name: &str, body: &str, more: &str) -> Answer {
        let (host, length) = (&self.host, body.len());
        self.send(
            format!(
                "POST /api/v1/{name} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\
                 Content-Length: {length}\r\n{more}\r\n{body}"
            )
            .as_bytes(),
        )
    }

    /// Returns the answer to a request that must succeed.
    #[track_caller]
    fn ask(&self, name: &str, request: &Value) -> Value {
        let answer = self.post(name, request);
        assert_eq!(answer.status, 200, "{name} {request}: {}", answer.text());
        answer.json()
    }

    /// Asserts that a request is refused with a message that contains all of these words.
    #[track_caller]
    fn assert_refused(&self, name: &str, request: &Value, status: u16, words: &[&str]) {
        self.post(name, request).assert_refusal(status, words);
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Answer {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    #[track_caller]
    fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    #[track_caller]
    fn assert_refusal(&self, status: u16, words: &[&str]) {
        assert_eq!(self.status, status, "{}", self.text());
        let message = self.json()["error"]["message"].as_str().expect("a message").to_owned();
        for mishap in ["panicked", "unwrap", "hog-serve-"] {
            assert!(!message.contains(mishap), "{message}");
        }
        for word in words {
            assert!(message.contains(word), "no `{word}` in: {message}");
        }
    }
}

fn unchunked(mut bytes: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    loop {
        let end = bytes.windows(2).position(|two| two == b"\r\n").expect("the length of a chunk");
        let length =
            usize::from_str_radix(&String::from_utf8_lossy(&bytes[..end]), 16).expect("a length");
        if length == 0 {
            return body;
        }
        body.extend(&bytes[end + 2..end + 2 + length]);
        bytes = &bytes[end + 4 + length..];
    }
}
