//! What a game is like.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Rate;
use crate::analysis::{Description, SkillRate, Statistic};
use crate::game::Game;

/// What a game is like between two strategies, and how far skill carries in it. A figure with an `interval` is the mean of games
/// that were played, which holds the true one 95 times in 100; all others are computed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct DescribeView {
    /// The game's id.
    pub game: String,
    /// Its name for people.
    pub title: String,
    /// Who plays.
    pub play: [String; 2],
    /// The win rates of the first of them.
    pub win_rate: Rate,
    /// How much more it wins when it moves first than when it moves second.
    pub first_mover_edge: f64,
    /// How long the game lasts.
    pub turns: TurnsView,
    /// How often another player takes the lead.
    pub lead_changes: MeanView,
    /// How often the winner was nearly beaten.
    pub comebacks: Vec<ComebackView>,
    /// How often each rule acts.
    pub rules: Vec<RuleUseView>,
    /// Ways to play, from the simplest on.
    pub skill: Vec<SkillView>,
    /// How much the choice of a roll matters.
    pub choices: ChoicesView,
    /// How many games were played for the figures with an interval.
    pub games: u64,
}

/// How long a game lasts, in turns of both players; extra turns count.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct TurnsView {
    /// The mean.
    pub mean: f64,
    /// Half of all games take no more.
    pub median: usize,
    /// 95 of 100 games take no more.
    pub p95: usize,
    /// The chance that the game takes 1, 2, 3, ... turns.
    pub distribution: Vec<f64>,
    /// Where the true mean is, if games were played.
    pub interval: Option<[f64; 2]>,
}

/// A mean over games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct MeanView {
    /// The mean.
    pub mean: f64,
    /// Where the true mean is, if games were played.
    pub interval: Option<[f64; 2]>,
}

/// How often the winner was nearly beaten.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ComebackView {
    /// A win rate.
    pub win_rate: f64,
    /// The share of games whose winner had, before some turn, no more than that.
    pub share: f64,
    /// Where the true share is, if games were played.
    pub interval: Option<[f64; 2]>,
}

/// How often a rule acts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct RuleUseView {
    /// The rule's name.
    pub name: String,
    /// In how many turns of a game it changes what comes of the turn, in the mean.
    pub per_game: f64,
    /// Where the true mean is, if games were played.
    pub interval: Option<[f64; 2]>,
}

/// A way to play against optimal play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct SkillView {
    /// Which way: `random`, `baseline`, `greedy`, `threshold` or `optimal`.
    pub level: String,
    /// The strategy, as it is written if it can be.
    pub strategy: String,
    /// Its win rates against optimal play.
    pub against_optimal: Rate,
    /// Where the true average is, if games were played.
    pub interval: Option<[f64; 2]>,
}

/// How much the choice of a roll matters, if all is played optimally otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ChoicesView {
    /// The win rate of the best roll less that of the worst, in the mean over the turns of a game.
    pub mean_spread: f64,
    /// The share of turns in which the best roll wins at least 0.01 more than any other.
    pub share_that_matter: f64,
    /// Where the true mean spread is, if positions were drawn.
    pub interval: Option<[f64; 2]>,
}

fn rate(of: &SkillRate) -> Rate {
    Rate::new(of.rates, of.endless, of.error_bound)
}

impl DescribeView {
    /// Of a game, who plays, and what was found.
    pub fn new(game: &Game, play: [String; 2], found: &Description) -> Self {
        let mean = |figure: &Statistic| MeanView { mean: figure.value, interval: figure.interval };
        let comebacks = found.comebacks.iter().map(|(win_rate, figure)| ComebackView {
            win_rate: *win_rate,
            share: figure.value,
            interval: figure.interval,
        });
        let rules = found.rules.iter().map(|(name, figure)| RuleUseView {
            name: name.clone(),
            per_game: figure.value,
            interval: figure.interval,
        });
        let skill = found.skill.iter().map(|(level, strategy, of)| SkillView {
            level: (*level).to_owned(),
            strategy: strategy.clone(),
            against_optimal: rate(of),
            interval: of.interval,
        });
        Self {
            game: game.rules().id.clone(),
            title: game.rules().title.clone(),
            play,
            win_rate: rate(&found.win_rate),
            first_mover_edge: found.win_rate.rates[0] - found.win_rate.rates[1],
            turns: TurnsView {
                mean: found.turns.value,
                median: reached(&found.lengths, 0.5),
                p95: reached(&found.lengths, 0.95),
                distribution: found.lengths.clone(),
                interval: found.turns.interval,
            },
            lead_changes: mean(&found.lead_changes),
            comebacks: comebacks.collect(),
            rules: rules.collect(),
            skill: skill.collect(),
            choices: ChoicesView {
                mean_spread: found.mean_spread.value,
                share_that_matter: found.share_that_matter.value,
                interval: found.mean_spread.interval,
            },
            games: found.games,
        }
    }
}

/// The first number of turns within which such a share of all games that end are over.
fn reached(lengths: &[f64], share: f64) -> usize {
    let all: f64 = lengths.iter().sum();
    let mut sum = 0.0;
    let over = lengths.iter().position(|chance| {
        sum += chance;
        sum >= share * all
    });
    over.map_or(lengths.len(), |place| place + 1)
}
