//! Keys that a client has elsewhere: fetched within limits, cached for a while, fetched again for an unknown name.

use super::{ask, assertion, claims, key, register, set, with_assertion};
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_domain::id::ApplicationId;
use claimsmith_services::tokens::Algorithm;
use claimsmith_test_support::{Answer, ClientKey, Home, Receiver, Reply, TestServer, both};
use futures_util::future::join_all;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::Semaphore;

/// A server that may fetch from this machine.
async fn at_home(home: &Arc<Home>) -> TestServer {
    TestServer::start(home, &[("CLAIMSMITH_EGRESS_ALLOWED_NETWORKS", "127.0.0.0/8")]).await.unwrap()
}

/// A machine whose keys are at this address.
async fn machine_at(server: &TestServer, uri: &str) -> ApplicationId {
    let metadata = json!({ "jwksUri": uri, "tokenEndpointAuthMethod": "private_key_jwt" });
    super::application(server, ApplicationType::MachineToMachine, metadata).await.0
}

/// An address that shows the set that is there now.
async fn shows(current: &Arc<Mutex<Value>>) -> Receiver {
    let current = Arc::clone(current);
    Receiver::answering(move |_, _| Reply::Status(200, None, current.lock().unwrap().to_string())).await
}

/// A token request of a machine with this key, named in the header.
async fn asked(server: &TestServer, id: &ApplicationId, key: &ClientKey) -> Answer {
    let text = key.sign(&json!({ "alg": "ES256", "kid": key.jwk["kid"] }), &claims(server, id));
    with_assertion(ask(server), &text).send().await
}

both!(keys_are_fetched_once_and_again_for_an_unknown_name, async |home: Arc<Home>| {
    let server = at_home(&home).await;
    let (old, new) = (key(), ClientKey::new(Algorithm::ES256, "k2"));
    let current = Arc::new(Mutex::new(set(&[&old])));
    let address = shows(&current).await;
    let id = machine_at(&server, &address.url()).await;
    for _ in 0..3 {
        asked(&server, &id, &old).await.expect(200);
    }
    assert_eq!(address.count(), 1);
    assert_eq!(address.received()[0].header("accept"), "application/jwk-set+json, application/json");

    // A key that is changed just after the fetch is found at once, and the next one after ten seconds.
    *current.lock().unwrap() = set(&[&new]);
    asked(&server, &id, &new).await.expect(200);
    assert_eq!(address.count(), 2);
    let third = ClientKey::new(Algorithm::ES256, "k3");
    *current.lock().unwrap() = set(&[&third]);
    for _ in 0..3 {
        asked(&server, &id, &third).await.expect_oauth_error(401, "invalid_client");
        asked(&server, &id, &old).await.expect_oauth_error(401, "invalid_client");
    }
    assert_eq!(address.count(), 2, "anybody can ask for an unknown key: not within ten seconds");
    asked(&server, &id, &new).await.expect(200);
    server.clock.advance(Duration::from_secs(10));
    asked(&server, &id, &third).await.expect(200);
    assert_eq!(address.count(), 3);
    asked(&server, &id, &old).await.expect_oauth_error(401, "invalid_client");
    assert_eq!(address.count(), 3);
});

both!(a_key_that_was_taken_away_verifies_for_five_minutes_at_most, async |home: Arc<Home>| {
    let server = at_home(&home).await;
    let (old, new) = (key(), ClientKey::new(Algorithm::ES256, "k2"));
    let current = Arc::new(Mutex::new(set(&[&old])));
    let address = shows(&current).await;
    let id = machine_at(&server, &address.url()).await;
    asked(&server, &id, &old).await.expect(200);
    *current.lock().unwrap() = set(&[&new]);
    server.clock.advance(Duration::from_millis(299_999));
    asked(&server, &id, &old).await.expect(200);
    server.clock.advance(Duration::from_millis(1));
    asked(&server, &id, &old).await.expect_oauth_error(401, "invalid_client");
    assert_eq!(address.count(), 2);
});

both!(a_new_key_without_a_name_is_fetched, async |home: Arc<Home>| {
    let server = at_home(&home).await;
    let (old, new) = (key(), key());
    let current = Arc::new(Mutex::new(set(&[&old])));
    let address = shows(&current).await;
    let id = machine_at(&server, &address.url()).await;
    let unnamed = async |key: &ClientKey| {
        let text = key.sign(&json!({ "alg": "ES256" }), &claims(&server, &id));
        with_assertion(ask(&server), &text).send().await
    };
    unnamed(&old).await.expect(200);
    *current.lock().unwrap() = set(&[&new]);
    server.clock.advance(Duration::from_secs(10));
    unnamed(&new).await.expect(200);
    assert_eq!(address.count(), 2);
});

both!(answers_that_are_no_keys_are_refused_and_remembered_for_ten_seconds, async |home: Arc<Home>| {
    let server = at_home(&home).await;
    let key = key();
    let good = set(&[&key]).to_string();
    let elsewhere = shows(&Arc::new(Mutex::new(set(&[&key])))).await;
    let mut private = key.jwk.clone();
    private["d"] = json!("AAAA");
    let status = |status: u16, body: String| Reply::Status(status, None, body);
    for (what, reply) in [
        ("a redirect", Reply::Status(302, Some(("location", elsewhere.url())), String::new())),
        ("a permanent redirect", Reply::Status(308, Some(("location", elsewhere.url())), good.clone())),
        ("an error", status(500, good.clone())),
        ("another success", status(203, good.clone())),
        ("huge", status(200, format!("{}{good}", " ".repeat(200_000)))),
        ("no JSON", status(200, "<html>".to_owned())),
        ("no set", status(200, key.jwk.to_string())),
        ("too deep", status(200, format!("{{\"keys\":[],\"x\":{}{}}}", "[".repeat(100), "]".repeat(100)))),
        ("a private key", status(200, json!({ "keys": [private] }).to_string())),
        ("nothing", status(200, String::new())),
    ] {
        let reply = Mutex::new(Some(reply));
        let fixed = good.clone();
        let address = Receiver::answering(move |_, _| {
            reply.lock().unwrap().take().unwrap_or_else(|| Reply::Status(200, None, fixed.clone()))
        })
        .await;
        let id = machine_at(&server, &address.url()).await;
        // A set without a usable key is one without this key, which is fetched again at once.
        let times = if what == "a private key" { 1 } else { 3 };
        for _ in 0..times {
            let answer = asked(&server, &id, &key).await;
            assert_eq!((answer.status, address.count()), (401, 1), "{what}: {:#}", answer.body);
        }
        server.clock.advance(Duration::from_secs(10));
        let answer = asked(&server, &id, &key).await;
        assert_eq!((answer.status, address.count()), (200, 2), "{what}: {:#}", answer.body);
    }
    assert_eq!(elsewhere.count(), 0);
});

both!(no_private_address_is_asked, async |server: TestServer| {
    let key = key();
    let address = shows(&Arc::new(Mutex::new(set(&[&key])))).await;
    let port = address.url().rsplit_once(':').unwrap().1.to_owned();
    for uri in [
        address.url(),
        format!("http://localhost:{port}"),
        "https://10.0.0.1/jwks".to_owned(),
        "https://169.254.169.254/latest".to_owned(),
        "https://[::ffff:127.0.0.1]/jwks".to_owned(),
    ] {
        let id = machine_at(&server, &uri).await;
        let answer = asked(&server, &id, &key).await;
        assert_eq!(answer.status, 401, "{uri}");
    }
    assert_eq!(address.count(), 0);
});

both!(a_slow_address_holds_nobody_up_and_is_asked_once, async |home: Arc<Home>| {
    let server = at_home(&home).await;
    let (slow, quick) = (key(), key());
    let leave = Arc::new(Semaphore::new(0));
    let (held, body) = (Arc::clone(&leave), set(&[&slow]).to_string());
    let far = Receiver::answering(move |_, _| Reply::BodyWhen(Arc::clone(&held), body.clone())).await;
    let near = shows(&Arc::new(Mutex::new(set(&[&quick])))).await;
    let waiting_id = machine_at(&server, &far.url()).await;
    let other_id = machine_at(&server, &near.url()).await;
    // More than there are connections to the database.
    let waiting = join_all((0..20).map(|_| asked(&server, &waiting_id, &slow)));
    let meanwhile = async {
        far.wait(1).await;
        for _ in 0..5 {
            asked(&server, &other_id, &quick).await.expect(200);
            server.client_credentials().send().await.expect(200);
        }
        // Whoever began the fetch may be gone: others wait for it.
        leave.add_permits(1);
    };
    let (answers, ()) = tokio::join!(waiting, meanwhile);
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 20);
    assert_eq!(far.count(), 1);
});

both!(a_fetch_outlives_who_began_it, async |home: Arc<Home>| {
    let server = at_home(&home).await;
    let key = key();
    let leave = Arc::new(Semaphore::new(0));
    let (held, body) = (Arc::clone(&leave), set(&[&key]).to_string());
    let address = Receiver::answering(move |_, _| Reply::BodyWhen(Arc::clone(&held), body.clone())).await;
    let id = machine_at(&server, &address.url()).await;
    let text = assertion(&server, &id, &key);
    let first = tokio::spawn(with_assertion(ask(&server), &text).request().send());
    address.wait(1).await;
    first.abort();
    let second = async {
        leave.add_permits(1);
        asked(&server, &id, &key).await.expect(200);
    };
    second.await;
    assert_eq!(address.count(), 1);
});

both!(an_address_that_never_answers_is_given_up, async |home: Arc<Home>| {
    let server = at_home(&home).await;
    let key = key();
    let address = Receiver::answering(|_, _| Reply::Hang).await;
    let id = machine_at(&server, &address.url()).await;
    let answers = join_all((0..5).map(|_| asked(&server, &id, &key))).await;
    for answer in answers {
        answer.expect_oauth_error(401, "invalid_client");
    }
    assert_eq!(address.count(), 1);
});

both!(keys_of_an_address_that_was_taken_away_during_the_fetch_prove_nothing, async |home: Arc<Home>| {
    let server = at_home(&home).await;
    let key = key();
    let leave = Arc::new(Semaphore::new(0));
    let (held, body) = (Arc::clone(&leave), set(&[&key]).to_string());
    let address = Receiver::answering(move |_, _| Reply::BodyWhen(Arc::clone(&held), body.clone())).await;
    let other = shows(&Arc::new(Mutex::new(set(&[])))).await;
    let id = machine_at(&server, &address.url()).await;
    let moved = async {
        address.wait(1).await;
        register(&server, &id, |metadata| metadata.jwks_uri = Some(other.url())).await;
        leave.add_permits(1);
    };
    let (answer, ()) = tokio::join!(asked(&server, &id, &key), moved);
    answer.expect_oauth_error(401, "invalid_client");
});

both!(what_changed_during_the_fetch_counts, async |home: Arc<Home>| {
    let server = at_home(&home).await;
    let key = key();
    let leave = Arc::new(Semaphore::new(0));
    let (held, body) = (Arc::clone(&leave), set(&[&key]).to_string());
    let address = Receiver::answering(move |_, _| Reply::BodyWhen(Arc::clone(&held), body.clone())).await;
    let id = machine_at(&server, &address.url()).await;
    let gone = async {
        address.wait(1).await;
        server.delete_application(&id).await;
        leave.add_permits(1);
    };
    let text = assertion(&server, &id, &key);
    let introspection = with_assertion(server.form("/oidc/token/introspection").with("token", "x"), &text);
    let (answer, ()) = tokio::join!(introspection.send(), gone);
    answer.expect_oauth_error(401, "invalid_client");
});
