//! Describes in words how two games differ, rule by rule.

use crate::limits;

use super::{Hook, Memory, Rules};

impl Rules {
    /// Describes how these rules differ in play from `other`, each difference as "this, not that".
    /// Empty if they [play alike](Self::play_like).
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let mut found = Vec::new();
        let numbers = [
            ("the goal is", i64::from(self.goal), i64::from(other.goal)),
            ("the step of scores is", self.step.into(), other.step.into()),
            (
                "the first player's score at the start is",
                self.start[0].into(),
                other.start[0].into(),
            ),
            (
                "the second player's score at the start is",
                self.start[1].into(),
                other.start[1].into(),
            ),
            ("the fewest dice are", self.min_dice.into(), other.min_dice.into()),
            ("the most dice are", self.max_dice.into(), other.max_dice.into()),
        ];
        let differ = numbers.iter().filter(|(_, own, others)| own != others);
        found.extend(differ.map(|(what, own, others)| format!("{what} {own}, not {others}")));
        let [own, others] = [self.hand_in_words(), other.hand_in_words()];
        if own != others {
            found.push(format!("the dice are {own}, not {others}"));
        }
        self.compare_memories(other, &mut found);
        for hook in Hook::ALL {
            self.compare_hook(*hook, other, &mut found);
        }
        if found.is_empty() && !self.play_like(other) {
            found.push("its rules are combined in a different way".into());
        }
        found
    }

    fn hand_in_words(&self) -> String {
        let kinds: Vec<String> = self.hand.iter().map(ToString::to_string).collect();
        if kinds.is_empty() { "not kept".to_owned() } else { kinds.join(", ") }
    }

    fn compare_memories(&self, other: &Self, found: &mut Vec<String>) {
        for memory in &self.memories {
            let Some(known) = other.memories.iter().find(|known| known.name == memory.name) else {
                found.push(format!("the memory {} is added", memory.name));
                continue;
            };
            let is_same = (memory.of_player, memory.start, memory.max, memory.step)
                == (known.of_player, known.start, known.max, known.step)
                && memory.next().canonical(&self.vocabulary)
                    == known.next().canonical(&other.vocabulary);
            if !is_same {
                let own = described(memory);
                let others = described(known);
                found.push(format!("the memory {} is {own}, not {others}", memory.name));
            }
        }
        let lacking = other
            .memories
            .iter()
            .filter(|known| self.memories.iter().all(|own| own.name != known.name));
        found.extend(lacking.map(|known| format!("the memory {} is missing", known.name)));
    }

    /// The formulas of a hook: in canonical form, and as they are shown.
    fn formulas_of(&self, hook: Hook) -> Vec<(String, String)> {
        let formulas = self.hooked(hook).map(|(_, formula)| formula);
        formulas
            .map(|formula| (formula.canonical(&self.vocabulary), shown(formula.source())))
            .collect()
    }

    fn compare_hook(&self, hook: Hook, other: &Self, found: &mut Vec<String>) {
        let mut own = self.formulas_of(hook);
        let mut others = other.formulas_of(hook);
        // Formulas that both games have are not reported here, whatever their order; a difference
        // in order alone is found by comparing all of both.
        own.retain(|formula| match others.iter().position(|known| known.0 == formula.0) {
            Some(place) => {
                others.remove(place);
                false
            }
            None => true,
        });
        let key = hook.key();
        for place in 0..own.len().max(others.len()) {
            found.push(match (own.get(place), others.get(place)) {
                (Some(own), Some(others)) => format!("{key} is {}, not {}", own.1, others.1),
                (Some(own), None) => format!("`{key} = {}` is added", own.1),
                (None, others) => {
                    format!("`{key} = {}` is missing", others.map_or("", |others| &others.1))
                }
            });
        }
    }
}

/// A formula in one line, truncated if it is long.
fn shown(source: &str) -> String {
    let line = source.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= limits::SHOWN_CHARS {
        return line;
    }
    line.chars().take(limits::SHOWN_CHARS).collect::<String>() + "..."
}

/// Returns a memory in words, without its name.
fn described(memory: &Memory) -> String {
    let owner = if memory.of_player { "one for each player" } else { "one for both players" };
    let Memory { start, max, step, .. } = memory;
    let steps = if *step > 1 { format!(" steps of {step}") } else { String::new() };
    let next = shown(memory.next().source());
    format!("{owner}, starting at {start}, at most {max}{steps}, next {next}")
}

#[cfg(test)]
mod tests {
    use crate::rules::{Overrides, Rules, load, rules_from_text};

    fn rules(text: &str) -> Rules {
        rules_from_text(text, "test", Overrides::default()).expect("valid rules")
    }

    fn fa21() -> Rules {
        load("fa21", Overrides::default()).expect("a built-in game")
    }

    #[test]
    fn each_difference_is_described_with_both_sides() {
        let text = fa21().text;
        let changed = |from: &str, to: &str| {
            assert!(text.contains(from), "{from}");
            rules(&text.replace(from, to)).differences(&fa21())
        };
        assert_eq!(changed("bust = \"1\"", "bust = \"2\""), ["bust is 2, not 1"]);
        assert_eq!(
            changed("bust = \"1\"", "bust = \" (1) \""),
            [""; 0],
            "spaces and brackets make no difference"
        );
        assert_eq!(
            changed("bust = \"1\"", "face_points = \"1\""),
            ["`bust = 1` is missing", "`face_points = 1` is added"]
        );
        let overrides = Overrides { goal: Some(50), max_dice: Some(9) };
        let smaller = load("fa21", overrides).expect("in range");
        assert_eq!(
            smaller.differences(&fa21()),
            ["the goal is 50, not 100", "the most dice are 9, not 10"]
        );
    }

    #[test]
    fn dice_that_are_kept_are_compared() {
        let kcd = load("kcd", Overrides::default()).expect("a built-in game");
        let loaded = kcd.text.replace("count = 6", "count = 6\nweights = [1, 1, 1, 1, 1, 2]");
        assert_eq!(
            rules(&loaded).differences(&kcd),
            ["the dice are 6 dice [1, 1, 1, 1, 1, 2], not 6 dice [1, 1, 1, 1, 1, 1]"]
        );
    }

    #[test]
    fn memories_are_compared_by_name() {
        let game = |memory: &str| rules(&format!("id = \"a\"\n{memory}"));
        let one = game("[[memory]]\nname = \"last\"\nmax = 3\nnext = \"dice % 4\"\n");
        let two = game("[[memory]]\nname = \"last\"\nmax = 3\nnext = \"dice % 3\"\n");
        let none = game("");
        assert_eq!(one.differences(&one), [""; 0]);
        let expected = "the memory last is one for each player, starting at 0, at most 3, next \
                        dice % 4, not one for each player, starting at 0, at most 3, next dice % \
                        3";
        assert_eq!(one.differences(&two), [expected]);
        assert_eq!(
            (one.differences(&none), none.differences(&one)),
            (
                vec!["the memory last is added".into()],
                vec!["the memory last is missing".to_owned()]
            )
        );
    }

    #[test]
    fn rules_in_a_different_order_differ() {
        let rule = |n: u8| format!("[[rule]]\nname = \"r{n}\"\nscore = \"score * {n}\"\n");
        let [one, two] = [[2, 3], [3, 2]]
            .map(|order| rules(&format!("id = \"a\"\n{}", order.map(rule).concat())));
        assert_eq!(one.differences(&two), ["its rules are combined in a different way"]);
    }

    /// Two games have differences in words exactly if their fingerprints differ.
    #[test]
    fn published_games_differ_in_words_exactly_if_their_fingerprints_differ() {
        let games: Vec<Rules> = crate::rules::builtins()
            .iter()
            .map(|game| load(game.id, Overrides::default()).expect("valid"))
            .collect();
        for one in &games {
            for two in &games {
                let alike = one.fingerprint() == two.fingerprint();
                assert_eq!(one.differences(two).is_empty(), alike, "{} and {}", one.id, two.id);
            }
        }
    }
}
