//! Where a strategy loses: the positions, and what each costs.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;

use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{GivenPosition, Try, WinRates, memories_in_words, named_memories};
use crate::analysis::{self, Explanation, Mistake, Reached, WrongKeep, reason, worst_keep};
use crate::engine::{Call, Error};
use crate::game::{Game, Plan, action_in_words, memory_names};
use crate::solve::{Solution, SolveError};
use crate::strategy::Strategy;

/// The loss by one kind of mistake.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct MistakeLoss {
    /// The kind of mistake.
    pub kind: Mistake,
    /// The number of positions with such a mistake.
    pub positions: usize,
    /// The loss in these positions, averaged over moving first and second.
    pub loss: f64,
}

/// A position and the loss there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Loss {
    /// The score of the player to move.
    pub score: u32,
    /// The opponent's score.
    pub opponent: u32,
    /// The values of the memories by name.
    pub memory: BTreeMap<String, i64>,
    /// The number of dice the strategy rolls.
    pub dice: i32,
    /// The best numbers of dice, ascending.
    pub best: Vec<i32>,
    /// The loss per game, averaged over moving first and second: `met` times `loss_each`.
    pub loss: f64,
    /// The expected number of times that the position is reached in a game, averaged over moving
    /// first and second.
    pub met: f64,
    /// The loss in win rate each time the position is reached; where dice are kept, the mean over
    /// all rolls.
    pub loss_each: f64,
    /// The kind of mistake.
    pub mistake: Option<Mistake>,
    /// Where dice are kept: the roll of which other dice should be kept that costs most.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub roll: Vec<u32>,
    /// That roll with a 0 for each die that the strategy does not keep, and likewise the best.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keeps: Vec<Vec<u32>>,
    /// The loss in win rate each time that roll comes up there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub roll_loss: Option<f64>,
    /// A sentence with the position, the roll, the best rolls and the reason: `at 25-27 you roll
    /// 6: roll 0, it swaps you ahead`.
    pub words: String,
}

/// How many positions are put into words at once.
const AT_ONCE: usize = 64;

/// Where a strategy loses against an opponent: every position that it reaches.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Losses {
    /// The game.
    pub game: Arc<Game>,
    /// The strategy.
    pub strategy: Strategy,
    /// The opponent.
    pub against: Strategy,
    /// All positions that are reached.
    pub explanation: Explanation,
    /// The strategy's action in every state.
    pub plan: Arc<Plan>,
    /// The opponent's action in every state.
    pub(super) opponent: Arc<Plan>,
}

impl Losses {
    pub(super) fn new(question: &Try, call: &Call) -> Result<Self, Error> {
        let strategy = call.strategy(&question.strategy)?;
        let against = call.optional_strategy(question.against.as_ref())?;
        let game = call.game(&question.game)?;
        let against = call.or_baseline(&game, against.as_ref())?;
        let plan = call.plan(&game, &strategy)?;
        let opponent = call.plan(&game, &against)?;
        call.all_end(&game, [&strategy, &against], [&plan, &opponent])?;
        let explanation =
            call.run("explaining", |watch| analysis::explain(&game, [&plan, &opponent], watch))?;
        Ok(Self { game, strategy, against, explanation, plan, opponent })
    }

    /// As [`Self::new`], with only those reached positions that have these values of memories.
    /// Also returns the values that stand for them: of values that behave alike, the game keeps
    /// one.
    pub(super) fn at(
        question: &Try,
        call: &Call,
        memory: &[(String, i64)],
    ) -> Result<(Self, Vec<(String, i64)>), Error> {
        let wanted = GivenPosition::scores(0, 0).memories(memory.iter().cloned());
        let (game, wanted) = call.game_at(&question.game, &wanted)?;
        let mut losses = Self::new(&Try { game: (&game).into(), ..question.clone() }, call)?;
        let values = game.position(game.state(&wanted)).memory;
        let named = memory_names(game.rules()).into_iter().zip(values).enumerate();
        let kept: Vec<(usize, (String, i64))> =
            named.filter(|(_, (name, _))| memory.iter().any(|(one, _)| one == name)).collect();
        losses.explanation.reached.retain(|reached| {
            kept.iter().all(|(place, (_, value))| reached.position.memory[*place] == *value)
        });
        Ok((losses, kept.into_iter().map(|(_, named)| named).collect()))
    }

    /// Returns the strategy's win rates.
    pub fn win_rate(&self) -> WinRates {
        let Explanation { rate, endless: [own, _], error_bound: [bound, _], .. } =
            &self.explanation;
        WinRates::new(*rate, *own, *bound)
    }

    /// Returns the win rates of the best response to the opponent.
    pub fn best_response(&self) -> WinRates {
        let Explanation { best, endless: [_, endless], error_bound: [_, bound], .. } =
            &self.explanation;
        WinRates::new(*best, *endless, *bound)
    }

    /// Returns the sums of all losses: the best response's win rates minus the strategy's, up to
    /// rounding.
    pub fn loss(&self) -> WinRates {
        let Explanation { loss, endless: [own, best], error_bound, .. } = &self.explanation;
        let more_endless = [best[0] - own[0], best[1] - own[1]];
        WinRates::new(*loss, more_endless, error_bound[0] + error_bound[1])
    }

    /// The losses by kind of mistake.
    pub(super) fn mistakes(&self) -> Vec<MistakeLoss> {
        let mistakes = self.explanation.by_mistake().into_iter();
        mistakes.map(|(kind, positions, loss)| MistakeLoss { kind, positions, loss }).collect()
    }

    /// The positions that cost most, at most `top`.
    pub(super) fn worst(&self, call: &Call, top: usize) -> Result<Vec<Loss>, Error> {
        let reached = self.explanation.reached.iter();
        let costly = reached.filter(|reached| reached.average_loss() > 0.0);
        let costly: Vec<&Reached> = costly.take(top).collect();
        // Saying why one roll is better takes longer than anything else about a position.
        call.run("explaining", |watch| -> Result<Vec<Loss>, SolveError> {
            let mut worst = Vec::with_capacity(costly.len());
            for some in costly.chunks(AT_ONCE) {
                watch.report(worst.len(), costly.len())?;
                let some = some.par_iter().map(|reached| self.of(reached));
                worst.extend(some.collect::<Vec<Loss>>());
            }
            Ok(worst)
        })
    }

    /// What a position costs, in words too.
    fn of(&self, reached: &Reached) -> Loss {
        let Self { game, plan, explanation, .. } = self;
        let wrong = match reached.mistake {
            Some(Mistake::KeepsOthers) => {
                worst_keep(game, plan, &explanation.response, &reached.position)
            }
            _ => None,
        };
        Loss::new(game, &explanation.response, reached, wrong.as_ref())
    }

    /// Writes all positions that are reached as CSV, one per line: `score,opponent[,MEMORY...],
    /// met_first,met_second,dice,best,loss_each,loss_first,loss_second,loss,mistake`.
    ///
    /// # Errors
    /// Returns an error if `out` cannot be written.
    pub fn csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let rules = self.game.rules();
        let names: String = memory_names(rules).iter().map(|name| format!(",{name}")).collect();
        let last = "met_first,met_second,dice,best,loss_each,loss_first,loss_second,loss,mistake";
        writeln!(out, "score,opponent{names},{last}")?;
        let mut rows: Vec<&Reached> = self.explanation.reached.iter().collect();
        rows.sort_by_key(|reached| {
            let position = &reached.position;
            (position.score, position.opponent, position.memory.clone())
        });
        for reached in rows {
            let Reached { position, met, dice, best, loss_each, loss, mistake } = reached;
            let memory: String = position.memory.iter().map(|value| format!(",{value}")).collect();
            let best = best.iter().map(i32::to_string).collect::<Vec<_>>().join(" ");
            let average = reached.average_loss();
            let kind = mistake.map_or("", Mistake::name);
            write!(
                out,
                "{},{}{memory},{},{},{dice},{best},",
                position.score, position.opponent, met[0], met[1]
            )?;
            writeln!(out, "{loss_each},{},{},{average},{kind}", loss[0], loss[1])?;
        }
        Ok(())
    }
}

impl Loss {
    /// Describes a position that is reached, by the best response to the opponent.
    pub fn new(
        game: &Game,
        response: &Solution,
        reached: &Reached,
        wrong: Option<&WrongKeep>,
    ) -> Self {
        let Reached { position, dice, best, loss_each, mistake, .. } = reached;
        Self {
            words: in_words(game, response, reached, wrong),
            roll: wrong.map(|wrong| wrong.faces.clone()).unwrap_or_default(),
            keeps: wrong.map(|wrong| wrong.kept.to_vec()).unwrap_or_default(),
            roll_loss: wrong.map(|wrong| wrong.win_rates[1] - wrong.win_rates[0]),
            score: position.score,
            opponent: position.opponent,
            memory: named_memories(game.rules(), &position.memory),
            dice: *dice,
            best: best.clone(),
            loss: reached.average_loss(),
            met: reached.average_met(),
            loss_each: *loss_each,
            mistake: *mistake,
        }
    }
}

fn in_words(
    game: &Game,
    response: &Solution,
    reached: &Reached,
    wrong: Option<&WrongKeep>,
) -> String {
    let Reached { position, dice, best, mistake, .. } = reached;
    let memory = memories_in_words(memory_names(game.rules()).into_iter().zip(&position.memory));
    let scores = format!("at {}-{}{memory}", position.score, position.opponent);
    if let Some(WrongKeep { faces, kept, win_rates: [worse, best] }) = wrong {
        let left = kept.each_ref().map(|kept| kept.iter().filter(|face| **face == 0).count());
        let leaves = match left {
            [worse, better] if worse != better && worse.min(better) > 0 => {
                format!(" leaves {better} dice, not {worse}, and")
            }
            _ => String::new(),
        };
        return format!(
            "{scores} you keep {} of {}: keep {}, which{leaves} wins {:.1}%, not {:.1}%",
            shown(&kept[0]),
            shown(faces),
            shown(&kept[1]),
            100.0 * best,
            100.0 * worse
        );
    }
    let has_pot = game.rules().pot().is_some();
    let what = |dice: i32| {
        action_in_words(game.rules(), position, dice).unwrap_or_else(|| match dice {
            0 if has_pot => "hold".into(),
            _ => format!("roll {dice}"),
        })
    };
    let place = format!("{scores} you {}", what(*dice));
    match (best.split_last(), mistake) {
        (_, Some(Mistake::NeverEnds)) | (None, _) => format!("{place}: the game never ends"),
        (Some((last, others)), _) => {
            let (own, after) = response.values();
            let why = reason(game, own, after, position, [*dice, best[0]]);
            if game.rules().keeps_dice() || has_pot {
                return format!("{place}: {}, {why}", what(*last));
            }
            let others: String = others.iter().map(|dice| format!("{dice} or ")).collect();
            format!("{place}: roll {others}{last}, {why}")
        }
    }
}

/// Returns the faces of dice; a 0 stands for a die that is not kept.
fn shown(faces: &[u32]) -> String {
    let faces = faces.iter().filter(|face| **face > 0).map(u32::to_string);
    faces.collect::<Vec<_>>().join(" ")
}
