//! PNG: text and colours are drawn.

use hog_engine::Engine;
use hog_engine::queries::GivenMap;
use hog_plot::{Caption, Look, Picture, Rgb, Shade, Size, dice_colours};

/// A picture read back from its PNG.
struct Pixels {
    width: usize,
    height: usize,
    colours: Vec<Rgb>,
}

impl Pixels {
    fn of(picture: &Picture) -> Self {
        let decoder = png::Decoder::new(std::io::Cursor::new(picture.png()));
        let mut reader = decoder.read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let frame = reader.next_frame(&mut bytes).unwrap();
        assert_eq!(frame.color_type, png::ColorType::Rgb);
        let colours =
            bytes.chunks_exact(3).map(|pixel| Rgb(pixel[0], pixel[1], pixel[2])).collect();
        Self { width: frame.width as usize, height: frame.height as usize, colours }
    }

    /// Returns the number of pixels of a colour in a band of rows (from and to, as shares of the
    /// height).
    fn count(&self, from: f64, to: f64, colour: Rgb) -> usize {
        let row = |share: f64| (share * self.height as f64) as usize * self.width;
        self.colours[row(from)..row(to)].iter().filter(|found| **found == colour).count()
    }
}

fn best(look: Look) -> Picture {
    let engine = Engine::builder().build();
    let map = engine.call().score_map(&GivenMap::of("fa21")).unwrap();
    hog_plot::best(look, &Caption::of(&map).command("hog plot best fa21"), &map)
}

#[test]
fn every_number_of_dice_colours_as_many_pixels_as_its_cells_have() {
    let pixels = Pixels::of(&best(Look::default()));
    let engine = Engine::builder().build();
    let map = engine.call().score_map(&GivenMap::of("fa21")).unwrap();
    // A cell is 5 by 5 units at two pixels each; ties, labels and the frame cover some cells, and
    // the legend adds some pixels.
    for (dice, colour) in dice_colours(Shade::Light).into_iter().enumerate() {
        let cells =
            (0..10_000).filter(|cell| map.dice(cell / 100, cell % 100) == dice as i32).count();
        let found = pixels.count(0.0, 1.0, colour) as f64 / 100.0;
        assert!(
            (0.85 * cells as f64..1.2 * cells as f64 + 60.0).contains(&found),
            "{dice}: {found} for {cells}"
        );
    }
}

#[test]
fn text_is_drawn_in_the_ink_of_the_theme() {
    for (shade, ink, paper) in [
        (Shade::Light, Rgb(0x16, 0x18, 0x1d), Rgb(255, 255, 255)),
        (Shade::Dark, Rgb(0xec, 0xee, 0xf2), Rgb(0x15, 0x18, 0x1d)),
    ] {
        let pixels = Pixels::of(&best(Look { shade, ..Look::default() }));
        let title = pixels.count(0.0, 0.07, ink);
        // The title has about thirty letters in 36 pixels; letters without outlines would leave no
        // pixels.
        assert!((3_000..40_000).contains(&title), "{shade:?}: {title}");
        assert!(pixels.count(0.0, 0.07, paper) > 50_000, "{shade:?}");
        assert!(
            pixels.count(0.94, 1.0, paper) < pixels.width * pixels.height * 6 / 100,
            "{shade:?}: no source in the corner"
        );
    }
}

#[test]
fn pictures_have_the_documented_sizes() {
    let of = |size: Size| {
        let pixels = Pixels::of(&best(Look { size, ..Look::default() }));
        (pixels.width, pixels.height)
    };
    assert_eq!(of(Size::Slide), (1920, 1080));
    assert_eq!((of(Size::Page).0, of(Size::Column).0), (1520, 1380));
}
