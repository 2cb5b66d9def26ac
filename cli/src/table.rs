//! Tables that fit the terminal: where it is too narrow, the least important columns go.

use crate::output::{BOLD, DIM, Output};
use std::io::{self, Write};

/// A column: its title, how its cells are set, and what goes first when the room is short.
#[derive(Clone, Copy)]
pub(crate) struct Column {
    /// What stands above it.
    pub title: &'static str,
    /// Numbers are set to the right.
    pub right: bool,
    /// The lowest goes first; columns of rank 0 stay always.
    pub rank: u8,
}

impl Column {
    /// Text, set to the left.
    pub(crate) const fn text(title: &'static str, rank: u8) -> Self {
        Self { title, right: false, rank }
    }

    /// A number, set to the right.
    pub(crate) const fn number(title: &'static str, rank: u8) -> Self {
        Self { title, right: true, rank }
    }
}

/// Prints rows of cells; each row has a cell per column.
///
/// # Errors
/// Those of writing.
pub(crate) fn print(out: &mut Output, columns: &[Column], rows: &[Vec<String>]) -> io::Result<()> {
    let widths: Vec<usize> = (0..columns.len()).map(|i| column_width(columns, rows, i)).collect();
    let shown = fit(columns, &widths, out.width());
    let titles: Vec<String> = columns.iter().map(|column| column.title.to_owned()).collect();
    writeln!(out, "{BOLD}{}{BOLD:#}", line(columns, &widths, &shown, &titles))?;
    for row in rows {
        writeln!(out, "{}", line(columns, &widths, &shown, row))?;
    }
    let hidden: Vec<&str> =
        (0..columns.len()).filter(|i| !shown.contains(i)).map(|i| columns[i].title).collect();
    if !hidden.is_empty() {
        writeln!(out, "{DIM}Too narrow for: {}.{DIM:#}", hidden.join(", "))?;
    }
    Ok(())
}

const GAP: usize = 2;

fn column_width(columns: &[Column], rows: &[Vec<String>], i: usize) -> usize {
    let cells = rows.iter().map(|row| row[i].chars().count());
    cells.chain([columns[i].title.chars().count()]).max().unwrap_or(0)
}

/// The indexes of the columns that fit into `room`.
fn fit(columns: &[Column], widths: &[usize], room: usize) -> Vec<usize> {
    let mut shown: Vec<usize> = (0..columns.len()).collect();
    while shown.iter().map(|&i| widths[i] + GAP).sum::<usize>() > room.saturating_add(GAP) {
        let Some(least) =
            shown.iter().copied().filter(|&i| columns[i].rank > 0).min_by_key(|&i| columns[i].rank)
        else {
            break;
        };
        shown.retain(|&i| i != least);
    }
    shown
}

fn line(columns: &[Column], widths: &[usize], shown: &[usize], cells: &[String]) -> String {
    let mut line = String::new();
    for &i in shown {
        let (cell, width) = (&cells[i], widths[i]);
        let cell = if columns[i].right { format!("{cell:>width$}") } else { format!("{cell:<width$}") };
        line.push_str(&cell);
        line.push_str("  ");
    }
    line.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: &[Column] = &[Column::text("NAME", 0), Column::number("BYTES", 2), Column::text("OID", 1)];

    #[test]
    fn the_least_important_column_goes_first() {
        assert_eq!(fit(COLUMNS, &[4, 5, 10], 23), [0, 1, 2]);
        assert_eq!(fit(COLUMNS, &[4, 5, 10], 22), [0, 1]);
        assert_eq!(fit(COLUMNS, &[4, 5, 10], 10), [0]);
        assert_eq!(fit(COLUMNS, &[4, 5, 10], 1), [0]);
        assert_eq!(fit(COLUMNS, &[4, 5, 10], usize::MAX), [0, 1, 2]);
    }

    #[test]
    fn numbers_are_set_to_the_right_and_nothing_trails() {
        let cells = ["a".to_owned(), "7".to_owned(), String::new()];
        assert_eq!(line(COLUMNS, &[4, 5, 10], &[0, 1, 2], &cells), "a         7");
    }
}
