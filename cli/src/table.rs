//! Tables that fit the terminal: if it is too narrow, the least important columns are dropped.

use crate::output::{BOLD, DIM, Output};
use std::io::{self, Write};

/// A column of a table.
#[derive(Clone, Copy)]
pub(crate) struct Column {
    /// The title.
    pub title: &'static str,
    /// Whether the cells are right-aligned, as numbers are.
    pub right_aligned: bool,
    /// The order in which columns are dropped, the lowest first; columns of rank 0 are never dropped.
    pub rank: u8,
}

impl Column {
    /// Makes a left-aligned column.
    pub(crate) const fn text(title: &'static str, rank: u8) -> Self {
        Self { title, right_aligned: false, rank }
    }

    /// Makes a right-aligned column.
    pub(crate) const fn number(title: &'static str, rank: u8) -> Self {
        Self { title, right_aligned: true, rank }
    }
}

/// Prints rows of cells; each row has one cell per column.
///
/// # Errors
/// Returns an error if writing fails.
pub(crate) fn print(out: &mut Output, columns: &[Column], rows: &[Vec<String>]) -> io::Result<()> {
    let widths: Vec<usize> = (0..columns.len()).map(|i| column_width(columns, rows, i)).collect();
    let shown = fitting_columns(columns, &widths, out.width());
    let titles: Vec<String> = columns.iter().map(|column| column.title.to_owned()).collect();
    writeln!(out, "{BOLD}{}{BOLD:#}", line(columns, &widths, &shown, &titles))?;
    for row in rows {
        writeln!(out, "{}", line(columns, &widths, &shown, row))?;
    }
    let hidden: Vec<&str> =
        (0..columns.len()).filter(|i| !shown.contains(i)).map(|i| columns[i].title).collect();
    if !hidden.is_empty() {
        writeln!(
            out,
            "{DIM}Columns hidden, because the terminal is too narrow: {}.{DIM:#}",
            hidden.join(", ")
        )?;
    }
    Ok(())
}

const GAP: usize = 2;

fn column_width(columns: &[Column], rows: &[Vec<String>], i: usize) -> usize {
    let cells = rows.iter().map(|row| row[i].chars().count());
    cells.chain([columns[i].title.chars().count()]).max().unwrap_or(0)
}

/// Returns the indexes of the columns that fit into `room` characters.
fn fitting_columns(columns: &[Column], widths: &[usize], room: usize) -> Vec<usize> {
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
        let cell =
            if columns[i].right_aligned { format!("{cell:>width$}") } else { format!("{cell:<width$}") };
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
    fn drops_the_least_important_column_first() {
        assert_eq!(fitting_columns(COLUMNS, &[4, 5, 10], 23), [0, 1, 2]);
        assert_eq!(fitting_columns(COLUMNS, &[4, 5, 10], 22), [0, 1]);
        assert_eq!(fitting_columns(COLUMNS, &[4, 5, 10], 10), [0]);
        assert_eq!(fitting_columns(COLUMNS, &[4, 5, 10], 1), [0]);
        assert_eq!(fitting_columns(COLUMNS, &[4, 5, 10], usize::MAX), [0, 1, 2]);
    }

    #[test]
    fn right_aligns_numbers_and_trims_line_ends() {
        let cells = ["a".to_owned(), "7".to_owned(), String::new()];
        assert_eq!(line(COLUMNS, &[4, 5, 10], &[0, 1, 2], &cells), "a         7");
    }
}
