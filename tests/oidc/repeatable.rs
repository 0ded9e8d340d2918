//! Tokens and sessions byte by byte: the time and the random bytes come from outside, and nothing else changes what they
//! say.

use crate::sign_in::client;
use claimsmith_domain::clock::Clock;
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_domain::random::Random;
use claimsmith_test_support::{Browser, CONSOLE_PASSWORD, Home, Kind, TestServer};
use data_encoding::BASE64URL_NOPAD;
use serde_json::json;

const SEED: &str = "tokens by the byte";
const NOW: i64 = 1_800_000_000_000;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_jwt_follows_from_time_and_random_bytes() {
    let home = Home::new(Kind::Sqlite).await;
    let server = TestServer::start_at((Clock::fixed(NOW), Random::seeded(SEED)), &home, &[]).await.unwrap();
    let random = Random::seeded(SEED);
    for _ in 0..2 {
        let token = server.management_token().await;
        let machine = server.machine();
        let header = json!({
            "alg": "ES256", "kid": server.verify(&token, &machine.resource).await.kid, "typ": "at+jwt",
        });
        let claims = json!({
            "iss": server.issuer(), "sub": machine.client_id, "aud": machine.resource, "exp": NOW / 1000 + 3600,
            "iat": NOW / 1000, "jti": random.id_at(NOW).unwrap(), "client_id": machine.client_id, "scope": "all",
        });
        let part = |value: serde_json::Value| BASE64URL_NOPAD.encode(value.to_string().as_bytes());
        let expected = format!("{}.{}.", part(header), part(claims));
        assert_eq!(token.rsplit_once('.').map(|(signed, _)| format!("{signed}.")), Some(expected));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_opaque_token_is_the_random_bytes_after_those_of_its_identifier() {
    let home = Home::new(Kind::Sqlite).await;
    let server = TestServer::start_at((Clock::fixed(NOW), Random::seeded(SEED)), &home, &[]).await.unwrap();
    let token = server.mint(&server.demo().customer_user_id, &server.demo().spa_client_id, "openid").await;
    let random = Random::seeded(SEED);
    random.id_at(NOW).unwrap();
    assert_eq!(token, BASE64URL_NOPAD.encode(&random.bytes::<32>().unwrap()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_its_code_and_its_tokens_are_random_bytes_in_the_order_in_which_they_are_made() {
    let home = Home::new(Kind::Sqlite).await;
    let server = TestServer::start_at((Clock::fixed(NOW), Random::seeded(SEED)), &home, &[]).await.unwrap();
    server.operator("ada", &[]).await;
    let browser = Browser::new(&server);
    browser.sign_in_at("/account", "ada", CONSOLE_PASSWORD).await.expect(200);
    let session = browser.cookie("claimsmith-session").unwrap();
    let client = client(&server, ApplicationType::Native).await;
    let code = client.code(&browser, "openid offline_access", &[]).await;
    let tokens = client.exchange(&server, &code).send().await.expect(200);

    let session = block_of(&session);
    let code = block_of(&code);
    assert!(session < code, "{session} {code}");
    // Between the code and the tokens: the rest of the code, the id of its family, and the identifier of the access token.
    let random = seeded_at(code + 6);
    assert_eq!(tokens.text("access_token"), BASE64URL_NOPAD.encode(&random.bytes::<32>().unwrap()));
    assert_eq!(tokens.text("refresh_token"), random.secret(43).unwrap());
}

/// The block of random bytes, counted from the start of the server, that a cookie or a code begins with.
fn block_of(secret: &str) -> usize {
    let found = (0..500).find(|block| seeded_at(*block).secret(43).unwrap() == secret);
    found.unwrap_or_else(|| panic!("{secret} is not of the seed"))
}

/// The random bytes without the first blocks.
fn seeded_at(block: usize) -> Random {
    let random = Random::seeded(SEED);
    for _ in 0..block {
        random.bytes::<1>().unwrap();
    }
    random
}
