//! Refresh tokens (RFC 6749 section 6, RFC 9700 section 4.14.2): issuance, lifetime, rotation and detection of reuse.

use crate::documents::application::{ApplicationType, CustomClientMetadata};
use crate::user_scope::OFFLINE_ACCESS;

const DAY_MS: i64 = 24 * 3_600_000;

/// Default lifetime of a refresh token, in days.
const DEFAULT_TTL_DAYS: u32 = 14;

/// Default leeway in seconds, in which a replaced token still gets its successor: another tab may have been faster, or
/// the response may have been lost.
const DEFAULT_LEEWAY_SECONDS: u32 = 3;

/// Maximum leeway of an application, in seconds. Theft within it is not detected.
pub const MAX_LEEWAY_SECONDS: u32 = 60;

/// A refresh token to issue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewRefreshToken {
    /// Unix milliseconds.
    pub expires_at: i64,
    /// Whether it remains valid after the session ends.
    pub outlives_session: bool,
}

/// The refresh token for a code or a device code, if one is issued: for `offline_access`, or always if so configured.
#[must_use]
pub fn first(metadata: &CustomClientMetadata, scope: &[String], now: i64) -> Option<NewRefreshToken> {
    let outlives_session = scope.iter().any(|scope| scope == OFFLINE_ACCESS);
    let always = metadata.always_issue_refresh_token == Some(true);
    (outlives_session || always).then(|| NewRefreshToken { expires_at: expires_at(metadata, now), outlives_session })
}

/// The token that replaces a used one, if it is rotated: always for public clients.
#[must_use]
pub fn rotated(
    metadata: &CustomClientMetadata,
    kind: ApplicationType,
    outlives_session: bool,
    now: i64,
) -> Option<NewRefreshToken> {
    let rotates = !kind.is_confidential() || metadata.rotate_refresh_token != Some(false);
    rotates.then(|| NewRefreshToken { expires_at: expires_at(metadata, now), outlives_session })
}

/// Whether a token that was rotated at `rotated_at` is still within its leeway: reuse then returns the newest token of
/// its family. Later reuse is treated as theft and revokes the family.
#[must_use]
pub fn is_within_leeway(metadata: &CustomClientMetadata, rotated_at: i64, now: i64) -> bool {
    let leeway = metadata.refresh_token_leeway_in_seconds.unwrap_or(DEFAULT_LEEWAY_SECONDS).min(MAX_LEEWAY_SECONDS);
    // `rotated_at` may be in the future by another node's clock; a leeway of 0 must still allow nothing.
    leeway > 0 && now < rotated_at.saturating_add(i64::from(leeway) * 1000)
}

/// Whether a refresh requests only granted scopes (RFC 6749 section 6).
#[must_use]
pub fn is_narrower(requested: &[&str], granted: &[String], granted_of_resources: &[String]) -> bool {
    requested.iter().all(|scope| granted.iter().chain(granted_of_resources).any(|granted| granted == scope))
}

fn expires_at(metadata: &CustomClientMetadata, now: i64) -> i64 {
    now + i64::from(metadata.refresh_token_ttl_in_days.unwrap_or(DEFAULT_TTL_DAYS)) * DAY_MS
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_800_000_000_000;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn a_first_token_is_for_offline_access_or_for_who_always_gets_one() {
        let metadata = |always_issue_refresh_token| CustomClientMetadata {
            always_issue_refresh_token,
            ..CustomClientMetadata::default()
        };
        for (always, scope, outlives_session) in [
            (None, "openid offline_access", Some(true)),
            (Some(false), "openid offline_access", Some(true)),
            (Some(true), "openid", Some(false)),
            (Some(true), "openid offline_access", Some(true)),
            (Some(false), "openid", None),
            (None, "openid offline_accesses", None),
        ] {
            let issued = first(&metadata(always), &words(scope), NOW);
            assert_eq!(issued.map(|token| token.outlives_session), outlives_session, "{always:?} {scope}");
        }
    }

    #[test]
    fn a_client_without_a_secret_always_rotates() {
        use ApplicationType::{Native, Spa, Traditional};
        for (rotate_refresh_token, kind, rotates) in [
            (None, Spa, true),
            (Some(false), Spa, true),
            (Some(false), Native, true),
            (None, Traditional, true),
            (Some(true), Traditional, true),
            (Some(false), Traditional, false),
        ] {
            let metadata = CustomClientMetadata { rotate_refresh_token, ..CustomClientMetadata::default() };
            for outlives_session in [true, false] {
                let expected = rotates.then_some(NewRefreshToken { expires_at: NOW + 14 * DAY_MS, outlives_session });
                assert_eq!(
                    rotated(&metadata, kind, outlives_session, NOW),
                    expected,
                    "{rotate_refresh_token:?} {kind:?}"
                );
            }
        }
    }

    #[test]
    fn a_replaced_token_has_a_leeway_of_at_most_a_minute() {
        for (seconds, milliseconds) in [(None, 3_000), (Some(0), 0), (Some(1), 1_000), (Some(60), 60_000)] {
            let metadata =
                CustomClientMetadata { refresh_token_leeway_in_seconds: seconds, ..CustomClientMetadata::default() };
            assert_eq!(is_within_leeway(&metadata, NOW, NOW + milliseconds - 1), milliseconds > 0, "{seconds:?}");
            assert!(!is_within_leeway(&metadata, NOW, NOW + milliseconds), "{seconds:?}");
            assert_eq!(
                is_within_leeway(&metadata, NOW + 5, NOW),
                milliseconds > 0,
                "replaced by a clock that is ahead"
            );
        }
        let stored =
            CustomClientMetadata { refresh_token_leeway_in_seconds: Some(u32::MAX), ..CustomClientMetadata::default() };
        assert!(!is_within_leeway(&stored, NOW, NOW + 60_000), "whatever is stored");
    }

    #[test]
    fn the_application_says_how_long_one_lives() {
        let metadata = CustomClientMetadata { refresh_token_ttl_in_days: Some(3), ..CustomClientMetadata::default() };
        let token = rotated(&metadata, ApplicationType::Spa, true, NOW);
        assert_eq!(token.map(|token| token.expires_at), Some(NOW + 3 * DAY_MS));
    }

    #[test]
    fn a_refresh_asks_for_nothing_new() {
        let (granted, of_resources) = (words("openid email"), words("orders:read"));
        for (requested, allowed) in
            [(&[][..], true), (&["email", "orders:read"], true), (&["openid", "profile"], false), (&["orders"], false)]
        {
            assert_eq!(is_narrower(requested, &granted, &of_resources), allowed, "{requested:?}");
        }
    }
}
