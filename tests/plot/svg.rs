//! A reader of SVG for what the pictures contain.

/// Returns the texts between `<text ...>` and `</text>`, in order.
pub fn texts(svg: &str) -> Vec<String> {
    let rest = svg.split("<text").skip(1);
    rest.map(|part| part.split_once('>').unwrap().1.split_once('<').unwrap().0.to_owned()).collect()
}

/// Returns what keeps a text from being one well-formed element; `None` if it is one.
pub fn fault(svg: &str) -> Option<String> {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = svg;
    while let Some(begun) = rest.find('<') {
        if rest[..begun].contains('>') {
            return Some(format!("a stray > in {:?}", &rest[..begun]));
        }
        let Some(length) = rest[begun..].find('>') else {
            return Some("a tag is not closed".into());
        };
        let tag = &rest[begun + 1..begun + length];
        if tag.matches('"').count() % 2 == 1 {
            return Some(format!("quotes do not match in <{tag}>"));
        }
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap_or_default();
        if tag.starts_with('/') {
            if open.pop() != Some(name) {
                return Some(format!("</{name}> closes nothing"));
            }
        } else if !tag.ends_with('/') {
            open.push(name);
        }
        rest = &rest[begun + length + 1..];
    }
    (!open.is_empty() || !rest.trim().is_empty())
        .then(|| format!("{open:?} stay open before {rest:?}"))
}

#[test]
fn faults_are_found() {
    assert_eq!(fault("<svg a=\"b\"><path/><text x=\"1\">t</text></svg>\n"), None);
    for faulty in
        ["<svg><text></svg>", "<svg", "<svg a=\"b></svg>", "<svg></svg>>", "<svg></svg>x", "</svg>"]
    {
        assert!(fault(faulty).is_some(), "{faulty}");
    }
}
