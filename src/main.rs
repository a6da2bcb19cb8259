use hog::game::*;
use hog::solve::*;
use std::time::Instant;
struct Always(i32);
impl Policy for Always {
    fn dice(&self, _: &Position) -> Result<i32, PolicyError> {
        Ok(self.0)
    }
}
fn main() {
    for id in ["fa21", "nju21", "su15", "sp15", "fa19"] {
        let t = Instant::now();
        let r = hog::rules::load(id, Default::default()).unwrap();
        let g = Game::new(r).map_err(|e| e.to_string()).unwrap();
        println!("{id} build {:?}", t.elapsed());
        let s = equilibrium(&g, Arithmetic::Float, &Watch::silent()).unwrap();
        println!(
            "  float {:?} {} bound {:e} ties {} loops {} roll {:?}",
            s.elapsed,
            s.first(),
            s.error_bound,
            s.ties,
            s.loops,
            g.space().dice_in(s.first_roll())
        );
        for _ in 0..3 {
            let s = equilibrium(&g, Arithmetic::Float, &Watch::silent()).unwrap();
            println!("  float {:?}", s.elapsed);
        }
        let e = equilibrium(&g, Arithmetic::Exact, &Watch::silent()).unwrap();
        println!("  exact {:?} {} ties {} loops {}", e.elapsed, e.first(), e.ties, e.loops);
        let worst = s.own.win_rates.iter().zip(&e.own.win_rates).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        println!("  worst {worst:e}");
        let wrong = s.own.best.iter().zip(&e.own.best).filter(|(a, b)| a != b).count();
        println!("  sets differ {wrong}");
        let (a, b) = (Plan::tabulate(&g, &Always(4)).unwrap(), Plan::tabulate(&g, &Always(6)).unwrap());
        let v = evaluate(&g, [&a, &b], Arithmetic::Float, &Watch::silent()).unwrap();
        println!(
            "  4 v 6 {:?} {} {} {} endless {:?}",
            v.elapsed,
            v.first(),
            v.second(),
            v.average(),
            endless(&g, [&a, &b], &Watch::silent())
        );
        let z = Plan::tabulate(&g, &Always(0)).unwrap();
        println!(" 0v0 endless {:?}", endless(&g, [&z, &z], &Watch::silent()));
        let b = best_response(&g, &b, Arithmetic::Float, &Watch::silent()).unwrap();
        println!("  beat 6 {:?} {} {} {}", b.elapsed, b.first(), b.second(), b.average());
    }
}
