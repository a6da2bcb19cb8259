//! Requests to the server, made of bytes: every endpoint and every spelling of a strategy, with
//! sizes that nobody would ask for.

use std::fmt::Write as _;

use super::Bytes;

/// The names of the endpoints that are asked.
pub fn endpoints() -> impl Iterator<Item = &'static str> {
    ENDPOINTS.iter().map(|(name, _)| *name)
}

/// The endpoints, each with the parameters that it takes besides the game.
const ENDPOINTS: &[(&str, &[&str])] = &[
    ("best", &["position", "against"]),
    ("bid", &[]),
    ("check", &["tables"]),
    ("compare", &["other", "top"]),
    ("contest", &["entrants"]),
    ("contest/reports", &["entrants"]),
    ("describe", &["players"]),
    ("dice", &["dice", "of"]),
    ("effects", &[]),
    ("fair", &[]),
    ("grade", &["against", "points", "feedback"]),
    ("gradescope", &["against", "points", "feedback"]),
    ("map", &["against", "strategy", "layers"]),
    ("play", &["players", "rolls"]),
    ("plot/best", &["against"]),
    ("plot/diff", &["pair"]),
    ("plot/hold", &["against"]),
    ("plot/length", &[]),
    ("plot/loss", &["strategy", "against"]),
    ("plot/points", &["position"]),
    ("plot/spread", &["against"]),
    ("plot/visits", &["strategy", "against"]),
    ("plot/win", &["against"]),
    ("rate", &["strategy", "against"]),
    ("rules/check", &[]),
    ("rules/functions", &[]),
    ("rules/list", &[]),
    ("rules/show", &[]),
    ("rules/text", &[]),
    ("simplify", &["within", "lines"]),
    ("simulate", &["strategy", "against", "games"]),
    ("solve", &["against", "fraction"]),
    ("survey", &["some"]),
    ("try", &["strategy", "against", "top"]),
    ("tune", &["family", "against"]),
    ("turn", &["position", "faces"]),
    ("vary", &["numbers"]),
    ("why", &["position", "against"]),
];

const GAMES: &[&str] =
    &["fa21", "fa19", "sp20", "fa24", "nju21", "neller_hog", "pig", "two_dice_pig", "sp16"];

/// Formulas that are slow, large or fail somewhere; S and O stand for the scores.
const FORMULAS: &[&str] = &[
    "power_first_digit(3 + S, 99000 + O)",
    "next_prime(S * 1000003 + O * 999983)",
    "decimal_digit(S + 1, 7 * O + 3, 9999)",
    "gcd(S * 7919, O + 1)",
    "largest_digit(S * O * 123457)",
    "S / (O - 20)",
    "S * S * O + 4095",
    "S > O ? 1 : 0",
];

/// Makes a request: the path of its endpoint, and its body.
pub fn request(data: &[u8]) -> (&'static str, String) {
    let mut bytes = Bytes(data);
    let (name, parameters) = ENDPOINTS[bytes.below(ENDPOINTS.len())];
    let mut fields = Vec::new();
    if !["check", "dice", "rules/functions", "rules/list", "survey"].contains(&name) {
        fields.push(bytes.game());
        if name != "rules/text" && bytes.below(2) == 0 {
            // Each as often as the others: the work of a small game ends before any limit.
            fields.push(format!("\"goal\":{}", bytes.one_number(GOALS)));
        }
        if name != "rules/text" && bytes.below(4) == 0 {
            fields.push(format!("\"max_dice\":{}", bytes.size(&[0, 1, 5, 10, 20, 30])));
        }
    }
    for parameter in parameters {
        let field = match *parameter {
            "position" => {
                format!("\"score\":{},\"opponent\":{}", bytes.below(120), bytes.below(120))
            }
            "against" if bytes.below(2) == 0 => continue,
            "against" | "strategy" => format!("\"{parameter}\":\"{}\"", bytes.strategy(3)),
            "players" => {
                format!("\"players\":[\"{}\",\"{}\"]", bytes.strategy(2), bytes.strategy(2))
            }
            "entrants" => {
                let count = bytes.size(&[1, 2, 5, 30, 200, 1000]);
                let names: Vec<String> =
                    (0..count).map(|_| format!("\"{}\"", bytes.strategy(1))).collect();
                format!("\"entrants\":[{}]", names.join(","))
            }
            "dice" => format!(
                "\"number\":{},\"die\":{}",
                bytes.size(&[0, 1, 5, 30, 200, 1000, 100_000]),
                bytes.size(&[1, 2, 6, 20, 1000, 100_000])
            ),
            "of" if bytes.below(2) == 0 => continue,
            "of" => {
                format!("\"of\":\"{}\"", bytes.one_of(&["pairs", "sum * sum", "1 / (sum - 9)"]))
            }
            "tables" => format!("\"tables\":[\"{}\",\"mine.hog\"]", bytes.one_of(GAMES)),
            "some" => format!("\"rules\":[\"{}\",\"fa21\"]", bytes.one_of(GAMES)),
            "pair" => {
                format!("\"first\":\"{}\",\"second\":\"{}\"", bytes.strategy(2), bytes.strategy(2))
            }
            "games" => {
                format!("\"games\":{}", bytes.one_number(&[0, 1, 1000, 1_000_000_000_000]))
            }
            "layers" => "\"layers\":[\"spread\",\"met\"]".into(),
            "top" => format!("\"top\":{}", bytes.one_number(&[0, 10, 1_000_000, i64::MAX as u64])),
            "other" => format!("\"other\":\"{}\"", bytes.one_of(GAMES)),
            "within" if bytes.below(2) == 0 => continue,
            "within" => format!("\"within\":{}", bytes.one_of(&["0", "0.5", "1e-300", "0.005"])),
            "lines" => {
                format!("\"lines\":{}", bytes.one_number(&[0, 1, 5, 16, u64::from(u32::MAX)]))
            }
            "numbers" => {
                let most = bytes.one_number(&[3, 60, 2000]);
                format!("\"vary\":[\"goal=2..{most}\",\"max_dice=1..{}\"]", bytes.below(40))
            }
            "family" => {
                let name = bytes.one_of(&["always_roll:1..10", "bacon_strategy:0..30,0..10", "x"]);
                format!("\"strategy\":\"{name}\"")
            }
            "rolls" => format!("\"seed\":7,\"rolls\":[{}]", vec!["4"; bytes.below(200)].join(",")),
            "fraction" => format!("\"fraction\":{}", bytes.below(2) == 0),
            _ => format!("\"dice\":[{}]", vec!["2"; bytes.below(40)].join(",")),
        };
        fields.push(field);
    }
    (name, format!("{{{}}}", fields.join(",")))
}

/// About the longest name of a strategy, in bytes.
const LONGEST_NAME: usize = 10 << 20;

/// Goals from the smallest to more than any game may have.
const GOALS: &[u64] = &[1, 40, 100, 300, 500, 600, 700, 800, 1000, 2000, 10_000, u32::MAX as u64];

impl Bytes<'_> {
    fn one_number(&mut self, numbers: &[u64]) -> u64 {
        numbers[self.below(numbers.len())]
    }

    /// Returns one of these sizes, mostly one of the first.
    fn size(&mut self, sizes: &[usize]) -> usize {
        let most = 1 + self.below(sizes.len());
        sizes[self.below(most)]
    }

    /// Makes the game of a request: a built-in one, or a rule file.
    fn game(&mut self) -> String {
        match self.below(12) {
            0 => {
                let name = "fa2".repeat(self.size(&[1, 20, 2000, 1_000_000]));
                return format!("\"rules\":\"{name}\"");
            }
            1..8 => return format!("\"rules\":\"{}\"", self.one_of(GAMES)),
            _ => {}
        }
        let mut text = match self.below(2) {
            0 => self.rules(),
            _ => format!(
                "id = \"own\"\ngoal = {}\nmax_dice = {}\n",
                2 + self.below(250),
                1 + self.below(12)
            ),
        };
        for number in 0..self.below(3) {
            let (of, max) = (self.one_of(&["player", "game"]), self.size(&[1, 3, 10, 60, 400]));
            let next = self.one_of(&["dice", "sum", "score", "points"]);
            let _ = writeln!(text, "[[memory]]\nname = \"m{number}\"\nof = \"{of}\"\nmax = {max}");
            let _ = writeln!(text, "next = \"min({next}, {max})\"");
        }
        for number in 0..self.size(&[1, 2, 8, 60]) {
            let hook = self.one_of(&[
                "zero_dice",
                "score",
                "opponent_score",
                "points",
                "swap",
                "again",
                "bust",
            ]);
            let mut formula = self.one_of(FORMULAS).replace('S', "score").replace('O', "opponent");
            for _ in 0..self.size(&[0, 1, 40]) {
                let more = self.one_of(FORMULAS).replace('S', "score").replace('O', "opponent");
                formula = format!("{formula} + ({more})");
            }
            if matches!(hook, "swap" | "again") {
                formula = format!("({formula}) % 5 == 1");
            }
            let kept = if self.below(4) == 0 && number > 0 { " + 0 * m0" } else { "" };
            let _ = writeln!(text, "[[rule]]\nname = \"r{number}\"\n{hook} = \"{formula}{kept}\"");
        }
        let quoted = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
        format!("\"file\":\"{quoted}\"")
    }

    /// Makes the name of a strategy, nested up to this depth.
    fn strategy(&mut self, depth: usize) -> String {
        match self.below(if depth == 0 { 6 } else { 10 }) {
            0 => "optimal".into(),
            1 => "baseline".into(),
            2 => format!("bacon_strategy:{},{}", self.below(40), self.below(12)),
            3 => "final_strategy".into(),
            4 => format!("always_roll_{}", "9".repeat(self.size(&[1, 2, 60, 20_000]))),
            5 => format!("always_roll:{}", self.below(12)),
            6 | 7 => format!("beat:{}", self.strategy(depth - 1)),
            _ => {
                let parts: Vec<String> =
                    (0..1 + self.below(3)).map(|_| self.strategy(depth - 1)).collect();
                let longest = parts.iter().map(String::len).max().unwrap_or(1);
                // Bodies are refused from 8 MiB on; a nested name could have gigabytes.
                let count = self.size(&[1, 2, 4, 40, 400, 3000]).min(1 + LONGEST_NAME / longest);
                let parts: Vec<&str> =
                    (0..count).map(|at| parts[at % parts.len()].as_str()).collect();
                format!("beat:mix({})", parts.join(","))
            }
        }
    }
}
