//! `/api/logs`: the audit log and its filters.

use crate::fixtures::{NOBODY, texts};
use claimsmith_storage::Json;
use claimsmith_storage::audit::{self, StoredAuditEntry};
use claimsmith_test_support::{TestServer, both, until};
use serde_json::json;
use std::time::Duration;

both!(what_was_done_is_listed_newest_first, async |server: TestServer| {
    let management = server.management().await;
    let (demo, begun) = (server.demo(), server.clock.now_ms());
    server.clock.advance(Duration::from_secs(1));
    let subject_token = server.customer_token().await;
    server.clock.advance(Duration::from_secs(1));
    server.exchange(&subject_token).send().await.expect(200);
    server.clock.advance(Duration::from_secs(1));
    let created = management.post("/api/users", json!({ "username": "ada" })).await.expect(200).text("id");

    let newest = management.get("/api/logs?page_size=1").await.expect(200);

    let entry = &newest.body[0];
    assert_eq!((&entry["key"], &entry["tenantId"]), (&json!("Management.User.Create"), &json!("default")));
    assert_eq!(entry["createdAt"], server.clock.now_ms());
    assert_eq!((&entry["payload"]["userId"], &entry["payload"]["result"]), (&json!(created), &json!("Success")));
    assert!(newest.header("link").unwrap().contains("rel=\"last\""));
    let shown = management.get(&format!("/api/logs/{}", entry["id"].as_str().unwrap())).await.expect(200);
    assert_eq!(shown.body, *entry);
    management.get(&format!("/api/logs/{NOBODY}")).await.expect_api_error(404, "entity.not_exists_with_id");

    let (customer, spa) = (&demo.customer_user_id, &demo.spa_client_id);
    let exchange = "ExchangeTokenBy.TokenExchange";
    let (before, after) = (begun + 1999, begun + 2000);
    for (query, keys) in [
        (format!("logKey={exchange}"), &[exchange][..]),
        (format!("logKey={exchange}&userId={customer}&applicationId={spa}"), &[exchange]),
        (format!("applicationId={spa}"), &[exchange]),
        (format!("userId={created}"), &["Management.User.Create"]),
        (format!("userId={created}&end_time={after}"), &[]),
        (format!("logKey={exchange}&start_time={after}&end_time={after}"), &[exchange]),
        (format!("logKey={exchange}&end_time={before}"), &[]),
        ("logKey=ExchangeTokenBy".to_owned(), &[]),
        (format!("userId={NOBODY}"), &[]),
        ("logKey=%27%20OR%201%3D1".to_owned(), &[]),
    ] {
        let found = management.get(&format!("/api/logs?{query}")).await.expect(200);
        assert_eq!(texts(&found.body, "key"), keys, "{query}");
        assert_eq!(found.header("total-number"), Some(keys.len().to_string().as_str()), "{query}");
    }
    let of_the_customer = management.get(&format!("/api/logs?userId={customer}")).await.expect(200);
    assert_eq!(texts(&of_the_customer.body, "key"), [exchange, "Management.SubjectToken.Create"]);
});

both!(entries_are_found_by_person_ticket_address_and_result, async |server: TestServer| {
    let management = server.management().await;
    let (demo, begun) = (server.demo(), server.clock.now_ms());
    let (customer, engineer) = (&demo.customer_user_id, &demo.engineer_user_id);
    let actor = server.mint(engineer, &demo.web_client_id, "openid").await;
    server.clock.advance(Duration::from_secs(1));
    let subject_token = server.customer_token().await;
    server.clock.advance(Duration::from_secs(1));
    server.exchange(&subject_token).actor(&actor).as_web().send().await.expect(200);
    server.clock.advance(Duration::from_secs(1));
    server.exchange("nonsense").send().await.expect_oauth_error(400, "invalid_request");
    until("the refusal in the audit log", async || {
        let found = management.get("/api/logs?result=Error").await.expect(200).body;
        (!found.as_array().unwrap().is_empty()).then_some(())
    })
    .await;
    let (exchange, made) = ("ExchangeTokenBy.TokenExchange", "Management.SubjectToken.Create");
    for (query, keys) in [
        (format!("actorId={engineer}"), &[exchange][..]),
        (format!("actorId={customer}"), &[]),
        (format!("personId={engineer}&logKey=ExchangeTokenBy.T*"), &[exchange]),
        (format!("personId={customer}"), &[exchange, made]),
        ("ticketId=TECH-1234".to_owned(), &[exchange, made]),
        ("ticketId=TECH".to_owned(), &[]),
        ("result=Error".to_owned(), &[exchange]),
        ("logKey=Management.SubjectToken.*".to_owned(), &[made]),
        ("logKey=Management.Subjec%25*".to_owned(), &[]),
        (format!("ip=127.0.0.1&start_time={begun}&logKey=Management.*"), &[made]),
        (format!("ip=192.0.2.1&start_time={begun}"), &[]),
    ] {
        let found = management.get(&format!("/api/logs?{query}")).await.expect(200);
        assert_eq!(texts(&found.body, "key"), keys, "{query}");
        assert_eq!(found.header("total-number"), Some(keys.len().to_string().as_str()), "{query}");
    }
    for query in ["ip=127.0.0.1", "result=Perhaps", "ticketId=%00"] {
        management.get(&format!("/api/logs?{query}")).await.expect_api_error(400, "guard.invalid_input");
    }
});

both!(the_description_names_what_a_query_may_hold, async |server: TestServer| {
    let document = server.get("/api/swagger.json").await.expect(200).body;
    let parameters = &document["paths"]["/api/logs"]["get"]["parameters"];
    let names = [
        "userId",
        "applicationId",
        "logKey",
        "actorId",
        "personId",
        "ticketId",
        "ip",
        "result",
        "start_time",
        "end_time",
        "enableCap",
        "page",
        "page_size",
    ];
    assert_eq!(texts(parameters, "name"), names);
    assert!(parameters.as_array().unwrap().iter().all(|parameter| parameter["required"] == json!(false)));
});

both!(a_query_that_means_nothing_is_refused, async |server: TestServer| {
    let management = server.management().await;
    for path in ["/api/logs", "/api/impersonations"] {
        let window = format!("{path}?start_time=2&end_time=1");
        management.get(&window).await.expect_api_error(400, "log.invalid_time_window");
        management.get(&format!("{path}?start_time=1&end_time=1")).await.expect(200);
        for query in
            ["start_time=x", "end_time=", "start_time=99999999999999999999", "userId=%00", "start_time=1&start_time=1"]
        {
            let answer = management.get(&format!("{path}?{query}")).await;
            answer.expect_api_error(400, "guard.invalid_input");
        }
        for query in ["page=0", "page_size=101"] {
            management.get(&format!("{path}?{query}")).await.expect_api_error(400, "guard.invalid_pagination");
        }
    }
    management.get("/api/logs?enableCap=perhaps").await.expect_api_error(400, "guard.invalid_input");
});

both!(a_long_log_is_counted_as_far_as_is_asked, async |server: TestServer| {
    let log = |index: usize, key: &str| StoredAuditEntry {
        id: format!("{index:021}"),
        key: key.to_owned(),
        payload: Json(json!({ "key": key })),
        created_at: 1,
    };
    let mut tx = server.begin().await;
    let logs: Vec<StoredAuditEntry> = (0..10_000).map(|index| log(index, "Test.Many")).collect();
    for part in logs.chunks(1000) {
        audit::append(&mut tx, part).await.unwrap();
    }
    audit::append(&mut tx, &[log(10_000, "TriggerHook.User.Created")]).await.unwrap();
    tx.commit().await.unwrap();

    let management = server.management().await;
    let path = "/api/logs?logKey=Test.Many&enableCap=true&page_size=5&page=2";
    let exact = management.get(path).await.expect(200);
    assert_eq!((exact.header("total-number"), exact.header("total-number-is-capped")), (Some("10000"), None));
    assert!(exact.header("link").unwrap().contains("rel=\"last\""));

    let mut tx = server.begin().await;
    audit::append(&mut tx, &[log(10_001, "Test.Many")]).await.unwrap();
    tx.commit().await.unwrap();
    let capped = management.get(path).await.expect(200);
    assert_eq!((capped.header("total-number"), capped.header("total-number-is-capped")), (Some("10000"), Some("true")));
    let links = capped.header("link").unwrap();
    assert!(
        links.contains("rel=\"prev\"") && !links.contains("rel=\"last\"") && !links.contains("rel=\"next\""),
        "{links}"
    );
    assert_eq!(capped.body.as_array().unwrap().len(), 5);
    let whole = management.get("/api/logs?logKey=Test.Many&page_size=1").await.expect(200);
    assert_eq!((whole.header("total-number"), whole.header("total-number-is-capped")), (Some("10001"), None));

    // Deliveries of webhooks are not in the list; by its id an entry of any key is shown.
    let deliveries = management.get("/api/logs?logKey=TriggerHook.User.Created").await.expect(200);
    assert_eq!(deliveries.body, json!([]));
    let delivery = management.get(&format!("/api/logs/{:021}", 10_000)).await.expect(200);
    assert_eq!(delivery["key"], "TriggerHook.User.Created");
});
