//! Pictures of answers: which questions have one, and how it is made.

use std::any::Any;

use hog_engine::engine::{Call, Error};
use hog_engine::queries::{
    Answer, Best, Query, Request, Survey, SurveyAnswer, SurveyRow, Tune, Vary,
};

use super::drawn::{Drawing, Drawn, bound};
use super::kinds::{
    PlotBest, PlotDiff, PlotHold, PlotLength, PlotLoss, PlotPoints, PlotSpread, PlotVisits, PlotWin,
};
use super::{Caption, Picture, choices, families, survey, vary};

/// An answer and its picture.
pub struct DrawnAnswer {
    /// The answer.
    pub answer: Box<dyn Answer>,
    /// The picture.
    pub picture: Picture,
}

/// An entry of [`PICTURES`].
pub struct PictureEntry {
    /// The name of the question.
    pub question: &'static str,
    /// Finds the answer to such a question and draws it.
    pub draw: fn(&dyn Request, &Call, &Drawing) -> Result<DrawnAnswer, Error>,
}

impl PictureEntry {
    const fn of<Q: Drawn>() -> Self {
        Self {
            question: Q::NAME,
            draw: |request, call, drawing| {
                let request: &dyn Any = request;
                let question = request.downcast_ref::<Q>().expect("a request of this question");
                let (answer, picture) = question.drawn(call, drawing)?;
                Ok(DrawnAnswer { answer: Box::new(answer), picture })
            },
        }
    }
}

/// All questions whose answers can be drawn.
pub const PICTURES: &[PictureEntry] = &[
    PictureEntry::of::<Best>(),
    PictureEntry::of::<PlotBest>(),
    PictureEntry::of::<PlotDiff>(),
    PictureEntry::of::<PlotHold>(),
    PictureEntry::of::<PlotLength>(),
    PictureEntry::of::<PlotLoss>(),
    PictureEntry::of::<PlotPoints>(),
    PictureEntry::of::<PlotSpread>(),
    PictureEntry::of::<PlotVisits>(),
    PictureEntry::of::<PlotWin>(),
    PictureEntry::of::<Survey>(),
    PictureEntry::of::<Tune>(),
    PictureEntry::of::<Vary>(),
];

impl Drawn for Best {
    fn drawn(&self, call: &Call, drawing: &Drawing) -> Result<(Self::Answer, Picture), Error> {
        let answer = Query::answer(self, call)?;
        let rules = call.rules(&self.game)?;
        let caption = Caption::new(&rules, &answer.numbers.words).command(&drawing.command);
        let picture = choices(drawing.look, &caption, &answer, &call.prospects(self)?);
        Ok((answer, picture))
    }
}

impl Drawn for Tune {
    fn drawn(&self, call: &Call, drawing: &Drawing) -> Result<(Self::Answer, Picture), Error> {
        let answer = Query::answer(self, call)?;
        let rules = call.rules(&self.game)?;
        let caption = Caption::new(&rules, bound(answer.error_bound)).command(&drawing.command);
        let picture = families(drawing.look, &caption, &answer);
        Ok((answer, picture))
    }
}

impl Drawn for Vary {
    fn drawn(&self, call: &Call, drawing: &Drawing) -> Result<(Self::Answer, Picture), Error> {
        if self.vary.len() > 2 {
            return Err(Error::malformed(
                "a picture shows one number or two: leave one out, or write a .csv file",
            ));
        }
        let answer = Query::answer(self, call)?;
        if answer.rows.is_empty() {
            return Err(Error::malformed("no game has what is asked: there is nothing to draw"));
        }
        let rules = call.rules(&self.game)?;
        let caption = Caption {
            game: format!("{} ({})", rules.title, rules.called()),
            source: bound(answer.error_bound()),
            command: drawing.command.clone(),
        };
        let picture = vary(drawing.look, &caption, &answer).expect("one number or two");
        Ok((answer, picture))
    }
}

impl Drawn for Survey {
    fn drawn(&self, call: &Call, drawing: &Drawing) -> Result<(Self::Answer, Picture), Error> {
        let answer = Query::answer(self, call)?;
        let caption = survey_caption(&answer).command(&drawing.command);
        let picture = survey(drawing.look, &caption, &answer);
        Ok((answer, picture))
    }
}

fn survey_caption(answer: &SurveyAnswer) -> Caption {
    let game = match &answer.games[..] {
        [only] => format!("{}: goal {}", only.title, only.goal),
        games => format!("{} games, each to its own goal", games.len()),
    };
    let worst = answer.games.iter().map(SurveyRow::error_bound).fold(0.0, f64::max);
    Caption { game, source: bound(worst), command: String::new() }
}
