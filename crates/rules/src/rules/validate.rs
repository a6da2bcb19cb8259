//! Checks every name, type and range of a parsed rule file, reports all faults, and converts the
//! file to rules.

use crate::files::escape::shortened;

use super::defaults::{GOAL, LeftOut, MAX_DICE, MIN_DICE, MemoryLeftOut};
use super::fault::{FaultList, Faults, RuleFileFault, nearest};
use super::file::{
    self, BidEntry, DiceEntry, ExampleEntry, MemoryEntry, NumberEntry, RolledEntry, RuleEntry,
    RuleFile, Written,
};
use super::formula::{Formula, Scope, Type, Variable, VariableSet, Vocabulary, functions, lexer};
use super::hand::HandDice;
use super::hooks::{Hook, bid_variables, memory_variables};
use super::{BidRules, Example, FormulaKey, Memory, Rule, RuleNumber, Rules, RulesError, STARTS};
use crate::dice::Die;
use crate::limits;

/// The name of the dice of a hand that has one kind.
const ONLY_KIND: &str = "dice";
/// The columns of exported tables and positions that are not variables. Memories are columns beside
/// them, so they have other names.
const COLUMNS: [&str; 9] = [
    "best",
    "loss",
    "loss_each",
    "loss_first",
    "loss_second",
    "met_first",
    "met_second",
    "mistake",
    "win_rate",
];

/// Settings that replace those of a rule file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overrides {
    /// Replaces the file's goal.
    pub goal: Option<u32>,
    /// Replaces the file's `max_dice`.
    pub max_dice: Option<u32>,
}

impl Overrides {
    /// Checks that the goal and the number of dice are in the ranges of a rule file.
    fn check(self) -> Result<(), RulesError> {
        let ranges =
            [("goal", self.goal, 1, limits::GOAL), ("max_dice", self.max_dice, 0, limits::DICE)];
        for (key, value, least, most) in ranges {
            if let Some(value) = value.filter(|value| !(least..=most).contains(value)) {
                return Err(RulesError::Override { key, value, least, most });
            }
        }
        Ok(())
    }

    /// Returns the error of a file that has `faults` with these settings: that of a setting, if the
    /// file has none by itself.
    fn blame(self, text: &str, origin: &str, faults: Faults) -> RulesError {
        let by_itself = self != Self::default() && parsed(text, origin, Self::default()).is_ok();
        let Some(fault) = faults.faults.first().filter(|_| by_itself) else {
            return faults.into();
        };
        let goal = Self { max_dice: None, ..self };
        let is_of_goal = parsed(text, origin, goal).is_err();
        let (key, value) = match self {
            Self { goal: Some(goal), .. } if is_of_goal => ("goal", goal),
            _ => ("max_dice", self.max_dice.unwrap_or_default()),
        };
        let RuleFileFault { message, fix, .. } = fault;
        let why = format!("{message}; {fix}");
        RulesError::OverrideMisfit { key, value, origin: origin.to_owned(), why }
    }
}

/// Parses and checks the text of a rule file, which is called `origin` in error messages.
///
/// # Errors
/// Returns an error if an override is out of range; otherwise all faults found, each with its line,
/// column and a suggested fix.
pub fn rules_from_text(
    text: &str,
    origin: &str,
    overrides: Overrides,
) -> Result<Rules, RulesError> {
    overrides.check()?;
    parsed(text, origin, overrides).map_err(|faults| overrides.blame(text, origin, faults))
}

fn parsed(text: &str, origin: &str, overrides: Overrides) -> Result<Rules, Faults> {
    let mut faults = FaultList::new(text);
    let Some(file) = file::read(text, &mut faults) else { return Err(faults.into_error(origin)) };
    let rules =
        Validation { faults: &mut faults, vocabulary: Vocabulary::new(&[]), kinds: Vec::new() }
            .rules(file, text, origin, overrides);
    if faults.is_empty() { Ok(rules) } else { Err(faults.into_error(origin)) }
}

struct Validation<'a, 'b> {
    faults: &'a mut FaultList<'b>,
    vocabulary: Vocabulary,
    /// The names of the dice of a hand, kind by kind.
    kinds: Vec<String>,
}

impl Validation<'_, '_> {
    /// Adds the words of games in which dice are kept.
    fn names_of_hand(&mut self, hand: &[HandDice]) {
        let kinds: Vec<String> = hand.iter().map(|dice| dice.name.clone()).collect();
        let faces = hand.iter().map(|dice| dice.die.sides() as u8).max().unwrap_or(6);
        self.vocabulary = self.vocabulary.clone().with_keeping(&kinds, faces);
    }

    fn goal_and_step(&mut self, file: &mut RuleFile, overrides: Overrides) -> [u32; 2] {
        let at = file.goal.as_ref().map_or(0, |goal| goal.at);
        let goal = self.number("goal", file.goal.take(), GOAL, 1..=i64::from(limits::GOAL));
        let goal = overrides.goal.unwrap_or(goal as u32);
        let step = self.number("step", file.step.take(), 1, 1..=i64::from(limits::GOAL)) as u32;
        self.multiple_of_step("the goal", goal, step, at);
        [goal, step]
    }

    /// A player's score at the start.
    fn start(&mut self, name: &str, file: &RuleFile, goal: u32, step: u32) -> u32 {
        let entry = file.numbers.iter().find(|entry| entry.name.value == name);
        let Some(NumberEntry { value, place, .. }) = entry else { return 0 };
        let at = place.start;
        let written = Some(Written { value: *value, at });
        let score = self.number(name, written, 0, 0..=i64::from(goal) - 1) as u32;
        self.multiple_of_step(name, score, step, at);
        if let Some(bid) = file.bid.as_ref().filter(|_| score > 0) {
            let message = format!("{name} is {score}, and a bid decides the start");
            self.faults.add(bid.at, message, "leave one of the two out");
        }
        score
    }

    /// Leaves out what is too much of lists.
    fn bound_lists(&mut self, file: &mut RuleFile) {
        self.bound("memory", &mut file.memories, limits::MEMORIES, |entry| entry.at);
        self.bound("rule", &mut file.rules, limits::RULES, |entry| entry.at);
        self.bound("example", &mut file.examples, limits::EXAMPLES, |entry| entry.at);
    }

    /// The fewest and the most dice of a turn.
    fn dice(&mut self, file: &mut RuleFile, keeps: bool, overrides: Overrides) -> [i32; 2] {
        let at = file.min_dice.as_ref().or(file.max_dice.as_ref()).map_or(0, |dice| dice.at);
        let [fewest, most_dice] = if keeps { [0, 1] } else { [-7, i64::from(limits::DICE)] };
        let most_by_default = if keeps { 1 } else { MAX_DICE };
        let most = self.number("max_dice", file.max_dice.take(), most_by_default, 0..=most_dice);
        let max_dice = overrides.max_dice.map_or(most as i32, |n| n as i32);
        let min_dice =
            self.number("min_dice", file.min_dice.take(), MIN_DICE, fewest..=most_dice) as i32;
        if min_dice > max_dice && self.faults.is_empty() {
            let message =
                format!("min_dice {min_dice} is above max_dice {max_dice}: no move is left");
            self.faults.add(at, message, "lower min_dice or raise max_dice");
        }
        if max_dice - min_dice >= limits::ACTIONS {
            let message =
                format!("{min_dice} to {max_dice} dice are more than {} moves", limits::ACTIONS);
            self.faults.add(at, message, "raise min_dice or lower max_dice");
        }
        [min_dice, max_dice]
    }

    fn rules(
        &mut self,
        mut file: RuleFile,
        text: &str,
        origin: &str,
        overrides: Overrides,
    ) -> Rules {
        let numbers = file.numbers.iter().map(|entry| number(entry, &file)).collect();
        let left_out = left_out(&file, overrides);
        let [goal, step] = self.goal_and_step(&mut file, overrides);
        let start = STARTS.map(|name| self.start(name, &file, goal, step));
        let hand = self.hand(&mut file, overrides);
        self.kinds = hand.iter().map(|dice| dice.name.clone()).collect();
        let keep = file.rules.iter().find_map(|rule| hook_of(rule, Hook::Keep));
        let keeps = keep.is_some() || !hand.is_empty();
        let [min_dice, max_dice] = self.dice(&mut file, keeps, overrides);
        self.bound_lists(&mut file);
        let id = self.required(file.id, "id", 0, file.id_misread);
        let title = file.title.map_or_else(|| id.clone(), |title| title.value);
        // The course's target applies only to the unmodified game.
        let is_unmodified = overrides == Overrides::default() && start == [0, 0];
        let target = file.target.filter(|_| is_unmodified);
        let sizes = Sizes { goal, max_dice };
        self.memory_names(&file.memories);
        if keeps {
            self.names_of_hand(&hand);
        }
        self.number_names(&file.numbers);
        let memories = file.memories.iter().map(|entry| self.memory(entry, sizes)).collect();
        self.single_hooks(&file.rules);
        let rules = file.rules.iter().map(|entry| self.rule(entry)).collect();
        let bid = file.bid.as_ref().and_then(|entry| self.bid(entry, sizes));
        let examples = file.examples.iter().map(|entry| self.example(entry)).collect();
        Rules {
            id,
            group: file.group.map(|group| group.value),
            title,
            aliases: file.aliases.into_iter().map(|alias| alias.value).collect(),
            source: file.source.map(|source| source.value),
            goal,
            step,
            hand,
            min_dice,
            max_dice,
            baseline_at: file.baseline.as_ref().map_or(0, |baseline| baseline.at),
            baseline: file.baseline.map(|baseline| baseline.value),
            target: target.map(|target| target.value),
            numbers,
            start,
            memories,
            rules,
            bid,
            examples,
            text: text.to_owned(),
            origin: origin.to_owned(),
            left_out,
            vocabulary: self.vocabulary.clone(),
            in_points: None,
        }
    }

    /// Reports a fault if a number is no multiple of its step.
    fn multiple_of_step(&mut self, what: &str, value: u32, step: u32, at: usize) {
        if !value.is_multiple_of(step) {
            let message = format!("{what} {value} is no multiple of the step {step}");
            self.faults.add(at, message, "choose a multiple, or another step");
        }
    }

    /// Reads the dice of a game in which dice are kept, adds the memories of those that are left to
    /// the file's, and the defaults of such games to its rules.
    fn hand(&mut self, file: &mut RuleFile, overrides: Overrides) -> Vec<HandDice> {
        self.keeps_fit_dice(file, overrides);
        if !file.dice.is_empty() {
            file.max_dice = None;
        }
        set_defaults_of_keeping(file);
        file.dice.truncate(limits::HAND_KINDS.into());
        let mut hand: Vec<HandDice> = Vec::with_capacity(file.dice.len());
        for (letter, entry) in ('a'..='z').zip(&file.dice) {
            let unnamed = match file.dice.len() {
                1 => ONLY_KIND.to_owned(),
                _ => format!("{ONLY_KIND}_{letter}"),
            };
            hand.push(self.hand_dice(entry, unnamed));
        }
        let all: u32 = hand.iter().map(|dice| dice.count).sum();
        if all > limits::HAND_DICE {
            let message = format!("the hand has {all} dice");
            self.faults.add(
                file.dice[0].at,
                message,
                format!("keep at most {}", limits::HAND_DICE),
            );
        }
        for (entry, HandDice { name, count, .. }) in file.dice.iter().zip(&hand) {
            let at = entry.at;
            let next = format!("again && left > 0 ? left_{name} : {count}");
            file.memories.push(MemoryEntry {
                at,
                name: Some(Written { value: name.clone(), at }),
                of: Some(Written { value: "game".into(), at }),
                start: Some(Written { value: count.to_string(), at }),
                max: Some(Written { value: count.to_string(), at }),
                next: Some(Written { value: next, at }),
                ..MemoryEntry::default()
            });
        }
        hand
    }

    /// Reports what does not fit together: `keep`, the dice of a hand, and other keys on dice.
    fn keeps_fit_dice(&mut self, file: &RuleFile, overrides: Overrides) {
        let keep = file.rules.iter().find_map(|rule| hook_of(rule, Hook::Keep));
        let Some(first) = file.dice.first() else {
            if let Some(keep) = keep {
                let fix = "add [[dice]] with count = 6, for example";
                self.faults.add(keep.at, "nothing says which dice are rolled and kept", fix);
            }
            return;
        };
        if keep.is_none() {
            let message = "no rule says which of these dice may be kept";
            self.faults.add(first.at, message, "add `keep` to a rule, or set max_dice and die");
        }
        let max_dice = file.max_dice.as_ref().map(|max_dice| max_dice.at);
        // Tables repeat the usual number.
        let other = overrides.max_dice.filter(|dice| *dice != 1);
        if let Some(at) = max_dice.or(other.map(|_| first.at)) {
            let message = "the [[dice]] say how many are rolled";
            self.faults.add(at, message, "leave max_dice out");
        }
        if let Some(extra) = file.dice.get(usize::from(limits::HAND_KINDS)) {
            self.faults.add(
                extra.at,
                "too many kinds of dice",
                format!("keep {}", limits::HAND_KINDS),
            );
        }
        for (rule, hook) in
            file.rules.iter().flat_map(|rule| [(rule, Hook::Die), (rule, Hook::FacePoints)])
        {
            if let Some(formula) = hook_of(rule, hook) {
                let message = format!("`{}` has no place where dice are kept", hook.key());
                let fix = "the [[dice]] have sides or weights, and `worth` says what they score";
                self.faults.add(formula.at, message, fix);
            }
        }
    }

    /// `unnamed` is the name of these dice if the file gives none.
    fn hand_dice(&mut self, entry: &DiceEntry, unnamed: String) -> HandDice {
        let name = entry.name.as_ref().map_or(unnamed, |name| name.value.clone());
        if entry.count.is_none() {
            self.faults.add(entry.at, "`count` is missing", "say how many of these dice there are");
        }
        let count =
            self.number("count", entry.count.clone(), 1, 1..=i64::from(limits::HAND_DICE)) as u32;
        let weights = entry.weights.as_ref().map(|weights| {
            weights.value.iter().map(|weight| u32::try_from(*weight)).collect::<Result<Vec<_>, _>>()
        });
        let at = entry.weights.as_ref().map_or(entry.at, |weights| weights.at);
        let die = match weights {
            Some(Ok(weights)) if entry.sides.is_none() => Die::weighted(&weights).ok(),
            Some(_) => None,
            None => {
                let sides = self.number("sides", entry.sides.clone(), 6, 1..=limits::HAND_FACES);
                Die::fair(sides).ok()
            }
        };
        let die = die.filter(|die| die.sides() as i64 <= limits::HAND_FACES);
        if die.is_none() {
            let (message, fix) = match (&entry.weights, &entry.sides) {
                (Some(_), Some(_)) => (
                    "these dice have `weights` and `sides`",
                    "leave `sides` out: there is a weight for each face".into(),
                ),
                _ => (
                    "these are no weights of a die",
                    format!("write up to {} weights from 0, not all 0", limits::HAND_FACES),
                ),
            };
            self.faults.add(at, message, fix);
        }
        let die = die.unwrap_or_else(|| Die::fair(6).expect("six sides"));
        HandDice { name, count, die }
    }

    /// Reports a fault if there are more than `most` entries of a kind, and keeps the first `most`.
    fn bound<T>(&mut self, key: &str, entries: &mut Vec<T>, most: usize, at: fn(&T) -> usize) {
        if let Some(first) = entries.get(most) {
            let message = format!("this is one [[{key}]] too many: the file has {}", entries.len());
            self.faults.add(at(first), message, format!("keep at most {most}"));
            entries.truncate(most);
        }
    }

    /// Returns the text of a required key. `owner` is the place of its table, and whether that was
    /// misread.
    fn required(
        &mut self,
        entry: Option<Written<String>>,
        key: &str,
        at: usize,
        misread: bool,
    ) -> String {
        match entry {
            Some(written) if !written.value.trim().is_empty() => written.value,
            Some(written) => {
                self.faults.add(written.at, format!("`{key}` is empty"), "give it a name");
                String::new()
            }
            None => {
                if !misread {
                    self.faults.add(
                        at,
                        format!("`{key}` is missing"),
                        format!("add {key} = \"...\""),
                    );
                }
                String::new()
            }
        }
    }

    fn number(
        &mut self,
        key: &str,
        entry: Option<Written<i64>>,
        default: i64,
        range: std::ops::RangeInclusive<i64>,
    ) -> i64 {
        match entry {
            None => default,
            Some(written) if range.contains(&written.value) => written.value,
            Some(written) => {
                let message = format!("{key} is {}", written.value);
                self.faults.add(
                    written.at,
                    message,
                    format!("choose {} to {}", range.start(), range.end()),
                );
                default
            }
        }
    }

    /// Checks the names of memories. They are variables, so this precedes parsing of formulas.
    fn memory_names(&mut self, entries: &[MemoryEntry]) {
        let mut names: Vec<(String, bool)> = Vec::new();
        let known_faults = self.faults.len();
        for entry in entries {
            let name = self.required(entry.name.clone(), "name", entry.at, entry.misread);
            let of_player = self.is_of_player(entry);
            let at = entry.name.as_ref().map_or(entry.at, |name| name.at);
            if !name.is_empty() && !is_name(&name) {
                self.faults.add(
                    at,
                    format!("`{name}` is not a valid name of a memory"),
                    "use small letters and _",
                );
            } else if entry.name.as_ref().is_some_and(|name| name.value == ONLY_KIND)
                && entry.at == at
            {
                // The dice left of a hand that has no other name: formulas know them as `dice`.
            } else if let Some(taken) = taken_name(&names, &name, of_player) {
                self.faults.add(at, format!("the name `{taken}` is taken"), "choose another name");
            }
            names.push((name, of_player));
        }
        self.vocabulary = Vocabulary::new(&names);
        if self.faults.len() > known_faults || entries.iter().any(|entry| entry.name.is_none()) {
            self.vocabulary = self.vocabulary.clone().incomplete();
        }
    }

    /// Checks the names and values of numbers, and adds them to those that formulas may use.
    fn number_names(&mut self, entries: &[NumberEntry]) {
        if let Some(first) = entries.get(limits::NUMBERS) {
            let message = format!("{} numbers have names", entries.len());
            self.faults.add(first.name.at, message, format!("keep at most {}", limits::NUMBERS));
        }
        let mut numbers = Vec::new();
        for entry in entries {
            let name = &entry.name.value;
            let is_taken = self.vocabulary.find(name).is_some() || is_word(name);
            if name.is_empty() || !is_name(name) {
                let message = format!("`{}` is not a valid name of a number", shortened(name));
                self.faults.add(entry.name.at, message, "use small letters and _");
            } else if is_taken {
                let message = format!("the name `{name}` is taken");
                self.faults.add(entry.name.at, message, "choose another name");
            }
            if !(-limits::NUMBER..=limits::NUMBER).contains(&entry.value) {
                let fix = format!("choose {} to {}", -limits::NUMBER, limits::NUMBER);
                self.faults.add(entry.place.start, format!("{name} is {}", entry.value), fix);
            }
            numbers.push((name.clone(), entry.value));
        }
        self.vocabulary = self.vocabulary.clone().with_numbers(numbers);
    }

    fn is_of_player(&mut self, entry: &MemoryEntry) -> bool {
        match entry.of.as_ref().map(|of| of.value.as_str()) {
            None | Some("player") => true,
            Some("game") => false,
            Some(other) => {
                let at = entry.of.as_ref().map_or(entry.at, |of| of.at);
                self.faults.add(
                    at,
                    format!("a memory of `{other}`"),
                    "write \"player\" (one each) or \"game\" (shared)",
                );
                true
            }
        }
    }

    /// The formula of a memory's next value.
    fn next(&mut self, entry: &MemoryEntry) -> Option<Formula> {
        let Some(next) = &entry.next else {
            if !entry.misread {
                let fix = "add the formula of its next value";
                self.faults.add(entry.at, "this memory has no `next`", fix);
            }
            return None;
        };
        let variables = match self.vocabulary.keeps() {
            true => where_dice_are_kept(memory_variables()),
            false => memory_variables(),
        };
        self.formula(next, Type::Integer, variables)
    }

    fn memory(&mut self, entry: &MemoryEntry, sizes: Sizes) -> Memory {
        let of_player =
            matches!(entry.of.as_ref().map(|of| of.value.as_str()), None | Some("player"));
        let most = limits::GOAL.into();
        let start = self.size("start", entry.start.as_ref(), sizes, most).unwrap_or(0);
        let max = self.size("max", entry.max.as_ref(), sizes, most);
        if entry.max.is_none() && !entry.misread {
            self.faults.add(
                entry.at,
                "this memory has no `max`",
                "add the largest value it can take",
            );
        }
        let max = max.unwrap_or(start);
        let step = self.number("step", entry.step.clone(), 1, 1..=i64::from(limits::GOAL));
        let max_at = entry.max.as_ref().map_or(entry.at, |max| max.at);
        self.multiple_of_step("the max", max as u32, step as u32, max_at);
        self.multiple_of_step("the start", start as u32, step as u32, max_at);
        if max / step > limits::MEMORY_STEPS {
            let message = format!("`max` is {max}, out of range");
            let most = limits::MEMORY_STEPS * step;
            let fix = format!("give 0 to {most}, or a `step` of which its values are multiples");
            self.faults.add(max_at, message, fix);
        }
        if start > max {
            let at = entry.start.as_ref().map_or(entry.at, |start| start.at);
            self.faults.add(
                at,
                format!("the start {start} is above the max {max}"),
                "start within 0 to max",
            );
        }
        let next = self.next(entry);
        Memory {
            name: entry.name.as_ref().map_or_else(String::new, |name| name.value.clone()),
            of_player,
            start,
            max,
            step,
            next,
            next_at: entry.next.as_ref().map_or(entry.at, |next| next.at),
            left_out: MemoryLeftOut { of: entry.of.is_none(), start: entry.start.is_none() },
        }
    }

    /// Evaluates a number that may be a formula over `goal` and `max_dice`.
    fn size(
        &mut self,
        key: &str,
        entry: Option<&Written<String>>,
        sizes: Sizes,
        most: i64,
    ) -> Option<i64> {
        let entry = entry?;
        let allowed = VariableSet::of(&[Variable::GOAL, Variable::MAX_DICE]);
        let formula = self.formula_over(entry, Type::Integer, allowed)?;
        let mut scope = Scope::default();
        scope.set(Variable::GOAL, i64::from(sizes.goal));
        scope.set(Variable::MAX_DICE, i64::from(sizes.max_dice));
        let message = match formula.value(&scope) {
            Some(value) if (0..=most).contains(&value) => return Some(value),
            Some(value) => format!("`{key}` is {value}, out of range"),
            None => {
                format!("`{key}` has no value: {}", formula.why_no_value(&scope, &self.vocabulary))
            }
        };
        self.faults.add(entry.at, message, format!("give 0 to {most}"));
        None
    }

    /// Checks that the hooks `die`, `zero_dice` and `bust` are set at most once; several rules may
    /// set the other hooks.
    fn single_hooks(&mut self, entries: &[RuleEntry]) {
        for single in [Hook::Die, Hook::Keep, Hook::Worth, Hook::ZeroDice, Hook::Bust] {
            let setters =
                entries.iter().flat_map(|entry| &entry.hooks).filter(|(hook, _)| *hook == single);
            for (_, formula) in setters.skip(1) {
                let message = format!("`{}` is set by an earlier rule already", single.key());
                self.faults.add(formula.at, message, "join the two formulas in one rule");
            }
        }
    }

    fn rule(&mut self, entry: &RuleEntry) -> Rule {
        let name = self.required(entry.name.clone(), "name", entry.at, entry.misread);
        if entry.hooks.is_empty() && !entry.misread {
            let keys: Vec<&str> = Hook::ALL.iter().map(|hook| hook.key()).collect();
            self.faults.add(
                entry.at,
                format!("the rule `{name}` does nothing"),
                format!("set one of {}", keys.join(", ")),
            );
        }
        let mut hooks: Vec<(Hook, Formula)> = Vec::new();
        for (hook, written) in &entry.hooks {
            hooks.extend(
                self.formula(written, hook.gives(), self.variables_of(*hook))
                    .map(|formula| (*hook, formula)),
            );
        }
        hooks.sort_by_key(|(hook, _)| *hook);
        let hooks_at = entry.hooks.iter().map(|(hook, written)| (*hook, written.at)).collect();
        Rule { name, text: entry.text.as_ref().map(|text| text.value.clone()), hooks, hooks_at }
    }

    /// The variables of a hook, apart from the memories.
    fn variables_of(&self, hook: Hook) -> VariableSet {
        if self.vocabulary.keeps() && hook.sees_dice() {
            return where_dice_are_kept(hook.variables());
        }
        hook.variables()
    }

    fn bid(&mut self, entry: &BidEntry, sizes: Sizes) -> Option<BidRules> {
        for (key, formula) in
            [("max", &entry.max), ("score", &entry.score), ("first", &entry.first)]
        {
            if formula.is_none() && !entry.misread {
                self.faults.add(
                    entry.at,
                    format!("the bid has no `{key}`"),
                    format!("add {key} = \"...\""),
                );
            }
        }
        let max = self.size("max", entry.max.as_ref(), sizes, limits::MEMORY_STEPS);
        let score =
            entry.score.as_ref().and_then(|f| self.formula_over(f, Type::Integer, bid_variables()));
        let first =
            entry.first.as_ref().and_then(|f| self.formula_over(f, Type::Boolean, bid_variables()));
        Some(BidRules {
            text: entry.text.as_ref().map(|text| text.value.clone()),
            max: max?,
            score: score?,
            first: first?,
        })
    }

    /// Parses a formula over these variables and all memories.
    fn formula(
        &mut self,
        entry: &Written<String>,
        gives: Type,
        variables: VariableSet,
    ) -> Option<Formula> {
        self.formula_over(entry, gives, variables.union(self.vocabulary.memories()))
    }

    fn formula_over(
        &mut self,
        entry: &Written<String>,
        gives: Type,
        allowed: VariableSet,
    ) -> Option<Formula> {
        match Formula::parse(&entry.value, gives, &self.vocabulary, allowed) {
            Ok(formula) => Some(formula),
            Err(found) => {
                for fault in found {
                    self.faults.add(entry.at + fault.offset, fault.message, fault.fix);
                }
                None
            }
        }
    }

    fn example(&mut self, entry: &ExampleEntry) -> Example {
        if entry.dice.is_none() && !entry.misread {
            self.faults.add(
                entry.at,
                "this example rolls no dice",
                "add dice = [...] to its turn ([] for zero dice)",
            );
        }
        if entry.after.is_empty() && !entry.misread {
            self.faults.add(
                entry.at,
                "this example expects nothing",
                "add after = { score = ..., opponent = ... }",
            );
        }
        let (dice, request) = match &entry.dice {
            Some(RolledEntry::Move(number)) => (Vec::new(), self.move_below_zero(number)),
            Some(RolledEntry::Faces(faces)) => (faces.clone(), 0),
            None => (Vec::new(), 0),
        };
        let memories = self.vocabulary.names_in(self.vocabulary.memories());
        let memories: Vec<String> = memories.into_iter().map(str::to_owned).collect();
        let before = [["score", "opponent"].map(str::to_owned).to_vec(), memories.clone()].concat();
        let later = ["score", "opponent", "points", "again"].map(str::to_owned).to_vec();
        let later = [later, memories].concat();
        Example {
            name: entry.name.as_ref().map(|name| name.value.clone()),
            turn: self.known(&entry.turn, &before),
            dice,
            keep: entry.keep.as_ref().map(|keep| keep.value.clone()),
            request,
            after: self.known(&entry.after, &later),
            at: entry.at,
        }
    }

    fn move_below_zero(&mut self, number: &Written<i64>) -> i32 {
        let request = i32::try_from(number.value).ok().filter(|request| *request < 0);
        if request.is_none() {
            let message = format!("the move {} must be below 0", number.value);
            self.faults.add(number.at, message, "write the faces of the dice, as in dice = [2, 5]");
        }
        request.unwrap_or(0)
    }

    fn known(
        &mut self,
        entries: &[(Written<String>, i64)],
        names: &[String],
    ) -> Vec<(String, i64)> {
        for (name, _) in entries.iter().filter(|(name, _)| !names.contains(&name.value)) {
            let message = format!("unknown key `{}`", name.value);
            let fix = match &self.kinds[..] {
                [_, _, ..] if name.value == ONLY_KIND => {
                    let kinds = self.kinds.join(", ");
                    format!("say how many are left of each kind ({kinds}), or leave it out")
                }
                _ => {
                    let known: Vec<&str> = names.iter().map(String::as_str).collect();
                    match nearest(&name.value, &known) {
                        Some(meant) => format!("did you mean `{meant}`?"),
                        None => format!("use one of {}", names.join(", ")),
                    }
                }
            };
            self.faults.add(name.at, message, fix);
        }
        entries.iter().map(|(name, value)| (name.value.clone(), *value)).collect()
    }
}

/// The variables of a formula after the roll in a game in which dice are kept.
pub(super) fn where_dice_are_kept(variables: VariableSet) -> VariableSet {
    let others = VariableSet::of(&[Variable::MAX_DICE, Variable::ONES_ROLLED]);
    variables.without(others).union(VariableSet::of(&[Variable::SUM]))
}

/// Adds to the rule on keeping what other games have as defaults: the dice kept are worth their
/// sum, and a bust nothing.
fn set_defaults_of_keeping(file: &mut RuleFile) {
    for (hook, default) in [(Hook::Worth, "sum"), (Hook::Bust, "0")] {
        let is_set = file.rules.iter().any(|rule| hook_of(rule, hook).is_some());
        let keeping = file.rules.iter_mut().find(|rule| hook_of(rule, Hook::Keep).is_some());
        if let Some(rule) = keeping.filter(|_| !is_set) {
            rule.hooks.push((hook, Written { value: default.into(), at: rule.at }));
        }
    }
}

/// What the file leaves to defaults.
fn left_out(file: &RuleFile, overrides: Overrides) -> LeftOut {
    LeftOut {
        goal: file.goal.is_none() && overrides.goal.is_none(),
        min_dice: file.min_dice.is_none(),
        max_dice: file.max_dice.is_none() && overrides.max_dice.is_none(),
        worth: file.rules.iter().all(|rule| hook_of(rule, Hook::Worth).is_none()),
        bust: file.rules.iter().all(|rule| hook_of(rule, Hook::Bust).is_none()),
    }
}

fn hook_of(rule: &RuleEntry, hook: Hook) -> Option<&Written<String>> {
    rule.hooks.iter().find(|(known, _)| *known == hook).map(|(_, formula)| formula)
}

fn number(entry: &NumberEntry, file: &RuleFile) -> RuleNumber {
    let name = entry.name.value.clone();
    let uses = uses(&name, file);
    RuleNumber { name, value: entry.value, uses, place: entry.place.clone() }
}

/// Returns the formulas of a file that use a number with this name.
fn uses(number: &str, file: &RuleFile) -> Vec<FormulaKey> {
    let mut formulas = Vec::new();
    for memory in &file.memories {
        formulas.push((memory.name.as_ref(), "start", memory.start.as_ref()));
        formulas.push((memory.name.as_ref(), "max", memory.max.as_ref()));
        formulas.push((memory.name.as_ref(), "next", memory.next.as_ref()));
    }
    for rule in &file.rules {
        for (hook, formula) in &rule.hooks {
            formulas.push((rule.name.as_ref(), hook.key(), Some(formula)));
        }
    }
    if let Some(bid) = &file.bid {
        formulas.push((None, "max", bid.max.as_ref()));
        formulas.push((None, "score", bid.score.as_ref()));
        formulas.push((None, "first", bid.first.as_ref()));
    }
    let mut found = Vec::new();
    for (owner, key, formula) in formulas {
        if formula.is_some_and(|formula| lexer::has_name(&formula.value, number)) {
            let of = owner.map_or_else(|| "Bid".to_owned(), |name| name.value.clone());
            found.push(FormulaKey { of, key });
        }
    }
    found
}

/// Whether a text has only the characters of names.
fn is_name(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_lowercase() || c == '_')
}

/// Whether a name means something else in formulas or on the command line.
fn is_word(name: &str) -> bool {
    ["true", "false", functions::COUNT.0, "min_dice", "max_dice", "goal"].contains(&name)
        || functions::find(name).is_some()
}

/// Returns the name of a memory, or of the opponent's, if a variable, one of the memories `known`
/// or a column of the exports has it already.
fn taken_name(known: &[(String, bool)], name: &str, of_player: bool) -> Option<String> {
    let vocabulary = Vocabulary::new(known);
    let names = [Some(name.to_owned()), of_player.then(|| format!("opponent_{name}"))];
    let is_taken =
        |name: &String| vocabulary.find(name).is_some() || COLUMNS.contains(&name.as_str());
    names.into_iter().flatten().filter(|_| !name.is_empty()).find(is_taken)
}

#[derive(Clone, Copy)]
struct Sizes {
    goal: u32,
    max_dice: i32,
}
