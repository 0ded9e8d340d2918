//! The last administrator stays: whoever asks, from whichever side, and also when two ask at once.

use super::person;
use claimsmith_domain::console::ConsoleRole;
use claimsmith_storage::roles::console::count_admins;
use claimsmith_test_support::{TestServer, both};
use reqwest::Method;
use serde_json::{Value, json};

/// Every way to lose an administrator through the Management API.
fn losses(id: &str) -> Vec<(Method, String, Value)> {
    let (path, role) = (format!("/api/users/{id}"), ConsoleRole::Admin.role_id());
    vec![
        (Method::PATCH, format!("{path}/is-suspended"), json!({ "isSuspended": true })),
        (Method::PUT, format!("{path}/roles"), json!({ "roleIds": [] })),
        (Method::PUT, format!("{path}/roles"), json!({ "roleIds": [ConsoleRole::Support.role_id()] })),
        (Method::DELETE, format!("{path}/roles/{role}"), Value::Null),
        (Method::DELETE, format!("/api/roles/{role}/users/{id}"), Value::Null),
        (Method::DELETE, path, Value::Null),
    ]
}

both!(the_last_one_is_not_taken_away, async |server: TestServer| {
    let management = server.management().await;
    let ada = person(&server, &[ConsoleRole::Admin]).await;
    // One who is suspended administers nothing.
    let grace = person(&server, &[ConsoleRole::Admin]).await;
    let suspended = json!({ "isSuspended": true });
    management.patch(&format!("/api/users/{grace}/is-suspended"), suspended).await.expect(200);
    for (method, path, body) in losses(&ada) {
        management.send(method, &path, body).await.expect_api_error(422, "user.last_administrator");
    }
    let roles = json!({ "roleIds": [ConsoleRole::Admin.role_id(), ConsoleRole::Read.role_id()] });
    management.put(&format!("/api/users/{ada}/roles"), roles).await.expect(200);
    // With another one, each of these goes through.
    for (method, path, body) in losses("{id}") {
        let id = person(&server, &[ConsoleRole::Admin]).await;
        let answer = management.send(method, &path.replace("{id}", &id), body).await;
        assert!(answer.status < 300, "{path}: {answer:?}");
    }
    assert_eq!(count_admins(&mut server.begin().await).await.unwrap(), 1);
});

both!(of_two_who_go_at_once_one_stays, async |server: TestServer| {
    let management = server.management().await;
    let ada = person(&server, &[ConsoleRole::Admin]).await;
    for index in 0..losses(&ada).len() * 2 {
        let grace = person(&server, &[ConsoleRole::Admin]).await;
        let ways = (losses(&ada), losses(&grace));
        let (one, other) = (&ways.0[1], &ways.1[index % ways.1.len()]);
        let (first, second) = tokio::join!(
            management.send(one.0.clone(), &one.1, one.2.clone()),
            management.send(other.0.clone(), &other.1, other.2.clone()),
        );
        let refused = [&first, &second].into_iter().filter(|answer| answer.status == 422).count();
        assert_eq!(refused, 1, "{first:?} {second:?}");
        assert_eq!(count_admins(&mut server.begin().await).await.unwrap(), 1);
        // The one who stayed makes room for the next round.
        let role = json!({ "roleIds": [ConsoleRole::Admin.role_id()] });
        management.put(&format!("/api/users/{ada}/roles"), role).await.expect(200);
        let _ = management.delete(&format!("/api/users/{grace}")).await;
    }
});
