//! The DRN models for Storm are well formed, and solving them from the file alone gives the
//! solver's value. `scripts/storm_witness.py` lets Storm itself read and solve them.

use std::process::{Command, Output};

use dashu_ratio::RBig;
use hog::export::{AboutTable, Mover, SolvedTable};
use hog::game::Game;
use hog::queries::WinRates;
use hog::rules::{self, Overrides, Rules};
use hog::solve::{Arithmetic, Watch, equilibrium};

/// Built-in games in which every turn raises the sum of scores.
const ACYCLIC: [&str; 4] = ["fa21", "fa19", "su15", "sp15"];

/// Every turn makes the scores equal, so every game is tied.
const ALWAYS_TIED: &str = r#"
id = "tied"
title = "Always tied"
goal = 2
max_dice = 1
baseline = "always_roll:1"
[[rule]]
name = "Even"
zero_dice = "1"
bust = "1"
opponent_score = "score"
"#;

/// Some turns make the scores equal, so that games may be tied; five points bring another turn.
const TIES_AND_TURNS: &str = r#"
id = "mixed"
title = "Ties and more turns"
goal = 7
max_dice = 2
baseline = "always_roll:1"
[[memory]]
name = "turns"
of = "game"
start = 0
max = "1"
next = "1 - turns"
[[rule]]
name = "Even"
zero_dice = "2 + turns"
bust = "1"
opponent_score = "points == 2 ? max(score, opponent) : opponent"
[[rule]]
name = "Five"
again = "points == 5"
"#;

#[test]
fn models_are_well_formed_and_have_the_solvers_value_from_both_sides() {
    for id in ACYCLIC {
        agrees(&small(id, 12, 2));
    }
}

#[test]
fn models_with_ties_extra_turns_and_a_shared_memory_have_the_solvers_value() {
    let game = own(TIES_AND_TURNS);
    agrees(&game);
    let model = Model::read(&written(&equilibrium_of(&game), &game, Mover::Second, "test"));
    assert!(model.states.iter().any(|state| state.is("tied")), "some games are tied");
}

#[test]
fn a_model_with_more_dice_has_the_reference_value() {
    let fraction = agrees(&small("fa21", 12, 3));
    assert_eq!(fraction.to_string(), "579534317256121/914039610015744");
}

#[test]
fn a_tie_counts_half() {
    assert_eq!(agrees(&own(ALWAYS_TIED)).to_string(), "1/2");
}

#[test]
fn the_file_begins_with_its_command_and_fixes_the_second_player_by_default() {
    let small = ["solve", "fa21", "--to", "drn", "--goal", "6", "--max-dice", "2"];
    let printed = |more: &[&str]| text(&hog(&[&small, more].concat()));
    let first_line = "// Made by hog solve fa21 --goal 6 --max-dice 2 --to drn --fix second\n";
    assert!(printed(&[]).starts_with(first_line), "{}", printed(&[]));
    assert_eq!(printed(&[]), printed(&["--fix", "second"]));
    assert_eq!(
        printed(&[]),
        written(
            &equilibrium_of(&small_fa21()),
            &small_fa21(),
            Mover::Second,
            &first_line["// Made by ".len()..]
        )
    );
    assert_ne!(printed(&[]), printed(&["--fix", "first"]));
}

#[test]
fn games_that_may_never_end_are_not_exported() {
    assert_refused(
        &["solve", "nju21", "--to", "drn"],
        &["nju21", "raises the sum of scores", "half a win"],
    );
}

#[test]
fn fix_is_refused_for_other_formats_than_drn() {
    assert_refused(&["solve", "fa21", "--to", "csv", "--fix", "first"], &["`fix`", ".drn"]);
}

/// A Markov decision process, read from its file.
struct Model {
    states: Vec<State>,
}

#[derive(Default)]
struct State {
    labels: Vec<String>,
    /// The actions by name: successors with their probabilities.
    actions: Vec<(String, Vec<(usize, RBig)>)>,
}

impl State {
    fn is(&self, label: &str) -> bool {
        self.labels.iter().any(|known| known == label)
    }
}

impl Model {
    fn read(text: &str) -> Self {
        let mut lines = text.lines().filter(|line| !line.starts_with("//"));
        let mut next = || lines.next().expect("another line of the head");
        assert_eq!(next(), "@type: MDP");
        assert_eq!([next(), next(), next(), next()], ["@parameters", "", "@reward_models", ""]);
        assert_eq!(next(), "@nr_states");
        let states: usize = next().parse().expect("a number of states");
        assert_eq!(next(), "@nr_choices");
        let choices: usize = next().parse().expect("a number of choices");
        assert_eq!(next(), "@model");
        let mut model = Self { states: Vec::new() };
        lines.for_each(|line| model.read_line(line));
        assert_eq!(model.states.len(), states, "the head gives another number of states");
        assert_eq!(
            model.states.iter().map(|state| state.actions.len()).sum::<usize>(),
            choices,
            "the head gives another number of choices"
        );
        model
    }

    fn read_line(&mut self, line: &str) {
        if let Some(state) = line.strip_prefix("state ") {
            let mut words = state.split(' ');
            assert_eq!(
                words.next(),
                Some(self.states.len().to_string().as_str()),
                "states count up from 0"
            );
            self.states
                .push(State { labels: words.map(str::to_owned).collect(), actions: Vec::new() });
            return;
        }
        let state = self.states.last_mut().expect("a state first");
        if let Some(action) = line.strip_prefix("\taction ") {
            state.actions.push((action.to_owned(), Vec::new()));
            return;
        }
        let outcome = line.strip_prefix("\t\t").expect("an outcome");
        let (next, chance) = outcome.split_once(" : ").expect("a state and its chance");
        let outcome = (next.parse().expect("a state"), chance.parse().expect("a fraction"));
        state.actions.last_mut().expect("an action first").1.push(outcome);
    }

    fn assert_well_formed(&self) {
        for (number, state) in self.states.iter().enumerate() {
            assert!(!state.actions.is_empty(), "state {number} has an action");
            for (action, outcomes) in &state.actions {
                let sum = outcomes.iter().fold(RBig::ZERO, |sum, (_, chance)| sum + chance);
                assert_eq!(sum, RBig::ONE, "state {number}, action {action}");
                assert!(
                    outcomes.iter().all(|(next, _)| *next < self.states.len()),
                    "state {number}, action {action}"
                );
                assert!(
                    outcomes.is_sorted_by(|one, next| one.0 < next.0),
                    "state {number}, action {action}"
                );
            }
        }
        let labelled = |label: &str| self.states.iter().filter(|state| state.is(label)).count();
        assert_eq!(["init", "first_wins", "second_wins"].map(labelled), [1, 1, 1]);
        assert!(self.states[0].is("init"));
    }

    /// Returns the probability of `first_wins` from `init` if the free player maximises it
    /// (`most`), or minimises it.
    fn solve(&self, most: bool) -> RBig {
        let mut values = vec![RBig::ZERO; self.states.len()];
        for (number, state) in self.states.iter().enumerate().rev() {
            let stays =
                |outcomes: &[(usize, RBig)]| outcomes.iter().all(|(next, _)| *next == number);
            values[number] = if state.is("first_wins") {
                RBig::ONE
            } else if state.is("second_wins") {
                assert!(state.actions.iter().all(|(_, outcomes)| stays(outcomes)));
                RBig::ZERO
            } else {
                let value_of = |(_, outcomes): &(String, Vec<(usize, RBig)>)| {
                    assert!(
                        outcomes.iter().all(|(next, _)| *next > number),
                        "play never comes back to state {number}"
                    );
                    outcomes
                        .iter()
                        .fold(RBig::ZERO, |sum, (next, chance)| sum + chance * &values[*next])
                };
                let values_of_actions = state.actions.iter().map(value_of);
                if most { values_of_actions.max() } else { values_of_actions.min() }
                    .expect("an action")
            };
        }
        values.swap_remove(0)
    }
}

/// Reads and solves both models of a game; returns the value on which they agree with the solver.
fn agrees(game: &Game) -> RBig {
    let solution = equilibrium_of(game);
    let expected = solution.first_fraction().expect("solved exactly").clone();
    for (fixed, most) in [(Mover::Second, true), (Mover::First, false)] {
        let model = Model::read(&written(&solution, game, fixed, "test"));
        model.assert_well_formed();
        let free = |state: &State| state.actions.len() > 1;
        assert!(model.states.iter().any(free), "no state has two actions");
        assert_eq!(model.solve(most), expected, "{}, {} fixed", game.rules().id, fixed.name());
    }
    expected
}

fn equilibrium_of(game: &Game) -> hog::solve::Solution {
    equilibrium(game, Arithmetic::Exact, &Watch::silent()).expect("it solves")
}

/// Returns the model as which an equilibrium is written.
fn written(solution: &hog::solve::Solution, game: &Game, fixed: Mover, command: &str) -> String {
    let own = &solution.own;
    let rates = [solution.first(), solution.second(), solution.average()];
    let win_rate = WinRates::new(rates, [0.0; 2], solution.error_bound);
    let command = command.trim_end();
    let solved = SolvedTable {
        about: AboutTable { game, win_rate, against: None, command },
        win_rates: &own.win_rates,
        best: &own.best,
        fixed,
    };
    let mut bytes = Vec::new();
    solved.write("drn", &mut bytes).expect("it is written");
    String::from_utf8(bytes).expect("UTF-8")
}

fn small_fa21() -> Game {
    small("fa21", 6, 2)
}

fn small(id: &str, goal: u32, max_dice: u32) -> Game {
    let overrides = Overrides { goal: Some(goal), max_dice: Some(max_dice) };
    game(rules::load(id, overrides).unwrap_or_else(|e| panic!("{e}")))
}

fn own(text: &str) -> Game {
    game(
        rules::rules_from_text(text, "test", Overrides::default())
            .unwrap_or_else(|e| panic!("{e}")),
    )
}

fn game(rules: Rules) -> Game {
    Game::new(rules).unwrap_or_else(|e| panic!("{e}"))
}

fn hog(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hog")).args(arguments).output().expect("it runs")
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn assert_refused(arguments: &[&str], words: &[&str]) {
    let output = hog(arguments);
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{message}");
    words.iter().for_each(|word| assert!(message.contains(word), "no `{word}` in: {message}"));
}
