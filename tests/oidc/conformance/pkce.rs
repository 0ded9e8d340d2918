//! Proof of possession of codes (RFC 7636), as `OAuch`'s folder `Pkce` tries it.

use super::checks::expect_refusal;
use super::relying_party::RelyingParty;
use crate::sign_in::{VERIFIER, challenge};
use claimsmith_test_support::{Browser, TestServer, both};

both!(pkce_is_required_of_public_clients, async |server: TestServer| {
    let rp = RelyingParty::register_public(server, "SPA").await;
    rp.ask(&Browser::new(&rp.server), &[]).await.expect_error(&["invalid_request"]);
});

both!(s256_is_supported_and_plain_is_off, async |server: TestServer| {
    let rp = RelyingParty::register_public(server, "Native").await;
    let browser = Browser::new(&rp.server);
    let challenge = challenge(VERIFIER);
    for method in ["plain", "s256", ""] {
        // Without a method, `plain` would be meant.
        let more = [("code_challenge", VERIFIER), ("code_challenge_method", method)];
        rp.ask(&browser, &more).await.expect_error(&["invalid_request"]);
    }
    let more = [("code_challenge", challenge.as_str()), ("code_challenge_method", "S256")];
    let code = rp.authorize(&browser, &more).await["code"].clone();
    for verifier in [challenge.as_str(), &VERIFIER.to_uppercase()] {
        expect_refusal(&rp.redeem(&code).with("code_verifier", verifier).send().await, 400, "invalid_grant");
    }
    rp.redeem(&code).with("code_verifier", VERIFIER).send().await.expect(200);
});

both!(a_challenge_that_was_taken_out_at_the_authorization_endpoint_is_missed, async |server: TestServer| {
    let rp = RelyingParty::register(server, "query").await;
    let code = rp.authorize(&Browser::new(&rp.server), &[]).await["code"].clone();
    expect_refusal(&rp.redeem(&code).with("code_verifier", VERIFIER).send().await, 400, "invalid_grant");
});

both!(a_verifier_that_was_left_out_at_the_token_endpoint_is_missed, async |server: TestServer| {
    let rp = RelyingParty::register(server, "query").await;
    let challenge = challenge(VERIFIER);
    let more = [("code_challenge", challenge.as_str()), ("code_challenge_method", "S256")];
    let code = rp.authorize(&Browser::new(&rp.server), &more).await["code"].clone();
    expect_refusal(&rp.redeem(&code).send().await, 400, "invalid_grant");
    rp.redeem(&code).with("code_verifier", VERIFIER).send().await.expect(200);
});

both!(a_verifier_has_43_to_128_characters_of_its_alphabet, async |server: TestServer| {
    let rp = RelyingParty::register_public(server, "SPA").await;
    let browser = Browser::new(&rp.server);
    for (verifier, holds) in [
        ("a".repeat(42), false),
        ("a".repeat(43), true),
        ("-._~".repeat(32), true),
        ("a".repeat(129), false),
        ("ä".repeat(43), false),
        (format!("{} ", "a".repeat(43)), false),
    ] {
        let challenge = challenge(&verifier);
        let more = [("code_challenge", challenge.as_str()), ("code_challenge_method", "S256")];
        let code = rp.authorize(&browser, &more).await["code"].clone();
        let answer = rp.redeem(&code).with("code_verifier", &verifier).send().await;
        if holds {
            answer.expect(200);
        } else {
            expect_refusal(&answer, 400, "invalid_grant");
        }
    }
});
