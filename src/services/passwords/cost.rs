//! The cost of password hashes on this machine: of the server's own, 19 MiB of memory and as many passes as fit into
//! the time that the operator configured; of imported ones, the time that a second of work takes here.

use super::digest;
use argon2::{Algorithm, Argon2, Params, Version};
use aws_lc_rs::pbkdf2::{self, PBKDF2_HMAC_SHA256, PBKDF2_HMAC_SHA512};
use claimsmith_domain::password_work::MAX_WORK;
use std::num::NonZeroU32;
use std::time::{Duration, Instant};

/// The maximum number of passes, on any machine: a measurement in a quiet moment must not make every later login slow.
pub(super) const MAX_PASSES: u32 = 32;
/// The fastest of so many runs is the speed of the machine.
const CALIBRATION_RUNS: u32 = 3;
/// The cost of bcrypt that is measured.
const BCRYPT_COST: u32 = 8;
const BCRYPT_SHARE: u32 = 1 << 6;
/// The iterations of PBKDF2 that are measured, and how often they are in [`MAX_WORK`].
const PBKDF2_ITERATIONS: NonZeroU32 = match NonZeroU32::new(1 << 13) {
    Some(iterations) => iterations,
    None => NonZeroU32::MIN,
};
const PBKDF2_SHARE: u32 = 1 << 8;
/// The logarithm of the N of scrypt that is measured, 8 MiB, and how often it is in [`MAX_WORK`].
const SCRYPT_LOG_N: u8 = 13;
const SCRYPT_SHARE: u32 = 43;
/// The assumed time of [`MAX_WORK`] without a measurement.
const NOMINAL_TIME: Duration = Duration::from_secs(1);
/// The latest deadline of an answer to a wrong password.
pub(super) const LATEST_DEADLINE: Duration = Duration::from_millis(1500);

/// What hashing costs here.
#[derive(Clone, Debug)]
pub(super) struct Cost {
    /// Of the server's own hashes.
    pub own: Params,
    /// The time of [`MAX_WORK`], by the slowest one of Argon2, bcrypt, PBKDF2 and scrypt.
    pub time_of_most: Duration,
}

impl Cost {
    /// Hashes that take about this long on this machine; at least two passes, OWASP's minimum for 19 MiB. A target of
    /// zero skips the measurement.
    pub(super) fn calibrated(target: Duration) -> Self {
        let least = Params::default();
        if target.is_zero() {
            return Self { own: least, time_of_most: NOMINAL_TIME };
        }
        let argon2 = quickest(|| time_of(&least)).unwrap_or(target);
        let bcrypt = quickest(|| time_of_bcrypt(BCRYPT_COST)).unwrap_or_default();
        let passes = passes_of(target, argon2, least.t_cost());
        let own = Params::new(least.m_cost(), passes, least.p_cost(), None).unwrap_or(least.clone());
        let pbkdf2 = [PBKDF2_HMAC_SHA256, PBKDF2_HMAC_SHA512].map(|of| quickest(|| Some(time_of_pbkdf2(of))));
        let pbkdf2 = pbkdf2.into_iter().flatten().max().unwrap_or_default();
        let scrypt = quickest(time_of_scrypt).unwrap_or_default();
        let time_of_most = times(argon2, MAX_WORK, work_of(&least))
            .max(bcrypt.saturating_mul(BCRYPT_SHARE))
            .max(pbkdf2.saturating_mul(PBKDF2_SHARE))
            .max(scrypt.saturating_mul(SCRYPT_SHARE));
        tracing::debug!(passes = own.t_cost(), ?time_of_most, "calibrated the cost of password hashing");
        Self { own, time_of_most }
    }

    /// The work of the server's own hashes.
    pub(super) fn own_work(&self) -> i64 {
        work_of(&self.own)
    }

    /// The delay from the arrival of a wrong password to its answer, where `work` is the most that a stored hash
    /// requires: a quarter more than its time, so that the answer is not later when the machine is busier.
    pub(super) fn deadline(&self, work: i64) -> Duration {
        self.with_margin(work.max(self.own_work())).min(LATEST_DEADLINE)
    }

    /// Whether an answer at the latest deadline hides the cost of a hash with so much work; otherwise how long it
    /// takes.
    pub(super) fn check(&self, work: i64) -> Result<(), Duration> {
        let time = times(self.time_of_most, work, MAX_WORK);
        if self.with_margin(work) <= LATEST_DEADLINE { Ok(()) } else { Err(time) }
    }

    fn with_margin(&self, work: i64) -> Duration {
        times(self.time_of_most, work, MAX_WORK).saturating_mul(5) / 4
    }
}

/// The time of `work`, if `of` takes `time`.
fn times(time: Duration, work: i64, of: i64) -> Duration {
    let micros = time.as_micros().saturating_mul(work.unsigned_abs().into()) / u128::from(of.unsigned_abs().max(1));
    Duration::from_micros(u64::try_from(micros).unwrap_or(u64::MAX))
}

fn work_of(params: &Params) -> i64 {
    i64::from(params.m_cost()) * i64::from(params.t_cost())
}

fn quickest(run: impl Fn() -> Option<Duration>) -> Option<Duration> {
    (0..CALIBRATION_RUNS).filter_map(|_| run()).min()
}

/// `None` if there is not enough memory: then the minimum of work is used.
fn time_of(params: &Params) -> Option<Duration> {
    let mut output = [0; Params::DEFAULT_OUTPUT_LEN];
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params.clone());
    let began = Instant::now();
    digest::fill(&argon2, b"password", b"0123456789abcdef", &mut output).ok().map(|()| began.elapsed())
}

fn time_of_bcrypt(cost: u32) -> Option<Duration> {
    let began = Instant::now();
    bcrypt::hash_with_salt("password", cost, *b"0123456789abcdef").ok().map(|_| began.elapsed())
}

fn time_of_pbkdf2(algorithm: pbkdf2::Algorithm) -> Duration {
    let (began, mut key) = (Instant::now(), [0; 16]);
    pbkdf2::derive(algorithm, PBKDF2_ITERATIONS, b"0123456789abcdef", b"password", &mut key);
    began.elapsed()
}

fn time_of_scrypt() -> Option<Duration> {
    let (began, mut key) = (Instant::now(), [0; 16]);
    let params = scrypt::Params::new(SCRYPT_LOG_N, 8, 1).ok()?;
    scrypt::scrypt(b"password", b"0123456789abcdef", &params, &mut key).ok().map(|()| began.elapsed())
}

/// The number of passes that fill the target, if `passes` took the measured time.
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

    #[test]
    fn the_deadline_is_that_of_the_slowest_class_and_never_late() {
        let cost = |millis| Cost { own: Params::default(), time_of_most: Duration::from_millis(millis) };
        let (quick, slow) = (cost(1000), cost(2000));
        // The minimum is the time of the server's own class of hashes, for any stored work.
        assert_eq!(quick.deadline(0), quick.deadline(38_912));
        assert_eq!(quick.deadline(0), Duration::from_micros(37_109) * 5 / 4);
        assert_eq!(quick.deadline(MAX_WORK / 2), Duration::from_millis(625));
        assert_eq!(quick.deadline(MAX_WORK), Duration::from_millis(1250));
        assert_eq!(slow.deadline(MAX_WORK), LATEST_DEADLINE);
        // Hashes that the latest deadline would not hide are refused.
        assert_eq!(quick.check(MAX_WORK), Ok(()));
        assert_eq!(slow.check(MAX_WORK), Err(Duration::from_secs(2)));
        assert_eq!(slow.check(MAX_WORK / 2), Ok(()));
    }

    #[test]
    fn what_is_measured_is_of_this_machine() {
        let cost = Cost::calibrated(Duration::from_millis(1));
        assert_eq!(cost.own.t_cost(), 2);
        assert!(!cost.time_of_most.is_zero());
        assert_eq!(Cost::calibrated(Duration::ZERO).time_of_most, NOMINAL_TIME);
    }
}
