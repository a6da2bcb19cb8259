//! Tests of parsing: precedence, faults with their places and fixes, and limits on nesting.

use proptest::prelude::*;

use super::*;

fn read(source: &str, expected: Type) -> Result<Formula, Vec<FormulaFault>> {
    let vocabulary = Vocabulary::new(&[("bit".to_owned(), false)]);
    let turn = VariableSet::of(&[Variable::SCORE, Variable::OPPONENT, Variable::BUSTED]);
    Formula::parse(source, expected, &vocabulary, turn.union(vocabulary.memories()))
}

fn bracketed(source: &str, expected: Type) -> String {
    let formula = read(source, expected).unwrap_or_else(|faults| panic!("{source}: {faults:?}"));
    formula.canonical(&Vocabulary::new(&[("bit".to_owned(), false)]))
}

#[test]
fn count_is_parsed_as_one_variable_for_each_face() {
    let names = Vocabulary::new(&[]);
    let read = |source: &str, allowed| Formula::parse(source, Type::Integer, &names, allowed);
    let formula = read("count( 6 ) + 2 * count(20) - highest", VariableSet::patterns()).unwrap();
    let wanted = [Variable::count(6), Variable::count(20), Variable::HIGHEST];
    assert_eq!(formula.reads(), VariableSet::of(&wanted));
    assert_eq!(formula.canonical(&names), "((count(6) + (2 * count(20))) - highest)");
    let mut scope = Scope::default();
    wanted.iter().zip([3, 2, 5]).for_each(|(variable, value)| scope.set(*variable, value));
    assert_eq!(formula.value(&scope), Some(2));
    for source in [
        "count(0)",
        "count(21)",
        "count(score)",
        "count()",
        "count(1, 2)",
        "count(-1)",
        "count(256 + 1)",
    ] {
        let faults =
            read(source, VariableSet::patterns().union(VariableSet::of(&[Variable::SCORE])))
                .unwrap_err();
        assert!(faults[0].message.contains("a number from 1 to 20"), "{source}: {faults:?}");
    }
    let faults = read("1 + count(2)", VariableSet::of(&[Variable::SCORE])).unwrap_err();
    assert!(faults[0].offset == 4 && faults[0].message.contains("not known here"), "{faults:?}");
    let faults = read("cuont(2)", VariableSet::patterns()).unwrap_err();
    assert!(faults[0].fix.contains("`count`"), "{faults:?}");
    let faults = read("count", VariableSet::patterns()).unwrap_err();
    assert!(faults[0].fix.contains("count(f)"), "{faults:?}");
}

#[test]
fn faces_and_weights_may_be_computed_from_numbers_with_names() {
    let names = Vocabulary::new(&[]).with_numbers(vec![("lucky".to_owned(), 5)]);
    let read = |source: &str, expected| {
        Formula::parse(source, expected, &names, VariableSet::patterns()).unwrap()
    };
    let count = read("count(lucky + 1)", Type::Integer);
    assert_eq!(count.reads(), VariableSet::of(&[Variable::count(6)]));
    let die = read("[1, lucky, 2 * lucky]", Type::Die);
    let value = die.value(&Scope::default()).unwrap();
    assert_eq!(die.die_weights(value), Some(&[1, 5, 10][..]));
}

#[test]
fn a_part_without_a_value_is_named_with_what_it_found() {
    let why = |source: &str| {
        let formula = read(source, Type::Integer).unwrap();
        let mut scope = Scope::default();
        scope.set(Variable::SCORE, 7);
        assert_eq!(formula.value(&scope), None, "{source}");
        formula.why_no_value(&scope, &Vocabulary::new(&[("bit".to_owned(), false)]))
    };
    for (source, reason) in [
        ("12 / (score - 7)", "`12 / (score - 7)` divides by `score - 7`, which is 0"),
        ("busted ? 1 : 2 + score % bit", "`score % bit` divides by `bit`, which is 0"),
        ("1 / 0", "`1 / 0` divides by 0"),
        ("3 + pow(10, score * 9)", "`pow(10, (score * 9))` has no value for 10, 63"),
        ("score * 9223372036854775807 - 1", "`score * 9223372036854775807` has a value beyond 64"),
    ] {
        assert!(why(source).starts_with(reason), "{source}: {}", why(source));
    }
}

#[test]
fn operators_bind_as_in_c() {
    let numbers = [
        ("1 + 2 * 3 - 4", "((1 + (2 * 3)) - 4)"),
        ("score-1-2", "((score - 1) - 2)"),
        ("100 / score % 7 * 2", "(((100 / score) % 7) * 2)"),
        ("-score * 2", "((-score) * 2)"),
        ("3 - -2", "(3 - -2)"),
        ("-(2)", "(-2)"),
        ("0x1F + 007", "(31 + 7)"),
        ("-9223372036854775808", "-9223372036854775808"),
        ("busted ? 1 : bit == 1 ? 2 : 3", "(busted ? 1 : ((bit == 1) ? 2 : 3))"),
        ("busted ? bit == 1 ? 2 : 3 : 4", "(busted ? ((bit == 1) ? 2 : 3) : 4)"),
        (" max ( score,\n\topponent , 1 ) ", "max(score, opponent, 1)"),
    ];
    let conditions = [
        ("score < 3 || busted && bit + 1 >= 2", "((score < 3) || (busted && ((bit + 1) >= 2)))"),
        ("!busted && !(score == 1)", "((!busted) && (!(score == 1)))"),
        ("score < 3 == busted", "((score < 3) == busted)"),
        ("true != false", "(1 != 0)"),
    ];
    for (source, expected) in numbers {
        assert_eq!(bracketed(source, Type::Integer), expected, "{source}");
    }
    for (source, expected) in conditions {
        assert_eq!(bracketed(source, Type::Boolean), expected, "{source}");
    }
    assert_eq!(bracketed("busted ? [1, 3,] : 4", Type::Die), "(busted ? [1, 3] : 4)");
}

/// A formula with a fault, the fault's offset, and parts of its message and fix.
const FAULTY: &[(&str, usize, &str, &str)] = &[
    ("", 0, "empty", "add"),
    ("score = 3 ? 1 : 2", 6, "single `=`", "write =="),
    ("score === 3 ? 1 : 2", 6, "`===`", "write =="),
    ("score => 3 ? 1 : 2", 6, "`=>`", "write >="),
    ("busted & busted ? 1 : 2", 7, "single `&`", "write &&"),
    ("busted and busted", 7, "`and`", "write &&"),
    ("busted OR busted", 7, "`OR`", "write ||"),
    ("not busted", 0, "`not`", "write !"),
    ("not(busted)", 0, "`not`", "write !"),
    ("score mod 7", 6, "`mod`", "write %"),
    ("if score == 3 then 1 else 2", 0, "`if`", "condition ? value : other"),
    ("1 if busted else 2", 2, "`if`", "condition ? value : other"),
    ("True ? 1 : 2", 0, "`True`", "write true"),
    ("score in [1, 2]", 6, "`in`", "dice == 1 || dice == 2"),
    ("(score + 2", 0, "this `(` has no `)`", "add )"),
    ("max(score, 2", 3, "this `(` has no `)`", "add )"),
    ("[1, 2", 0, "this `[` has no `]`", "add ]"),
    ("(score]", 0, "this `(` has no `)`", "add )"),
    ("score + 2)", 9, "`)` without an opening", "leave it out"),
    ("busted ? 1", 7, "this `?` has no `:`", "condition ? value : other"),
    ("1 : 2", 2, "no `?` before it", "condition ? value : other"),
    ("score + $", 8, "`$`", "leave it out"),
    ("score × 2", 6, "`×`", "write *"),
    ("score − 2", 6, "minus", "write -"),
    ("9223372036854775808", 0, "64 bits", "9223372036854775807"),
    ("-99999999999999999999", 1, "64 bits", "9223372036854775807"),
    ("0x8000000000000000", 0, "64 bits", "9223372036854775807"),
    ("score 2", 6, "missing before `2`", "join"),
    ("2(score)", 1, "missing before `(`", "join"),
    ("2score", 0, "`2score`", "*"),
    ("1_000", 0, "`1_000`", "digits alone"),
    ("score * 1.5", 8, "fraction", "whole numbers"),
    ("score.max(3)", 5, "`.`", "functions"),
    ("'score'", 0, "text", "whole numbers"),
    ("score ^ 2", 6, "`^`", "pow(a, n)"),
    ("score ** 2", 6, "`**`", "pow(a, n)"),
    ("score // 2", 6, "`//`", "write /"),
    ("score # own", 6, "comment", "outside"),
    ("score +", 7, "ends", "add"),
    ("score + * 2", 8, "missing before `*`", "add"),
    ("+score", 0, "`+`", "leave it out"),
    ("(score, 2)", 6, "`,`", "leave it out"),
    ("score!", 5, "`!` after", "!="),
    ("1 < score < 5 ? 1 : 2", 0, "a yes or no", "do not chain"),
    ("score == opponent == bit ? 1 : 2", 21, "a whole number", "do not chain"),
    ("busted + 1", 0, "a yes or no", "? 1 : 0"),
    ("score ? 1 : 2", 0, "a whole number", "compare"),
    ("busted ? 1 : busted", 0, "branches differ", "one type"),
    ("min(score)", 0, "1 argument", "min(a, b, ...)"),
    ("1 + mim(score, 2)", 4, "unknown function `mim`", "`min`"),
    ("1 + scor", 4, "unknown name `scor`", "`score`"),
    ("points", 0, "only in `points` to `end` and the `next`", "score"),
    ("sum + rolled", 0, "only in `bust`", "score"),
    ("face", 0, "only in `face_points`", "score"),
    ("count(2)", 0, "only in `bust`, `points` to `end` and the `next`", "score"),
    ("dice", 0, "only in `die` to `end` and the `next`", "decided"),
    ("score_before", 0, "only in `score` to `end`", "`score` is the score before the turn"),
    ("bid", 0, "only in [bid]", "score"),
    ("count(score + 1)", 0, "a number from 1 to 20", "must not depend on the turn"),
    ("busted ? [1, score] : 6", 9, "weights are whole numbers", "[1, 3, 1, 3]"),
    ("[0, 0]", 0, "weights", "[1, 3, 1, 3]"),
    ("[1] == [1] ? 1 : 2", 0, "cannot be compared", "whole numbers"),
    ("1 == (busted ? [1] : 6) ? 1 : 2", 6, "a die", "`die`"),
];

#[test]
fn faults_have_an_offset_a_message_and_a_fix() {
    for (source, offset, message, fix) in FAULTY {
        let faults = read(source, Type::Integer).expect_err(source);
        let found = faults.iter().any(|fault| {
            fault.offset == *offset && fault.message.contains(message) && fault.fix.contains(fix)
        });
        assert!(found, "{source}: {faults:?}");
    }
    let both = read("scor + opponnent", Type::Integer).expect_err("two unknown names");
    assert_eq!(both.iter().map(|fault| fault.offset).collect::<Vec<_>>(), [0, 7]);
}

/// Parses and evaluates on a stack of 2 MiB, the default of threads; without optimisation, code
/// takes several times that.
fn value_on_a_small_stack(source: String) -> Result<Option<i64>, String> {
    let work = move || {
        let formula = read(&source, Type::Integer).map_err(|faults| faults[0].message.clone())?;
        let scope = Scope::default();
        let lookups = Lookups::default();
        let mut arrays = Arrays::new(2, &lookups, 0);
        for (axis, variable) in [Variable::SCORE, Variable::OPPONENT].into_iter().enumerate() {
            arrays.bind_axis(variable, axis, 0..=2, 0..3);
        }
        for variable in [Variable::BUSTED, Variable::memory(0)] {
            arrays.bind_constant(variable, 0);
        }
        let value = formula.value(&scope);
        assert_eq!(formula.values(&arrays).at(&[0, 0]), value);
        assert_eq!(formula.with_known(&scope, VariableSet::NONE).value(&scope), value);
        Ok(value)
    };
    let stack = if cfg!(debug_assertions) { 16 << 20 } else { 2 << 20 };
    std::thread::Builder::new().stack_size(stack).spawn(work).unwrap().join().expect("no overflow")
}

#[test]
fn deep_nesting_is_refused_and_never_overflows_the_stack() {
    let brackets = |count: usize| format!("{}1{}", "(".repeat(count), ")".repeat(count));
    assert_eq!(value_on_a_small_stack(brackets(99)), Ok(Some(1)));
    for source in
        [brackets(2000), "(".repeat(4096), "[".repeat(4096), "abs(".repeat(1000), "0?".repeat(2000)]
    {
        assert!(value_on_a_small_stack(source).unwrap_err().contains("deeper"));
    }
    let sum = |count: usize| format!("score{}", "+bit-1".repeat(count));
    assert_eq!(value_on_a_small_stack(sum(255)), Ok(Some(-255)));
    let choices = |count: usize| format!("{}opponent", "bit>9?9:".repeat(count));
    assert_eq!(value_on_a_small_stack(choices(500)), Ok(Some(0)));
    for source in
        [sum(600), format!("{}1", "-".repeat(4000)), format!("{}busted?1:2", "!".repeat(4000))]
    {
        assert!(value_on_a_small_stack(source).unwrap_err().contains("more than 512"));
    }
}

const WORDS: &str = "score opponent busted bit 1 0 -1 - + * / % == != < <= > >= && || ! ? : ( ) ( \
                     ) [ ] , min max is_prime abs true false 2.5 'a' in . 9223372036854775807 \
                     0x1F 1u // = & { } null é − \u{1F3B2}";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    /// Offsets of faults are character boundaries; a parsed formula is parsed again from its
    /// canonical form.
    #[test]
    fn any_text_is_parsed_or_refused(
        words in prop::collection::vec(
            prop::sample::select(WORDS.split_whitespace().collect::<Vec<_>>()),
            0..9,
        ),
        space in prop::sample::select(vec!["", " "])
    ) {
        let source = words.join(space);
        for expected in [Type::Integer, Type::Boolean, Type::Die] {
            match read(&source, expected) {
                Err(faults) => {
                    let are_at_letters =
                        faults.iter().all(|fault| source.is_char_boundary(fault.offset));
                    prop_assert!(are_at_letters);
                }
                // The canonical form writes truth values as numbers.
                Ok(_) if source.contains("true") || source.contains("false") => {}
                Ok(formula) => {
                    let again = read(&bracketed(&source, expected), expected);
                    let scope = Scope::default();
                    let value = formula.value(&scope);
                    prop_assert_eq!(again.map(|again| again.value(&scope)), Ok(value));
                }
            }
        }
    }
}
