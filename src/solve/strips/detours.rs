//! The turns of a layer whose arrivals depend on the points: where they lead that is not plain, strip by strip.
//!
//! Landings whose arrivals depend on the points have numbers, those of one kind in the order of their points: see
//! [`Setting::number_of`]. Some of these lead elsewhere than plain ones from some cells of the layer: its detours.

use std::ops::Range;

use super::LANES;
use super::diagonals::Diagonals;
use super::order::in_order;
use super::setting::Setting;
use super::stretch::{Arrivals, Way};
use super::strip::Lanes;
use crate::game::ScoreSuccessor;

/// All detours of a layer.
#[derive(Debug, Default)]
pub(super) struct Detours {
    /// The numbers of their outcomes, ascending.
    pub outcomes: Vec<u32>,
    /// By number of a landing: how many detours have lower ones; after the last, how many there are.
    before: Vec<u32>,
    /// By strip: what begins where; after the last, where all ends.
    begins: Vec<Begin>,
    first_legs: Vec<Leg>,
    more_legs: Vec<Leg>,
    byways: Vec<Byway>,
    plain: Vec<Plain>,
}

/// Where the parts of a strip begin among those of all.
#[derive(Clone, Copy, Debug, Default)]
struct Begin {
    /// Its first detour.
    detour: usize,
    first_legs: usize,
    more_legs: usize,
    byways: usize,
    plain: usize,
}

/// The detours of a layer that begin in a strip. Kinds of them are apart, so that no loop over one has to choose.
#[derive(Clone, Copy, Debug)]
pub(super) struct InStrip<'d> {
    /// The first detour with columns of the strip.
    pub first: usize,
    /// For each from that to the last: its first leg, or one without columns.
    pub first_legs: &'d [Leg],
    /// All other legs.
    pub more_legs: &'d [Leg],
    pub byways: &'d [Byway],
    pub plain: &'d [Plain],
}

/// Where a detour leads from neighbouring columns of a strip: to cells of one layer above, with the next mover's score one
/// more from each column to the next.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Leg {
    pub detour: u32,
    /// See [`Diagonals::ahead`]; that of the strip's first column.
    pub ahead: u32,
    /// The place of its kind of landing among those whose arrivals depend on the points.
    pub place: u16,
    pub lanes: Columns,
}

/// Where a detour leads from neighbouring columns that is no leg, nor the end of a game that is won: then what arriving there is
/// worth to the opponent is nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Byway {
    pub detour: u32,
    pub place: u16,
    pub lanes: Columns,
    /// From the first of these columns on.
    pub arrivals: Arrivals,
}

/// Neighbouring columns from which a detour leads, though others arrive there as plain turns do: rows of arrivals hold what
/// these are worth, and sums have counted it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plain {
    pub detour: u32,
    /// The row of arrivals against the opponent's first memory, after the first of the layer.
    pub row: u32,
    pub lanes: Columns,
}

/// Neighbouring columns of a strip, counted from its first: the first of them, and the end.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Columns(u8, u8);

/// The detours of all layers are found beforehand if they have no more legs, and strips, than these.
const MOST_LEGS: usize = 1 << 17;

impl Detours {
    /// Those of all layers, by sum of scores; `None` if they are too many, or there are none in any.
    pub fn of_layers(setting: &Setting) -> Option<Vec<Self>> {
        let (mut layers, mut legs) = (Vec::new(), 0);
        if setting.by_points.is_empty() {
            return None;
        }
        for sum in 0..setting.space.stages() {
            let detours = Self::new(setting, sum);
            legs += detours.first_legs.len() + detours.more_legs.len() + detours.begins.len();
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
        let (mut outcomes, mut found) = (Vec::with_capacity(32), Vec::with_capacity(128));
        for (place, by_points) in setting.by_points.iter().enumerate() {
            let read = &setting.program.outcomes[by_points.kind];
            for reached in by_points.stretches.sums_from(sum) {
                let points = reached - sum;
                match read.get(points) {
                    Some(true) => {}
                    Some(false) => continue,
                    None => break,
                }
                let (first, detour) = (found.len(), outcomes.len() as u32);
                let row = setting.arrivals_at(by_points.kind, points) as u32;
                let plain = (!by_points.never_plain[*reached]).then_some(row);
                for stretch in by_points.stretches.of_sum(*reached) {
                    for columns in in_strips(stretch.columns(points, columns)) {
                        let arrivals = stretch.arrivals(points, columns.start);
                        let byway = Byway { detour, place: place as u16, lanes: Columns::new(&columns), arrivals };
                        found.push((columns.start / LANES, byway, plain));
                    }
                }
                if first < found.len() {
                    outcomes.push((place * setting.points() + points) as u32);
                }
            }
        }
        let mut before = vec![0; setting.by_points.len() * setting.points() + 1];
        outcomes.iter().for_each(|landing| before[*landing as usize + 1] = 1);
        let mut count = 0;
        for next in &mut before {
            count += *next;
            *next = count;
        }
        let mut detours = Self { outcomes, before, ..Self::default() };
        let (found, first_found) = in_order(&found, goal.div_ceil(LANES), |(strip, ..)| *strip);
        for strip in first_found.windows(2) {
            let of_strip = &found[strip[0]..strip[1]];
            detours.begin(of_strip.first().map_or(0, |(_, byway, _)| byway.detour as usize));
            for (_, byway, plain) in of_strip {
                detours.push(setting, sum, *byway);
                detours.plain.extend(plain.map(|row| Plain { detour: byway.detour, row, lanes: byway.lanes }));
            }
        }
        detours.begin(0);
        detours
    }

    /// Begins a strip, with its first detour.
    fn begin(&mut self, detour: usize) {
        self.begins.push(Begin {
            detour,
            first_legs: self.first_legs.len(),
            more_legs: self.more_legs.len(),
            byways: self.byways.len(),
            plain: self.plain.len(),
        });
    }

    /// Adds columns of the latest strip to where a detour leads; detours come in their order.
    fn push(&mut self, setting: &Setting, sum: usize, byway: Byway) {
        let Byway { detour, place, lanes, arrivals } = byway;
        let begin = self.begins.last().expect("a strip has begun");
        let (first, next) = (begin.detour, begin.detour + self.first_legs.len() - begin.first_legs);
        debug_assert!(first <= detour as usize, "detours come in their order");
        let none = |detour| Leg { detour: detour as u32, ..Leg::default() };
        self.first_legs.extend((next..=detour as usize).map(none));
        match arrivals.ahead(setting, sum, lanes.0.into()) {
            _ if arrivals.way == Way::Ended(ScoreSuccessor::Won) => {}
            Some(ahead) => {
                let leg = Leg { detour, ahead, place, lanes };
                match self.first_legs.last_mut().filter(|leg| leg.lanes.is_empty()) {
                    Some(none) => *none = leg,
                    None => self.more_legs.push(leg),
                }
            }
            None => self.byways.push(byway),
        }
    }

    /// Those in a strip, by its first column.
    #[inline(always)]
    pub fn in_strip(&self, strip_first: usize) -> InStrip<'_> {
        let strip = strip_first / LANES;
        let (own, next) = (&self.begins[strip], &self.begins[strip + 1]);
        InStrip {
            first: own.detour,
            first_legs: &self.first_legs[own.first_legs..next.first_legs],
            more_legs: &self.more_legs[own.more_legs..next.more_legs],
            byways: &self.byways[own.byways..next.byways],
            plain: &self.plain[own.plain..next.plain],
        }
    }

    /// The detours of the outcomes with some numbers.
    #[inline(always)]
    pub fn of(&self, (first, end): (usize, usize)) -> (usize, usize) {
        (self.before[first] as usize, self.before[end] as usize)
    }
}

/// Some columns, strip by strip.
fn in_strips(columns: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let strips = columns.start / LANES..columns.end.div_ceil(LANES);
    let of_strip = move |strip: usize| columns.start.max(strip * LANES)..columns.end.min((strip + 1) * LANES);
    strips.map(of_strip).filter(|columns| !columns.is_empty())
}

impl Columns {
    fn new(columns: &Range<usize>) -> Self {
        let lane = |column: usize| (column - columns.start / LANES * LANES) as u8;
        Self(lane(columns.start), lane(columns.end))
    }

    #[inline(always)]
    pub fn lanes(self) -> Lanes {
        Lanes { first: self.0.into(), end: self.1.into() }
    }

    fn is_empty(self) -> bool {
        self.0 == self.1
    }
}

impl Arrivals {
    /// Where these are ahead, if they are cells of one layer above that of a sum, side by side: from a column of a strip on.
    fn ahead(&self, setting: &Setting, sum: usize, lane: usize) -> Option<u32> {
        if self.way != Way::Passed || self.by_column != (1, -1) {
            return None;
        }
        let (score, opponent) = self.scores;
        let above = (score + opponent) as usize - sum;
        let is_kept = (1..=setting.layers_seen()).contains(&above);
        is_kept.then(|| Diagonals::ahead(setting, above, score as usize + LANES - lane)).flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::rules::{Overrides, load, rules_from_text};
    use crate::solve::strips::stretch::tests::ODD;

    /// Where a leg leads from a column: one of its strip's, counted from the first.
    fn end_of_leg(setting: &Setting, leg: &Leg, (sum, lane): (usize, usize)) -> ScoreSuccessor {
        let (goal, width) = (setting.space.goal, Diagonals::width(setting));
        let (above, score) = (leg.ahead as usize / width, leg.ahead as usize % width + lane - LANES);
        match sum + above - score {
            _ if score >= goal => ScoreSuccessor::Lost,
            opponent if opponent >= goal => ScoreSuccessor::Won,
            opponent => ScoreSuccessor::Passed { cell: score * goal + opponent },
        }
    }

    /// The same for a byway.
    fn end_of_byway(byway: &Byway, goal: usize, lane: usize) -> ScoreSuccessor {
        let (arrivals, further) = (byway.arrivals, (lane - byway.lanes.lanes().first) as i32);
        let score = (arrivals.scores.0 + arrivals.by_column.0 * further) as usize;
        let cell = score * goal + (arrivals.scores.1 + arrivals.by_column.1 * further) as usize;
        match arrivals.way {
            Way::Ended(destination) => destination,
            Way::Again => ScoreSuccessor::Again { cell },
            Way::Passed => ScoreSuccessor::Passed { cell },
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
                        total if total >= goal => ScoreSuccessor::Won,
                        total => ScoreSuccessor::Passed { cell: column * goal + total },
                    };
                    let (detour, end) = detours.of((landing, landing + 1));
                    let here = |(of, columns): (u32, Columns)| {
                        detour < end && of as usize == detour && columns.lanes().range().contains(&lane)
                    };
                    let InStrip { first_legs, more_legs, byways, plain: counted, .. } = detours.in_strip(column);
                    let leg = first_legs.iter().chain(more_legs).find(|leg| here((leg.detour, leg.lanes)));
                    let byway = byways.iter().find(|byway| here((byway.detour, byway.lanes)));
                    let leads_away = counted.iter().any(|plain| here((plain.detour, plain.lanes)));
                    let never_plain = score + points < goal && setting.never_plain(kind, sum + points);
                    let told = match (leg, byway) {
                        (Some(leg), None) => end_of_leg(&setting, leg, (sum, lane)),
                        (None, Some(byway)) => end_of_byway(byway, goal, lane),
                        (None, None) if leads_away || never_plain => ScoreSuccessor::Won,
                        (None, None) => plain,
                        (Some(_), Some(_)) => panic!("two ways from {score} to {column} and {points} points"),
                    };
                    let landing = setting.program.kinds[kind].with_points(points as u32);
                    let right = game.score_successor((score, column), &landing);
                    assert_eq!(told, right, "{score} to {column} and {points} points");
                }
            }
        }
    }
}
