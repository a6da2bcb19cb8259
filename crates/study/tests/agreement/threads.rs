//! Results have the same bits with one thread and with many, and do not depend on the earlier
//! queries of a solver.

use hog_solve::solve::{Arithmetic, Solution, Solver, Watch, best_response, equilibrium, evaluate};

use super::games::{Subject, all, exactly, subject};

fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads").install(work)
}

/// Returns the numbers and sets of a solution, with floats as bits.
fn bits(solution: &Solution) -> impl PartialEq + use<> {
    let values = [Some(&solution.own), solution.other.as_ref()].into_iter().flatten();
    let values: Vec<(u64, u32)> = values
        .flat_map(|v| v.win_rates.iter().map(|rate| rate.to_bits()).zip(v.best.iter().copied()))
        .collect();
    let counts = (solution.ties, solution.loops, solution.error_bound.to_bits());
    (
        values,
        counts,
        solution.first_fraction().cloned(),
        solution.second().to_bits(),
        solution.average().to_bits(),
    )
}

fn same(subject: &Subject, what: &str, solve: impl Fn() -> Solution + Send + Sync) {
    let [one, four] = [1, 4].map(|threads| with_threads(threads, || bits(&solve())));
    assert!(one == four, "{}, {what}: four threads give other bits than one", subject.name);
}

#[test]
fn floats_have_the_same_bits_with_one_thread_and_with_four() {
    for subject in all() {
        let (game, baseline) = (&subject.game, subject.plan(&subject.baseline()));
        let optimal = subject.plan("optimal");
        let float = Arithmetic::Float;
        same(&subject, "equilibrium", || equilibrium(game, float, &Watch::silent()).unwrap());
        same(&subject, "best response", || {
            best_response(game, &baseline, float, &Watch::silent()).unwrap()
        });
        same(&subject, "evaluation", || {
            evaluate(game, [&optimal, &baseline], float, &Watch::silent()).unwrap()
        });
    }
}

#[test]
fn a_solver_gives_the_same_bits_to_concurrent_queries() {
    for subject in all() {
        let solver = Solver::new(&subject.game, Arithmetic::Float);
        let ask = || bits(&solver.equilibrium(&Watch::silent()).unwrap());
        let same = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..3).map(|_| scope.spawn(ask)).collect();
            threads.into_iter().all(|thread| thread.join().unwrap() == bits(subject.float()))
        });
        assert!(same, "{}", subject.name);
    }
}

#[test]
fn a_solver_gives_the_same_bits_after_other_queries() {
    for subject in all() {
        let (game, baseline, watch) =
            (&subject.game, subject.plan(&subject.baseline()), Watch::silent());
        let solver = Solver::new(game, Arithmetic::Float);
        for round in 0..2 {
            let optimal = subject.plan("optimal");
            let answers = [
                (
                    solver.best_response(&baseline, &watch),
                    best_response(game, &baseline, Arithmetic::Float, &watch),
                ),
                (solver.equilibrium(&watch), Ok(subject.float().clone())),
                (
                    solver.evaluate([&optimal, &baseline], &watch),
                    evaluate(game, [&optimal, &baseline], Arithmetic::Float, &watch),
                ),
            ];
            for (number, (found, fresh)) in answers.into_iter().enumerate() {
                let same = bits(&found.unwrap()) == bits(&fresh.unwrap());
                assert!(same, "{}, query {number}, round {round}", subject.name);
            }
        }
    }
}

#[test]
fn games_solved_in_blocks_have_the_same_bits_with_one_thread_and_with_four() {
    let subject = subject("fa21", 300);
    same(&subject, "equilibrium", || {
        equilibrium(&subject.game, Arithmetic::Float, &Watch::silent()).unwrap()
    });
}

#[test]
fn exact_numbers_have_the_same_bits_with_one_thread_and_with_four() {
    for subject in exactly() {
        let solve = || equilibrium(&subject.game, Arithmetic::Exact, &Watch::silent()).unwrap();
        let one = with_threads(1, || bits(&solve()));
        assert!(
            one == bits(subject.exact()),
            "{}: one thread gives other bits than all",
            subject.name
        );
    }
}
