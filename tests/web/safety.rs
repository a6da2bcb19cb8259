//! What is refused, and how clients that stall or leave are treated.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use serde_json::json;

use super::Server;

#[test]
fn requests_from_other_sites_are_refused() {
    let server = Server::start();
    let path = "/api/v1/best?rules=fa21&score=20&opponent=36";
    for host in [
        "example.org",
        "localhost.example.org",
        "",
        "127.0.0.1.example.org:80",
        "a@127.0.0.1",
        "[::1]x",
        "8.8.8.8",
        "192.0.2.1:4774",
        "[2001:db8::1]:4774",
        "localhost:80:x",
    ] {
        let answer = server.send(
            format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").as_bytes(),
        );
        assert!([400, 403].contains(&answer.status), "{host}: {}", answer.status);
    }
    server
        .send(format!("GET {path} HTTP/1.1\r\nConnection: close\r\n\r\n").as_bytes())
        .assert_refusal(403, &["host"]);
    for origin in ["http://example.org", "null", "https://127.0.0.1", "http://127.0.0.1:1"] {
        server
            .get_with(path, &format!("Origin: {origin}\r\n"))
            .assert_refusal(403, &["another site"]);
    }
    server.get_with(path, "Sec-Fetch-Site: cross-site\r\n").assert_refusal(403, &["another site"]);
    let own = format!("Origin: http://{}\r\nSec-Fetch-Site: same-origin\r\n", server.host);
    assert_eq!(server.get_with(path, &own).status, 200);
    let request = json!({ "rules": "fa21", "score": 20, "opponent": 36 }).to_string();
    for kind in
        ["", "Content-Type: text/plain\r\n", "Content-Type: application/x-www-form-urlencoded\r\n"]
    {
        server.post_text("best", &request, kind).assert_refusal(415, &["JSON"]);
    }
    assert!(!server.get("/").head.contains("set-cookie"));
}

#[test]
fn malformed_requests_are_refused_with_the_reason() {
    let server = Server::start();
    server.get("/api/v1/best?score=1&opponent=2").assert_refusal(400, &["rules"]);
    server.get("/api/v1/best?rules=fa21&score=1").assert_refusal(400, &["`opponent` is missing"]);
    server
        .get("/api/v1/best?rules=fa21&score=x&opponent=2")
        .assert_refusal(400, &["score=x", "whole number"]);
    server
        .get("/api/v1/best?rules=fa21&score=1&opponent=2&strategy=optimal")
        .assert_refusal(400, &["takes no `strategy`"]);
    server
        .get("/api/v1/best?rules=fa21&score=1&score=1&opponent=2")
        .assert_refusal(400, &["twice"]);
    let twice = "/api/v1/best?rules=fa19&score=1&opponent=2&memory=last_dice=4&memory=last_dice=5";
    server.get(twice).assert_refusal(400, &["memory=last_dice=5", "twice"]);
    server
        .get("/api/v1/best?rules=fa21&score=100&opponent=2")
        .assert_refusal(422, &["at or above the goal 100"]);
    server.get("/api/v1/best?rules=fa99&score=1&opponent=2").assert_refusal(422, &["fa99"]);
    server.get("/api/v1/nothing").assert_refusal(404, &["openapi.json"]);
    server.get("/page/../Cargo.toml").assert_refusal(404, &[]);
    server.get("/page/%2e%2e/Cargo.toml").assert_refusal(404, &[]);
    server.get("/nothing/here").assert_refusal(404, &[]);
    let page = server.get_with("/nothing/here", "Accept: text/html,*/*\r\n");
    assert!(
        page.status == 404 && page.head.contains("text/html"),
        "a browser gets the page, which says so: {}",
        page.head
    );
    server.get_with("/api/nothing", "Accept: text/html\r\n").assert_refusal(404, &["openapi.json"]);
    for body in
        ["", "{", "[]", "7", "{\"rules\":7,\"score\":1,\"opponent\":2}", "{\"score\":-1}", "\u{0}"]
    {
        server
            .post_text("best", body, "Content-Type: application/json\r\n")
            .assert_refusal(400, &[]);
    }
    let deep = "[".repeat(100_000);
    server.post_text("best", &deep, "Content-Type: application/json\r\n").assert_refusal(400, &[]);
    let nested = json!({ "rules": "fa21", "strategy": "seeded:".repeat(20_000) }).to_string();
    server
        .post_text("rate", &nested, "Content-Type: application/json\r\n")
        .assert_refusal(422, &[]);
    let large = json!({ "file": "#".repeat((1 << 20) + 1) }).to_string();
    server
        .post_text("rules/check", &large, "Content-Type: application/json\r\n")
        .assert_refusal(422, &["bytes"]);
    let request = format!(
        "DELETE /api/v1/best HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
        server.host
    );
    server.send(request.as_bytes()).assert_refusal(405, &["GET"]);
}

#[test]
fn oversized_requests_are_refused_before_they_are_read_or_solved() {
    let server = Server::start();
    let head = |more: &str| {
        let host = &server.host;
        format!(
            "POST /api/v1/solve HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\
             Content-Type: application/json\r\n{more}\r\n"
        )
    };
    server.send(head("Content-Length: 99999999\r\n").as_bytes()).assert_refusal(413, &["99999999"]);
    server
        .send(head("Transfer-Encoding: chunked\r\n").as_bytes())
        .assert_refusal(411, &["Content-Length"]);
    server.assert_refused(
        "solve",
        &json!({ "rules": "fa21", "goal": 20_000 }),
        422,
        &["lower the goal to 2896 or less"],
    );
    server.assert_refused("solve", &json!({ "rules": "fa21", "goal": 2_000_000 }), 422, &["goal"]);
    let files: Vec<_> =
        (0..8001).map(|i| json!({ "name": format!("{i}.csv"), "text": "" })).collect();
    server.assert_refused(
        "contest",
        &json!({ "rules": "fa21", "files": files }),
        413,
        &["8001 files"],
    );
    let entrants = vec!["always_roll:4"; 1201];
    server.assert_refused(
        "contest",
        &json!({ "rules": "fa21", "entrants": entrants }),
        400,
        &["at most 1200"],
    );
    let rolls = json!({ "rules": "fa21", "players": ["person", "optimal"], "seed": 1, "rolls": vec![4; 100_000] });
    server.assert_refused("play", &rolls, 400, &["values"]);
}

/// A mix of 2,000 strategies took 5.8 GB and a minute; equal names in other places are refused
/// alike.
#[cfg(target_os = "linux")]
#[test]
fn strategies_of_any_length_take_little_memory() {
    let server = Server::start();
    let mix = |parts: usize| format!("beat:mix({})", vec!["always_roll:4"; parts].join(","));
    let (many, nested) = (mix(2000), format!("beat:mix({},{})", mix(600), mix(2)));
    let words = ["at most 500"];
    server.assert_refused("rate", &json!({ "rules": "fa21", "strategy": many }), 422, &words);
    server.assert_refused("solve", &json!({ "rules": "fa21", "against": nested }), 422, &words);
    server.assert_refused(
        "describe",
        &json!({ "rules": "fa21", "players": [many, "optimal"] }),
        422,
        &words,
    );
    server.assert_refused("contest", &json!({ "rules": "fa21", "entrants": [many] }), 422, &words);
    // Within the number, but not within the memory.
    let large = json!({ "rules": "fa21", "goal": 600, "strategy": mix(400) });
    server.assert_refused("rate", &large, 422, &["MiB are allowed", "fewer strategies"]);
    server.assert_refused(
        "rate",
        &json!({ "rules": "fa21", "strategy": "x(".repeat(60) + &"y".repeat(60_000) }),
        422,
        &[],
    );
    let entrants: Vec<String> =
        (0..1000).map(|number| format!("bacon_strategy:{},6", number)).collect();
    let contest = json!({ "rules": "fa21", "goal": 2000, "entrants": entrants });
    server.assert_refused("contest", &contest, 422, &["MiB are allowed", "fewer entrants"]);
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.child.id())).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let kibibytes: u64 = peak.trim().split(' ').next().unwrap().parse().unwrap();
    assert!(kibibytes < 512 << 10, "{kibibytes} KiB");
}

/// Each client announces a body of the largest size, and sends nothing or a little of it.
#[test]
fn incomplete_bodies_do_not_delay_other_clients() {
    let server = Server::start();
    let announced = |sent: usize| {
        let head = format!(
            "POST /api/v1/rate HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n",
            server.host,
            32 << 20
        );
        let mut stream = TcpStream::connect(&server.host).unwrap();
        stream.write_all((head + &" ".repeat(sent)).as_bytes()).unwrap();
        stream
    };
    let silent: Vec<TcpStream> =
        (0..40).map(|number| announced(if number % 2 == 0 { 0 } else { 50_000 })).collect();
    let best = json!({ "rules": "fa21", "score": 20, "opponent": 36 });
    assert_eq!(server.ask("best", &best)["best"], json!([8]));
    for mut stream in silent {
        stream.set_nonblocking(true).unwrap();
        let error = stream.read(&mut [0; 100]).expect_err("an incomplete request was answered");
        assert_eq!(error.kind(), std::io::ErrorKind::WouldBlock);
    }
}

#[test]
fn no_request_can_name_a_file_of_the_server() {
    let server = Server::start();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/rules/games/fa21.toml");
    server.assert_refused("rules/show", &json!({ "rules": path }), 422, &["not allowed"]);
    let table = concat!(env!("CARGO_MANIFEST_DIR"), "/tables/fa21.hog");
    let sent = json!([{ "name": "a.csv", "text": "score,opponent,dice\n" }]);
    for strategy in [
        table,
        &format!("table:{table}"),
        "beat:hog.py",
        "python:/tmp/a.py",
        "beat:mix(a.py,optimal)",
    ] {
        let alone = json!({ "rules": "fa21", "strategy": strategy });
        server.assert_refused("rate", &alone, 422, &[]);
        let with_files = json!({ "rules": "fa21", "strategy": strategy, "files": sent });
        server.assert_refused("rate", &with_files, 422, &[]);
        let entrants = json!({ "rules": "fa21", "entrants": [strategy], "files": sent });
        assert_ne!(server.post("contest", &entrants).status, 200, "{strategy}");
    }
    server.assert_refused(
        "contest",
        &json!({ "rules": "fa21", "entrants": ["/etc"], "files": sent }),
        422,
        &[],
    );
    let text =
        std::fs::read_to_string(path).unwrap().replace("always_roll:6", "python:/etc/passwd");
    server.assert_refused(
        "rate",
        &json!({ "file": text, "strategy": "optimal", "files": sent }),
        422,
        &["baseline"],
    );
    for name in ["../a.csv", "/a.csv", "a/../../b.csv", "a.sh"] {
        let files = json!([{ "name": name, "text": "" }]);
        server.assert_refused(
            "rate",
            &json!({ "rules": "fa21", "strategy": name, "files": files }),
            400,
            &["file"],
        );
    }
    let files = json!([{ "name": "a.py", "text": "" }, { "name": "a.py/b.py", "text": "" }]);
    server.assert_refused(
        "contest",
        &json!({ "rules": "fa21", "files": files }),
        400,
        &["a.py/b.py", "folder"],
    );
    server.assert_refused(
        "contest",
        &json!({ "rules": "fa21", "entrants": [] }),
        400,
        &["there are no entrants"],
    );
}

/// The work of 200 clients would take longer than this test: the server becomes idle only because
/// its clients have left.
#[cfg(target_os = "linux")]
#[test]
fn work_ends_when_its_clients_hang_up() {
    let server = Server::start();
    let request = json!({ "rules": "fa19", "strategy": "beat:beat:always_roll:4", "against": "beat:always_roll:5" });
    for number in 0..200 {
        let body =
            request.to_string().replace("fa19\"", &format!("fa19\",\"goal\":{}", 95 + number % 5));
        let (host, length) = (&server.host, body.len());
        // The server reads no further while it answers, and must notice those as well.
        let more = if number % 2 == 0 { "" } else { "x" };
        let head = format!(
            "POST /api/v1/try HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\n\r\n"
        );
        let mut stream = TcpStream::connect(host).unwrap();
        stream.write_all((head + &body + more).as_bytes()).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let ticks = || {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", server.child.id())).unwrap();
        let fields: Vec<i64> = stat
            .rsplit(')')
            .next()
            .unwrap()
            .split(' ')
            .filter_map(|field| field.parse().ok())
            .collect();
        fields[10] + fields[11]
    };
    let mut before = ticks();
    let rests = (0..120).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(250));
        let now = ticks();
        let rests = now <= before + 1;
        before = now;
        rests
    });
    assert!(rests, "the server still works for clients that have left");
    let best = json!({ "rules": "fa21", "score": 20, "opponent": 36 });
    assert_eq!(server.ask("best", &best)["best"], json!([8]));
}

/// Whether a client was refused because the server is busy.
fn is_refused(client: &TcpStream) -> bool {
    let mut head = [0; 12];
    client.set_nonblocking(true).unwrap();
    client.peek(&mut head).is_ok() && head.ends_with(b"503")
}

/// More long requests than the server works on, or lets wait, at the same time.
#[test]
fn short_questions_are_answered_while_long_ones_wait() {
    let server = Server::start();
    let request = json!({ "rules": "fa19", "strategy": "beat:mix(always_roll:4,always_roll:5,always_roll:6)" });
    let long: Vec<TcpStream> = (0..200)
        .map(|number| {
            let body = request
                .to_string()
                .replace("fa19\"", &format!("fa19\",\"goal\":{}", 95 + number % 5));
            let (host, length) = (&server.host, body.len());
            let head = format!(
                "POST /api/v1/rate HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n\
                 Content-Length: {length}\r\n\r\n"
            );
            let mut stream = TcpStream::connect(host).unwrap();
            stream.write_all((head + &body).as_bytes()).unwrap();
            stream
        })
        .collect();
    // Until the queue of the long ones is full.
    while !long.iter().any(is_refused) {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let best = json!({ "rules": "fa21", "score": 20, "opponent": 36 });
    for _ in 0..20 {
        assert_eq!(server.ask("best", &best)["best"], json!([8]));
    }
    drop(long);
}

/// Each upload is in a new folder, so kept answers would never be found again, and would displace
/// those of the user.
#[cfg(target_os = "linux")]
#[test]
fn answers_of_uploads_are_not_kept_among_those_of_the_user() {
    if std::process::Command::new("python3").arg("--version").output().is_err() {
        return eprintln!("SKIPPED: there is no python3 on this machine");
    }
    let cache = tempfile::tempdir().unwrap();
    let server = Server::start_with(&[("XDG_CACHE_HOME", cache.path())]);
    let files = json!([{ "name": "hog.py", "text": "def final_strategy(score, \
     opponent_score):\n    return 5\n" }]);
    server
        .ask("rate", &json!({ "rules": "fa21", "goal": 20, "strategy": "hog.py", "files": files }));
    assert!(!cache.path().join("hog/answers").exists());
}

/// Freed memory goes back to the system when its threads have nothing to do. glibc's allocator kept
/// 180 MiB here, and 820 after `solve sp20` to 100.
#[cfg(target_os = "linux")]
#[test]
fn an_idle_server_returns_what_it_took() {
    let server = Server::start();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| server.post("solve", &json!({ "rules": "sp20", "goal": 50 })));
        }
    });
    let resident = || {
        let status = std::fs::read_to_string(format!("/proc/{}/status", server.child.id()));
        let status = status.expect("it runs");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("a line");
        line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number") >> 10
    };
    // Idle threads end after ten seconds.
    let returned = (0..600).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(100));
        resident() < 120
    });
    assert!(returned, "{} MiB are resident", resident());
}

/// It was compared with the name of every game, which took minutes.
#[test]
fn a_long_name_is_refused_at_once() {
    let server = Server::start();
    let rules = "fa2".repeat(1 << 20);
    for name in ["solve", "describe", "rules/show"] {
        server.assert_refused(name, &json!({ "rules": rules }), 422, &["no game"]);
    }
    server.assert_refused("rate", &json!({ "rules": "fa21", "strategy": rules }), 422, &[]);
}

/// To an address that is not this machine's own, browsers do not say which site sends a GET.
#[test]
fn a_browser_that_does_not_say_which_site_asks_must_post() {
    let server = Server::start();
    let path = "/api/v1/best?rules=fa21&score=20&opponent=36";
    let browser = "User-Agent: Mozilla/5.0 (X11; Linux) Firefox/140.0\r\n";
    server.get_with(path, browser).assert_refusal(403, &["POST"]);
    server.get_with("/api/v1/survey", browser).assert_refusal(403, &["POST"]);
    let head = format!(
        "HEAD {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{browser}\r\n",
        server.host
    );
    assert_eq!(server.send(head.as_bytes()).status, 403, "a HEAD does the work of a GET");
    for site in ["same-origin", "none"] {
        let says = format!("{browser}Sec-Fetch-Site: {site}\r\n");
        assert_eq!(server.get_with(path, &says).status, 200, "{site}");
    }
    assert_eq!(server.get_with(path, "User-Agent: curl/8\r\n").status, 200);
    assert_eq!(server.get_with("/api/v1/openapi.json", browser).status, 200);
    let request = json!({ "rules": "fa21", "score": 20, "opponent": 36 }).to_string();
    let says = format!("{browser}Content-Type: application/json\r\n");
    assert_eq!(server.post_text("best", &request, &says).status, 200);
}
