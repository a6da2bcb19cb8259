//! Games in which dice are kept: reference values of another program, and random small games
//! against brute force, which lists every roll and every set of dice to keep.

use hog_rules::rules::{Overrides, Rules, rules_from_text};
use hog_rules::turn::{Position, TurnResult, choices, hand_left, keeps, take_turn};
use hog_solve::game::{Game, Plan};
use hog_solve::solve::{Arithmetic, Solution, Watch, best_response, equilibrium, evaluate, reach};

use crate::kept_games::{Seeded, random_game};

/// The text of the game, one of those in the documentation.
const KCD: &str = include_str!("../../../rules/games/kcd.toml");

fn kcd(goal: u32) -> Game {
    let overrides = Overrides { goal: Some(goal), max_dice: None };
    Game::new(rules_from_text(KCD, "kcd", overrides).expect("a game")).expect("it is sound")
}

#[test]
fn the_dice_of_kingdom_come_have_the_values_of_another_program() {
    for (goal, first) in [(500, 0.715666047622102), (1000, 0.609800544191313)] {
        let solution = equilibrium(&kcd(goal), Arithmetic::Float, &Watch::silent()).unwrap();
        assert!((solution.first() - first).abs() < 1e-14, "{goal}: {}", solution.first());
        assert!(solution.error_bound < 1e-12);
    }
}

#[test]
fn small_goals_are_solved_in_fractions() {
    let game = kcd(500);
    let [exact, floats] = [Arithmetic::Exact, Arithmetic::Float]
        .map(|arithmetic| equilibrium(&game, arithmetic, &Watch::silent()).unwrap());
    let fraction = "333167437850738688/465534782539610953";
    assert_eq!(exact.first_fraction().unwrap().to_string(), fraction);
    for (one, other) in exact.own.win_rates.iter().zip(&floats.own.win_rates) {
        assert!((one - other).abs() <= floats.error_bound + exact.error_bound);
    }
}

#[test]
fn dice_of_two_kinds_in_one_hand_have_the_value_of_another_program() {
    let mut text = KCD.replace(
        "[[dice]]\ncount = 6",
        "[[dice]]\ncount = 3\n[[dice]]\ncount = 3\nweights = [7, 2, 2, 2, 2, 4]",
    );
    text.truncate(text.find("[[example]]").unwrap_or(text.len()));
    let rules = rules_from_text(&text, "mixed", Overrides { goal: Some(1000), max_dice: None });
    let rules = rules.unwrap();
    let names = rules.memories.iter().map(|memory| &*memory.name);
    assert_eq!(names.collect::<Vec<_>>(), ["pot", "dice_a", "dice_b"]);
    let game = Game::new(rules).unwrap();
    let solution = equilibrium(&game, Arithmetic::Float, &Watch::silent()).unwrap();
    assert!((solution.first() - 0.696758917581386).abs() < 1e-13, "{}", solution.first());
}

/// A turn's result for its mover: the state and whether the same player moves again, or the halves
/// of a win.
#[derive(Clone, Copy, Debug)]
enum Next {
    State(usize, bool),
    Halves(u8),
}

/// What each choice of each state leads to: by roll its probability and what may be kept.
type Listed = Vec<Vec<(usize, Vec<(f64, Vec<Next>)>)>>;

fn next(game: &Game, turn: &TurnResult) -> Next {
    match Position::after(game.rules(), turn) {
        Some(position) => Next::State(game.state(&position), turn.again),
        None => Next::Halves(match turn.score.cmp(&turn.opponent) {
            std::cmp::Ordering::Greater => 2,
            std::cmp::Ordering::Equal => 1,
            std::cmp::Ordering::Less => 0,
        }),
    }
}

/// All rolls of the dice left of a hand, one after the other.
fn rolls(rules: &Rules, position: &Position) -> Vec<(f64, Vec<u32>)> {
    let mut all = vec![(1.0, Vec::new())];
    for (dice, left) in rules.hand.iter().zip(hand_left(rules, position)) {
        for _ in 0..left {
            let mut longer = Vec::new();
            for (chance, faces) in &all {
                for face in (1..=dice.die.sides() as u32).filter(|face| dice.die.weight(*face) > 0)
                {
                    let of_face = f64::from(dice.die.weight(face)) / dice.die.total() as f64;
                    longer.push((chance * of_face, [faces.as_slice(), &[face]].concat()));
                }
            }
            all = longer;
        }
    }
    all
}

fn listed(game: &Game) -> Listed {
    let rules = game.rules();
    let mut states = Vec::new();
    for state in 0..game.space().states() {
        let position = game.position(state);
        let allowed = choices(rules, &position).unwrap();
        let mut of_state = Vec::new();
        for action in game.space().actions_in(allowed) {
            let dice = game.dice_rolled(&position, action);
            let outcomes = match dice {
                0 => {
                    let turn = take_turn(rules, &position, &[], 0).unwrap();
                    vec![(1.0, vec![next(game, &turn)])]
                }
                _ => {
                    let of_roll = |(chance, faces): (f64, Vec<u32>)| {
                        let kept = keeps(rules, &position, &faces).unwrap();
                        (chance, kept.iter().map(|keep| next(game, &keep.turn)).collect())
                    };
                    rolls(rules, &position).into_iter().map(of_roll).collect()
                }
            };
            of_state.push((action, outcomes));
        }
        states.push(of_state);
    }
    states
}

trait Rolled {
    fn dice_rolled(&self, position: &Position, action: usize) -> i32;
}

impl Rolled for Game {
    /// 0 if an action rolls nothing, else 1.
    fn dice_rolled(&self, position: &Position, action: usize) -> i32 {
        let requested = self.space().dice(action);
        match hog_rules::turn::dice_rolled(self.rules(), position, requested) {
            Ok((dice, _)) => dice.min(1) as i32,
            Err(error) => panic!("{error}"),
        }
    }
}

/// The values by side and state of play in which sides without a plan play best.
fn brute(listed: &Listed, plans: [Option<&Plan>; 2]) -> [Vec<f64>; 2] {
    let mut values = [vec![0.5; listed.len()], vec![0.5; listed.len()]];
    for _ in 0..20_000 {
        let mut largest: f64 = 0.0;
        for side in 0..2 {
            for (state, choices) in listed.iter().enumerate().rev() {
                let of = |next: Next, values: &[Vec<f64>; 2]| match next {
                    Next::Halves(halves) => f64::from(halves) / 2.0,
                    Next::State(to, true) => values[side][to],
                    Next::State(to, false) => 1.0 - values[1 - side][to],
                };
                let mut best = f64::NEG_INFINITY;
                for (action, outcomes) in choices {
                    if plans[side].is_some_and(|plan| plan.action(state) != *action) {
                        continue;
                    }
                    let mut sum = 0.0;
                    for (chance, options) in outcomes {
                        let taken = match plans[side] {
                            Some(plan) => of(kept(plan, options), &values),
                            None => {
                                options.iter().map(|next| of(*next, &values)).fold(0.0, f64::max)
                            }
                        };
                        sum += chance * taken;
                    }
                    best = best.max(sum);
                }
                largest = largest.max((best - values[side][state]).abs());
                values[side][state] = best;
            }
        }
        if largest < 1e-16 {
            break;
        }
    }
    values
}

fn kept(plan: &Plan, options: &[Next]) -> Next {
    let worth = plan.worth().unwrap();
    let value = |next: &Next| match next {
        Next::Halves(halves) => f64::from(*halves) / 2.0,
        Next::State(to, true) => worth[*to],
        Next::State(to, false) => 1.0 - worth[*to],
    };
    *options.iter().max_by(|a, b| value(a).total_cmp(&value(b))).expect("an option")
}

fn random_plan(game: &Game, random: &mut Seeded) -> Plan {
    let states = game.space().states();
    let mut actions = Vec::new();
    let mut worth = Vec::new();
    for state in 0..states {
        let allowed: Vec<usize> = game.space().actions_in(game.choices(state)).collect();
        actions.push(allowed[random.below(allowed.len())] as u8);
        // All different, so that no two dice are as good as each other.
        worth.push((random.below(1 << 20) * states + state) as f64 / ((states << 20) as f64 + 1.0));
    }
    Plan::from_actions(actions).keeping(worth)
}

fn compare(what: &str, text: &str, solution: &Solution, brute: &[Vec<f64>; 2]) {
    let (own, other) = solution.values();
    for (found, wanted) in [(own, &brute[0]), (other, &brute[1])] {
        for (state, (found, wanted)) in found.win_rates.iter().zip(wanted).enumerate() {
            let off = (found - wanted).abs();
            assert!(
                off <= solution.error_bound + 1e-11,
                "{what} state {state}: {found} {wanted}\n{text}"
            );
        }
    }
}

#[test]
fn random_games_agree_with_brute_force() {
    let mut random = Seeded(68);
    let mut solved = 0;
    while solved < 300 {
        let text = random_game(&mut random);
        let Ok(rules) = rules_from_text(&text, "toy", Overrides::default()) else {
            panic!("{text}");
        };
        // Some games cannot end, or have a score that leaves its range.
        let Ok(game) = Game::new(rules) else { continue };
        solved += 1;
        let listed = listed(&game);
        let watch = Watch::silent();
        let solution = equilibrium(&game, Arithmetic::Float, &watch)
            .unwrap_or_else(|error| panic!("{error}\n{text}"));
        compare("equilibrium", &text, &solution, &brute(&listed, [None, None]));
        let plans = [random_plan(&game, &mut random), random_plan(&game, &mut random)];
        let answer = best_response(&game, &plans[0], Arithmetic::Float, &watch).unwrap();
        compare("best response", &text, &answer, &brute(&listed, [None, Some(&plans[0])]));
        let played = evaluate(&game, [&plans[0], &plans[1]], Arithmetic::Float, &watch).unwrap();
        let wanted = brute(&listed, [Some(&plans[0]), Some(&plans[1])]);
        compare("evaluation", &text, &played, &wanted);
        // The forward pass keeps the same dice.
        let reached = reach(&game, [&plans[0], &plans[1]], [1.0, 0.0], &|_, _| false, &watch);
        let reached = reached.unwrap();
        let never: f64 = reached.endless.iter().map(|(.., share)| share).sum();
        let rate = reached.won + (reached.tied + never) / 2.0;
        assert!((rate - played.first()).abs() < 1e-9, "{rate} {}\n{text}", played.first());
        if game.space().states() < 120 {
            let exact = equilibrium(&game, Arithmetic::Exact, &watch).unwrap();
            compare("fractions", &text, &exact, &brute(&listed, [None, None]));
        }
    }
}
