//! The turns of a layer whose arrivals depend on the points: where they lead that is not plain, strip by strip.
//!
//! Landings whose arrivals depend on the points have numbers, those of one kind in the order of their points: see
//! [`Setting::number_of`]. Some of these lead elsewhere than plain ones from some cells of the layer: its detours.

use std::ops::Range;

use super::LANES;
use super::order::in_order;
use super::setting::Setting;
use super::stretch::{Arrivals, Way};
use super::strip::Lanes;
use crate::game::Destination;

/// All detours of a layer.
#[derive(Debug, Default)]
pub(super) struct Detours {
    /// The numbers of their landings, ascending.
    pub landings: Vec<u32>,
    /// By number of a landing: how many detours have lower ones; after the last, how many there are.
    before: Vec<u32>,
    /// By strip, then by detour.
    legs: Vec<Leg>,
    /// By strip: its first leg; after the last, how many there are.
    first_leg: Vec<usize>,
    /// Where legs lead that is no line of cells.
    scattered: Vec<Arrivals>,
}

/// Where a detour leads from neighbouring columns of a strip.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leg {
    pub detour: u32,
    /// The place of its kind of landing among those whose arrivals depend on the points.
    pub place: u32,
    /// The row of plain arrivals against the opponent's first memory, after the first of the layer.
    pub plain: u32,
    /// The columns, counted from the strip's first: the first, and the end.
    lanes: (u8, u8),
    pub to: To,
}

/// Where neighbouring columns lead.
#[derive(Clone, Copy, Debug)]
pub(super) enum To {
    Ended(Destination),
    /// Cells of the layer so many above, with the next mover's score one more from each column to the next; in the strip's
    /// first column it would be so much, less [`LANES`].
    Layer {
        above: u32,
        score: u32,
    },
    /// Any cells: see [`Detours::arrivals`].
    Cells(u32),
}

/// The detours of all layers are found beforehand if they have no more legs, and strips, than these.
const MOST_LEGS: usize = 1 << 17;

impl Detours {
    /// Those of all layers, by sum of scores; `None` if they are too many, or there are none in any.
    pub fn of_layers(setting: &Setting) -> Option<Vec<Self>> {
        let (mut layers, mut legs) = (Vec::new(), 0);
        if setting.by_points.is_empty() {
            return None;
        }
        for sum in 0..setting.space.layers() {
            let detours = Self::new(setting, sum);
            legs += detours.legs.len() + detours.first_leg.len();
            if legs > MOST_LEGS {
                return None;
            }
            layers.push(detours);
        }
        Some(layers)
    }

    /// Those of the layer of a sum of scores.
    pub fn new(setting: &Setting, sum: usize) -> Self {
        if setting.by_points.is_empty() {
            return Self::default();
        }
        let goal = setting.space.goal;
        let columns = ((sum + 1).saturating_sub(goal), (sum + 1).min(goal));
        // Room for those of most layers: to grow takes longer than to find them.
        let (mut landings, mut legs, mut scattered) = (Vec::with_capacity(32), Vec::with_capacity(128), Vec::new());
        for (place, by_points) in setting.by_points.iter().enumerate() {
            let read = &setting.program.outcomes[by_points.kind];
            for reached in by_points.stretches.sums_from(sum) {
                let points = reached - sum;
                match read.get(points) {
                    Some(true) => {}
                    Some(false) => continue,
                    None => break,
                }
                let first = legs.len();
                for stretch in by_points.stretches.of_sum(*reached) {
                    let (detour, plain) = (landings.len(), setting.arrivals_at(by_points.kind, points));
                    for columns in in_strips(stretch.columns(points, columns)) {
                        let arrivals = stretch.arrivals(points, columns.start);
                        let lane = |column: usize| (column - columns.start / LANES * LANES) as u8;
                        let lanes = (lane(columns.start), lane(columns.end));
                        let to = To::new(setting, (sum, lanes.0.into()), arrivals, &mut scattered);
                        let (detour, place, plain) = (detour as u32, place as u32, plain as u32);
                        legs.push((columns.start / LANES, Leg { detour, place, plain, lanes, to }));
                    }
                }
                if first < legs.len() {
                    landings.push((place * setting.points() + points) as u32);
                }
            }
        }
        let (legs, first_leg) = in_order(&legs, goal.div_ceil(LANES), |(strip, _)| *strip);
        let mut before = vec![0; setting.by_points.len() * setting.points() + 1];
        landings.iter().for_each(|landing| before[*landing as usize + 1] = 1);
        let mut detours = 0;
        for next in &mut before {
            detours += *next;
            *next = detours;
        }
        let legs = legs.into_iter().map(|(_, leg)| leg).collect();
        Self { landings, before, legs, first_leg, scattered }
    }

    /// All legs in a strip.
    #[inline(always)]
    pub fn legs(&self, strip_first: usize) -> &[Leg] {
        let strip = strip_first / LANES;
        &self.legs[self.first_leg[strip]..self.first_leg[strip + 1]]
    }

    /// The detours of the landings with some numbers.
    #[inline(always)]
    pub fn of(&self, (first, end): (usize, usize)) -> (usize, usize) {
        (self.before[first] as usize, self.before[end] as usize)
    }

    /// Where a leg leads from its first column on.
    pub fn arrivals(&self, scattered: u32) -> Arrivals {
        self.scattered[scattered as usize]
    }
}

/// Some columns, strip by strip.
fn in_strips(columns: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let strips = columns.start / LANES..columns.end.div_ceil(LANES);
    let of_strip = move |strip: usize| columns.start.max(strip * LANES)..columns.end.min((strip + 1) * LANES);
    strips.map(of_strip).filter(|columns| !columns.is_empty())
}

impl Leg {
    #[inline(always)]
    pub fn lanes(&self) -> Lanes {
        Lanes { first: self.lanes.0.into(), end: self.lanes.1.into() }
    }
}

impl To {
    /// Of the layer of a sum of scores, from a column of a strip on.
    fn new(setting: &Setting, (sum, lane): (usize, usize), arrivals: Arrivals, scattered: &mut Vec<Arrivals>) -> Self {
        let (score, opponent) = arrivals.scores;
        if let Way::Ended(destination) = arrivals.way {
            return Self::Ended(destination);
        }
        let above = (score + opponent) as usize - sum;
        let in_line = arrivals.way == Way::Passed && arrivals.by_column == (1, -1);
        if in_line && (1..=setting.layers_seen()).contains(&above) {
            return Self::Layer { above: above as u32, score: (score as usize + LANES - lane) as u32 };
        }
        scattered.push(arrivals);
        Self::Cells(scattered.len() as u32 - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::rules::{Overrides, load, rules_from_text};
    use crate::solve::strips::stretch::tests::ODD;

    /// Where a leg leads from a column: one of its strip's, counted from the first.
    fn destination(setting: &Setting, detours: &Detours, leg: &Leg, (sum, lane): (usize, usize)) -> Destination {
        let goal = setting.space.goal;
        match leg.to {
            To::Ended(destination) => destination,
            To::Layer { above, score } => {
                let score = score as usize + lane - LANES;
                match sum + above as usize - score {
                    _ if score >= goal => Destination::Lost,
                    opponent if opponent >= goal => Destination::Won,
                    opponent => Destination::Passed { cell: score * goal + opponent },
                }
            }
            To::Cells(scattered) => {
                let (arrivals, further) = (detours.arrivals(scattered), (lane - leg.lanes().first) as i32);
                let score = (arrivals.scores.0 + arrivals.by_column.0 * further) as usize;
                let opponent = (arrivals.scores.1 + arrivals.by_column.1 * further) as usize;
                match arrivals.way {
                    Way::Again => Destination::Again { cell: score * goal + opponent },
                    _ => Destination::Passed { cell: score * goal + opponent },
                }
            }
        }
    }

    #[test]
    fn legs_lead_where_turns_do_that_are_not_plain() {
        let built_in = |id| load(id, Overrides { goal: Some(40), max_dice: None }).expect("built in");
        // Every turn brings points: so all of them are known layer by layer.
        let odd = ODD.replace("name = \"Odd\"", "name = \"Odd\"\nzero_dice = \"1\"");
        let odd = rules_from_text(&odd, "odd", Overrides::default()).expect("a sound file");
        for rules in [built_in("sp15"), built_in("fa15"), odd] {
            let game = Game::new(rules).expect("sound");
            let (setting, goal) = (Setting::new(&game).expect("it fits"), game.space().goal);
            for cell in 0..goal * goal {
                let (score, column) = (cell / goal, cell % goal);
                let (sum, lane) = (score + column, column % LANES);
                let detours = Detours::new(&setting, sum);
                for landing in 0..setting.by_points.len() * setting.points() {
                    let (place, points) = (landing / setting.points(), landing % setting.points());
                    let kind = setting.by_points[place].kind;
                    if !setting.program.outcomes[kind][points] {
                        continue;
                    }
                    let plain = match score + points {
                        total if total >= goal => Destination::Won,
                        total => Destination::Passed { cell: column * goal + total },
                    };
                    let (detour, end) = detours.of((landing, landing + 1));
                    let here = |leg: &&Leg| leg.detour as usize == detour && leg.lanes().range().contains(&lane);
                    let leg = detours.legs(column).iter().filter(|_| detour < end).find(here);
                    let told = leg.map_or(plain, |leg| destination(&setting, &detours, leg, (sum, lane)));
                    let landing = setting.program.kinds[kind].with_points(points as u32);
                    let right = game.destination((score, column), &landing);
                    assert_eq!(told, right, "{score} to {column} and {points} points");
                }
            }
        }
    }
}
