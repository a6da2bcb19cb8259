//! The best roll in a position of Fall 2021, and what every other number of dice costs.

use hog::queries::{Best, BestAnswer};

fn best_roll() -> Result<BestAnswer, hog::Error> {
    hog::ask(&Best::at("fa21", 20, 36))
}

fn main() -> Result<(), hog::Error> {
    let answer = best_roll()?;
    println!("at 20 to 36 roll {:?}: win rate {:.6}", answer.best, answer.win_rate);
    for choice in &answer.choices {
        println!("{:2} dice lose {:.6}", choice.dice, answer.win_rate - choice.win_rate);
    }
    Ok(())
}

#[test]
fn eight_dice_are_best() {
    main().unwrap();
    assert_eq!(best_roll().unwrap().best, [8]);
}
