//! The clock of this machine against that of PostgreSQL, or the `Date` header of an https base URL. Tokens, codes and
//! sessions depend on it.

use super::base_url::Reached;
use super::report::{Finding, Status};
use claimsmith_config::BaseUrl;
use claimsmith_domain::clock::Clock;
use claimsmith_storage::{Db, doctor};

const CHECK: &str = "clock";

/// More than the whole seconds of a header and a slow response.
const WARNED_MS: i64 = 5_000;

/// Codes of authenticator apps and client assertions fail.
const FAULTY_MS: i64 = 60_000;

pub(super) async fn check(db: &Db, base_url: &BaseUrl, reached: &Result<Reached, String>) -> anyhow::Result<Finding> {
    let mut tx = db.read().await?;
    let before = Clock::system().now_ms();
    if let Some(clock) = doctor::clock(&mut tx).await? {
        let middle = before.midpoint(Clock::system().now_ms());
        return Ok(of_skew(middle - clock, "of the database"));
    }
    let date = reached.as_ref().ok().and_then(|reached| Some((reached.received_at, reached.date?)));
    Ok(match date.filter(|_| base_url.as_str().starts_with("https:")) {
        // The header is cut to whole seconds.
        Some((here, there)) => of_skew(here - there - 500, "of the server at the base URL"),
        None => {
            Finding::new(CHECK, Status::Skipped, "There is no other clock to compare with: no PostgreSQL, no https.")
        }
    })
}

fn of_skew(skew: i64, whose: &str) -> Finding {
    let seconds = skew.unsigned_abs().div_ceil(1000);
    let status = match skew.abs() {
        0..=WARNED_MS => return Finding::new(CHECK, Status::Ok, format!("The clock agrees with that {whose}.")),
        ..=FAULTY_MS => Status::Warning,
        _ => Status::Fault,
    };
    let direction = if skew > 0 { "ahead of" } else { "behind" };
    Finding::new(CHECK, status, format!("The clock is {seconds} s {direction} that {whose}: synchronize both by NTP."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_may_differ_by_seconds() {
        for (skew, status) in [
            (0, Status::Ok),
            (-WARNED_MS, Status::Ok),
            (WARNED_MS + 1, Status::Warning),
            (-FAULTY_MS, Status::Warning),
            (FAULTY_MS + 1, Status::Fault),
        ] {
            assert_eq!(of_skew(skew, "of the database").status, status, "{skew}");
        }
        assert!(of_skew(-7_200_000, "of the database").message.starts_with("The clock is 7200 s behind that"));
    }
}
