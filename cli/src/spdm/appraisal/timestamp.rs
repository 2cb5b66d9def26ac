//! Timestamps of verdicts: UTC, such as `2026-11-27T03:15:00Z`.

use std::time::Duration;

/// Parses a timestamp to seconds since 1970; `None` if it is malformed, or before 1970.
pub(in crate::spdm) fn parse(text: &str) -> Option<Duration> {
    let (date, time) = text.strip_suffix('Z')?.split_once('T')?;
    let [year, month, day] = numbers(date, '-')?;
    let [hour, minute, second] = numbers(time, ':')?;
    let fits = (1970..10_000).contains(&year)
        && (1..=12).contains(&month)
        && (1..=31).contains(&day)
        && hour < 24
        && minute < 60
        && second < 60;
    let days = || days_before(year) + days_of_months(year, month) + day - 1;
    fits.then(|| Duration::from_secs(((days() * 24 + hour) * 60 + minute) * 60 + second))
}

fn numbers(text: &str, between: char) -> Option<[u64; 3]> {
    let numbers: Option<Vec<u64>> = text.split(between).map(|digits| digits.parse().ok()).collect();
    numbers?.try_into().ok()
}

/// Returns the days from 1970-01-01 to January 1 of `year`.
const fn days_before(year: u64) -> u64 {
    // Returns the number of leap years up to and including `year`.
    const fn leap_years_through(year: u64) -> u64 {
        year / 4 - year / 100 + year / 400
    }
    365 * (year - 1970) + leap_years_through(year - 1) - leap_years_through(1969)
}

/// Returns the days of the year before `month`, which is 1 to 12.
fn days_of_months(year: u64, month: u64) -> u64 {
    const DAYS: [u64; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let is_leap = year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    DAYS.iter().take(month as usize - 1).sum::<u64>() + u64::from(is_leap && month > 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_formatted_times() {
        // Test a time every 11.5 days of 130 years, and the end of February in leap years.
        let step = 999_983;
        for seconds in
            (0..130 * 366 * 86_400 / step).map(|at| at * step).chain([951_782_399, 951_868_800, 68_255_999])
        {
            let time = Duration::from_secs(seconds);
            assert_eq!(parse(&grille_pki::format_time(time)), Some(time), "{seconds}");
        }
    }

    #[test]
    fn rejects_malformed_times() {
        for text in [
            "",
            "2026-11-27",
            "2026-11-27T03:15:00",
            "2026-13-01T00:00:00Z",
            "1969-12-31T23:59:59Z",
            "2026-11-27T24:00:00Z",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
