//! Times as people read them. Scripts say how long ago that was; without them the page says when.

use chrono::{DateTime, SecondsFormat};
use std::borrow::Borrow;

/// "2026-11-24 05:34 UTC".
pub(crate) fn text(unix_milliseconds: impl Borrow<i64>) -> String {
    DateTime::from_timestamp_millis(*unix_milliseconds.borrow())
        .map(|time| time.format("%Y-%m-%d %H:%M UTC").to_string())
        .unwrap_or_default()
}

/// "2026-11-24T05:34:56Z" (RFC 3339).
pub(crate) fn iso(unix_milliseconds: impl Borrow<i64>) -> String {
    DateTime::from_timestamp_millis(*unix_milliseconds.borrow())
        .map(|time| time.to_rfc3339_opts(SecondsFormat::Secs, true))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_in_utc() {
        assert_eq!(text(1_795_257_406_000), "2026-11-21 10:36 UTC");
        assert_eq!(iso(1_795_257_406_000), "2026-11-21T10:36:46Z");
    }
}
