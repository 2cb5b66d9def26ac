//! Draws the results as SVG: a bar for the mean handshake time of each side.

use super::result::{CLIENT, CombinationResult, SERVER};
use crate::drawing::{begin, rectangle, text};

const WIDTH: u32 = 960;
const MARGIN: u32 = 24;
/// The x position of the bars; labels are to the left.
const BARS_X: u32 = 400;
/// The width for the number after the longest bar.
const NUMBER_WIDTH: u32 = 110;
const TOP: u32 = 70;
const BAR_HEIGHT: u32 = 14;
/// The height of one combination: its two bars and a gap.
const ROW_HEIGHT: u32 = 2 * BAR_HEIGHT + 12;

/// Returns an SVG document.
pub(super) fn draw_chart(results: &[CombinationResult]) -> String {
    let height =
        TOP + ROW_HEIGHT * u32::try_from(results.len()).unwrap_or(u32::MAX / (2 * ROW_HEIGHT)) + MARGIN;
    let longest =
        results.iter().flat_map(CombinationResult::sides).map(|(_, side)| side.connect_mean_milliseconds);
    let longest = longest.fold(f64::MIN_POSITIVE, f64::max);
    let mut svg = begin((WIDTH, height), "Mean time of a TLS 1.3 handshake, milliseconds");
    for (x, role) in [(MARGIN, &SERVER), (MARGIN + 90, &CLIENT)] {
        let y = 44;
        rectangle(&mut svg, [x, y, 10, 10], role.color);
        text(&mut svg, (x + 16, y + 10), role.name);
    }
    for (n, result) in (0..).zip(results) {
        let y = TOP + n * ROW_HEIGHT;
        let server = result.signature.or(result.peer.as_deref()).unwrap_or_default();
        let name = format!("{}, {server}, {}", result.group, result.cipher_suite);
        text(&mut svg, (MARGIN, y + BAR_HEIGHT), &name);
        for (row, (role, side)) in (0..).zip(result.sides()) {
            let time = side.connect_mean_milliseconds;
            // A bar has at least one pixel and at most the full width.
            let length = (time / longest * f64::from(WIDTH - BARS_X - NUMBER_WIDTH)).max(1.0) as u32;
            let top = y + row * BAR_HEIGHT;
            rectangle(&mut svg, [BARS_X, top, length, BAR_HEIGHT - 2], role.color);
            text(&mut svg, (BARS_X + length + 6, top + BAR_HEIGHT - 3), &format!("{time:.3}"));
        }
    }
    svg.push_str("</svg>\n");
    svg
}
