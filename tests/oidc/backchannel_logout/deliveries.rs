//! How logouts are delivered: at least once, signed anew each time, retried for about a day, audited.

use super::{
    Queued, SignedInUser, audited, claims, client_told_at, expect_told, queue, server, told_application, until_queued,
};
use claimsmith_identity::retention;
use claimsmith_test_support::{Home, Receiver, Reply, both, until};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;

fn is_waiting(attempts: i64) -> impl Fn(&Queued) -> bool {
    move |one| one.attempts == attempts && one.state == "pending"
}

both!(a_failed_attempt_is_repeated_with_another_token, async |home: Arc<Home>| {
    let server = server(&home).await;
    let receiver = Receiver::answering(|number, _| Reply::from([500, 404, 200][number])).await;
    let client = client_told_at(&server, &receiver.url()).await;
    let person = SignedInUser::new(&server).await;
    let id_token = person.use_application(&server, &client).await.text("id_token");
    person.sign_out(&id_token).await;
    for (attempts, about) in [(1, 4_000), (2, 30_000)] {
        let waiting = until_queued(&server, is_waiting(attempts)).await;
        assert!(waiting.note.unwrap().starts_with("the application answered "));
        assert_eq!(audited(&server).await, Vec::<Value>::new());
        let wait = waiting.due_at.unwrap() - server.clock.now_ms();
        assert!((about * 9 / 10..=about * 11 / 10).contains(&wait), "{wait} ms after {attempts} attempts");
        server.clock.advance(Duration::from_millis(wait.unsigned_abs()));
    }
    let told = receiver.wait(3).await;
    until_queued(&server, |one| one.state == "delivered").await;
    let (mut ids, mut times) = (BTreeSet::new(), BTreeSet::new());
    for received in &told {
        let claims = claims(&server, &client.id, received).await;
        assert_eq!((claims["sub"].as_str(), claims["sid"].as_str()), (Some(&*person.id), Some(&*person.session_id)));
        ids.insert(claims["jti"].as_str().unwrap().to_owned());
        times.insert(claims["exp"].as_i64().unwrap());
    }
    assert_eq!((ids.len(), times.len()), (3, 3), "a token for each attempt");
    let [entry] = audited(&server).await.try_into().unwrap();
    let expected = json!({
        "key": "BackchannelLogout", "result": "Success", "applicationId": client.id, "userId": person.id,
        "sessionId": person.session_id, "attempts": 3,
    });
    assert_eq!(entry, expected);
    server.clock.advance(Duration::from_hours(24));
    assert_eq!(receiver.count(), 3);
});

both!(who_answers_400_is_not_asked_again, async |home: Arc<Home>| {
    let server = server(&home).await;
    let receiver = Receiver::answering(|_, _| Reply::Status(400, None, "<secret>".to_owned())).await;
    let client = client_told_at(&server, &receiver.url()).await;
    let person = SignedInUser::new(&server).await;
    let id_token = person.use_application(&server, &client).await.text("id_token");
    person.sign_out(&id_token).await;
    let dead = until_queued(&server, |one| one.state == "dead").await;
    assert_eq!((dead.attempts, dead.due_at, dead.note.as_deref()), (1, None, Some("the application answered 400")));
    let [entry] = audited(&server).await.try_into().unwrap();
    assert_eq!((&entry["result"], &entry["attempts"]), (&json!("Error"), &json!(1)));
    let error = json!({ "code": "backchannel_logout.given_up", "message": "the application answered 400" });
    assert_eq!(entry["error"], error);
    server.clock.advance(Duration::from_hours(48));
    // Something that comes after it.
    let (other, after) = told_application(&server).await;
    let person = SignedInUser::new(&server).await;
    let id_token = person.use_application(&server, &other).await.text("id_token");
    person.sign_out(&id_token).await;
    after.wait(1).await;
    assert_eq!(receiver.count(), 1);
});

both!(attempts_are_given_up_after_about_a_day, async |home: Arc<Home>| {
    let server = server(&home).await;
    let receiver = Receiver::answering(|_, _| Reply::from(503)).await;
    let client = client_told_at(&server, &receiver.url()).await;
    let person = SignedInUser::new(&server).await;
    let id_token = person.use_application(&server, &client).await.text("id_token");
    let begun = server.clock.now_ms();
    person.sign_out(&id_token).await;
    for attempts in 1..11 {
        let waiting = until_queued(&server, is_waiting(attempts)).await;
        server.clock.advance(Duration::from_millis((waiting.due_at.unwrap() - server.clock.now_ms()).unsigned_abs()));
    }
    let dead = until_queued(&server, |one| one.state == "dead").await;
    let hours = (server.clock.now_ms() - begun) / 3_600_000;
    assert!(dead.attempts == 11 && (24..32).contains(&hours), "{} attempts in {hours} hours", dead.attempts);
    let [entry] = audited(&server).await.try_into().unwrap();
    assert_eq!((&entry["result"], &entry["attempts"]), (&json!("Error"), &json!(11)));
    assert_eq!(receiver.count(), 11);
});

both!(an_application_that_asks_for_time_gets_it, async |home: Arc<Home>| {
    let server = server(&home).await;
    let receiver = Receiver::answering(|number, _| match number {
        0 => Reply::Status(429, Some(("retry-after", "90".to_owned())), String::new()),
        _ => Reply::from(200),
    })
    .await;
    let client = client_told_at(&server, &receiver.url()).await;
    let person = SignedInUser::new(&server).await;
    let id_token = person.use_application(&server, &client).await.text("id_token");
    person.sign_out(&id_token).await;
    let waiting = until_queued(&server, is_waiting(1)).await;
    assert_eq!(waiting.due_at.unwrap() - server.clock.now_ms(), 90_000);
    server.clock.advance(Duration::from_secs(90));
    expect_told(&server, &client, &person, &receiver.wait(2).await[1]).await;
});

both!(a_slow_application_holds_up_nobody, async |home: Arc<Home>| {
    let server = server(&home).await;
    let leave = Arc::new(Semaphore::new(0));
    let gate = Arc::clone(&leave);
    let slow = Receiver::answering(move |_, _| Reply::When(Arc::clone(&gate), 200)).await;
    let sluggish = client_told_at(&server, &slow.url()).await;
    let (quick, receiver) = told_application(&server).await;
    let mut people = Vec::new();
    for _ in 0..15 {
        let person = SignedInUser::new(&server).await;
        person.use_application(&server, &sluggish).await;
        let id_token = person.use_application(&server, &quick).await.text("id_token");
        people.push((person, id_token));
    }
    // The answers of the sign-outs do not wait for it, nor do other applications.
    for (person, id_token) in &people {
        person.sign_out(id_token).await;
    }
    receiver.wait(15).await;
    // One application is told ten at a time.
    slow.wait(10).await;
    until("the results of the quick one", async || {
        let delivered = queue(&server).await.into_iter().filter(|one| one.state == "delivered").count();
        (delivered == 15).then_some(())
    })
    .await;
    assert_eq!(slow.count(), 10);
    leave.add_permits(100);
    slow.wait(15).await;
    until("the rest", async || queue(&server).await.iter().all(|one| one.state == "delivered").then_some(())).await;
    assert_eq!((slow.count(), receiver.count()), (15, 15));
});

both!(a_clock_that_is_set_back_delays_nothing, async |home: Arc<Home>| {
    let server = server(&home).await;
    server.clock.advance(Duration::from_hours(3));
    let receiver = Receiver::answering(|number, _| Reply::from(if number == 0 { 500 } else { 204 })).await;
    let client = client_told_at(&server, &receiver.url()).await;
    let person = SignedInUser::new(&server).await;
    let id_token = person.use_application(&server, &client).await.text("id_token");
    person.sign_out(&id_token).await;
    until_queued(&server, is_waiting(1)).await;
    server.clock.set_back(Duration::from_hours(2));
    until_queued(&server, |one| one.due_at.is_some_and(|due| due < server.clock.now_ms() + 5_000)).await;
    server.clock.advance(Duration::from_secs(5));
    receiver.wait(2).await;
});

both!(finished_logouts_are_swept_and_others_stay, async |home: Arc<Home>| {
    let server = server(&home).await;
    let receiver = Receiver::answering(|number, _| Reply::from([204, 400, 500][number.min(2)])).await;
    let client = client_told_at(&server, &receiver.url()).await;
    for (index, state) in ["delivered", "dead", "pending"].into_iter().enumerate() {
        let person = SignedInUser::new(&server).await;
        let id_token = person.use_application(&server, &client).await.text("id_token");
        person.sign_out(&id_token).await;
        until("its result", async || {
            let queue = queue(&server).await;
            (queue[index].state == state && queue[index].attempts == 1).then_some(())
        })
        .await;
    }
    retention::delete_expired(&server.app).await.unwrap();
    assert_eq!(queue(&server).await.len(), 3);
    // Back in time, as it were: the one that waits is not due.
    let finished = "UPDATE backchannel_logouts SET finished_at = finished_at - $1 WHERE finished_at IS NOT NULL";
    let mut tx = server.begin().await;
    tx.sql(finished).bind(31 * 86_400_000_i64).execute().await.unwrap();
    tx.commit().await.unwrap();
    retention::delete_expired(&server.app).await.unwrap();
    let states: Vec<String> = queue(&server).await.into_iter().map(|one| one.state).collect();
    assert_eq!(states, ["pending"]);
});
