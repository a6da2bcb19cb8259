//! Whole numbers in files of rolls, and plans made of them.

use crate::game::{Game, Plan};

/// What is read, for messages about what is not.
pub(super) const READ: &str = "save rows of numbers (np.savetxt), a JSON list of lists, \
                    a dictionary of pairs of scores, an .npy array of integers, or columns \
                    score, opponent, dice";

/// Numbers, with the length of each axis; the last axis varies fastest.
#[derive(Debug, PartialEq)]
pub(super) struct NumberArray {
    pub shape: Vec<usize>,
    pub values: Vec<i64>,
}

/// Returns the shape with at least two axes that an array of this shape has: all rolls in one axis
/// are those of a square.
///
/// # Errors
/// Returns a message if it does not contain the game's positions.
pub(super) fn square(shape: &[usize], game: &Game) -> Result<Vec<usize>, String> {
    let space = game.space();
    let goal = space.goal;
    let mut with_memory = vec![goal, goal];
    with_memory.extend((space.shared > 1).then_some(space.shared));
    with_memory.extend((space.mine > 1).then_some([space.mine, space.mine]).into_iter().flatten());
    let shape = match shape {
        [count] if count.isqrt().pow(2) == *count => vec![count.isqrt(); 2],
        _ => shape.to_vec(),
    };
    let holds_scores = shape.len() >= 2 && shape[0] >= goal && shape[1] >= goal;
    if holds_scores && (shape.len() == 2 || shape[2..] == with_memory[2..]) {
        return Ok(shape);
    }
    let or_full =
        if with_memory.len() > 2 { format!(" or {with_memory:?}") } else { String::new() };
    let found = crate::files::escape::shortened(&format!("{shape:?}"));
    Err(format!(
        "its shape is {found}; [{goal}, {goal}]{or_full} is needed: a row for each score below the \
         goal"
    ))
}

impl NumberArray {
    /// Makes a plan of the numbers at scores below the goal.
    pub(super) fn plan(self, game: &Game) -> Result<Plan, String> {
        let space = game.space();
        let shape = square(&self.shape, game)?;
        let per_cell: usize = shape[2..].iter().product();
        let mut actions = Vec::with_capacity(space.goal * space.goal * per_cell);
        for (score, opponent) in
            (0..space.goal).flat_map(|score| (0..space.goal).map(move |other| (score, other)))
        {
            let first = (score * shape[1] + opponent) * per_cell;
            for dice in &self.values[first..first + per_cell] {
                let action = i32::try_from(*dice).ok().and_then(|dice| space.action(dice));
                actions.push(
                    action
                        .ok_or_else(|| format!("at {score}-{opponent}: {}", misfit(*dice, game)))?
                        as u8,
                );
            }
        }
        Ok(if shape.len() == 2 {
            Plan::of_scores(game.states(), actions)
        } else {
            Plan::from_actions(actions)
        })
    }
}

/// Says that the game does not allow a number of dice.
pub(super) fn misfit(dice: i64, game: &Game) -> String {
    let space = game.space();
    format!("{dice} dice; the game allows {} to {}", space.min_dice, space.dice(space.actions - 1))
}

/// Reads a whole number, also one written as a decimal number: `6`, `6.0`,
/// `6.000000000000000000e+00`.
pub(super) fn whole(text: &str) -> Option<i64> {
    if let Ok(number) = text.parse() {
        return Some(number);
    }
    let number: f64 = text.parse().ok()?;
    (number.fract() == 0.0 && number.abs() < 1e15).then_some(number as i64)
}
