//! `demo-picture`: draws the first comparison of `grille demo` as docs/demo.svg, from the program's real output.

use crate::outcome::{Failure, Outcome};
use crate::{process, tree};
use std::fmt::Write as _;
use std::process::Command;

const PICTURE: &str = "docs/demo.svg";
const PROGRAM: &str = "target/release/grille";

/// Height of a line in pixels.
const LINE_HEIGHT: usize = 18;
/// Width of a character in pixels.
const CHARACTER_WIDTH: f32 = 7.8;
const MARGIN: usize = 16;

/// Style of text, as set by escape sequences (Select Graphic Rendition): bold, dim and one colour.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Style {
    bold: bool,
    dim: bool,
    colour: Option<&'static str>,
}

/// Runs the given program, or the release build, and writes the picture.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    let program = match arguments {
        [] => tree::root().join(PROGRAM),
        [program] => program.into(),
        _ => return Err(Failure(vec!["usage: cargo xtask demo-picture [PROGRAM]".into()])),
    };
    if !program.is_file() {
        let reason = format!("cannot find {}: build it with `cargo build --release`", program.display());
        return Err(Failure(vec![reason]));
    }
    let mut demo = Command::new(program);
    demo.arg("demo").env("CLICOLOR_FORCE", "1").env_remove("NO_COLOR").current_dir(tree::root());
    let output = process::stdout(&mut demo)?;
    let lines = first_comparison(&output);
    std::fs::write(tree::root().join(PICTURE), svg(&lines))?;
    Ok(format!("{} lines of the demo are in {PICTURE}", lines.len()))
}

/// Returns the introduction and the first comparison: the output up to the title above the second rule.
fn first_comparison(output: &str) -> Vec<&str> {
    let lines: Vec<&str> = output.trim_matches('\n').lines().collect();
    let rules = lines.iter().enumerate().filter(|(_, line)| line.contains("────"));
    let end = rules.map(|(index, _)| index).nth(1).map_or(lines.len(), |rule| rule.saturating_sub(1));
    let end = lines[..end].iter().rposition(|line| !line.trim().is_empty()).map_or(0, |last| last + 1);
    lines[..end].to_vec()
}

fn svg(lines: &[&str]) -> String {
    let columns = lines.iter().map(|line| {
        styled_runs(line, &mut Style::default()).iter().map(|(_, text)| text.chars().count()).sum()
    });
    let columns: usize = columns.max().unwrap_or(0);
    let width = (columns as f32 * CHARACTER_WIDTH).ceil() as usize + 2 * MARGIN;
    let height = lines.len() * LINE_HEIGHT + 2 * MARGIN;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         role=\"img\">\n<title>Output of grille demo</title>\n<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#0d1117\"/>\n\
         <g font-family=\"ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace\" font-size=\"13\" \
         fill=\"#e6edf3\">\n"
    );
    let mut style = Style::default();
    for (index, line) in lines.iter().enumerate() {
        let y = MARGIN + index * LINE_HEIGHT + 13;
        let _ =
            write!(svg, "<text x=\"{MARGIN}\" y=\"{y}\" xml:space=\"preserve\" style=\"white-space:pre\">");
        for (style, text) in styled_runs(line, &mut style) {
            let _ = write!(svg, "<tspan{}>{}</tspan>", attributes(style), escape(&text));
        }
        svg.push_str("</text>\n");
    }
    svg.push_str("</g>\n</svg>\n");
    svg
}

/// Splits a line at its escape sequences, into pieces of text with their styles. `style` is the style at the start of
/// the line, and is updated to the style at its end.
fn styled_runs(line: &str, style: &mut Style) -> Vec<(Style, String)> {
    let mut runs = Vec::new();
    let mut parts = line.split("\x1b[");
    runs.push((*style, parts.next().unwrap_or_default().to_owned()));
    for part in parts {
        let (codes, text) = part.split_once('m').unwrap_or(("", part));
        codes.split(';').for_each(|code| apply(code, style));
        runs.push((*style, text.to_owned()));
    }
    runs.retain(|(_, text)| !text.is_empty());
    runs
}

fn apply(code: &str, style: &mut Style) {
    match code {
        "1" => style.bold = true,
        "2" => style.dim = true,
        "31" | "91" => style.colour = Some("#ff7b72"),
        "32" | "92" => style.colour = Some("#7ee787"),
        "33" | "93" => style.colour = Some("#e3b341"),
        "36" | "96" => style.colour = Some("#79c0ff"),
        _ => *style = Style::default(),
    }
}

fn attributes(style: Style) -> String {
    let bold = if style.bold { " font-weight=\"bold\"" } else { "" };
    let colour = style.colour.or(style.dim.then_some("#8b949e"));
    format!("{bold}{}", colour.map_or_else(String::new, |colour| format!(" fill=\"{colour}\"")))
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "\ngrille demo\n\nFirst\n────\n1 < 2\n\nSecond\n────\n3\n";

    #[test]
    fn draws_the_first_comparison_only() {
        assert_eq!(first_comparison(OUTPUT), ["grille demo", "", "First", "────", "1 < 2"]);
        assert_eq!(first_comparison("one\ntwo\n"), ["one", "two"]);
    }

    #[test]
    fn draws_styles_and_escapes_text() {
        let picture = svg(&["\x1b[1m\x1b[32mgood\x1b[0m & fast", "\x1b[2mdim\x1b[0m"]);
        assert!(
            picture.contains(
                "<tspan font-weight=\"bold\" fill=\"#7ee787\">good</tspan><tspan> &amp; fast</tspan>"
            ),
            "{picture}"
        );
        assert!(picture.contains("<tspan fill=\"#8b949e\">dim</tspan>"), "{picture}");
    }

    #[test]
    fn names_the_build_command_if_the_program_is_missing() {
        let failure = run(&["no/such/program".into()]).unwrap_err();
        assert!(failure.0[0].contains("cargo build --release"), "{failure:?}");
    }

    #[test]
    fn the_committed_picture_shows_the_demo() {
        assert!(tree::read(PICTURE).unwrap().contains("grille demo"));
    }
}
