//! What each mode means for folder and uploads, and a key that expires while the server runs.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use super::*;
use claimsmith_domain::plugin_signature::TrustedKey;
use std::time::Duration;

const KEY: &str = "release@2027-01-01=MCowBQYDK2VwAyEANyIvNdc1NX5kpWbVWt8MF6iO2ejsoWblslOq5blQ4Sw=";
const SOURCE: &[u8] = b"export const getCustomJwtClaims = async () => ({ signed: true });\n";
const SIGNATURE: &str = "KWyS87yFpup5rZew4/PxvQk2388RId9bO/EkFf9BGUOxTAYwAL1tY4+l0NKSJUt9c7Lii771esT0irnerSXuBA==";
/// 2026-12-31T23:59:00Z
const BEFORE_EXPIRY: i64 = 1_798_761_540_000;

fn trust(folder: TrustMode, upload: TrustMode) -> (PluginTrust, Clock) {
    let clock = Clock::fixed(BEFORE_EXPIRY);
    let keys = TrustedKeys::new(vec![TrustedKey::from_text(KEY).unwrap()]).unwrap();
    (PluginTrust::new(keys, (folder, upload), clock.clone()), clock)
}

#[test]
fn each_source_has_its_own_mode() {
    let (trust, _) = trust(TrustMode::Warn, TrustMode::Require);
    let unsigned = GivenSignature::Missing;
    let warned = trust.judge(Origin::Folder, SOURCE, &unsigned);
    assert_eq!((warned.problem.as_deref(), warned.is_refused), (Some("it is not signed"), false));
    let refused = trust.judge(Origin::Store, SOURCE, &unsigned);
    assert_eq!((refused.problem.as_deref(), refused.is_refused), (Some("it is not signed"), true));
    for origin in [Origin::Folder, Origin::Store] {
        let signed = trust.judge(origin, SOURCE, &GivenSignature::of(Some(SIGNATURE)));
        assert_eq!((signed.signer.as_deref(), signed.problem, signed.is_refused), (Some("release"), None, false));
        let changed = trust.judge(origin, b"changed", &GivenSignature::of(Some(SIGNATURE)));
        assert_eq!((changed.signer, changed.is_refused), (None, origin == Origin::Store));
    }
    let unreadable = trust.judge(Origin::Store, SOURCE, &GivenSignature::Unreadable("a.js.sig: no".to_owned()));
    assert_eq!((unreadable.problem.as_deref(), unreadable.is_refused), (Some("a.js.sig: no"), true));
}

#[test]
fn off_tells_who_signed_and_minds_nothing_else() {
    let (trust, _) = trust(TrustMode::Off, TrustMode::Off);
    let judge = |source, signature| trust.judge(Origin::Store, source, &GivenSignature::of(signature));
    assert_eq!(judge(SOURCE, Some(SIGNATURE)).signer.as_deref(), Some("release"));
    for (source, signature) in [(SOURCE, None), (&b"changed"[..], Some(SIGNATURE)), (SOURCE, Some("!"))] {
        assert_eq!(judge(source, signature), TrustVerdict::default());
    }
    let nobody = PluginTrust::default().judge(Origin::Store, SOURCE, &GivenSignature::of(Some(SIGNATURE)));
    assert_eq!(nobody, TrustVerdict::default());
}

#[test]
fn a_key_that_expires_no_longer_counts() {
    let (trust, clock) = trust(TrustMode::Require, TrustMode::Require);
    let judge = || trust.judge(Origin::Folder, SOURCE, &GivenSignature::of(Some(SIGNATURE)));
    assert!(!judge().is_refused);
    clock.advance(Duration::from_secs(60));
    let verdict = judge();
    assert!(verdict.is_refused && verdict.signer.is_none());
    assert_eq!(
        verdict.problem.as_deref(),
        Some("it is signed with key release, which expired at 2027-01-01T00:00:00.000Z")
    );
}
