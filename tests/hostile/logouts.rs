//! Every hostile receiver as the one that an application wants its logouts told to, beside a good application of the
//! same session.

use crate::latency::Latency;
use crate::receiver::{Hostile, Outcome};
use crate::receivers::{AttemptTime, settings};
use crate::report::{Growth, Report, ms};
use crate::request::is_whole;
use crate::world::World;
use claimsmith_domain::clock::Clock;
use claimsmith_storage::Db;
use claimsmith_test_support::{Browser, Home, Receiver, both, told, until};
use serde_json::json;
use std::sync::Arc;
use std::time::Instant;

/// Bytes by which the server may have grown in the end.
const GROWTH: u64 = 96 << 20;

const CALLBACK: &str = "https://victim.test/callback";
/// Verifier and challenge of RFC 7636 appendix B.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/// An application that wants its logouts told to this address; its id.
async fn application(world: &World, url: &str) -> String {
    let body = json!({
        "name": "told", "type": "Native",
        "oidcClientMetadata": { "redirectUris": [CALLBACK], "backchannelLogoutUri": url },
    });
    world.server.management().await.post("/api/applications", body).await.expect(200).text("id")
}

/// Signs in to an application without being asked; answers the ID token.
async fn sign_in(world: &World, browser: &Browser, client: &str) -> String {
    let request = format!(
        "/oidc/auth?client_id={client}&redirect_uri={CALLBACK}&response_type=code&scope=openid&prompt=none\
         &code_challenge={CHALLENGE}&code_challenge_method=S256"
    );
    let code = told(&browser.open(&request).await.expect(303))["code"].clone();
    let form = world.server.form("/oidc/token").with("grant_type", "authorization_code").with("code", &code);
    let form = form.with("client_id", client).with("redirect_uri", CALLBACK).with("code_verifier", VERIFIER);
    form.send().await.expect(200).text("id_token")
}

/// What became of a logout.
#[derive(Debug, claimsmith_storage::Row)]
struct Queued {
    state: String,
    note: Option<String>,
}

/// What became of the logout of an application, once it was attempted.
async fn attempted(db: &Db, client: &str) -> Queued {
    let sql = "SELECT state, note FROM backchannel_logouts WHERE application_id = $1 AND attempts > 0";
    let attempt = async || db.read().await.unwrap().sql(sql).bind(client).optional::<Queued>().await.unwrap();
    until("an attempt to tell of a logout", attempt).await
}

/// Asserts that it ended as it had to.
fn check(hostile: &Hostile, queued: &Queued, time: AttemptTime) {
    let note = queued.note.as_deref().unwrap_or_default();
    let is_late = time.is_over(note);
    let is_right = match hostile.outcome {
        Outcome::Delivered => queued.state == "delivered",
        Outcome::TimesOut => is_late,
        Outcome::DeliveredOrTimesOut => queued.state == "delivered" || is_late,
        Outcome::Fails(reason) => {
            let reason = reason.replace("the receiver answered", "the application answered");
            note.starts_with(&reason) || time.is_late(note)
        }
        Outcome::FailsOrTimesOut(reason) => is_late || note.starts_with(reason),
        Outcome::DeliveredFailsOrTimesOut(reason) => queued.state == "delivered" || is_late || note.starts_with(reason),
    };
    assert!(is_right, "{}: {:?}, but {queued:?}", hostile.name, hostile.outcome);
}

both!(after_every_receiver_of_logouts_the_server_is_as_it_was, async |home: Arc<Home>| {
    let home_kind = home.kind();
    let inside = Receiver::start().await;
    let receivers: Vec<Hostile> = Hostile::all(&inside.url()).into_iter().filter(|hostile| !hostile.slow).collect();
    // The client is that of webhooks, so every second one is enough for the short run.
    let whole = is_whole(receivers.len() / 2);
    let (settings, time) = settings(whole);
    let db = home.db().await;
    let mut world = World::with(home, &settings).await;
    let told = Receiver::start().await;
    let good = application(&world, &told.url()).await;
    let before = Latency::of(&world).await;
    let mut growth = Growth::from(world.memory());
    let mut report = Report::new(&["receiver", "signing out", "a neighbour meanwhile", "the good one", "memory"]);
    let victim = world.fill("{user}").as_str().into();
    for (number, hostile) in receivers.iter().step_by(if whole { 1 } else { 2 }).enumerate() {
        let listening = hostile.listen().await;
        let client = application(&world, &listening.url).await;
        let (browser, _) = Browser::signed_in(&world.server, &db, Clock::system().now_ms(), &[&victim]).await;
        sign_in(&world, &browser, &good).await;
        let hint = sign_in(&world, &browser, &client).await;
        let beside = world.beside();
        let started = Instant::now();
        browser.open(&format!("/oidc/session/end?id_token_hint={hint}")).await.expect(303);
        let signed_out = started.elapsed();
        let told = told.wait(number + 1).await[number].at - started;
        check(hostile, &attempted(&db, &client).await, time);
        let neighbour = beside.end_in_time(hostile.name).await;
        world.look(hostile.name).await;
        let path = format!("/api/applications/{client}");
        world.server.management().await.delete(&path).await.expect(204);
        report.row(&[
            hostile.name.to_owned(),
            ms(signed_out),
            neighbour,
            ms(told),
            growth.after(hostile.name, world.memory()),
        ]);
    }
    assert_eq!(inside.count(), 0, "a redirect was followed");
    report.write("logouts", home_kind);
    before.compare(&world, "logouts", home_kind).await;
    growth.check(GROWTH);
    db.close().await;
    world.restart().await;
});
