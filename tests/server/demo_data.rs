//! When demo data is written to an empty database, and that it is never served on a public address unless configured.

use claimsmith_test_support::{Home, Kind, TestServer, both};
use std::sync::Arc;

const PUBLIC: (&str, &str) = ("CLAIMSMITH_BASE_URL", "https://id.example.com");
const UNSAID: (&str, &str) = ("CLAIMSMITH_DEMO", "");
const YES: (&str, &str) = ("CLAIMSMITH_DEMO", "true");
const NO: (&str, &str) = ("CLAIMSMITH_DEMO", "false");
const EVERYWHERE: (&str, &str) = ("CLAIMSMITH_LISTEN", "0.0.0.0:0");

both!(they_come_to_a_machine_of_ones_own_or_on_request, async |home: Arc<Home>| {
    let embedded = home.kind() == Kind::Sqlite;
    for (changes, expected) in [
        (&[UNSAID][..], embedded),
        (&[UNSAID, ("CLAIMSMITH_LISTEN", "127.8.9.1:0")], embedded),
        (&[UNSAID, ("CLAIMSMITH_BASE_URL", "http://127.0.0.1:3001")], embedded),
        (&[UNSAID, EVERYWHERE], false),
        (&[UNSAID, PUBLIC], false),
        (&[NO], false),
        (&[YES], true),
        (&[YES, EVERYWHERE], true),
        (&[YES, PUBLIC], true),
    ] {
        let home = Home::new(home.kind()).await;
        let server = TestServer::start(&home, changes).await.unwrap();
        assert_eq!(server.report.demo.is_some(), expected, "{changes:?}");
        let resource = server.client_credentials().with("resource", "https://api.example.com").with("scope", "");
        assert_eq!(resource.send().await.status == 200, expected, "{changes:?}");
    }
});

both!(they_keep_a_server_from_going_public, async |server: TestServer| {
    let home = server.home.clone();
    server.stop().await;
    for changes in [&[PUBLIC, UNSAID][..], &[PUBLIC, NO]] {
        let error = TestServer::start(&home, changes).await.err().unwrap();
        assert!(format!("{error:#}").contains("--demo"), "{error:#}");
    }
    TestServer::start(&home, &[PUBLIC, YES]).await.unwrap().stop().await;
    TestServer::start(&home, &[UNSAID]).await.unwrap().client_credentials().send().await.expect(200);
});

both!(they_can_be_asked_for_later, async |home: Arc<Home>| {
    let server = TestServer::start(&home, &[NO]).await.unwrap();
    let machine = server.machine().clone();
    server.stop().await;
    // Not because somebody restarts.
    let server = TestServer::start(&home, &[UNSAID]).await.unwrap();
    assert!(server.report.demo.is_none());
    server.stop().await;

    let server = TestServer::start(&home, &[YES]).await.unwrap();
    assert_eq!(server.machine().client_secret, machine.client_secret);
    server.exchange(&server.customer_token().await).send().await.expect(200);
    let made = server.demo().customer_user_id.clone();
    server.stop().await;
    let server = TestServer::start(&home, &[YES]).await.unwrap();
    assert_eq!(server.demo().customer_user_id, made, "once");
});
