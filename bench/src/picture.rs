//! Draws one picture per family: a column per algorithm, a group of bars per operation, a bar per library; shorter is
//! faster.

use crate::families::Family;
use grille_bench_harness::report::{Figure, Outcome, Report};
use plotters::backend::SVGBackend;
use plotters::coord::Shift;
use plotters::drawing::DrawingAreaErrorKind;
use plotters::prelude::{
    Color, DrawingArea, DrawingBackend, IntoDrawingArea, IntoFont, RGBColor, Rectangle, Text, WHITE,
};
use std::path::Path;

type Canvas<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type DrawResult = Result<(), DrawingAreaErrorKind<<SVGBackend<'static> as DrawingBackend>::ErrorType>>;

const MARGIN: i32 = 24;
const HEADER_HEIGHT: i32 = 76;
const COLUMN_WIDTH: i32 = 400;
const COLUMN_GAP: i32 = 28;
const TITLE_HEIGHT: i32 = 30;
const BAR_HEIGHT: i32 = 17;
const GROUP_GAP: i32 = 26;
/// Maximum length of a bar, as a multiple of grille's; longer bars are cut.
const MAX_BAR_RATIO: f64 = 6.0;
/// Length of grille's bar in pixels.
const GRILLE_BAR_LENGTH: f64 = 38.0;

const INK: RGBColor = RGBColor(33, 37, 41);
const GREY: RGBColor = RGBColor(120, 128, 136);
const GRILLE_COLOUR: RGBColor = RGBColor(9, 125, 112);

/// The colour of each library.
#[rustfmt::skip]
const COLOURS: &[(&str, RGBColor)] = &[
    ("grille",     GRILLE_COLOUR),
    ("liboqs",     RGBColor(232, 134, 60)),
    ("liboqs 0.7", RGBColor(240, 185, 120)),
    ("aws-lc-rs",  RGBColor(94, 129, 172)),
    ("libcrux",    RGBColor(163, 128, 180)),
    ("RustCrypto", RGBColor(191, 97, 106)),
    ("Go",         RGBColor(110, 180, 200)),
];

/// Draws the family's picture into the file.
///
/// # Errors
/// Returns an error if the file cannot be written.
pub fn draw(report: &Report, family: &Family<'_>, file: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let algorithms = family.algorithms();
    let height =
        algorithms.iter().map(|(_, outcomes)| outcomes.iter().map(|o| group_height(o)).sum::<i32>()).max();
    let columns = algorithms.len() as i32;
    let width = 2 * MARGIN + columns * COLUMN_WIDTH + (columns - 1) * COLUMN_GAP;
    let height = HEADER_HEIGHT + TITLE_HEIGHT + height.unwrap_or(0) + MARGIN;
    let canvas = SVGBackend::new(file, (width as u32, height as u32)).into_drawing_area();
    canvas.fill(&WHITE)?;
    let level = &report.level;
    text(
        &canvas,
        &format!("{}: grille at level {level} and other libraries", family.name),
        (MARGIN, 16),
        22.0,
        INK,
    )?;
    let note = format!("{}. Time per operation, shorter is faster; × as long as grille.", report.machine.cpu);
    text(&canvas, &note, (MARGIN, 44), 13.0, GREY)?;
    for (i, (name, outcomes)) in algorithms.iter().enumerate() {
        column(&canvas, MARGIN + i as i32 * (COLUMN_WIDTH + COLUMN_GAP), name, outcomes)?;
    }
    canvas.present()?;
    Ok(())
}

fn group_height(outcome: &Outcome) -> i32 {
    outcome.figures.len() as i32 * BAR_HEIGHT + GROUP_GAP
}

fn column(canvas: &Canvas<'_>, x: i32, name: &str, outcomes: &[&Outcome]) -> DrawResult {
    text(canvas, name, (x, HEADER_HEIGHT), 17.0, INK)?;
    let mut y = HEADER_HEIGHT + TITLE_HEIGHT;
    for outcome in outcomes {
        text(canvas, &outcome.operation, (x, y), 13.0, GREY)?;
        for (i, figure) in outcome.figures.iter().enumerate() {
            bar(canvas, (x, y + 18 + i as i32 * BAR_HEIGHT), figure)?;
        }
        y += group_height(outcome);
    }
    Ok(())
}

fn bar(canvas: &Canvas<'_>, (x, y): (i32, i32), figure: &Figure) -> DrawResult {
    let colour = COLOURS.iter().find(|(name, _)| *name == figure.peer).map_or(GREY, |(_, colour)| *colour);
    let length = (figure.ratio.min(MAX_BAR_RATIO) * GRILLE_BAR_LENGTH) as i32;
    canvas.draw(&Rectangle::new([(x, y), (x + length, y + BAR_HEIGHT - 4)], colour.filled()))?;
    if figure.ratio > MAX_BAR_RATIO {
        // marks a cut bar
        let cut = x + length - 14;
        canvas.draw(&Rectangle::new([(cut, y), (cut + 4, y + BAR_HEIGHT - 4)], WHITE.filled()))?;
    }
    let is_own = figure.peer == "grille";
    let ratio = if is_own { String::new() } else { format!(" · {:.1}×", figure.ratio) };
    let label = format!("{} · {} µs{ratio}", figure.peer, microseconds(figure.time));
    text(canvas, &label, (x + length + 6, y), 12.0, if is_own { GRILLE_COLOUR } else { INK })
}

/// Formats a time in microseconds with three digits.
fn microseconds(nanoseconds: f64) -> String {
    let time = nanoseconds / 1e3;
    if time < 10.0 {
        format!("{time:.2}")
    } else if time < 100.0 {
        format!("{time:.1}")
    } else {
        format!("{time:.0}")
    }
}

fn text(canvas: &Canvas<'_>, words: &str, at: (i32, i32), size: f64, colour: RGBColor) -> DrawResult {
    canvas.draw(&Text::new(words.to_owned(), at, ("sans-serif", size).into_font().color(&colour)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_times_with_three_digits() {
        assert_eq!(microseconds(9_994.0), "9.99");
        assert_eq!(microseconds(12_340.0), "12.3");
        assert_eq!(microseconds(123_400.0), "123");
    }
}
