//! Tables of documentation, held to what is measured.

use crate::Used;

/// Checks the stack that work took against the documentation that states it, a Markdown table in the comments of `source`, in KiB
/// rounded up: the row that begins with `row`, and the column of this number, from 0.
///
/// It may be an eighth more or less, and one: compilers differ. A build with debug assertions has larger frames, up to twice as
/// large, so there it is no news that a number is too large.
///
/// # Errors
/// If there is no such number, or it does not hold.
pub fn hold_to_stated(source: &str, row: &str, column: usize, used: Used) -> Result<(), String> {
    let stated = stated(source, row, column).ok_or_else(|| format!("no number states \"{row}\""))?;
    let taken = used.stack.div_ceil(1024);
    let slack = stated / 8 + 1;
    let (least, most) =
        if cfg!(debug_assertions) { (0, 2 * stated) } else { (stated - slack, stated + slack) };
    if !(least..=most).contains(&taken) {
        return Err(format!("{row}: {taken} KiB of the stack; {stated} are stated in column {column}"));
    }
    Ok(())
}

fn stated(source: &str, row: &str, column: usize) -> Option<u64> {
    let start = format!("//! | {row} | ");
    let cells = source.lines().find_map(|line| line.strip_prefix(&start))?;
    cells.split('|').nth(column)?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "//! | | A | B |\n//! |---|---|---|\n//! | signing | 9 | 80 |\n";

    fn hold(row: &str, column: usize, kib: u64) -> Result<(), String> {
        hold_to_stated(SOURCE, row, column, Used { stack: kib << 10, ..Used::default() })
    }

    #[test]
    fn what_is_stated_is_the_most() {
        assert_eq!(hold("signing", 0, 9).and(hold("signing", 1, 80)), Ok(()));
        assert!(hold("signing", 1, 161).unwrap_err().contains("80 are stated"));
        assert_eq!(hold("signing", 1, 92).is_err(), !cfg!(debug_assertions));
        assert_eq!(hold("signing", 1, 60).is_err(), !cfg!(debug_assertions));
    }

    #[test]
    fn a_number_that_is_not_there_does_not_hold() {
        assert!(hold("verifying", 0, 1).and(hold("signing", 2, 1)).is_err());
    }
}
