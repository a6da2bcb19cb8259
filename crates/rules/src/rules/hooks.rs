//! The hooks of a turn: what a rule may set, in the order of the turn.

use super::formula::variables::{Type, Variable, VariableSet};

macro_rules! hooks {
    ($($hook:ident $key:literal $gives:ident [$($variable:ident)*] $meaning:literal;)*) => {
        /// A place in the turn where a rule may act.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Hook {
            $(#[doc = $meaning] $hook,)*
        }

        impl Hook {
            /// All hooks in the order of a turn.
            pub const ALL: &[Self] = &[$(Self::$hook),*];

            /// The key of the hook in a rule file.
            pub fn key(self) -> &'static str {
                match self { $(Self::$hook => $key),* }
            }

            /// The type of its formula.
            pub fn gives(self) -> Type {
                match self { $(Self::$hook => Type::$gives),* }
            }

            /// A description of the hook for users.
            pub fn meaning(self) -> &'static str {
                match self { $(Self::$hook => $meaning),* }
            }

            /// The variables that its formula may use, apart from the memories.
            pub fn variables(self) -> VariableSet {
                let own = match self {
                    $(Self::$hook => VariableSet::of(&[$(Variable::$variable),*])),*
                };
                let own = own.union(VariableSet::of(&[Variable::GOAL, Variable::MAX_DICE]));
                if self.sees_dice() { own.union(VariableSet::patterns()) } else { own }
            }
        }
    };
}

hooks! {
    MaxDice "max_dice" Integer [SCORE OPPONENT]
        "The most dice rolled from these scores; a larger request is lowered to it.";
    MinDice "min_dice" Integer [SCORE OPPONENT]
        "The fewest dice rolled from these scores; a smaller request is raised to it (0 or less \
         raises none).";
    Die "die" Die [SCORE OPPONENT DICE]
        "The die: a number of sides, or a list of weights of the faces from 1 up (6 by default).";
    Keep "keep" Boolean [SCORE OPPONENT DICE]
        "Whether these of the dice rolled may be kept, at least one; a roll of which none may \
         busts.";
    Worth "worth" Integer [SCORE OPPONENT DICE]
        "The points of the dice kept (their sum by default).";
    ZeroDice "zero_dice" Integer [SCORE OPPONENT DICE]
        "The points of rolling no dice (0 by default).";
    Bust "bust" Integer [SCORE OPPONENT DICE ONES_ROLLED SUM]
        "The points of a roll that shows a 1 (1 by default); where dice are kept, of one of which \
         none may be kept (0 by default).";
    FacePoints "face_points" Integer [SCORE OPPONENT DICE FACE]
        "Extra points for each die by its face, also scored when a 1 shows.";
    Points "points" Integer [SCORE OPPONENT DICE POINTS ROLLED BUSTED]
        "Rewrites the turn's points.";
    Score "score" Integer [SCORE OPPONENT DICE POINTS ROLLED BUSTED SCORE_BEFORE OPPONENT_BEFORE]
        "Rewrites the mover's total after the points are added.";
    OpponentScore "opponent_score" Integer
        [SCORE OPPONENT DICE POINTS ROLLED BUSTED SCORE_BEFORE OPPONENT_BEFORE]
        "Rewrites the opponent's total after the points are added.";
    Swap "swap" Boolean [SCORE OPPONENT DICE POINTS ROLLED BUSTED SCORE_BEFORE OPPONENT_BEFORE]
        "Whether the two totals are swapped.";
    Again "again" Boolean [SCORE OPPONENT DICE POINTS ROLLED BUSTED SCORE_BEFORE OPPONENT_BEFORE]
        "Whether the same player moves once more.";
    End "end" Boolean [SCORE OPPONENT DICE POINTS ROLLED BUSTED SCORE_BEFORE OPPONENT_BEFORE]
        "Whether the game is over, whatever later rules say: whoever has more points wins; equal \
         scores are half a win for each.";
}

impl Hook {
    /// The hooks that say what is rolled, and what it is worth, before the rules on totals.
    pub const BEFORE_TOTALS: [Self; 9] = [
        Self::MaxDice,
        Self::MinDice,
        Self::Die,
        Self::Keep,
        Self::Worth,
        Self::ZeroDice,
        Self::Bust,
        Self::FacePoints,
        Self::Points,
    ];

    /// The rules on totals: the hooks that change them, say who moves next, or end the game.
    pub const ON_TOTALS: [Self; 5] =
        [Self::Score, Self::OpponentScore, Self::Swap, Self::Again, Self::End];

    /// Whether all dice have been rolled when the hook runs, and those that are kept are known.
    pub(super) fn sees_dice(self) -> bool {
        !matches!(
            self,
            Self::MaxDice | Self::MinDice | Self::Die | Self::ZeroDice | Self::FacePoints
        )
    }
}

/// The variables of the formulas of `[bid]`.
pub fn bid_variables() -> VariableSet {
    use Variable as V;
    VariableSet::of(&[V::GOAL, V::BID, V::OPPONENT_BID])
}

/// The variables that a memory's `next` may use, apart from the memories.
pub fn memory_variables() -> VariableSet {
    use Variable as V;
    let own = VariableSet::of(&[
        V::GOAL,
        V::MAX_DICE,
        V::DICE,
        V::POINTS,
        V::ROLLED,
        V::BUSTED,
        V::AGAIN,
    ]);
    own.union(VariableSet::patterns())
}
