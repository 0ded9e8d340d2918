//! Every hostile request, one after the other, on one server.

use crate::clients::Clients;
use crate::latency::Latency;
use crate::report::{Growth, Report, ms};
use crate::request::{Attack, is_whole};
use crate::world::World;
use claimsmith_domain::management::SCOPES;
use claimsmith_test_support::{Actor, Answer, Home, Wire, both};
use reqwest::header::HeaderValue;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Bytes by which the server may have grown in the end: the engine of trials, which is made when the first draft is
/// checked (some 30 MiB), and caches that fill; nothing of what was sent.
const GROWTH: u64 = 160 << 20;

/// Bytes on top of it for each core: half as many threads keep the 19 MiB of a digest, and each thread of the runtime
/// has a heap of its own.
const GROWTH_PER_CORE: u64 = 20 << 20;

/// Sends an attack as often as it says, and answers how long the longest answer took. Answers with another status than
/// the attack names are added to `wrong`.
async fn send(world: &World, attack: &Attack, client: &Actor, wrong: &mut Vec<String>) -> Duration {
    let (path, body) = (world.fill(&attack.path), world.fill(&attack.body()));
    let headers: Vec<(String, String)> =
        attack.headers().into_iter().map(|(name, value)| (name, world.fill(&value))).collect();
    let mut longest = Duration::ZERO;
    if let Some(cut) = attack.cut {
        for _ in 0..attack.times {
            drop(go_away(world, (attack, &path), &headers, &body, cut).await);
        }
        return longest;
    }
    if attack.unread {
        let mut connections = Vec::new();
        for _ in 0..attack.times {
            connections.push(go_away(world, (attack, &path), &headers, &body, body.len()).await);
        }
        // A neighbour gets a token while they are open.
        world.neighbour(&attack.name).await;
        return longest;
    }
    for _ in 0..attack.times {
        let mut request = client.request(attack.method(), &path).body(body.clone());
        for (name, value) in &headers {
            request = request.header(name, HeaderValue::from_bytes(value.as_bytes()).unwrap());
        }
        let started = Instant::now();
        // Whoever is refused before the body was read may find the connection closed.
        match Answer::try_of(request).await {
            Ok(answer) => {
                if !attack.status.contains(&answer.status) {
                    wrong.push(format!("{}: {} {}", attack.name, answer.status, answer.body));
                }
            }
            Err(error) => assert!(body.len() > 1 << 20, "{}: {error}", attack.name),
        }
        longest = longest.max(started.elapsed());
    }
    longest
}

/// Sends a request up to this many bytes of its body, and reads nothing. The connection closes with what is returned.
async fn go_away(
    world: &World,
    (attack, path): (&Attack, &str),
    headers: &[(String, String)],
    body: &str,
    cut: usize,
) -> Wire {
    let mut head =
        format!("{} {path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: {}\r\n", attack.method(), body.len());
    for (name, value) in headers {
        write!(head, "{name}: {value}\r\n").unwrap();
    }
    let mut wire = Wire::open(&world.server).await.unwrap();
    wire.say(format!("{head}\r\n{}", &body[..cut])).await.unwrap();
    wire
}

both!(after_every_request_the_server_is_as_it_was, async |home: Arc<Home>| {
    let home_kind = home.kind();
    let mut attacks = Attack::all();
    attacks.sort_by_key(|attack| attack.client.clone());
    assert!(attacks.len() >= 20, "the corpus has {} requests", attacks.len());
    for (scope, _) in SCOPES {
        assert!(attacks.iter().any(|attack| attack.client == scope), "nobody attacks with {scope}");
    }
    let whole = is_whole(attacks.iter().filter(|attack| attack.slow).count());
    let mut world = World::new(home).await;
    let before = Latency::of(&world).await;
    let mut growth = Growth::from(world.memory());
    let mut clients = Clients::of(&world).await;
    let mut wrong = Vec::new();
    let mut report = Report::new(&["attack", "client", "longest answer", "a neighbour meanwhile", "memory"]);
    let mut attacks = attacks.iter().filter(|attack| whole || !attack.slow).peekable();
    while let Some(attack) = attacks.next() {
        let client = clients.named(&attack.client).await;
        let beside = world.beside();
        let longest = send(&world, attack, &client, &mut wrong).await;
        let neighbour = beside.end().await;
        world.look(&attack.name).await;
        report.row(&[
            attack.name.clone(),
            attack.client.clone(),
            ms(longest),
            neighbour,
            growth.after(&attack.name, world.memory()),
        ]);
        if attacks.peek().is_none_or(|next| next.client != attack.client) {
            world.start_beside(&attack.client).await;
        }
    }
    report.write("requests", home_kind);
    wrong.dedup();
    assert!(wrong.is_empty(), "{wrong:#?}");
    before.compare(&world, "requests", home_kind).await;
    let cores = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    growth.check(GROWTH + cores * GROWTH_PER_CORE);
    world.restart().await;
});
