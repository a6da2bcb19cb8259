//! Writes a scene as PNG. Marks are painted with tiny-skia, and letters as the outlines of the
//! shipped font.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use tiny_skia::{FillRule, LineJoin, Paint, PathBuilder, Pixmap, StrokeDash, Transform};
use ttf_parser::OutlineBuilder;

use super::colour::Rgb;
use super::font;
use super::scene::{Anchor, Dots, Mark, Path, PathMark, PathStep, Scene, Stroke, TextLine};
use super::svg::halo_width;

/// Paints a scene with `scale` pixels for each of its own, and encodes it; `None` if the picture is
/// empty or too large.
pub(super) fn document(scene: &Scene, scale: f64) -> Option<Vec<u8>> {
    let [width, height] = [scene.width, scene.height].map(|length| (length * scale).round() as u32);
    let mut canvas = Canvas { pixels: Pixmap::new(width, height)?, scale: scale as f32 };
    canvas.pixels.fill(colour(scene.paper, 1.0));
    for mark in &scene.marks {
        match mark {
            Mark::Path(mark) => canvas.path(mark),
            Mark::Dots(mark) => canvas.dots(mark),
            Mark::Text(mark) => canvas.text(mark),
        }
    }
    Some(encoded(&canvas.pixels, scale))
}

struct Canvas {
    pixels: Pixmap,
    scale: f32,
}

fn colour(Rgb(red, green, blue): Rgb, opacity: f64) -> tiny_skia::Color {
    tiny_skia::Color::from_rgba8(red, green, blue, (opacity * 255.0).round() as u8)
}

fn paint(fill: Rgb, opacity: f64, smooth: bool) -> Paint<'static> {
    let mut paint = Paint { anti_alias: smooth, ..Paint::default() };
    paint.set_color(colour(fill, opacity));
    paint
}

fn built(path: &Path) -> Option<tiny_skia::Path> {
    let mut builder = PathBuilder::new();
    for step in &path.steps {
        match *step {
            PathStep::Move(x, y) => builder.move_to(x as f32, y as f32),
            PathStep::Line(x, y) => builder.line_to(x as f32, y as f32),
            PathStep::Close => builder.close(),
        }
    }
    builder.finish()
}

fn line(stroke: Stroke, zoom: f32) -> tiny_skia::Stroke {
    tiny_skia::Stroke {
        width: stroke.width as f32 / zoom,
        line_join: LineJoin::Round,
        dash: stroke.dash.and_then(|dash| {
            StrokeDash::new(dash.map(|length| length as f32 / zoom).to_vec(), 0.0)
        }),
        ..tiny_skia::Stroke::default()
    }
}

impl Canvas {
    fn path(&mut self, mark: &PathMark) {
        let Some(path) = built(&mark.path) else { return };
        let sheet = Transform::from_scale(self.scale, self.scale);
        // Without anti-aliasing there are no seams between neighbouring cells.
        let (placed, zoom, smooth) = match mark.place {
            None => (sheet, 1.0, true),
            Some(place) => {
                let [left, bottom, cell] =
                    [place.left, place.bottom, place.cell].map(|length| length as f32);
                (
                    sheet.pre_concat(Transform::from_row(cell, 0.0, 0.0, -cell, left, bottom)),
                    cell,
                    false,
                )
            }
        };
        if let Some(fill) = mark.fill {
            self.pixels.fill_path(
                &path,
                &paint(fill, mark.opacity, smooth),
                FillRule::EvenOdd,
                placed,
                None,
            );
        }
        if let Some(stroke) = mark.stroke {
            let paint = paint(stroke.colour, mark.opacity, true);
            self.pixels.stroke_path(&path, &paint, &line(stroke, zoom), placed, None);
        }
    }

    fn dots(&mut self, mark: &Dots) {
        let sheet = Transform::from_scale(self.scale, self.scale);
        let rim = mark.rim.map(|rim| (rim, mark.radius + 1.0));
        for (fill, radius) in rim.into_iter().chain([(mark.fill, mark.radius)]) {
            let mut builder = PathBuilder::new();
            for (x, y) in &mark.centres {
                builder.push_circle(*x as f32, *y as f32, radius as f32);
            }
            if let Some(path) = builder.finish() {
                self.pixels.fill_path(
                    &path,
                    &paint(fill, 1.0, true),
                    FillRule::Winding,
                    sheet,
                    None,
                );
            }
        }
    }

    fn text(&mut self, mark: &TextLine) {
        let begun = match mark.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => -font::width(&mark.text, mark.size, mark.bold) / 2.0,
            Anchor::End => -font::width(&mark.text, mark.size, mark.bold),
        };
        let mut pen =
            LetterPen { path: PathBuilder::new(), begun, size: mark.size, left: 0.0, scale: 0.0 };
        font::outlines(&mark.text, mark.bold, &mut pen);
        let Some(path) = pen.path.finish() else { return };
        let mut placed = Transform::from_scale(self.scale, self.scale)
            .pre_translate(mark.x as f32, mark.y as f32);
        if mark.vertical {
            placed = placed.pre_rotate(-90.0);
        }
        if let Some(halo) = mark.halo {
            let around = line(Stroke::solid(halo, halo_width(mark.size)), 1.0);
            self.pixels.stroke_path(&path, &paint(halo, 1.0, true), &around, placed, None);
        }
        self.pixels.fill_path(&path, &paint(mark.fill, 1.0, true), FillRule::Winding, placed, None);
    }
}

/// Collects the outlines of letters, moved and scaled, in one path. The y axis of fonts points up.
struct LetterPen {
    path: PathBuilder,
    /// The left end of the text, and the size of the font.
    begun: f64,
    size: f64,
    /// The left end of the letter, and the size of a unit of its outline.
    left: f64,
    scale: f64,
}

impl font::Pen for LetterPen {
    fn begin(&mut self, right: f64, unit: f64) {
        (self.left, self.scale) = (self.begun + right * self.size, unit * self.size);
    }
}

impl LetterPen {
    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        ((self.left + f64::from(x) * self.scale) as f32, (-f64::from(y) * self.scale) as f32)
    }
}

impl OutlineBuilder for LetterPen {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let (x1, y1) = self.at(x1, y1);
        let (x, y) = self.at(x, y);
        self.path.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let (x1, y1) = self.at(x1, y1);
        let (x2, y2) = self.at(x2, y2);
        let (x, y) = self.at(x, y);
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}

/// Inches per metre, and pixels of the scene per inch.
const INCHES: f64 = 39.37;
const PIXELS_PER_INCH: f64 = 96.0;

/// Encodes the file: without transparency, and each row as the difference from the one above
/// (filter type 2), which compresses pictures with uniform areas best.
fn encoded(pixels: &Pixmap, scale: f64) -> Vec<u8> {
    let width = pixels.width() as usize;
    let mut zlib = ZlibEncoder::new(Vec::new(), Compression::new(6));
    let first_above = vec![0; 4 * width];
    let mut above = &first_above[..];
    for line in pixels.data().chunks_exact(4 * width) {
        let mut filtered = vec![2; 1 + 3 * width];
        // Millions of bytes pass here, so it is a plain loop: this crate is not optimised.
        let mut at = 0;
        while at < width {
            filtered[3 * at + 1] = line[4 * at].wrapping_sub(above[4 * at]);
            filtered[3 * at + 2] = line[4 * at + 1].wrapping_sub(above[4 * at + 1]);
            filtered[3 * at + 3] = line[4 * at + 2].wrapping_sub(above[4 * at + 2]);
            at += 1;
        }
        zlib.write_all(&filtered).expect("writing to memory");
        above = line;
    }
    let packed = zlib.finish().expect("writing to memory");
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    let size = [pixels.width(), pixels.height()].map(u32::to_be_bytes).concat();
    chunk(&mut out, *b"IHDR", &[&size[..], &[8, 2, 0, 0, 0]].concat());
    let density = (PIXELS_PER_INCH * scale * INCHES).round() as u32;
    chunk(&mut out, *b"pHYs", &[&density.to_be_bytes()[..], &density.to_be_bytes(), &[1]].concat());
    // Identifies the file as one made by hog.
    chunk(&mut out, *b"tEXt", b"Software\0Made by hog");
    chunk(&mut out, *b"IDAT", &packed);
    chunk(&mut out, *b"IEND", &[]);
    out
}

fn chunk(out: &mut Vec<u8>, name: [u8; 4], data: &[u8]) {
    let length = u32::try_from(data.len()).expect("a picture of less than 4 GB");
    out.extend(length.to_be_bytes());
    let from = out.len();
    out.extend(name);
    out.extend(data);
    out.extend(crc32fast::hash(&out[from..]).to_be_bytes());
}
