//! Formats timestamps for display. Scripts replace them by relative times.

use chrono::{DateTime, NaiveDate, SecondsFormat};
use std::borrow::Borrow;

/// For example "2026-11-24 05:34 UTC".
pub(crate) fn text(unix_milliseconds: impl Borrow<i64>) -> String {
    DateTime::from_timestamp_millis(*unix_milliseconds.borrow())
        .map(|time| time.format("%Y-%m-%d %H:%M UTC").to_string())
        .unwrap_or_default()
}

/// RFC 3339, such as "2026-11-24T05:34:56Z".
pub(crate) fn iso(unix_milliseconds: impl Borrow<i64>) -> String {
    DateTime::from_timestamp_millis(*unix_milliseconds.borrow())
        .map(|time| time.to_rfc3339_opts(SecondsFormat::Secs, true))
        .unwrap_or_default()
}

/// The last millisecond in UTC of the day in a date field ("2026-11-24"); none if it is not a date.
pub(crate) fn end_of_day(day: &str) -> Option<i64> {
    let day = NaiveDate::parse_from_str(day, "%Y-%m-%d").ok()?;
    Some(day.and_hms_milli_opt(23, 59, 59, 999)?.and_utc().timestamp_millis())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_in_utc() {
        assert_eq!(text(1_795_257_406_000), "2026-11-21 10:36 UTC");
        assert_eq!(iso(1_795_257_406_000), "2026-11-21T10:36:46Z");
    }

    #[test]
    fn a_day_lasts_to_its_end() {
        assert_eq!(end_of_day("2026-11-24"), Some(1_795_564_799_999));
        assert_eq!(end_of_day(""), None);
        assert_eq!(end_of_day("tomorrow"), None);
    }
}
