//! The certificate of an https base URL: it is valid, and not about to expire.

use super::base_url::Reached;
use super::report::{Finding, Status};
use claimsmith_config::BaseUrl;
use claimsmith_domain::clock::iso8601;
use x509_parser::asn1_rs::FromDer as _;
use x509_parser::certificate::X509Certificate;

const CHECK: &str = "certificate";

/// Certificates that are renewed by themselves have been renewed long before.
const WARNED_DAYS: i64 = 14;

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

pub(super) fn judge(base_url: &BaseUrl, reached: &Result<Reached, String>, now: i64) -> Finding {
    if !base_url.as_str().starts_with("https:") {
        return Finding::new(CHECK, Status::Skipped, "The base URL is not https.");
    }
    let certificate = match reached {
        // The client verifies the certificate: it is named in the error.
        Err(error) if error.to_ascii_lowercase().contains("certificate") => {
            return Finding::new(CHECK, Status::Fault, format!("The certificate is refused: {error}"));
        }
        Err(_) => return Finding::new(CHECK, Status::Skipped, "The server cannot be reached."),
        Ok(reached) => reached.certificate.as_deref(),
    };
    let expires_at = certificate.and_then(expiry).map(|seconds| seconds.saturating_mul(1000));
    match expires_at {
        None => Finding::new(CHECK, Status::Warning, "The certificate cannot be read."),
        Some(at) => of_expiry(at, now),
    }
}

/// The end of the certificate in Unix seconds.
fn expiry(der: &[u8]) -> Option<i64> {
    let (_, certificate) = X509Certificate::from_der(der).ok()?;
    Some(certificate.validity().not_after.timestamp())
}

fn of_expiry(at: i64, now: i64) -> Finding {
    let days = (at - now).div_euclid(DAY_MS);
    let time = iso8601(at);
    if days < WARNED_DAYS {
        let message = format!("The certificate expires at {time}, in {days} days: renew it.");
        return Finding::new(CHECK, Status::Warning, message);
    }
    Finding::new(CHECK, Status::Ok, format!("The certificate is valid until {time}, for {days} days."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_certificate_is_renewed_before_it_expires() -> Result<(), String> {
        let now = 1_800_000_000_000;
        assert_eq!(of_expiry(now + 90 * DAY_MS, now).status, Status::Ok);
        assert_eq!(of_expiry(now + WARNED_DAYS * DAY_MS, now).status, Status::Ok);
        let soon = of_expiry(now + WARNED_DAYS * DAY_MS - 1, now);
        assert_eq!(soon.status, Status::Warning);
        assert!(soon.message.contains("in 13 days"), "{soon:?}");

        let base_url = "https://a.test".parse()?;
        let refused = judge(&base_url, &Err("error: invalid peer certificate: Expired".to_owned()), now);
        assert_eq!(refused.status, Status::Fault);
        assert_eq!(judge(&base_url, &Err("refused".to_owned()), now).status, Status::Skipped);
        assert_eq!(judge(&base_url, &Ok(Reached::default()), now).status, Status::Warning);
        assert_eq!(judge(&"http://localhost".parse()?, &Ok(Reached::default()), now).status, Status::Skipped);
        Ok(())
    }
}
