//! The cost of a password hash: 19 MiB of memory, and as many passes as fit into the time that the operator configured.

use super::digest;
use argon2::{Algorithm, Argon2, Params, Version};
use std::time::{Duration, Instant};

/// The most passes, however fast the machine: a measurement in a quiet moment must not make every later login slow.
pub(super) const MAX_PASSES: u32 = 32;
/// The fastest of so many runs is the speed of the machine.
const CALIBRATION_RUNS: u32 = 3;

/// What takes about this long on this machine; two passes at least, OWASP's minimum for 19 MiB. For a target of zero
/// nothing is measured.
pub(super) fn calibrated(target: Duration) -> Params {
    let least = Params::default();
    if target.is_zero() {
        return least;
    }
    let quickest = (0..CALIBRATION_RUNS).map(|_| time_of(&least)).min().unwrap_or(target);
    let passes = passes_of(target, quickest, least.t_cost());
    let params = Params::new(least.m_cost(), passes, least.p_cost(), None).unwrap_or(least);
    tracing::debug!(passes = params.t_cost(), "calibrated the cost of password hashing");
    params
}

fn time_of(params: &Params) -> Duration {
    let mut output = [0; Params::DEFAULT_OUTPUT_LEN];
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params.clone());
    let began = Instant::now();
    match digest::fill(&argon2, b"password", b"0123456789abcdef", &mut output) {
        Ok(()) => began.elapsed(),
        // Out of memory: no more work than the least.
        Err(_) => Duration::MAX,
    }
}

/// How many passes fill the target when so many of them took this long.
fn passes_of(target: Duration, measured: Duration, passes: u32) -> u32 {
    let fitting = target.as_micros() * u128::from(passes) / measured.as_micros().max(1);
    u32::try_from(fitting).unwrap_or(u32::MAX).clamp(passes, MAX_PASSES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_fill_the_time_within_their_limits() {
        let millis = Duration::from_millis;
        let table = [
            (millis(0), millis(20), 2),
            (millis(19), millis(20), 2),
            (millis(50), millis(20), 5),
            (millis(100), millis(20), 10),
            (millis(5000), millis(20), MAX_PASSES),
            (millis(50), Duration::ZERO, MAX_PASSES),
            (millis(50), Duration::MAX, 2),
        ];
        for (target, measured, expected) in table {
            assert_eq!(passes_of(target, measured, 2), expected, "{target:?} {measured:?}");
        }
    }
}
