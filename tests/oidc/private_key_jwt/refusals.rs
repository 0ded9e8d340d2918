//! What an assertion must not be: each differs from a good one in one thing.

use super::{application, ask, assertion, claims, header, key, machine, register, set, with_assertion};
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_services::tokens::Algorithm;
use claimsmith_test_support::{ClientKey, TestServer, both};
use data_encoding::BASE64URL_NOPAD;
use serde_json::{Value, json};

both!(claims_that_do_not_hold_are_refused, async |server: TestServer| {
    let key = key();
    let id = machine(&server, &[&key]).await;
    let other = machine(&server, &[&key]).await;
    let now = server.clock.now_ms() / 1000;
    let (issuer, token) = (server.issuer(), format!("{}/token", server.issuer()));
    for (name, value) in [
        ("aud", json!("https://evil.example.com/oidc")),
        ("aud", json!(token)),
        ("aud", json!([issuer])),
        ("aud", json!([issuer, token])),
        ("aud", json!([])),
        ("aud", json!([issuer, "https://evil.example.com/oidc"])),
        ("aud", json!(format!("{issuer}/jwks"))),
        ("aud", json!(id)),
        ("aud", Value::Null),
        ("exp", Value::Null),
        ("exp", json!(now)),
        ("exp", json!(now - 60)),
        ("exp", json!(now + 301)),
        ("exp", json!((now + 60).to_string())),
        ("iat", json!(now + 60)),
        ("iat", json!(now - 3600)),
        ("nbf", json!(now + 60)),
        ("jti", Value::Null),
        ("jti", json!("")),
        ("jti", json!(1)),
        ("iss", json!("https://evil.example.com")),
        ("iss", Value::Null),
        ("sub", json!(other.as_str())),
        ("sub", Value::Null),
    ] {
        let mut claims = claims(&server, &id);
        claims[name] = value.clone();
        if value.is_null() {
            claims.as_object_mut().unwrap().remove(name);
        }
        let answer = with_assertion(ask(&server), &key.sign(&header(), &claims)).send().await;
        assert_eq!((answer.status, &answer["error"]), (401, &json!("invalid_client")), "{name} {value}");
    }
    let mut good = claims(&server, &id);
    good["exp"] = json!(now + 300);
    good.as_object_mut().unwrap().remove("iat");
    with_assertion(ask(&server), &key.sign(&header(), &good)).send().await.expect(200);
});

both!(signatures_that_prove_nothing_are_refused, async |server: TestServer| {
    let (key, rsa) = (key(), ClientKey::new(Algorithm::RS256, "rsa"));
    let id = machine(&server, &[&key, &rsa]).await;
    let stranger = ClientKey::new(Algorithm::ES256, "k1");
    let good = claims(&server, &id);
    let encode = |part: &Value| BASE64URL_NOPAD.encode(part.to_string().as_bytes());
    let unsigned = |algorithm: &str| format!("{}.{}.", encode(&json!({ "alg": algorithm })), encode(&good));
    let text = |member: &str| rsa.jwk[member].as_str().unwrap().as_bytes().to_vec();
    let hmac = |secret: &[u8]| ClientKey::symmetric(secret).sign(&json!({ "alg": "HS256", "kid": "rsa" }), &good);
    let signed = key.sign(&header(), &good);
    let (message, signature) = signed.rsplit_once('.').unwrap();
    let mut changed = good.clone();
    changed["jti"] = json!("another");
    let embedded = json!({ "alg": "ES256", "jwk": stranger.jwk, "jku": "https://evil.example.com/jwks" });
    for (what, assertion) in [
        ("none", unsigned("none")),
        ("none, in other letters", unsigned("nOnE")),
        ("no signature", format!("{message}.")),
        ("half a signature", format!("{message}.{}", &signature[..signature.len() / 2])),
        ("zeros", format!("{message}.{}", BASE64URL_NOPAD.encode(&[0; 64]))),
        ("of other claims", format!("{}.{}.{signature}", encode(&header()), encode(&changed))),
        ("by the public key as a secret", hmac(rsa.jwk.to_string().as_bytes())),
        ("by its modulus as a secret", hmac(&BASE64URL_NOPAD.decode(&text("n")).unwrap())),
        ("by its modulus' text as a secret", hmac(&text("n"))),
        ("by a stranger's key", stranger.sign(&header(), &good)),
        ("by a key in the header", stranger.sign(&embedded, &good)),
        ("with another key's name", key.sign(&json!({ "alg": "ES256", "kid": "rsa" }), &good)),
        ("with an unknown name", key.sign(&json!({ "alg": "ES256", "kid": "k2" }), &good)),
        ("for another purpose", key.sign(&json!({ "alg": "ES256", "typ": "at+jwt" }), &good)),
        ("with what is critical", key.sign(&json!({ "alg": "ES256", "crit": ["exp"], "exp": 1 }), &good)),
        ("too large", key.sign(&json!({ "alg": "ES256", "x": "x".repeat(9000) }), &good)),
    ] {
        let answer = with_assertion(ask(&server), &assertion).send().await;
        assert_eq!((answer.status, &answer["error"]), (401, &json!("invalid_client")), "{what}: {:#}", answer.body);
    }
    // None of them has used the assertion.
    with_assertion(ask(&server), &signed).send().await.expect(200);
});

both!(another_clients_key_proves_another_client, async |server: TestServer| {
    let (mine, theirs) = (key(), key());
    let id = machine(&server, &[&mine]).await;
    let other = machine(&server, &[&theirs]).await;
    for (client_id, key) in [(&id, &theirs), (&other, &mine)] {
        let answer = with_assertion(ask(&server), &assertion(&server, client_id, key)).send().await;
        answer.expect_oauth_error(401, "invalid_client");
    }
    with_assertion(ask(&server), &assertion(&server, &id, &mine)).send().await.expect(200);
    // A token of the server is no assertion, whoever holds it.
    let token = ask(&server).as_machine().send().await.expect(200).text("access_token");
    with_assertion(ask(&server), &token).send().await.expect_oauth_error(401, "invalid_client");
});

both!(keys_of_another_use_verify_nothing, async |server: TestServer| {
    let key = key();
    for (name, value) in [("use", "enc"), ("alg", "ES384"), ("alg", "ECDH-ES"), ("kty", "OKP"), ("crv", "P-521")] {
        let mut changed = key.clone();
        changed.jwk[name] = json!(value);
        let other = ClientKey::new(Algorithm::ES256, "other");
        let id = machine(&server, &[&changed, &other]).await;
        let answer = with_assertion(ask(&server), &assertion(&server, &id, &key)).send().await;
        assert_eq!(answer.status, 401, "{name} {value}: {:#}", answer.body);
    }
});

both!(a_key_that_was_taken_away_proves_nothing, async |server: TestServer| {
    let (old, new) = (key(), ClientKey::new(Algorithm::ES256, "k2"));
    let id = machine(&server, &[&old]).await;
    with_assertion(ask(&server), &assertion(&server, &id, &old)).send().await.expect(200);
    register(&server, &id, |metadata| metadata.jwks = Some(serde_json::from_value(set(&[&new])).unwrap())).await;
    let answer = with_assertion(ask(&server), &assertion(&server, &id, &old)).send().await;
    answer.expect_oauth_error(401, "invalid_client");
    let text = new.sign(&json!({ "alg": "ES256", "kid": "k2" }), &claims(&server, &id));
    with_assertion(ask(&server), &text).send().await.expect(200);
    server.delete_application(&id).await;
    let text = new.sign(&json!({ "alg": "ES256", "kid": "k2" }), &claims(&server, &id));
    with_assertion(ask(&server), &text).send().await.expect_oauth_error(401, "invalid_client");
});

both!(public_applications_have_no_keys, async |server: TestServer| {
    let key = key();
    for kind in [ApplicationType::Spa, ApplicationType::Native] {
        let (id, _) = application(&server, kind, json!({ "jwks": set(&[&key]) })).await;
        let form = server.exchange(&server.customer_token().await).without("client_id");
        let answer = with_assertion(form, &assertion(&server, &id, &key)).send().await;
        answer.expect_oauth_error(401, "invalid_client");
    }
});
