//! The table of the demo: rows with the bytes and times of two connections.

use crate::output::{BOLD, DIM, Output};
use std::io::{self, Write};
use std::time::Duration;

const LABEL_WIDTH: usize = 24;
const NUMBER_WIDTH: usize = 9;

/// The length of the longest line.
pub(super) const LINE_LENGTH: usize = LABEL_WIDTH + 4 * NUMBER_WIDTH;

/// A row of the table: a label with optional bytes and time.
pub(super) struct Row {
    label: String,
    bytes: Option<u64>,
    time: Option<Duration>,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Heading,
    Message,
    /// A computation that one side makes for the message in the row above.
    Step,
    Total,
}

impl Row {
    pub(super) fn heading(label: &str) -> Self {
        Self { label: label.to_owned(), bytes: None, time: None, kind: Kind::Heading }
    }

    pub(super) fn message(label: impl Into<String>, bytes: impl TryInto<u64>) -> Self {
        Self { label: label.into(), bytes: bytes.try_into().ok(), time: None, kind: Kind::Message }
    }

    pub(super) fn step(label: &str, time: Option<Duration>) -> Self {
        Self { label: format!("    {label}"), bytes: None, time, kind: Kind::Step }
    }

    /// Makes a message row with bytes and time.
    pub(super) fn timed(label: &str, bytes: u64, time: Duration) -> Self {
        Self { label: label.to_owned(), bytes: Some(bytes), time: Some(time), kind: Kind::Message }
    }

    pub(super) fn total(label: &str, bytes: u64, time: Duration) -> Self {
        Self { label: label.to_owned(), bytes: Some(bytes), time: Some(time), kind: Kind::Total }
    }
}

/// Prints the rows of two sessions side by side; both have the same messages.
pub(super) fn table(out: &mut Output, left: &[Row], right: &[Row]) -> io::Result<()> {
    writeln!(
        out,
        "{DIM}{:LABEL_WIDTH$}{:>NUMBER_WIDTH$}{:>NUMBER_WIDTH$}{:>NUMBER_WIDTH$}{:>NUMBER_WIDTH$}{DIM:#}",
        "", "bytes", "µs", "bytes", "µs"
    )?;
    for (left, right) in left.iter().zip(right) {
        let numbers = [bytes(left), time(left), bytes(right), time(right)];
        let numbers: String = numbers.iter().map(|number| format!("{number:>NUMBER_WIDTH$}")).collect();
        let style = match left.kind {
            Kind::Heading | Kind::Total => BOLD,
            Kind::Message => anstyle::Style::new(),
            Kind::Step => DIM,
        };
        let label: String = left.label.chars().take(LABEL_WIDTH).collect();
        writeln!(out, "{style}{}{style:#}", format!("{label:LABEL_WIDTH$}{numbers}").trim_end())?;
    }
    Ok(())
}

fn bytes(row: &Row) -> String {
    row.bytes.map_or_else(String::new, |bytes| group_thousands(bytes.into()))
}

fn time(row: &Row) -> String {
    row.time.map_or_else(String::new, |time| group_thousands(time.as_micros()))
}

/// Formats a number with thousands separators: 1,234,567.
fn group_thousands(number: u128) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
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
    fn groups_thousands() {
        assert_eq!([0, 999, 1000, 1_234_567].map(group_thousands), ["0", "999", "1,000", "1,234,567"]);
    }
}
