//! Every hostile receiver, one after the other, as the target of hooks of one server, beside a good receiver of the
//! same events.

use crate::latency::Latency;
use crate::receiver::{Hostile, Listening, Outcome};
use crate::report::{Growth, Report, mib, ms};
use crate::request::is_whole;
use crate::world::World;
use claimsmith_test_support::{Home, Receiver, both, until};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Bytes by which the server may have grown in the end: caches that fill; nothing of what was said.
const GROWTH: u64 = 96 << 20;
/// Bytes that it may hold meanwhile: the attempts that are under way at once, each with the beginning of an answer.
const MEANWHILE: u64 = 96 << 20;

/// Events that each receiver is told of, one after the other.
const EVENTS: usize = 5;
/// What the hooks of this test want to hear of.
const EVENT: &str = "Role.Data.Updated";

/// The time of an attempt.
#[derive(Clone, Copy)]
pub(crate) struct AttemptTime {
    ms: u64,
    /// Whether it is a short one, in which a busy machine may not read as much as makes an exchange fail.
    is_short: bool,
}

impl AttemptTime {
    pub(crate) fn is_over(self, error: &str) -> bool {
        error == format!("no answer within {} ms", self.ms)
    }

    /// Whether the attempt at whoever fails may end with its time instead.
    pub(crate) fn is_late(self, error: &str) -> bool {
        self.is_short && self.is_over(error)
    }
}

/// The settings of the server, and the time of an attempt: a short one, unless all are run with the time that an
/// operator has.
pub(crate) fn settings(whole: bool) -> ([(&'static str, &'static str); 2], AttemptTime) {
    let (text, ms) = if whole { ("10000", 10_000) } else { ("1000", 1000) };
    let settings = [("CLAIMSMITH_WEBHOOKS_POLL_MS", "20"), ("CLAIMSMITH_WEBHOOKS_TIMEOUT_MS", text)];
    (settings, AttemptTime { ms, is_short: !whole })
}

/// Changes the role of the world, and answers what the change says and when it was asked for.
async fn event(world: &World, about: &str) -> (String, Instant) {
    let started = Instant::now();
    let change = json!({ "description": about });
    world.server.management().await.patch(&world.fill("/api/roles/{role}"), change).await.expect(200);
    (about.to_owned(), started)
}

/// The hooks that lead to a receiver, with the events that wait for them.
async fn hooks(world: &World, hostile: &Hostile, listening: &Listening) -> Vec<String> {
    let management = world.server.management().await;
    let mut hooks = Vec::new();
    for _ in 0..hostile.hooks {
        let hook = json!({
            "name": hostile.name, "events": [EVENT], "config": { "url": listening.url },
            "maxConcurrency": if hostile.backlog > 0 { 100 } else { 10 }, "paused": hostile.backlog > 0,
        });
        hooks.push(format!("/api/hooks/{}", management.post("/api/hooks", hook).await.expect(201).text("id")));
    }
    for number in 0..hostile.backlog {
        event(world, &format!("{} before {number}", hostile.name)).await;
    }
    for hook in hooks.iter().filter(|_| hostile.backlog > 0) {
        management.patch(hook, json!({ "paused": false })).await.expect(200);
    }
    hooks
}

/// The attempts of a hook's deliveries, once there was one of so many.
async fn attempts(world: &World, hook: &str, count: usize) -> Vec<Value> {
    let management = world.server.management().await;
    let listed = until("the attempts", async || {
        let listed = management.get(&format!("{hook}/deliveries?page_size=100")).await.expect(200).body;
        let listed = listed.as_array().unwrap().clone();
        let attempted = listed.iter().filter(|delivery| delivery["attempts"].as_u64() > Some(0)).count();
        (attempted >= count).then_some(listed)
    });
    let mut attempts = Vec::new();
    for delivery in listed.await {
        let path = format!("{hook}/deliveries/{}", delivery["id"].as_str().unwrap());
        let details = management.get(&path).await.expect(200).body;
        attempts.extend(details["log"].as_array().unwrap().iter().map(|attempt| {
            let mut attempt = attempt.clone();
            attempt["state"] = details["state"].clone();
            attempt
        }));
    }
    attempts
}

/// Asserts that an attempt ended as it had to.
fn check(hostile: &Hostile, attempt: &Value, time: AttemptTime) {
    let (error, state) = (attempt["error"].as_str(), attempt["state"].as_str());
    let is_delivered = error.is_none() && state == Some("delivered");
    let is_late = error.is_some_and(|error| time.is_over(error));
    let is_right = match hostile.outcome {
        Outcome::Delivered => is_delivered,
        Outcome::TimesOut => is_late,
        Outcome::DeliveredOrTimesOut => is_delivered || is_late,
        Outcome::Fails(reason) => error.is_some_and(|error| error.starts_with(reason) || time.is_late(error)),
        Outcome::FailsOrTimesOut(reason) => is_late || error.is_some_and(|error| error.starts_with(reason)),
        Outcome::DeliveredFailsOrTimesOut(reason) => {
            is_delivered || is_late || error.is_some_and(|error| error.starts_with(reason))
        }
    };
    assert!(is_right, "{}: {:?}, but {attempt:#}", hostile.name, hostile.outcome);
    assert!(
        attempt["responseBody"].as_str().is_none_or(|body| body.chars().count() <= 4096),
        "{}: {attempt}",
        hostile.name
    );
}

/// How long the good receiver waited at most for any of these.
async fn longest_wait(good: &Receiver, events: &[(String, Instant)]) -> Duration {
    let wait = async |(about, started): &(String, Instant)| {
        let told = until("the delivery to the good receiver", async || {
            good.received().into_iter().find(|told| told.json()["data"]["description"] == about.as_str())
        });
        told.await.at - *started
    };
    let mut longest = Duration::ZERO;
    for event in events {
        longest = longest.max(wait(event).await);
    }
    longest
}

both!(after_every_receiver_the_server_is_as_it_was, async |home: Arc<Home>| {
    let home_kind = home.kind();
    let inside = Receiver::start().await;
    let receivers = Hostile::all(&inside.url());
    assert!(receivers.len() >= 40, "the corpus has {} receivers", receivers.len());
    let whole = is_whole(receivers.iter().filter(|receiver| receiver.slow).count());
    let (settings, time) = settings(whole);
    let mut world = World::with(home, &settings).await;
    let good = Receiver::start().await;
    let hook = json!({ "name": "good", "events": [EVENT], "config": { "url": good.url() } });
    world.server.management().await.post("/api/hooks", hook).await.expect(201);
    let before = Latency::of(&world).await;
    let mut growth = Growth::from(world.memory());
    let mut report = Report::new(&[
        "receiver",
        "its attempts",
        "longest attempt",
        "a neighbour meanwhile",
        "the good receiver",
        "memory at most",
        "memory",
    ]);
    for hostile in receivers.iter().filter(|hostile| whole || !hostile.slow) {
        let listening = hostile.listen().await;
        let at_first = world.server.resident_memory();
        world.server.reset_peak_memory();
        let beside = world.beside();
        let hooks = hooks(&world, hostile, &listening).await;
        let mut events = Vec::new();
        for number in 0..EVENTS {
            events.push(event(&world, &format!("{} {number}", hostile.name)).await);
        }
        let waited = longest_wait(&good, &events).await;
        let (mut longest, mut in_time) = (0, !matches!(hostile.outcome, Outcome::Fails(_)));
        for hook in &hooks {
            let count = if hostile.holds { 1 } else { hostile.backlog + EVENTS };
            for attempt in attempts(&world, hook, count).await {
                check(hostile, &attempt, time);
                in_time |= attempt["error"].as_str().is_some_and(|error| !time.is_over(error));
                longest = longest.max(attempt["durationMs"].as_u64().unwrap());
            }
        }
        assert!(in_time, "{}: no attempt failed before its time was over", hostile.name);
        let neighbour = beside.end_in_time(hostile.name).await;
        let meanwhile = world.server.peak_memory().saturating_sub(at_first);
        assert!(meanwhile <= MEANWHILE, "{}: {} more meanwhile", hostile.name, mib(meanwhile));
        world.look(hostile.name).await;
        let management = world.server.management().await;
        for hook in &hooks {
            assert_eq!(management.get(hook).await.expect(200)["enabled"], true, "{}", hostile.name);
            management.delete(hook).await.expect(204);
        }
        report.row(&[
            hostile.name.to_owned(),
            format!("{:?}", hostile.outcome),
            format!("{longest} ms"),
            neighbour,
            ms(waited),
            mib(meanwhile),
            growth.after(hostile.name, world.memory()),
        ]);
    }
    assert_eq!(inside.count(), 0, "a redirect was followed");
    report.write("receivers", home_kind);
    before.compare(&world, "receivers", home_kind).await;
    growth.check(GROWTH);
    world.restart().await;
});
