//! Draws bars as SVG: one group of bars for each algorithm. The picture has its own background, so that it is readable
//! in any theme.

use std::fmt::Write as _;

/// Width of the picture in pixels; a phone shows it without scaling.
const WIDTH: f64 = 480.0;
const MARGIN: f64 = 12.0;
/// Space for the value to the right of the longest bar.
const VALUE_WIDTH: f64 = 96.0;
const BAR_HEIGHT: f64 = 12.0;
const COLOURS: [&str; 3] = ["#097d70", "#e8863c", "#5e81ac"];

/// The bars of one algorithm; their order is that of the legend.
pub(super) struct Group {
    pub(super) label: String,
    pub(super) values: Vec<f64>,
}

/// Scale from values to the lengths of bars.
#[derive(Clone, Copy)]
pub(super) enum Scale {
    Linear,
    /// Each power of ten adds the same length.
    Logarithmic,
}

/// A picture of bars.
pub(super) struct Plot {
    /// Names of the bars in each group.
    pub(super) legend: &'static [&'static str],
    pub(super) unit: &'static str,
    pub(super) scale: Scale,
    pub(super) groups: Vec<Group>,
}

impl Plot {
    pub(super) fn svg(&self) -> String {
        let mut body = self.legend();
        let mut y = 40.0;
        for group in &self.groups {
            y = self.group(group, y, &mut body);
        }
        let height = y + MARGIN;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\">\n\
             <rect width=\"{WIDTH}\" height=\"{height}\" rx=\"8\" fill=\"#ffffff\"/>\n{body}</svg>\n"
        )
    }

    fn legend(&self) -> String {
        let mut body = String::new();
        let mut x = MARGIN;
        for (name, colour) in self.legend.iter().zip(COLOURS) {
            let _ = writeln!(body, "<rect x=\"{x}\" y=\"14\" width=\"12\" height=\"12\" fill=\"{colour}\"/>");
            let text = format!("{name} ({})", self.unit);
            text_at(&mut body, x + 17.0, 25.0, &text);
            x += 30.0 + 7.0 * f64::from(u32::try_from(text.chars().count()).unwrap_or(0));
        }
        body
    }

    /// Draws a group below the position `y`; returns the position below the group.
    fn group(&self, group: &Group, y: f64, body: &mut String) -> f64 {
        text_at(body, MARGIN, y + 12.0, &group.label);
        let mut y = y + 18.0;
        for (value, colour) in group.values.iter().zip(COLOURS) {
            let length = self.length(*value);
            let _ = writeln!(
                body,
                "<rect x=\"{MARGIN}\" y=\"{y}\" width=\"{length:.1}\" height=\"{BAR_HEIGHT}\" fill=\"{colour}\"/>"
            );
            text_at(body, MARGIN + length + 6.0, y + 11.0, &self.value(*value));
            y += BAR_HEIGHT + 3.0;
        }
        y + 6.0
    }

    /// Formats a value: bytes as a whole number, and measurements with three significant digits.
    fn value(&self, value: f64) -> String {
        if self.unit == "bytes" { grouped(&format!("{value:.0}")) } else { number(value) }
    }

    /// Returns the length of a bar. The longest bar fills the width, except for the space of its value.
    fn length(&self, value: f64) -> f64 {
        let all = self.groups.iter().flat_map(|group| group.values.iter().copied());
        let most = all.fold(1.0, f64::max);
        let part = match self.scale {
            Scale::Linear => value / most,
            Scale::Logarithmic => (1.0 + value).log10() / (1.0 + most).log10(),
        };
        (part * (WIDTH - 2.0 * MARGIN - VALUE_WIDTH)).max(1.0)
    }
}

fn text_at(body: &mut String, x: f64, y: f64, text: &str) {
    let _ = writeln!(body, "<text x=\"{x:.1}\" y=\"{y}\" font-size=\"13\" fill=\"#212529\">{text}</text>");
}

/// Formats a measurement with three significant digits, or all digits of a large one in groups of three.
pub(super) fn number(value: f64) -> String {
    match value {
        ..10.0 => format!("{value:.2}"),
        ..100.0 => format!("{value:.1}"),
        _ => grouped(&format!("{value:.0}")),
    }
}

/// Separates groups of three digits with commas.
fn grouped(digits: &str) -> String {
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_numbers() {
        assert_eq!(
            [1.005, 12.34, 123.4, 39256.8, 1_357_824.0].map(number),
            ["1.00", "12.3", "123", "39,257", "1,357,824"]
        );
    }

    #[test]
    fn longest_bar_fills_the_width() {
        let group = |label: &str, values: &[f64]| Group { label: label.into(), values: values.to_vec() };
        for scale in [Scale::Linear, Scale::Logarithmic] {
            let groups = vec![group("A", &[10.0, 1000.0]), group("B", &[0.0, 1.0])];
            let plot = Plot { legend: &["x", "y"], unit: "bytes", scale, groups };
            assert_eq!(plot.length(1000.0), WIDTH - 2.0 * MARGIN - VALUE_WIDTH);
            assert!(plot.length(10.0) < plot.length(1000.0) && plot.length(0.0) == 1.0);
            let svg = plot.svg();
            assert_eq!(svg.matches("<rect").count(), 1 + 2 + 4, "{svg}");
            assert!(svg.contains(">1,000</text>") && svg.contains(">10</text>"), "{svg}");
            assert!(svg.contains(">y (bytes)</text>"), "{svg}");
        }
    }
}
