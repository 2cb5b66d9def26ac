//! Points in time: `2026-11-20`, `2026-11-20T12:00:00Z`, or seconds since 1970.

use std::time::Duration;

/// Parses `--at` into the time since the Unix epoch.
///
/// # Errors
/// Returns the reason, for clap's message.
pub(crate) fn parse(text: &str) -> Result<Duration, &'static str> {
    let seconds = text.parse().ok().or_else(|| date_to_seconds(text));
    seconds.map(Duration::from_secs).ok_or("give 2026-11-20, 2026-11-20T12:00:00Z, or seconds since 1970")
}

/// Converts a date with an optional time in UTC to seconds since 1970.
fn date_to_seconds(text: &str) -> Option<u64> {
    let (date, time) = text.split_once(['T', ' ']).unwrap_or((text, "00:00:00"));
    let [year, month, day] = numbers(date, '-')?;
    let [hour, minute, second] = numbers(time.strip_suffix('Z').unwrap_or(time), ':')?;
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let february = if leap { 29 } else { 28 };
    let lengths = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let this_month = *lengths.get(usize::try_from(month).ok()?.checked_sub(1)?)?;
    let valid = (1970..10_000).contains(&year)
        && (1..=this_month).contains(&day)
        && hour < 24
        && minute < 60
        && second < 60;
    let months: u64 = lengths.iter().take(usize::try_from(month).ok()? - 1).sum();
    // leap days in the years before this one, less those before 1970
    let before = year.checked_sub(1)?;
    let leap_days = (before / 4 - before / 100 + before / 400).checked_sub(477)?;
    let days = (year.checked_sub(1970)?) * 365 + leap_days + months + day - 1;
    valid.then_some(((days * 24 + hour) * 60 + minute) * 60 + second)
}

fn numbers(text: &str, separator: char) -> Option<[u64; 3]> {
    let parts = text.split(separator).map(|part| part.parse().ok().filter(|n: &u64| *n < 10_000));
    parts.collect::<Option<Vec<u64>>>()?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use grille_pki::format_time;

    fn seconds(text: &str) -> Option<u64> {
        parse(text).ok().map(|time| time.as_secs())
    }

    #[test]
    fn round_trips_every_day_of_four_centuries() {
        for day in 0..146_097 {
            let time = Duration::from_secs(day * 86_400 + 4_321);
            assert_eq!(parse(&format_time(time)), Ok(time));
        }
    }

    #[test]
    fn parses_known_times() {
        assert_eq!(seconds("1970-01-01"), Some(0));
        assert_eq!(seconds("2000-03-01T00:00:00Z"), Some(951_868_800));
        assert_eq!(seconds("2024-02-29 12:34:56"), Some(1_709_210_096));
        assert_eq!(seconds("2026-11-20T00:00:00Z"), Some(1_795_132_800));
        assert_eq!(seconds("1795132800"), Some(1_795_132_800));
    }

    #[test]
    fn counts_every_day_of_four_centuries() {
        let mut last = seconds("1999-12-31").unwrap();
        for year in 2000..2400 {
            for month in 1..=12 {
                for day in 1..=31 {
                    if let Some(this) = seconds(&format!("{year}-{month:02}-{day:02}")) {
                        assert_eq!(this, last + 86_400, "{year}-{month}-{day}");
                        last = this;
                    }
                }
            }
        }
        assert_eq!(Some(last), seconds("2399-12-31"));
    }

    #[test]
    fn rejects_invalid_times() {
        for text in [
            "",
            "2026-13-01",
            "2026-02-29",
            "2026-00-10",
            "2026-01-00",
            "1969-12-31",
            "x",
            "2026-01-01T24:00:00Z",
            "2026-01-01T00:60:00Z",
            "-5",
            "99999-01-01",
            "2026-01-01Tx",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
