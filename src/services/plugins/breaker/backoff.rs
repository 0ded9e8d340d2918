//! How long a breaker stays open before the next call probes.

/// Before the first probe, in milliseconds.
const FIRST_DELAY_MS: i64 = 5_000;
/// Before a late one, in milliseconds: what works again is called again within five minutes.
const MAX_DELAY_MS: i64 = 300_000;

/// The delay before the next probe, after this many that failed: it doubles each time.
pub(crate) fn probe_delay_ms(failed_probes: i64) -> i64 {
    let doublings = u32::try_from(failed_probes.clamp(0, 16)).unwrap_or(16);
    FIRST_DELAY_MS.saturating_mul(1 << doublings).min(MAX_DELAY_MS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_delay_doubles_up_to_five_minutes() {
        let delays: Vec<i64> = (0..9).map(|probes| probe_delay_ms(probes) / 1000).collect();
        assert_eq!(delays, [5, 10, 20, 40, 80, 160, 300, 300, 300]);
        assert_eq!((probe_delay_ms(-1), probe_delay_ms(i64::MAX)), (5_000, 300_000));
    }
}
