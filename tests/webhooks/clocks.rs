//! Clock jumps: no delivery is lost or delayed by them.

use crate::fixtures::{all_in, deliveries, hook, later, path, role, server};
use claimsmith_test_support::{Home, Receiver, Reply, both};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

both!(a_clock_that_is_set_back_delays_nothing, async |home: Arc<Home>| {
    let server = server(&home).await;
    let receiver = Receiver::answering(|number, _| Reply::from(if number == 0 { 500 } else { 200 })).await;
    let management = later(&server, Duration::from_hours(3)).await;
    let hook = hook(&management, &receiver.url(), &["Role.Created"], json!({})).await;
    role(&management, "first").await;
    deliveries(&management, &hook, |listed| listed[0]["attempts"] == 1).await;
    // A token from the future is refused, so the operator takes a new one.
    server.clock.set_back(Duration::from_hours(2));
    let management = server.management().await;
    // What happens now is told now, and what waited waits no longer than it would have.
    role(&management, "second").await;
    receiver.wait(2).await;
    server.clock.advance(Duration::from_secs(5));
    receiver.wait(3).await;
    deliveries(&management, &hook, all_in("delivered", 2)).await;
});

both!(a_clock_that_is_set_forward_gives_nothing_up, async |home: Arc<Home>| {
    let server = server(&home).await;
    let receiver = Receiver::answering(|number, _| Reply::from(if number < 3 { 500 } else { 200 })).await;
    let management = server.management().await;
    let hook = hook(&management, &receiver.url(), &["Role.Created"], json!({})).await;
    role(&management, "readers").await;
    deliveries(&management, &hook, |listed| listed[0]["attempts"] == 1).await;
    for attempts in 2..=3 {
        let management = later(&server, Duration::from_hours(365 * 24)).await;
        deliveries(&management, &hook, |listed| listed[0]["attempts"] == attempts).await;
    }
    let management = later(&server, Duration::from_hours(365 * 24)).await;
    deliveries(&management, &hook, all_in("delivered", 1)).await;
    assert_eq!(management.get(&path(&hook)).await.expect(200)["enabled"], true);
});
