//! Points for a gradebook, by thresholds: for taking part, for win rates against the baseline, for
//! mean win rates.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::Deserialize;

/// How many points an entrant gets: `plays=1,baseline=2,mean:0.45=1,mean:0.5=2`. Of the tiers of
/// each measure that it reaches, the one with the most points counts; the points of the measures
/// are added.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(try_from = "String")]
#[schemars(with = "String")]
pub struct PointsRule {
    tiers: Vec<Tier>,
}

/// Points for reaching a win rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tier {
    /// What it looks at.
    pub measure: Measure,
    /// The least win rate; `None` means that it must be a win.
    pub at_least: Option<f64>,
    /// The points.
    pub points: f64,
}

/// What a tier looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Whether the entrant takes part.
    Plays,
    /// The win rate against the game's baseline.
    Baseline,
    /// The mean win rate against all others.
    Mean,
}

const MEASURES: [(Measure, &str); 3] =
    [(Measure::Plays, "plays"), (Measure::Baseline, "baseline"), (Measure::Mean, "mean")];

impl PointsRule {
    /// Whether points depend on the win rate against the game's baseline.
    pub fn needs_baseline(&self) -> bool {
        self.tiers.iter().any(|tier| tier.measure == Measure::Baseline)
    }

    /// Returns the points of an entrant that takes part, by its mean win rate and that against the
    /// baseline; a win is a rate above `winning`.
    pub fn points(&self, mean: f64, baseline: f64, winning: f64) -> f64 {
        let mut points = 0.0;
        for (measure, _) in MEASURES {
            let mut most = 0.0;
            for tier in self.tiers.iter().filter(|tier| tier.measure == measure) {
                if tier.is_reached(mean, baseline, winning) {
                    most = tier.points.max(most);
                }
            }
            points += most;
        }
        points
    }

    /// Returns the tiers as steps, each with the points that it adds to those of the steps below
    /// it: the points of an entrant are the sum of the steps that it reaches. Tiers that add
    /// nothing are left out.
    pub fn steps(&self, winning: f64) -> Vec<Tier> {
        let mut steps = Vec::new();
        for (measure, _) in MEASURES {
            let of_measure = self.tiers.iter().filter(|tier| tier.measure == measure);
            let mut tiers: Vec<Tier> = of_measure.copied().collect();
            tiers.sort_by(|a, b| {
                let least = a.at_least.unwrap_or(winning);
                let other = b.at_least.unwrap_or(winning);
                least.total_cmp(&other).then(a.points.total_cmp(&b.points))
            });
            let mut given = 0.0;
            for tier in tiers {
                if tier.points > given {
                    steps.push(Tier { points: tier.points - given, ..tier });
                    given = tier.points;
                }
            }
        }
        steps
    }

    /// Returns the most points that an entrant can get.
    pub fn most(&self) -> f64 {
        self.points(1.0, 1.0, 0.0)
    }
}

impl Tier {
    /// The one of the two win rates that it looks at; `None` if that is neither.
    pub fn rate(&self, mean: f64, baseline: f64) -> Option<f64> {
        match self.measure {
            Measure::Plays => None,
            Measure::Baseline => Some(baseline),
            Measure::Mean => Some(mean),
        }
    }

    /// Whether an entrant reaches it, by its mean win rate and that against the baseline; a win is
    /// a rate above `winning`.
    pub fn is_reached(&self, mean: f64, baseline: f64, winning: f64) -> bool {
        let rate = self.rate(mean, baseline).unwrap_or(1.0);
        self.at_least.map_or(rate > winning, |least| rate >= least)
    }
}

impl Tier {
    /// Says what reaches it, as students read it; `baseline` is what the course calls its baseline.
    pub fn in_words(&self, baseline: &str) -> String {
        let against = match self.measure {
            Measure::Plays => return "It can be played".to_owned(),
            Measure::Baseline => format!("against the course's {baseline}"),
            Measure::Mean => "on average against all opponents".to_owned(),
        };
        match self.at_least {
            None => format!("It wins more than half of its games {against}"),
            Some(least) => format!("It wins at least {least} of its games {against}"),
        }
    }
}

impl fmt::Display for PointsRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, Tier { measure, at_least, points }) in self.tiers.iter().enumerate() {
            let name =
                MEASURES.iter().find(|(known, _)| known == measure).map_or("", |(_, name)| name);
            let least = at_least.map(|least| format!(":{least}")).unwrap_or_default();
            write!(f, "{}{name}{least}={points}", if place > 0 { "," } else { "" })?;
        }
        Ok(())
    }
}

impl Default for PointsRule {
    /// One point for a win against the baseline.
    fn default() -> Self {
        let tier = Tier { measure: Measure::Baseline, at_least: None, points: 1.0 };
        Self { tiers: vec![tier] }
    }
}

impl TryFrom<String> for PointsRule {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl FromStr for PointsRule {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut tiers = Vec::new();
        for part in text.split(',') {
            let tier = Tier::parse(part).map_err(|fault| {
                let example = "write it as in plays=1,baseline=2,mean:0.45=1,mean:0.5=2";
                format!("`{}` {fault}; {example}", part.trim())
            })?;
            tiers.push(tier);
        }
        Ok(Self { tiers })
    }
}

impl Tier {
    /// Reads `mean:0.45=1`; an error goes on after the text.
    fn parse(text: &str) -> Result<Self, &'static str> {
        let (what, points) = text.split_once('=').ok_or("gives no points")?;
        let (name, least) =
            what.split_once(':').map_or((what, None), |(name, least)| (name, Some(least)));
        let measure = MEASURES.into_iter().find(|(_, known)| *known == name.trim());
        let (measure, _) = measure.ok_or("begins with none of `plays`, `baseline` and `mean`")?;
        let points = number(points)
            .filter(|points| *points >= 0.0)
            .ok_or("gives points that are not a number from 0")?;
        let at_least = match least {
            None => None,
            Some(_) if measure == Measure::Plays => {
                return Err("has a win rate, and `plays` needs none");
            }
            Some(least) => Some(
                number(least)
                    .filter(|least| (0.0..=1.0).contains(least))
                    .ok_or("has a win rate that is not a number from 0 to 1")?,
            ),
        };
        Ok(Self { measure, at_least, points })
    }
}

fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_tier_of_each_measure_counts() {
        let rule: PointsRule =
            "plays=1,baseline=2,baseline:0.6=3, mean:0.45=1,mean:0.5=2".parse().unwrap();
        for (mean, baseline, points) in [
            (0.0, 0.0, 1.0),
            (0.45, 0.5, 2.0),
            (0.5, 0.51, 5.0),
            (0.9, 0.6, 6.0),
            (0.44999, 0.5, 1.0),
        ] {
            assert_eq!(rule.points(mean, baseline, 0.500001), points, "{mean} {baseline}");
        }
        assert_eq!(rule.most(), 6.0);
        assert!(
            rule.needs_baseline() && !"mean:0.5=1".parse::<PointsRule>().unwrap().needs_baseline()
        );
        assert_eq!(rule.to_string().parse(), Ok(rule));
    }

    #[test]
    fn the_steps_that_are_reached_add_up_to_the_points() {
        let rule: PointsRule =
            "mean:0.6=4,plays=1,baseline=2,baseline:0.45=0.5,mean:0.5=1,mean:0.55=1"
                .parse()
                .unwrap();
        let winning = 0.500001;
        let steps = rule.steps(winning);
        let points: Vec<f64> = steps.iter().map(|step| step.points).collect();
        assert_eq!(points, [1.0, 0.5, 1.5, 1.0, 3.0], "mean:0.55 adds nothing");
        for (mean, baseline) in [(0.0, 0.0), (0.5, 0.46), (0.57, 0.5), (0.6, 0.7)] {
            let reached = steps.iter().filter(|step| step.is_reached(mean, baseline, winning));
            let sum: f64 = reached.map(|step| step.points).sum();
            assert_eq!(sum, rule.points(mean, baseline, winning), "{mean} {baseline}");
        }
    }

    #[test]
    fn a_wrong_rule_is_refused_with_the_part_that_is_wrong() {
        for (text, part) in [
            ("", "``"),
            ("baseline", "`baseline` gives no points"),
            ("mean:0.5=2,rank=1", "`rank=1`"),
            ("mean:50=2", "`mean:50=2` has a win rate"),
            ("mean:0.5=-2", "points"),
            ("mean:0.5=nan", "points"),
            ("plays:0.5=1", "`plays` needs none"),
        ] {
            let error = text.parse::<PointsRule>().unwrap_err();
            assert!(
                error.contains(part) && error.contains("plays=1,baseline=2"),
                "{text}: {error}"
            );
        }
    }
}
