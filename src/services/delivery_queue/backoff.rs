//! Backoff: when a delivery is retried, and when it fails for good.

use std::time::Duration;

/// Delays between attempts, in milliseconds: the last attempt is about three days after the first
/// (`docs/decisions/webhook-delivery.md`).
pub static RETRY_DELAYS_MS: [i64; 12] = [
    4_000, 30_000, 120_000, 600_000, 1_800_000, 3_600_000, 7_200_000, 14_400_000, 28_800_000, 43_200_000, 72_000_000,
    86_400_000,
];
/// The longest `Retry-After` of a receiver that is obeyed: a day, in milliseconds.
const MAX_RETRY_AFTER_MS: i64 = 86_400_000;

/// When the next attempt after this many is due, Unix milliseconds; `None` after the last one. `random` is in 0..256
/// and gives a jitter of a tenth in both directions.
#[must_use]
pub fn next_attempt(attempts: i64, now: i64, random: u8, hold: Option<i64>) -> Option<i64> {
    let index = usize::try_from(attempts.max(1) - 1).ok()?;
    let wait = *RETRY_DELAYS_MS.get(index)?;
    let jittered = wait - wait / 10 + wait / 5 * i64::from(random) / 255;
    Some(now + jittered.max(hold.unwrap_or_default()))
}

/// The `Retry-After` of a response in milliseconds, from seconds or a date (RFC 9110 section 10.2.3), at most a day. An
/// invalid one is ignored.
#[must_use]
pub fn retry_after(value: &str, now: i64) -> Option<i64> {
    let value = value.trim();
    let asked = if value.bytes().all(|byte| byte.is_ascii_digit()) && !value.is_empty() {
        // More digits than fit are more than a day.
        value.parse::<i64>().unwrap_or(i64::MAX).saturating_mul(1000)
    } else {
        let date = httpdate::parse_http_date(value).ok()?;
        let at = date.duration_since(std::time::UNIX_EPOCH).unwrap_or(Duration::ZERO);
        i64::try_from(at.as_millis()).unwrap_or(i64::MAX).saturating_sub(now)
    };
    (asked > 0).then(|| asked.min(MAX_RETRY_AFTER_MS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attempts_thin_out_over_three_days() {
        for random in [0, 128, 255] {
            let first = next_attempt(1, 0, random, None).unwrap_or_default();
            assert!((3_600..5_000).contains(&first), "{first}");
            let mut now = 0;
            let mut attempts = 1;
            while let Some(at) = next_attempt(attempts, now, random, None) {
                assert!(at > now);
                (now, attempts) = (at, attempts + 1);
            }
            let hours = now / 3_600_000;
            assert!(attempts == 13 && (60..84).contains(&hours), "{attempts} attempts in {hours} hours");
        }
    }

    #[test]
    fn a_receiver_may_ask_for_more_time_but_not_for_less() {
        assert_eq!(next_attempt(1, 1_000, 128, Some(60_000)), Some(61_000));
        assert_eq!(next_attempt(4, 0, 0, Some(1)), Some(540_000));
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let now = 1_795_257_406_000;
        let table = [
            ("120", Some(120_000)),
            (" 1 ", Some(1_000)),
            ("0", None),
            ("999999999999999999999999", Some(MAX_RETRY_AFTER_MS)),
            ("Sat, 21 Nov 2026 10:36:56 GMT", Some(10_000)),
            ("Sat, 21 Nov 2026 10:36:00 GMT", None),
            ("Fri, 21 Nov 2036 10:36:56 GMT", Some(MAX_RETRY_AFTER_MS)),
            ("-5", None),
            ("soon", None),
            ("", None),
        ];
        for (value, expected) in table {
            assert_eq!(retry_after(value, now), expected, "{value}");
        }
    }
}
