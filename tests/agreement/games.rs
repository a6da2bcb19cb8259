//! The games under test and their solutions, each made once for all tests.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, OnceLock};

use hog::game::{Game, Plan};
use hog::rules::{Overrides, load};
use hog::solve::{Arithmetic, Solution, Watch, equilibrium, evaluate};
use hog::strategy::Strategy;

/// A built-in game with another goal, and its equilibria.
pub struct Subject {
    pub name: String,
    pub game: Game,
    exact: OnceLock<Solution>,
    float: OnceLock<Solution>,
}

impl Subject {
    fn new(id: &str, goal: u32, max_dice: Option<u32>) -> Self {
        let rules = load(id, Overrides { goal: Some(goal), max_dice }).unwrap_or_else(|e| panic!("{e}"));
        let game = Game::new(rules).unwrap_or_else(|e| panic!("{e}"));
        Self { name: format!("{id} to {goal}"), game, exact: OnceLock::new(), float: OnceLock::new() }
    }

    /// The exact equilibrium.
    pub fn exact(&self) -> &Solution {
        self.exact.get_or_init(|| solved(&self.game, Arithmetic::Exact))
    }

    /// The equilibrium in floats.
    pub fn float(&self) -> &Solution {
        self.float.get_or_init(|| solved(&self.game, Arithmetic::Float))
    }

    /// The plan of a strategy by name; `optimal` is the float equilibrium's.
    pub fn plan(&self, strategy: &str) -> Plan {
        match strategy {
            "optimal" => self.float().plan(&self.game),
            _ => strategy.parse::<Strategy>().unwrap().plan(&self.game, &Watch::silent()).unwrap(),
        }
    }

    /// One plan against another, in floats.
    pub fn rate(&self, plan: &Plan, opponent: &Plan) -> Solution {
        evaluate(&self.game, [plan, opponent], Arithmetic::Float, &Watch::silent()).unwrap()
    }

    /// The strategy the course rates against, or five dice: of the fixed numbers of dice, five and six bring the most
    /// points a turn where a 1 scores nothing.
    pub fn baseline(&self) -> String {
        let five = || format!("always_roll:{}", self.game.rules().max_dice.min(5));
        self.game.rules().baseline.clone().unwrap_or_else(five)
    }

    /// `always_roll:N` for every N that the game allows.
    pub fn constants(&self) -> Vec<String> {
        let space = self.game.space();
        (0..space.actions).map(|action| format!("always_roll:{}", space.dice(action))).collect()
    }
}

fn solved(game: &Game, arithmetic: Arithmetic) -> Solution {
    equilibrium(game, arithmetic, &Watch::silent()).unwrap_or_else(|e| panic!("{e}"))
}

type Key = (String, u32, Option<u32>);

/// A built-in game at a goal, shared by all tests.
pub fn subject(id: &str, goal: u32) -> Arc<Subject> {
    with_dice(id, goal, None)
}

/// The same with fewer dice.
pub fn with_dice(id: &str, goal: u32, max_dice: Option<u32>) -> Arc<Subject> {
    static KNOWN: LazyLock<Mutex<HashMap<Key, Arc<Subject>>>> = LazyLock::new(Mutex::default);
    let mut known = KNOWN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let key = (id.to_owned(), goal, max_dice);
    Arc::clone(known.entry(key).or_insert_with(|| Arc::new(Subject::new(id, goal, max_dice))))
}

/// The games of the handouts and of the literature; `tests/variants` holds all games to less.
const IDS: [&str; 6] = ["fa19", "fa21", "neller_hog", "nju21", "sp15", "su15"];

/// Each game at its own goal.
pub fn all() -> impl Iterator<Item = Arc<Subject>> {
    IDS.into_iter().map(|id| subject(id, 100))
}

/// Each game at the largest goal whose exact values come quickly.
pub fn exactly() -> impl Iterator<Item = Arc<Subject>> {
    IDS.into_iter().map(|id| match id {
        // Its states have 121 memories each.
        "fa19" => subject("fa19", 30),
        // Its values have no common denominator.
        "neller_hog" => with_dice("neller_hog", 20, Some(4)),
        id => subject(id, 100),
    })
}

/// Each game at a goal so small that many plans are rated exactly.
pub fn small() -> impl Iterator<Item = Arc<Subject>> {
    IDS.into_iter().map(|id| match id {
        "neller_hog" => with_dice("neller_hog", 8, Some(2)),
        id => subject(id, 20),
    })
}
