//! The form of a rollout at the console: its rules and its end are fields, with their problems at them, and what was
//! typed is kept.

use crate::forms::forms;
use claimsmith_domain::console::ConsoleRole::Developer;
use claimsmith_test_support::{Actor, Answer, TestServer, both};
use reqwest::Method;
use serde_json::{Value, json};
use std::collections::BTreeMap;

const PAGE: &str = "/console/plugins/plan/rollout";
const ROLLOUT: &str = "/api/plugins/plan/rollout";
const DAY: i64 = 24 * 3_600_000;

async fn upload(management: &Actor, query: &str, plan: &str) {
    let source = format!("export const getCustomJwtClaims = async () => ({{ plan: '{plan}' }});");
    let request = management.request(Method::PUT, &format!("/api/plugins/plan{query}"));
    Answer::of(request.header("content-type", "text/javascript").body(source)).await.expect(201);
}

/// What the form with the rules shows, by the names of its fields.
fn shown(page: &Answer) -> BTreeMap<String, String> {
    let form =
        forms(page.html()).into_iter().find(|form| form.fields.iter().any(|field| field.name == "share")).unwrap();
    form.fields.into_iter().filter(|field| field.is_sent).map(|field| (field.name, field.value)).collect()
}

/// The fields with some of them filled in, as a browser sends them.
fn with<'f>(fields: &'f BTreeMap<String, String>, changed: &[(&'f str, &'f str)]) -> Vec<(&'f str, &'f str)> {
    let mut all: BTreeMap<&str, &str> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    all.remove("csrf");
    all.extend(changed.iter().copied());
    all.into_iter().collect()
}

async fn rollout(management: &Actor) -> Value {
    management.get(ROLLOUT).await.expect(200).body
}

both!(the_rules_of_a_rollout_are_fields_of_its_form, async |server: TestServer| {
    let management = server.management().await;
    upload(&management, "", "silver").await;
    upload(&management, "?activate=false", "golden").await;
    let ada = server.operator("ada", &[Developer]).await;
    let browser = server.at_console("ada").await;
    let page = browser.visit(PAGE).await.expect(200);
    for said in ["Promote after (runs)", "Abort over (% slower at p99)", "Pause under (runs)", "Expires after (days)"] {
        assert!(page.html().contains(said), "{said}");
    }

    // What is wrong is said at its field, by the console or the API, and nothing starts.
    let fields = shown(&page);
    let basis = [("version", "2"), ("mode", "canary"), ("share", "5")];
    for (name, typed, said) in [
        ("rules.promoteAfter.runs", "500", "rules.promoteAfter.minutes"),
        ("rules.promoteAfter.minutes", "60", "rules.promoteAfter.runs"),
        ("rules.pauseUnder.runs", "few", "rules.pauseUnder.runs"),
        ("rules.pauseUnder.runs", "0", "rules.pauseUnder.runs"),
        ("rules.abortOver.failed", "101", "rules.abortOver.failed"),
        ("rules.abortOver.denied", "-1", "rules.abortOver.denied"),
        ("rules.abortOver.slowerP99", "NaN", "rules.abortOver.slowerP99"),
        ("rules.abortOver.different", "1,5", "rules.abortOver.different"),
        ("expires", "31", "expires"),
        ("expires", "1.5", "expires"),
    ] {
        let sent = with(&fields, &[basis.as_slice(), &[("rules.abortOver.slowerP99", "50"), (name, typed)]].concat());
        let refused = browser.fill_in(&page, PAGE, &sent).await.expect(422);
        let html = refused.html();
        assert!(html.contains(&format!("id=\"{said}-problem\"")), "{name} {typed}: {html}");
        let kept = shown(&refused);
        assert_eq!((kept[name].as_str(), kept["share"].as_str()), (typed, "5"), "what was typed is kept");
    }
    management.get(ROLLOUT).await.expect(404);

    let asked = [
        ("rules.promoteAfter.runs", "500"),
        ("rules.promoteAfter.minutes", "60"),
        ("rules.abortOver.failed", "0.5"),
        ("rules.abortOver.slowerP99", "50"),
        ("rules.pauseUnder.runs", "20"),
        ("expires", "3"),
    ];
    let sent = with(&fields, &[basis.as_slice(), &asked].concat());
    browser.fill_in(&page, PAGE, &sent).await.expect(303);
    let started = rollout(&management).await;
    let rules = json!({
        "promoteAfter": { "runs": 500, "minutes": 60 }, "abortOver": { "failed": 0.5, "slowerP99": 50.0 },
        "pauseUnder": { "runs": 20 }
    });
    assert_eq!((&started["rules"], &started["rulesBy"]), (&rules, &json!(format!("user:{ada}"))));
    let lasts = |rollout: &Value| rollout["expires"].as_i64().unwrap() - rollout["startedAt"].as_i64().unwrap();
    assert_eq!(lasts(&started), 3 * DAY);

    // A running rollout is shown filled in. Another operator who changes its share takes its rules over only by
    // changing them.
    server.operator("bob", &[Developer]).await;
    let other = server.at_console("bob").await;
    let page = other.visit(PAGE).await.expect(200);
    let fields = shown(&page);
    for (name, value) in asked {
        assert_eq!(fields[name], value, "{name}");
    }
    assert_eq!(fields["rules.abortOver.denied"], "");
    other.fill_in(&page, PAGE, &with(&fields, &[("share", "10")])).await.expect(303);
    let changed = rollout(&management).await;
    assert_eq!((&changed["share"], &changed["rules"], &changed["rulesBy"]), (&json!(10), &rules, &started["rulesBy"]));
    assert_eq!(changed["expires"], started["expires"]);

    let page = other.visit(PAGE).await.expect(200);
    let fields = shown(&page);
    let less = [("rules.promoteAfter.runs", ""), ("rules.promoteAfter.minutes", ""), ("expires", "10")];
    other.fill_in(&page, PAGE, &with(&fields, &less)).await.expect(303);
    let changed = rollout(&management).await;
    assert_eq!((&changed["rules"]["promoteAfter"], lasts(&changed)), (&Value::Null, 10 * DAY));
    assert_ne!(changed["rulesBy"], started["rulesBy"], "they act for the operator who changed them");

    let page = other.visit(PAGE).await.expect(200);
    let fields = shown(&page);
    let none = fields.keys().filter(|name| name.starts_with("rules.")).map(|name| (name.as_str(), ""));
    let none: Vec<_> = none.collect();
    other.fill_in(&page, PAGE, &with(&fields, &none)).await.expect(303);
    assert_eq!(rollout(&management).await["rules"], Value::Null);
});
