//! Strategies that are functions of the program: closures.

use std::fmt;
use std::sync::Arc;

use super::Strategy;
use crate::game::{Policy, PolicyError, Position};

/// A function from a position to a number of dice, with a name.
#[derive(Clone)]
pub struct FunctionOfPosition {
    name: Arc<str>,
    sees_memory: bool,
    function: Arc<dyn Fn(&Position) -> i32 + Send + Sync>,
}

impl FunctionOfPosition {
    /// The name that messages and results show.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// Two are equal if they are clones of one.
impl PartialEq for FunctionOfPosition {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && Arc::ptr_eq(&self.function, &other.function)
    }
}

impl Eq for FunctionOfPosition {}

impl fmt::Debug for FunctionOfPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FunctionOfPosition").field(&self.name).finish()
    }
}

impl Policy for FunctionOfPosition {
    fn dice(&self, position: &Position) -> Result<i32, PolicyError> {
        Ok((self.function)(position))
    }

    fn sees_memory(&self) -> bool {
        self.sees_memory
    }
}

impl Strategy {
    /// The strategy that chooses the number of dice by a function of the position: the scores, and
    /// what the game remembers besides. Its name is `function`, or that of [`Self::named`].
    ///
    /// ```
    /// use hog_rules::rules;
    /// use hog_solve::{game::Game, pairs, solve::Watch};
    /// use hog_study::strategy::Strategy;
    /// let game = Game::new(rules::load("fa21", Default::default())?)?;
    /// let careful = Strategy::from_fn(|position| if position.opponent > 90 { 6 } else { 4 });
    /// let careful = careful.plan(&game, &Watch::silent())?;
    /// let slow = Strategy::from_scores(|_, _| 1).plan(&game, &Watch::silent())?;
    /// let (rate, _) = pairs::rate(&game, [&careful, &slow], &Watch::silent())?;
    /// assert!(rate.average() > 0.9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_fn(function: impl Fn(&Position) -> i32 + Send + Sync + 'static) -> Self {
        Self::function(true, Arc::new(function))
    }

    /// The strategy that chooses the number of dice by a function of the player's and the
    /// opponent's score, as the handouts write it.
    ///
    /// ```
    /// use hog_study::strategy::Strategy;
    /// let mine = Strategy::from_scores(|score, _| if score > 90 { 2 } else { 6 }).named("mine");
    /// assert_eq!(mine.to_string(), "mine");
    /// ```
    pub fn from_scores(function: impl Fn(u32, u32) -> i32 + Send + Sync + 'static) -> Self {
        Self::function(false, Arc::new(move |position| function(position.score, position.opponent)))
    }

    /// Sets the name of a function; other strategies keep theirs.
    #[must_use]
    pub fn named(mut self, name: &str) -> Self {
        if let Self::Function(function) = &mut self {
            function.name = name.into();
        }
        self
    }

    fn function(sees_memory: bool, function: Arc<dyn Fn(&Position) -> i32 + Send + Sync>) -> Self {
        Self::Function(FunctionOfPosition { name: "function".into(), sees_memory, function })
    }
}
