//! The description of a game.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::analysis::{Description, SkillRate, Statistic};
use crate::game::Game;
use crate::queries::WinRates;

/// A description of a game as two strategies play it, and of how much skill matters in it. A figure
/// whose `interval` is not null is an estimate from simulated games, with its 95% confidence
/// interval; all others are computed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct DescribeView {
    /// The game's id.
    pub game: String,
    /// The game's title.
    pub title: String,
    /// The names of the two strategies.
    pub play: [String; 2],
    /// The win rates of the first strategy.
    pub win_rate: WinRates,
    /// The first strategy's win rate when it moves first minus that when it moves second.
    pub first_mover_edge: f64,
    /// The length of the game.
    pub turns: TurnsView,
    /// How often dice are rolled in a game with a pot, in which a turn has several rolls; null in
    /// other games, and if no game ends.
    pub rolls: Option<MeanView>,
    /// The number of times that the lead changes in a game.
    pub lead_changes: MeanView,
    /// How often the winner was close to losing.
    pub comebacks: Vec<ComebackView>,
    /// How often each rule has an effect.
    pub rules: Vec<RuleUseView>,
    /// The win rates of increasingly skilled strategies against optimal play.
    pub skill: Vec<SkillView>,
    /// How much the choice of a roll matters.
    pub choices: ChoicesView,
    /// The number of games simulated for the figures with an interval.
    pub games: u64,
}

/// The length of a game, in turns of both players. Extra turns count; in a game with a pot a turn
/// ends when the other player is to move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct TurnsView {
    /// The mean, over games that end; null if none ends.
    pub mean: Option<f64>,
    /// The median; null if no game ends or it is beyond the distribution.
    pub median: Option<usize>,
    /// The 95th percentile; likewise.
    pub p95: Option<usize>,
    /// The probability that the game takes 1, 2, 3, ... turns; breaks off where games take more
    /// turns than can be computed.
    pub distribution: Vec<f64>,
    /// The 95% confidence interval of the mean; null if the mean is computed.
    pub interval: Option<[f64; 2]>,
}

/// A mean over games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct MeanView {
    /// The mean.
    pub mean: f64,
    /// The 95% confidence interval; null if the mean is computed.
    pub interval: Option<[f64; 2]>,
}

/// How often the winner was close to losing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ComebackView {
    /// A win rate.
    pub win_rate: f64,
    /// The share of games in which the winner's win rate was at most this before some turn.
    pub share: f64,
    /// The 95% confidence interval; null if the share is computed.
    pub interval: Option<[f64; 2]>,
}

/// How often a rule has an effect.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct RuleUseView {
    /// The rule's name.
    pub name: String,
    /// The mean number of turns per game whose result the rule changes.
    pub per_game: f64,
    /// The 95% confidence interval; null if the mean is computed.
    pub interval: Option<[f64; 2]>,
}

/// The win rates of one strategy against optimal play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct SkillView {
    /// The level of skill: `random`, `baseline`, `greedy`, `threshold` (in a game with a pot the
    /// best `hold_at:N`), `pace` (`end_race_or_keep_pace`, in a game with a pot) or `optimal`.
    pub level: String,
    /// The strategy's name, or a description if it has none.
    pub strategy: String,
    /// The strategy's win rates against optimal play.
    pub against_optimal: WinRates,
    /// The 95% confidence interval of the average win rate; null if it is computed.
    pub interval: Option<[f64; 2]>,
}

/// How much the choice of a roll matters if both players play optimally otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ChoicesView {
    /// The mean, over the choices of a game, of the best roll's win rate minus the worst roll's.
    /// There is a choice in each turn, in a game with a pot before each roll and when a player
    /// holds.
    pub mean_spread: f64,
    /// The share of choices in which the win rate of the best roll exceeds that of any other roll
    /// by at least 0.01.
    pub share_that_matter: f64,
    /// The 95% confidence interval of the mean spread; null if it is computed.
    pub interval: Option<[f64; 2]>,
}

fn rate(of: &SkillRate) -> WinRates {
    WinRates::new(of.rates, of.endless, of.error_bound)
}

impl DescribeView {
    /// Makes the view of a description of a game, as the strategies named `play` play it.
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
                mean: Some(found.turns.value).filter(|mean| mean.is_finite()),
                median: reached(&found.lengths, 0.5 * found.ends),
                p95: reached(&found.lengths, 0.95 * found.ends),
                distribution: found.lengths.clone(),
                interval: found.turns.interval,
            },
            rolls: found.rolls.as_ref().map(mean).filter(|rolls| rolls.mean.is_finite()),
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

/// Returns the least number of turns within which games of this probability are over, if there are
/// such games and the list reaches so far.
fn reached(lengths: &[f64], probability: f64) -> Option<usize> {
    let mut sum = 0.0;
    let over = lengths.iter().position(|chance| {
        sum += chance;
        sum >= probability
    });
    over.filter(|_| probability > 0.0).map(|place| place + 1)
}
