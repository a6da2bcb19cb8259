//! Temporary.
fn main() {
    let mut args = std::env::args().skip(1);
    let file = args.next().unwrap();
    let goal: u32 = args.next().unwrap().parse().unwrap();
    let exact = args.next().is_some();
    let text = std::fs::read_to_string(&file).unwrap();
    let overrides = hog_rules::rules::Overrides { goal: Some(goal), max_dice: None };
    let t = std::time::Instant::now();
    let rules = match hog_rules::rules::rules_from_text(&text, &file, overrides) { Ok(r) => r, Err(e) => { println!("{e}"); return } };
    let game = match hog_solve::game::Game::new(rules) { Ok(r) => r, Err(e) => { println!("{e}"); return } };
    println!("{:?} {:?} {} states, {} distributions {:?}", t.elapsed(), game.space(), game.space().states(), game.distributions().len(), game.order());
    let mut menus: Vec<(usize, usize, usize)> = game.distributions().iter().map(|d| (d.outcomes.len(), d.menus.len(), d.menus.iter().map(|m| m.1.len()).sum())).collect();
    menus.sort(); menus.dedup(); println!("{:?}", &menus[menus.len().saturating_sub(6)..]);
    let a = if exact { hog_solve::solve::Arithmetic::Exact } else { hog_solve::solve::Arithmetic::Float };
    let s = hog_solve::solve::equilibrium(&game, a, &hog_solve::solve::Watch::silent()).unwrap();
    println!("{:?} first {:.16} bound {:e} loops {} {:?}", t.elapsed(), s.first(), s.error_bound, s.loops, s.elapsed);
    if let Some(f) = s.first_fraction() { let f = f.to_string(); println!("{} digits {}", f.len(), &f[..f.len().min(100)]); }
}
