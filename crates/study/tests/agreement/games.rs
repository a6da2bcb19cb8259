//! The games under test and their solutions, each computed once and shared by all tests.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, OnceLock};

use hog_rules::rules::{Overrides, load};
use hog_solve::game::{Game, Plan};
use hog_solve::solve::{Arithmetic, Solution, Watch, equilibrium, evaluate};
use hog_study::strategy::Strategy;

/// A built-in game with a given goal, and its equilibria.
pub struct Subject {
    pub name: String,
    pub game: Game,
    exact: OnceLock<Solution>,
    float: OnceLock<Solution>,
}

impl Subject {
    fn new(id: &str, goal: u32, max_dice: Option<u32>) -> Self {
        let rules =
            load(id, Overrides { goal: Some(goal), max_dice }).unwrap_or_else(|e| panic!("{e}"));
        let game = Game::new(rules).unwrap_or_else(|e| panic!("{e}"));
        Self {
            name: format!("{id} to {goal}"),
            game,
            exact: OnceLock::new(),
            float: OnceLock::new(),
        }
    }

    /// Returns the exact equilibrium.
    pub fn exact(&self) -> &Solution {
        self.exact.get_or_init(|| solved(&self.game, Arithmetic::Exact))
    }

    /// Returns the equilibrium in floats.
    pub fn float(&self) -> &Solution {
        self.float.get_or_init(|| solved(&self.game, Arithmetic::Float))
    }

    /// Returns the plan of a strategy by its name; `optimal` is the plan of the float equilibrium.
    pub fn plan(&self, strategy: &str) -> Plan {
        match strategy {
            "optimal" => self.float().plan(),
            _ => strategy.parse::<Strategy>().unwrap().plan(&self.game, &Watch::silent()).unwrap(),
        }
    }

    /// Rates one plan against another, in floats.
    pub fn rate(&self, plan: &Plan, opponent: &Plan) -> Solution {
        evaluate(&self.game, [plan, opponent], Arithmetic::Float, &Watch::silent()).unwrap()
    }

    /// Returns the course's baseline, or `always_roll:5` if there is none: where a 1 scores
    /// nothing, five and six dice have the highest mean of points.
    pub fn baseline(&self) -> String {
        let five = || format!("always_roll:{}", self.game.rules().max_dice.min(5));
        self.game.rules().baseline.clone().unwrap_or_else(five)
    }

    /// Returns `always_roll:N` for every N that the game allows.
    pub fn constants(&self) -> Vec<String> {
        let space = self.game.space();
        (0..space.actions).map(|action| format!("always_roll:{}", space.dice(action))).collect()
    }
}

fn solved(game: &Game, arithmetic: Arithmetic) -> Solution {
    equilibrium(game, arithmetic, &Watch::silent()).unwrap_or_else(|e| panic!("{e}"))
}

type Key = (String, u32, Option<u32>);

/// Returns a built-in game at a goal, shared by all tests.
pub fn subject(id: &str, goal: u32) -> Arc<Subject> {
    with_dice(id, goal, None)
}

/// Returns a built-in game at a goal, perhaps with another maximum number of dice.
pub fn with_dice(id: &str, goal: u32, max_dice: Option<u32>) -> Arc<Subject> {
    static KNOWN: LazyLock<Mutex<HashMap<Key, Arc<Subject>>>> = LazyLock::new(Mutex::default);
    let mut known = KNOWN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let key = (id.to_owned(), goal, max_dice);
    Arc::clone(known.entry(key).or_insert_with(|| Arc::new(Subject::new(id, goal, max_dice))))
}

/// The games of the handouts and of the literature; `tests/variants` tests all games, less
/// thoroughly.
const IDS: [&str; 6] = ["fa19", "fa21", "neller_hog", "nju21", "sp15", "su15"];

/// Returns each game at its own goal.
pub fn all() -> impl Iterator<Item = Arc<Subject>> {
    IDS.into_iter().map(|id| subject(id, 100))
}

/// Returns each game at the largest goal whose exact values are computed quickly.
pub fn exactly() -> impl Iterator<Item = Arc<Subject>> {
    IDS.into_iter().map(|id| match id {
        // Each pair of scores has 121 combinations of memories.
        "fa19" => subject("fa19", 30),
        // Its values have no common denominator.
        "neller_hog" => with_dice("neller_hog", 20, Some(4)),
        id => subject(id, 100),
    })
}

/// Returns each game at a goal so small that many plans can be rated exactly.
pub fn small() -> impl Iterator<Item = Arc<Subject>> {
    IDS.into_iter().map(|id| match id {
        "neller_hog" => with_dice("neller_hog", 8, Some(2)),
        id => subject(id, 20),
    })
}
