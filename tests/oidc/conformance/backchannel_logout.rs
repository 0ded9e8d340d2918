//! Back-Channel Logout OP (`oidcc-backchannel-rp-initiated-logout-certification-test-plan`).

use super::checks;
use super::logout::SignedInCustomer;
use super::relying_party::{AFTER_LOGOUT, CALLBACK, RelyingParty};
use crate::backchannel_logout::claims;
use claimsmith_test_support::{Receiver, TestServer, both};
use serde_json::json;

both!(oidcc_backchannel_logout_discovery_endpoint_verification, async |server: TestServer| {
    let metadata = checks::discovery(&server).await;
    assert_eq!(metadata["backchannel_logout_supported"], true);
    assert_eq!(metadata["backchannel_logout_session_supported"], true);
    assert_eq!(metadata["end_session_endpoint"], format!("{}/session/end", server.issuer()));
});

both!(oidcc_backchannel_rp_initiated_logout, async |server: TestServer| {
    let receiver = Receiver::start().await;
    let rp = RelyingParty::register(server, "query").await;
    let metadata = json!({
        "redirectUris": [CALLBACK], "postLogoutRedirectUris": [AFTER_LOGOUT], "backchannelLogoutUri": receiver.url(),
        "backchannelLogoutSessionRequired": true,
    });
    let path = format!("/api/applications/{}", rp.client_id);
    rp.server.management().await.patch(&path, json!({ "oidcClientMetadata": metadata })).await.expect(200);
    let person = SignedInCustomer::sign_in_to(rp).await;
    let (server, client_id) = (&person.rp.server, &person.rp.client_id);

    let state = "s".repeat(128);
    let hint = ("id_token_hint", person.id_token.as_str());
    let answer = person.log_out(&[hint, ("post_logout_redirect_uri", AFTER_LOGOUT), ("state", &state)]).await;
    assert_eq!(answer.expect(303).header("location"), Some(format!("{AFTER_LOGOUT}?state={state}").as_str()));

    let received = receiver.wait(1).await;
    // It looks for anything beside the one parameter, at the signature, the type and the event.
    let logout_token = claims(server, client_id, &received[0]).await;
    let id_token = server.verify(&person.id_token, client_id).await.claims;
    assert_eq!(logout_token["iss"], id_token["iss"]);
    assert_eq!(logout_token["aud"], client_id.as_str());
    let (iat, now) = (logout_token["iat"].as_i64().unwrap(), server.clock.now_ms() / 1000);
    assert!(iat <= now + 5 * 60 && iat >= now - 86_400, "{iat}");
    assert!(logout_token["jti"].as_str().is_some_and(|jti| checks::entropy(jti) >= 48.0), "{logout_token}");
    assert_eq!((&logout_token["sub"], &logout_token["sid"]), (&id_token["sub"], &id_token["sid"]));
    assert!(logout_token.get("nonce").is_none() && !logout_token["sid"].is_null());
    assert!(!person.is_signed_in().await);
    assert_eq!(receiver.count(), 1);
});
