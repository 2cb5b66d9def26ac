//! Checks memory figures in documentation against measurements.

use crate::{Usage, measure};

/// Checks the stack use of operations against a column of a Markdown table in the comments of `source`. The table
/// states KiB, rounded up. Each row of the table is one operation. `number` is the index of the column, from 0.
///
/// A stated number may be too small by an eighth plus one KiB, because compilers differ. With AVX-512, which needs the
/// most stack, it may be too large by the same amount. At other levels, it may be too large by any amount. Builds with
/// debug assertions have frames up to twice as large, so a number that is too large is not reported there.
///
/// # Panics
/// Panics if any operation does not match its row. The message names every such operation.
pub fn check_column(source: &str, number: usize, operations: impl FnOnce(&mut Column<'_>)) {
    let mut column = Column { source, number, failures: Vec::new() };
    operations(&mut column);
    assert!(column.failures.is_empty(), "{:#?}", column.failures);
}

/// A column of a documentation table under test; see [`check_column`].
pub struct Column<'a> {
    source: &'a str,
    number: usize,
    failures: Vec<String>,
}

/// The expected heap use of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heap {
    /// The operation allocates nothing.
    None,
    /// The operation allocates at least once.
    Some,
}

impl Column<'_> {
    /// Checks an operation against the row that begins with `row`.
    pub fn check(&mut self, row: &str, heap: Heap, work: impl FnOnce() + Send) {
        let used = measure(work).map(|((), used)| used).map_err(|error| error.to_string());
        let result = used.and_then(|used| check(self.source, row, self.number, heap, used));
        self.failures.extend(result.err());
    }
}

fn check(source: &str, row: &str, column: usize, heap: Heap, used: Usage) -> Result<(), String> {
    if (used.allocations == 0) != (heap == Heap::None) {
        return Err(format!("{row}: {} allocations, expected {heap:?}", used.allocations));
    }
    let stated =
        documented_value(source, row, column).ok_or_else(|| format!("no documented number for \"{row}\""))?;
    let taken = used.stack.div_ceil(1024);
    let slack = stated / 8 + 1;
    let most = if cfg!(debug_assertions) { 2 * stated } else { stated + slack };
    let least = if needs_most_stack() { stated.saturating_sub(slack) } else { 0 };
    if !(least..=most).contains(&taken) {
        return Err(format!("{row}: {taken} KiB of stack, but column {column} states {stated} KiB"));
    }
    Ok(())
}

/// Checks whether this build runs at the level whose stack use the documentation states: AVX-512, without debug
/// assertions.
fn needs_most_stack() -> bool {
    #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
    return std::arch::is_x86_feature_detected!("avx512vbmi2");
    #[cfg(not(all(target_arch = "x86_64", not(debug_assertions))))]
    false
}

fn documented_value(source: &str, row: &str, column: usize) -> Option<u64> {
    let start = format!("//! | {row} | ");
    let cells = source.lines().find_map(|line| line.strip_prefix(&start))?;
    cells.split('|').nth(column)?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "//! | | A | B |\n//! |---|---|---|\n//! | signing | 9 | 80 |\n";

    fn check_stack(row: &str, column: usize, kib: u64) -> Result<(), String> {
        check(SOURCE, row, column, Heap::None, Usage { stack: kib << 10, ..Usage::default() })
    }

    #[test]
    fn documented_stack_is_an_upper_bound() {
        assert_eq!(check_stack("signing", 0, 9).and(check_stack("signing", 1, 80)), Ok(()));
        assert!(check_stack("signing", 1, 161).unwrap_err().contains("states 80 KiB"));
        assert_eq!(check_stack("signing", 1, 92).is_err(), !cfg!(debug_assertions));
        assert_eq!(check_stack("signing", 1, 60).is_err(), needs_most_stack());
    }

    #[test]
    fn rejects_missing_rows_and_columns() {
        assert!(check_stack("verifying", 0, 1).and(check_stack("signing", 2, 1)).is_err());
    }

    #[test]
    fn checks_heap_use_against_documentation() {
        for (heap, allocations, holds) in
            [(Heap::None, 0, true), (Heap::None, 1, false), (Heap::Some, 0, false), (Heap::Some, 2, true)]
        {
            let used = Usage { stack: 9 << 10, allocations, ..Usage::default() };
            assert_eq!(check(SOURCE, "signing", 0, heap, used).is_ok(), holds, "{heap:?}, {allocations}");
        }
    }

    #[test]
    fn failure_message_names_every_row() {
        let column = |rows: &'static [&str]| {
            std::panic::catch_unwind(|| {
                check_column(SOURCE, 0, |column| {
                    rows.iter().for_each(|row| column.check(row, Heap::None, || ()));
                });
            })
        };
        let panic = column(&["one", "signing", "other"]).unwrap_err();
        let message = panic.downcast_ref::<String>().expect("a message");
        assert!(message.contains("\"one\\\"") && message.contains("other"), "{message}");
    }
}
