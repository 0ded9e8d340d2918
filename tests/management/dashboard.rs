//! `/api/dashboard`: numbers of total, new and active users.

use crate::fixtures::user;
use claimsmith_identity::retention;
use claimsmith_test_support::{TestServer, both};
use serde_json::json;
use std::time::Duration;

const DAY: Duration = Duration::from_hours(24);

both!(users_are_counted_in_all_and_by_the_days_of_their_creation, async |server: TestServer| {
    // Two are the demo's.
    let management = server.management().await;
    assert_eq!(management.get("/api/dashboard/users/total").await.expect(200).body, json!({ "totalUserCount": 2 }));
    let new = management.get("/api/dashboard/users/new").await.expect(200).body;
    assert_eq!(new, json!({ "today": { "count": 2, "delta": 2 }, "last7Days": { "count": 2, "delta": 2 } }));

    server.clock.advance(DAY);
    let management = server.management().await;
    user(&management, "ada").await;
    let new = management.get("/api/dashboard/users/new").await.expect(200).body;
    assert_eq!(new, json!({ "today": { "count": 1, "delta": -1 }, "last7Days": { "count": 3, "delta": 3 } }));

    server.clock.advance(6 * DAY);
    let management = server.management().await;
    let new = management.get("/api/dashboard/users/new").await.expect(200).body;
    assert_eq!(new, json!({ "today": { "count": 0, "delta": 0 }, "last7Days": { "count": 1, "delta": -1 } }));
    assert_eq!(management.get("/api/dashboard/users/total").await.expect(200).body, json!({ "totalUserCount": 3 }));
});

both!(users_are_active_on_the_days_of_their_tokens, async |server: TestServer| {
    let demo = server.demo();
    server.exchange(&server.customer_token().await).send().await.expect(200);
    server.exchange(&server.customer_token().await).send().await.expect(200);
    server.mint(&demo.engineer_user_id, &demo.spa_client_id, "openid").await;
    let first =
        humantime::format_rfc3339(std::time::UNIX_EPOCH + Duration::from_millis(server.clock.now_ms().unsigned_abs()));
    let first = &first.to_string()[..10];

    // What is known of the day does not hang on the records of its tokens.
    server.clock.advance(DAY);
    assert!(retention::delete_expired(&server.app).await.unwrap() > 0);
    server.exchange(&server.customer_token().await).send().await.expect(200);
    let management = server.management().await;
    let active = management.get("/api/dashboard/users/active").await.expect(200);
    let curve = active["dauCurve"].as_array().unwrap();
    let counts: Vec<i64> = curve.iter().map(|day| day["count"].as_i64().unwrap()).collect();
    assert_eq!((counts.len(), counts.iter().sum::<i64>(), &counts[28..]), (30, 3, &[2, 1][..]));
    assert_eq!(curve[28]["date"], first);
    assert_eq!(active["dau"], json!({ "count": 1, "delta": -1 }));
    assert_eq!(active["wau"], json!({ "count": 2, "delta": 2 }));
    assert_eq!(active["mau"], json!({ "count": 2, "delta": 2 }));

    let before = management.get(&format!("/api/dashboard/users/active?date={first}")).await.expect(200);
    assert_eq!((&before["dauCurve"][29], &before["dau"]), (&curve[28], &json!({ "count": 2, "delta": 2 })));
    server.clock.advance(7 * DAY);
    let management = server.management().await;
    let later = management.get("/api/dashboard/users/active").await.expect(200);
    assert_eq!(later["wau"], json!({ "count": 0, "delta": -2 }), "the week ends where the other one began");
    assert_eq!(later["mau"], json!({ "count": 2, "delta": 2 }));
});

both!(what_is_no_date_is_refused, async |server: TestServer| {
    let management = server.management().await;
    for date in ["2000-01-01", "9999-12-31"] {
        let active = management.get(&format!("/api/dashboard/users/active?date={date}")).await.expect(200);
        assert_eq!((&active["dauCurve"][29]["date"], &active["mau"]["count"]), (&json!(date), &json!(0)));
    }
    for date in ["", "x", "1999-12-31", "2023-02-29", "10000-01-01", "2023-01-01T00:00:00Z", "%00"] {
        let answer = management.get(&format!("/api/dashboard/users/active?date={date}")).await;
        answer.expect_api_error(400, "guard.invalid_input");
    }
});
