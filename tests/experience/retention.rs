//! What is left of sign-ins is deleted when it has expired.

use crate::browser::{Browser, user};
use claimsmith_identity::retention;
use claimsmith_test_support::{TestServer, both};
use std::time::Duration;

#[derive(claimsmith_storage::Row)]
struct Count {
    count: i64,
}

/// How many sessions, interactions and counts of attempts there are.
async fn kept(server: &TestServer) -> [i64; 3] {
    let mut tx = server.begin().await;
    let mut counts = [0; 3];
    for (count, table) in counts.iter_mut().zip([
        "SELECT COUNT(*) AS count FROM sessions",
        "SELECT COUNT(*) AS count FROM interactions",
        "SELECT COUNT(*) AS count FROM sign_in_attempts WHERE failures > 0",
    ]) {
        *count = tx.sql(table).one::<Count>().await.unwrap().count;
    }
    counts
}

both!(sign_ins_are_forgotten, async |server: TestServer| {
    user(&server, "ada").await;
    let mut browser = Browser::new(&server).await;
    browser.sign_in("ada").await;
    let mut other = Browser::new(&server).await;
    other.start("SignIn").await.expect(204);
    other.verify("nobody", "a wrong password").await.expect_api_error(422, "session.invalid_credentials");
    // The identifier, the address, and all.
    assert_eq!(kept(&server).await, [1, 2, 3]);
    for (hours, left) in [(1, [1, 2, 3]), (2, [1, 0, 0]), (69, [1, 0, 0]), (3, [0, 0, 0])] {
        server.clock.advance(Duration::from_hours(hours));
        retention::delete_expired(&server.app).await.unwrap();
        assert_eq!(kept(&server).await, left, "{hours}");
    }
});
