//! A turn in which a player chooses, after the roll, which dice to keep.

use std::collections::BTreeSet;

use crate::dice::Feature;
use crate::rules::formula::{FACES_COUNTED, Scope, Variable};
use crate::rules::{HandDice, Hook, Rules};

use super::{Position, TurnError, TurnInProgress, TurnResult};

/// A choice of the dice to keep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keep {
    /// By die of the roll: whether it is kept. Of equal dice the first ones are.
    pub kept: Vec<bool>,
    /// The turn by this choice.
    pub turn: TurnResult,
}

impl Keep {
    /// The whole roll, with a 0 for each die that is not kept.
    pub fn marked(&self, faces: &[u32]) -> Vec<u32> {
        let dice = faces.iter().zip(&self.kept);
        dice.map(|(face, kept)| if *kept { *face } else { 0 }).collect()
    }

    /// The faces that are kept of a roll in this position, after the name of their kind if there
    /// are several: `1, 5`, or `small 2, 2 and big 7`.
    pub fn in_words(&self, rules: &Rules, position: &Position, faces: &[u32]) -> String {
        let kept: Vec<u32> = chosen(faces, &self.kept).collect();
        if kept.is_empty() || rules.hand.len() == 1 {
            return if kept.is_empty() { "nothing".to_owned() } else { listed(&kept) };
        }
        let mut words: Vec<String> = Vec::new();
        let mut first = 0;
        for (of_kind, left) in rules.hand.iter().zip(hand_left(rules, position)) {
            let dice = first..first + left as usize;
            first = dice.end;
            let kept: Vec<u32> = chosen(&faces[dice.clone()], &self.kept[dice]).collect();
            if !kept.is_empty() {
                words.push(format!("{} {}", of_kind.name, listed(&kept)));
            }
        }
        words.join(" and ")
    }
}

/// What a request for dice is where dice are kept: `bank`, or `roll 4 dice`; `None` in other games.
pub fn action_in_words(rules: &Rules, position: &Position, dice: i32) -> Option<String> {
    if !rules.keeps_dice() {
        return None;
    }
    // A request may be changed to a roll, or to none.
    let rolled = super::dice_rolled(rules, position, dice).map_or(0, |(rolled, _)| rolled);
    if rolled == 0 {
        return Some("bank".to_owned());
    }
    let left = hand_left(rules, position);
    let mut rolled = Vec::new();
    for (of_kind, left) in rules.hand.iter().zip(&left).filter(|(_, left)| **left > 0) {
        rolled.push(match (rules.hand.len(), left) {
            (2.., _) => format!("{left} {}", of_kind.name),
            (_, 1) => "1 die".to_owned(),
            _ => format!("{left} dice"),
        });
    }
    Some(format!("roll {}", rolled.join(" and ")))
}

/// The dice of a hand that are left: by kind, the number of each.
pub fn hand_left(rules: &Rules, position: &Position) -> Vec<u32> {
    left_in(rules, &position.scope(rules))
}

/// The dice of a hand that are left where `scope` has the memories. No dice left are all dice, as
/// turns leave it.
pub fn left_in(rules: &Rules, scope: &Scope) -> Vec<u32> {
    let mut all = Vec::with_capacity(rules.hand.len());
    for kind in 0..rules.hand.len() {
        all.push(scope.get(Variable::memory(rules.memory_of_kind(kind))) as u32);
    }
    match all.iter().any(|left| *left > 0) {
        true => all,
        false => rules.hand.iter().map(|dice| dice.count).collect(),
    }
}

/// All rolls of the dice left of a hand that differ, kind by kind with ascending faces.
pub fn rolls_of_hand(rules: &Rules, position: &Position) -> Vec<Vec<u32>> {
    let mut rolls = vec![Vec::new()];
    for (of_kind, left) in rules.hand.iter().zip(hand_left(rules, position)) {
        for die in 0..left {
            let mut longer = Vec::new();
            for faces in &rolls {
                let least = if die == 0 { 1 } else { *faces.last().expect("a die of this kind") };
                for face in
                    (least..=of_kind.die.sides() as u32).filter(|f| of_kind.die.weight(*f) > 0)
                {
                    let mut faces: Vec<u32> = faces.clone();
                    faces.push(face);
                    longer.push(faces);
                }
            }
            rolls = longer;
        }
    }
    rolls
}

/// Plays a turn in which the dice of the hand show `faces`, kind by kind, and those marked in
/// `kept` are kept. No dice are kept if none may be.
///
/// # Errors
/// Returns an error if the dice of the hand cannot show this roll, these dice may not be kept, or a
/// rule has no value or an out-of-range value here.
pub fn keep_turn(
    rules: &Rules,
    position: &Position,
    faces: &[u32],
    kept: &[bool],
) -> Result<TurnResult, TurnError> {
    let roll = Roll::new(rules, position, faces)?;
    if !kept.contains(&true) {
        if roll.allowed()?.is_empty() {
            return roll.turn(kept);
        }
        return Err(TurnError::NothingKept { faces: listed(faces) });
    }
    if !roll.may_keep(kept)? {
        let kept: Vec<u32> = chosen(faces, kept).collect();
        return Err(TurnError::MayNotKeep { kept: listed(&kept), faces: listed(faces) });
    }
    roll.turn(kept)
}

/// Returns all choices of dice to keep of a roll of the hand, given kind by kind, in the order of
/// most worth; the only one keeps nothing if no dice may be kept.
///
/// # Errors
/// Returns the errors of [`keep_turn`].
pub fn keeps(rules: &Rules, position: &Position, faces: &[u32]) -> Result<Vec<Keep>, TurnError> {
    let roll = Roll::new(rules, position, faces)?;
    let mut allowed = roll.allowed()?;
    if allowed.is_empty() {
        allowed.push(vec![false; faces.len()]);
    }
    let mut all = Vec::with_capacity(allowed.len());
    for kept in allowed {
        let turn = roll.turn(&kept)?;
        all.push(Keep { kept, turn });
    }
    all.sort_by_key(|keep| std::cmp::Reverse(keep.turn.rolled));
    Ok(all)
}

/// Returns which dice of a roll are kept. They are given by their faces; or by the whole roll, with
/// a 0 for each die that is not kept.
///
/// # Errors
/// Returns an error if the dice do not show these faces, or dice of several kinds do.
pub fn marked(
    rules: &Rules,
    position: &Position,
    faces: &[u32],
    kept: &[u32],
) -> Result<Vec<bool>, TurnError> {
    if kept.len() == faces.len() && kept.contains(&0) {
        let fits = kept.iter().zip(faces).all(|(kept, face)| *kept == 0 || kept == face);
        if fits {
            return Ok(kept.iter().map(|kept| *kept > 0).collect());
        }
    }
    let kinds = Roll::new(rules, position, faces)?.kinds;
    if kept.contains(&0) {
        return Err(TurnError::NotTheRoll { faces: listed(faces) });
    }
    let mut marked = vec![false; faces.len()];
    for face in kept {
        let places = (0..faces.len()).filter(|die| faces[*die] == *face && !marked[*die]);
        let places: Vec<usize> = places.collect();
        let Some(first) = places.first() else {
            return Err(TurnError::NotRolled { face: *face, faces: listed(faces) });
        };
        let wanted = kept.iter().filter(|other| *other == face).count();
        let shown = faces.iter().filter(|other| *other == face).count();
        if wanted < shown && places.iter().any(|die| kinds[*die] != kinds[*first]) {
            return Err(TurnError::WhichKind { face: *face });
        }
        marked[*first] = true;
    }
    Ok(marked)
}

fn chosen<'f>(faces: &'f [u32], kept: &'f [bool]) -> impl Iterator<Item = u32> + 'f {
    faces.iter().zip(kept).filter(|(_, kept)| **kept).map(|(face, _)| *face)
}

/// Faces as a text.
fn listed(faces: &[u32]) -> String {
    faces.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}

/// A roll of the dice left of a hand.
struct Roll<'r> {
    rules: &'r Rules,
    position: &'r Position,
    faces: &'r [u32],
    /// By die.
    kinds: Vec<usize>,
}

impl<'r> Roll<'r> {
    fn new(rules: &'r Rules, position: &'r Position, faces: &'r [u32]) -> Result<Self, TurnError> {
        let game = rules.id.clone();
        let mut kinds = Vec::with_capacity(faces.len());
        for (kind, left) in hand_left(rules, position).into_iter().enumerate() {
            kinds.extend((0..left).map(|_| kind));
        }
        if faces.len() != kinds.len() {
            return Err(TurnError::NotTheHand { dice: faces.len(), game, left: kinds.len() });
        }
        for (place, (face, kind)) in faces.iter().zip(&kinds).enumerate() {
            let HandDice { name, die, .. } = &rules.hand[*kind];
            if die.weight(*face) == 0 {
                let which = match rules.hand.len() {
                    1 => "the die of this game".to_owned(),
                    _ => format!("die {} of the roll, {name},", place + 1),
                };
                return Err(TurnError::NoSuchFace { face: *face, which, die: die.clone() });
            }
        }
        Ok(Self { rules, position, faces, kinds })
    }

    /// The turn before any rule is applied, with these dice kept.
    fn begun(&self, kept: &[bool]) -> Result<TurnInProgress<'r>, TurnError> {
        let mut scope = self.position.scope(self.rules);
        show_kept(&mut scope, self.rules, self.faces, &self.kinds, kept);
        let turn = TurnInProgress::with_scope(self.rules, scope);
        if turn.dice_limits()?.clamp(1) < 1 {
            let game = self.rules.id.clone();
            return Err(TurnError::TooManyDice { dice: self.faces.len() as i64, game, most: 0 });
        }
        Ok(turn)
    }

    fn may_keep(&self, kept: &[bool]) -> Result<bool, TurnError> {
        let turn = self.begun(kept)?;
        let keep = self.rules.hooked(Hook::Keep).next();
        let (rule, formula) = keep.expect("a game in which dice are kept");
        Ok(turn.value(rule, formula)? == 1)
    }

    /// All sets of dice that may be kept, each once.
    fn allowed(&self) -> Result<Vec<Vec<bool>>, TurnError> {
        let mut seen = BTreeSet::new();
        let mut allowed = Vec::new();
        for set in 1..1u32 << self.faces.len() {
            let kept: Vec<bool> = (0..self.faces.len()).map(|die| set >> die & 1 == 1).collect();
            let mut dice: Vec<(usize, u32)> = Vec::new();
            for (die, _) in kept.iter().enumerate().filter(|(_, kept)| **kept) {
                dice.push((self.kinds[die], self.faces[die]));
            }
            dice.sort_unstable();
            if seen.insert(dice) && self.may_keep(&kept)? {
                allowed.push(kept);
            }
        }
        Ok(allowed)
    }

    fn turn(&self, kept: &[bool]) -> Result<TurnResult, TurnError> {
        let mut turn = self.begun(kept)?;
        let kept_faces: Vec<u32> = chosen(self.faces, kept).collect();
        let faces = listed(self.faces);
        turn.record("Roll", super::EffectKind::Other, || match self.faces.len() {
            1 => format!("a die: {faces}"),
            dice => format!("{dice} dice: {faces}"),
        });
        let hook = if kept_faces.is_empty() { Hook::Bust } else { Hook::Worth };
        let rule = self.rules.hooked(hook).next();
        let (rule, formula) = rule.expect("a hook with a default");
        let points = turn.value(rule, formula)?;
        turn.record_rule(rule, super::EffectKind::Other, || {
            let points = if points == 1 { "1 point".into() } else { format!("{points} points") };
            match kept_faces.len() {
                0 => format!("no dice may be kept: {points}"),
                1 => format!("keeps a {}: {points}", listed(&kept_faces)),
                _ => format!("keeps {}: {points}", listed(&kept_faces)),
            }
        });
        turn.set_points(Some(rule), points)?;
        turn.scope.set(Variable::ROLLED, points);
        turn.finish(self.position)
    }
}

/// Sets all variables that depend on a roll and on which of its dice are kept; `kinds` has the kind
/// of each die of the hand.
pub fn show_kept(scope: &mut Scope, rules: &Rules, faces: &[u32], kinds: &[usize], kept: &[bool]) {
    let kept_faces: Vec<u32> = chosen(faces, kept).collect();
    super::patterns::show(scope, &kept_faces);
    let shown = crate::dice::shown(faces);
    for face in 1..=FACES_COUNTED {
        scope.set(Variable::shown(face), Feature::Count(face.into()).of(&shown));
    }
    for kind in 0..rules.hand.len() {
        let left = kinds.iter().zip(kept).filter(|(of, kept)| **of == kind && !**kept).count();
        scope.set(Variable::left_of(kind), left as i64);
    }
    let values = [
        (Variable::DICE, faces.len()),
        (Variable::KEPT, kept_faces.len()),
        (Variable::LEFT, faces.len() - kept_faces.len()),
        (Variable::SUM, kept_faces.iter().sum::<u32>() as usize),
        (Variable::BUSTED, usize::from(kept_faces.is_empty())),
    ];
    for (variable, value) in values {
        scope.set(variable, value as i64);
    }
}
