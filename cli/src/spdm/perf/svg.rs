//! Draws the results as SVG: two stacked bars per configuration, one for each side.

use super::report::Row;
use crate::drawing::{rectangle, text};

const WIDTH: u32 = 1100;
const MARGIN: u32 = 24;
/// The x position of the bars; labels are to the left.
const BARS_X: u32 = 420;
/// The width of the space for the number to the right of the longest bar.
const NUMBER_WIDTH: u32 = 110;
const TOP: u32 = 96;
const BAR_HEIGHT: u32 = 12;
/// The height of one configuration: its two bars and a gap.
const ROW_HEIGHT: u32 = 2 * BAR_HEIGHT + 10;

/// The parts of a bar, with their colors.
const PARTS: [(&str, &str); 5] = [
    ("certificates", "#4e79a7"),
    ("challenge", "#f28e2b"),
    ("key exchange", "#59a14f"),
    ("authentication in the key exchange", "#e15759"),
    ("other", "#bab0ac"),
];

/// Returns an SVG document.
pub(super) fn draw(rows: &[Row]) -> String {
    let height = TOP + ROW_HEIGHT * u32::try_from(rows.len()).unwrap_or(u32::MAX / (2 * ROW_HEIGHT)) + MARGIN;
    let mut svg = crate::drawing::begin(
        (WIDTH, height),
        "Time of an SPDM flow, microseconds: requester above, responder below; logarithmic length",
    );
    for (index, (name, color)) in (0..).zip(PARTS) {
        let x = MARGIN + index * 200;
        rectangle(&mut svg, [x, 52, 10, 10], color);
        text(&mut svg, (x + 16, 62), name);
    }
    let longest = rows.iter().flat_map(sides).map(total).fold(f64::MIN_POSITIVE, f64::max);
    for (index, row) in (0..).zip(rows) {
        let y = TOP + index * ROW_HEIGHT;
        text(&mut svg, (MARGIN, y + BAR_HEIGHT + 4), row.configuration());
        for (side, parts) in (0..).zip(sides(row)) {
            bar(&mut svg, y + side * BAR_HEIGHT, parts, longest);
        }
    }
    svg.push_str("</svg>\n");
    svg
}

/// Returns the parts of the requester's and the responder's time, in the order of [`PARTS`].
fn sides(row: &Row) -> [[f64; 5]; 2] {
    let (req, rsp) = (row.requester(), row.responder());
    [
        [
            req.cert_verify,
            req.chal_verify + req.chal_kem_auth_encap,
            req.key_ex_kem_gen + req.key_ex_kem_decap,
            req.key_ex_verify + req.key_ex_kem_auth_encap,
            req.other,
        ],
        [
            0.0,
            rsp.chal_sign + rsp.chal_kem_auth_decap,
            rsp.key_ex_kem_encap,
            rsp.key_ex_sign + rsp.key_ex_kem_auth_decap,
            rsp.other,
        ],
    ]
}

fn total(parts: [f64; 5]) -> f64 {
    parts.iter().sum()
}

/// Draws one bar. Its length grows with the logarithm of the total, because totals differ by a factor of thousands;
/// inside a bar, the parts have their true proportions.
fn bar(svg: &mut String, y: u32, parts: [f64; 5], longest: f64) {
    let all = total(parts);
    let room = f64::from(WIDTH - BARS_X - NUMBER_WIDTH);
    let length = (room * (1.0 + all).ln() / (1.0 + longest).ln()).max(1.0);
    let mut done = 0.0;
    for (part, (_, color)) in parts.into_iter().zip(PARTS) {
        let end = done + if all > 0.0 { part / all * length } else { 0.0 };
        let (left, right) = (done.round() as u32, end.round() as u32);
        if right > left {
            rectangle(svg, [BARS_X + left, y, right - left, BAR_HEIGHT - 2], color);
        }
        done = end;
    }
    text(svg, (BARS_X + length as u32 + 6, y + BAR_HEIGHT - 2), &format!("{all:.0}"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_fill_the_bar() {
        let mut svg = String::new();
        bar(&mut svg, 10, [0.0, 25.0, 25.0, 25.0, 25.0], 100.0);
        let widths = svg.lines().filter_map(|line| {
            let (_, rest) = line.split_once("width=\"")?;
            rest.split_once('"')?.0.parse::<u32>().ok()
        });
        let widths: Vec<u32> = widths.collect();
        assert_eq!((widths.len(), widths.iter().sum::<u32>()), (4, WIDTH - BARS_X - NUMBER_WIDTH));
        assert!(svg.ends_with(">100</text>\n"), "{svg}");
    }

    #[test]
    fn empty_bars_show_zero() {
        let mut svg = String::new();
        bar(&mut svg, 10, [0.0; 5], 100.0);
        assert!(svg.starts_with("<text") && svg.ends_with(">0</text>\n"), "{svg}");
    }
}
