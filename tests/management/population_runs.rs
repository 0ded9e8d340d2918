//! A version of a plugin over all users, through the API: what differs, who may see it, and how a run ends.

use crate::fixtures::{self, narrow, user};
use claimsmith_identity::retention;
use claimsmith_storage::plugins::population_runs as stored;
use claimsmith_test_support::{Actor, TOKEN_EXCHANGE, TestServer, both, until};
use reqwest::Method;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Duration;

const RUNS: &str = "/api/plugins/plan/population-runs";
const FIRST: &str = "export const getCustomJwtClaims = ({ context }) => \
                     ({ plan: context.user?.customData?.plan ?? 'free', fixed: true });";
/// Another name of the plan, one claim more, and nothing for those who are banned.
const SECOND: &str = "export const getCustomJwtClaims = ({ context, api }) => {
  const { user } = context;
  if (user?.customData?.banned) api.denyAccess(`${user.name} is banned`);
  const plan = user?.customData?.plan;
  return plan ? { plan: `${plan}-plus`, fixed: true, motto: `Hello ${user.name}` } : { plan: 'free', fixed: true };
};";
/// What the input says of a person.
const PERSONAL: [&str; 3] = ["Lovelace", "lovelace", "Marylebone"];

async fn upload(management: &Actor, name: &str, query: &str, source: &str) {
    fixtures::upload(management, &format!("/api/plugins/{name}{query}"), source, &[]).await.expect(201);
}

/// A plugin whose version 1 is active, and version 2 is not.
async fn plan(management: &Actor) {
    upload(management, "plan", "", FIRST).await;
    upload(management, "plan", "?activate=false", SECOND).await;
}

/// The same with a version 2 that takes so long that a run of it goes on until it is canceled.
async fn slow_plan(management: &Actor) {
    let slow = "export const getCustomJwtClaims = () => { const end = Date.now() + 300; while (Date.now() < end); \
                return {}; };";
    upload(management, "plan", "", FIRST).await;
    upload(management, "plan", "?activate=false", slow).await;
    for number in 0..60 {
        user(management, &format!("user{number}")).await;
    }
}

async fn until_it_has_begun(management: &Actor, id: &str) {
    until("some progress", async || {
        let run = management.get(&format!("{RUNS}/{id}")).await.expect(200);
        (run["compared"].as_i64() > Some(0)).then_some(())
    })
    .await;
}

/// A user with this data.
async fn person(management: &Actor, username: &str, data: Value) -> String {
    let id = user(management, username).await;
    let body = json!({ "name": format!("{username} Lovelace"), "customData": data });
    management.patch(&format!("/api/users/{id}"), body).await.expect(200);
    id
}

/// The body of a run, with more members.
fn asked(server: &TestServer, more: &Value) -> Value {
    let demo = server.demo();
    let mut body = json!({
        "version": "2", "application": demo.spa_client_id, "grantType": TOKEN_EXCHANGE, "resource": demo.resource
    });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

async fn start(server: &TestServer, management: &Actor, more: &Value) -> String {
    management.post(RUNS, asked(server, more)).await.expect(201).text("id")
}

/// The run, once it has ended.
async fn ended(management: &Actor, path: &str, id: &str) -> Value {
    until("the end of the run", async || {
        let run = management.get(&format!("{path}/{id}")).await.expect(200).body;
        (run["state"] != "running").then_some(run)
    })
    .await
}

fn classes(run: &Value) -> BTreeMap<String, i64> {
    let classes = run["results"]["classes"].as_array().unwrap().iter();
    classes.map(|row| (row["class"].as_str().unwrap().to_owned(), row["count"].as_i64().unwrap())).collect()
}

/// A page of differences, with the `Link` of the next one.
async fn differences(management: &Actor, id: &str, query: &str) -> (Vec<Value>, Option<String>) {
    let request = management.request(Method::GET, &format!("{RUNS}/{id}/differences{query}"));
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), 200);
    let header = |name: &str| response.headers().get(name).map(|value| value.to_str().unwrap().to_owned());
    assert_eq!(header("content-type").as_deref(), Some("application/x-ndjson"));
    let link = header("link");
    let text = response.text().await.unwrap();
    (text.lines().map(|line| serde_json::from_str(line).unwrap()).collect(), link)
}

async fn count_users(management: &Actor) -> i64 {
    i64::try_from(management.get("/api/users?page_size=100").await.expect(200).body.as_array().unwrap().len()).unwrap()
}

both!(a_run_shows_for_whom_a_version_answers_something_else, async |server: TestServer| {
    let management = server.management().await;
    plan(&management).await;
    let ada = person(&management, "ada", json!({ "plan": "gold", "street": "Marylebone Road 12" })).await;
    person(&management, "bob", json!({ "banned": true })).await;
    let carl = person(&management, "carl", json!({ "plan": "gold" })).await;
    management.patch(&format!("/api/users/{carl}/is-suspended"), json!({ "isSuspended": true })).await.expect(200);
    let users = count_users(&management).await;

    let begun = management.post(RUNS, asked(&server, &json!({}))).await.expect(201);
    assert_eq!((&begun["state"], &begun["against"], &begun["users"]), (&json!("running"), &json!("1"), &json!(users)));
    assert_eq!((&begun["http"], &begun["withSecrets"]), (&Value::Null, &json!(true)));
    let id = begun.text("id");
    let run = ended(&management, RUNS, &id).await;
    assert_eq!(
        (&run["state"], &run["visited"], &run["compared"]),
        (&json!("complete"), &json!(users), &json!(users - 1))
    );
    assert_eq!((&run["skipped"], &run["problem"]), (&json!(1), &Value::Null), "who is suspended has no token");
    let expected = [("deniedInstead", 1), ("different", 1), ("equal", users - 3)];
    assert_eq!(classes(&run), expected.map(|(name, count)| (name.to_owned(), count)).into());
    let claim = |name: &str, added: i64, changed: i64| json!({ "name": name, "added": added, "removed": 0, "changed": changed, "noise": 0 });
    assert_eq!(run["results"]["claims"], json!([claim("motto", 1, 0), claim("plan", 0, 1)]));
    assert!(run["results"]["candidate"]["p50Us"].as_u64() > Some(0) && run["results"]["against"]["p99Us"].is_u64());
    assert_eq!((&run["differences"], &run["dropped"]), (&json!(2), &json!(0)));

    let (found, link) = differences(&management, &id, "").await;
    assert_eq!((found.len(), link), (2, None));
    for difference in &found {
        let text = difference.to_string();
        for personal in PERSONAL.into_iter().chain([ada.as_str()]) {
            assert!(!text.contains(personal), "{personal} in {text}");
        }
        assert!(
            difference["number"].as_i64() > Some(0) && difference["input"]["context"]["user"].is_object(),
            "{text}"
        );
    }
    let (found, _) = differences(&management, &id, "?class=different").await;
    let [different] = found.try_into().unwrap();
    // The names of the claims are the plugin's own, and so is the end of its plan.
    let claims: Vec<_> = different["changes"].as_array().unwrap().iter().map(|one| one["claim"].clone()).collect();
    assert_eq!(claims, ["motto", "plan"]);
    assert_eq!(
        (&different["expected"]["answer"]["fixed"], &different["actual"]["outcome"]),
        (&json!(true), &json!("ok"))
    );
    let (denied, _) = differences(&management, &id, "?class=deniedInstead").await;
    let message = denied[0]["actual"]["message"].as_str().unwrap();
    assert_eq!(message.len(), "bob Lovelace is banned".len(), "{message}");
    let logs = management.get("/api/logs?logKey=Management.Plugin.ReadPopulationRun").await.expect(200).body;
    assert_eq!((logs.as_array().unwrap().len(), &logs[0]["payload"]["run"]), (3, &json!(id)));
    let statistics = management.get("/api/plugins/plan").await.expect(200).body["statistics"].clone();
    assert_eq!(statistics["calls"], 0, "the calls of a run count nowhere");

    // Nor does the database show it.
    let rows = stored::differences(&mut server.begin().await, &id, None, 0, 10).await.unwrap();
    assert!(rows.iter().all(|row| !row.sealed.contains("context")));
    let row = stored::find(&mut server.begin().await, "plan", &id).await.unwrap().unwrap();
    assert_eq!((row.sealed_key, row.reached.as_str()), (None, ""), "the key of the pseudonyms is forgotten");
    assert!(!row.sealed_results.unwrap().contains("plan"));

    management.delete(&format!("/api/users/{ada}")).await.expect(204);
    let (left, _) = differences(&management, &id, "").await;
    assert_eq!(left.len(), 1, "what is about somebody goes with them");
    server.clock.advance(Duration::from_secs(7 * 24 * 3600));
    retention::delete_expired(&server.app).await.unwrap();
    assert!(stored::find(&mut server.begin().await, "plan", &id).await.unwrap().is_none());
});

both!(a_version_is_compared_with_nothing_over_a_sample, async |server: TestServer| {
    let management = server.management().await;
    plan(&management).await;
    for number in 0..8 {
        person(&management, &format!("user{number}"), json!({})).await;
    }
    let id = start(&server, &management, &json!({ "version": "1", "against": "nothing", "sample": 5 })).await;
    let run = ended(&management, RUNS, &id).await;
    assert_eq!((&run["against"], &run["users"], &run["compared"]), (&Value::Null, &json!(5), &json!(5)));
    assert_eq!(classes(&run), [("different".to_owned(), 5)].into());
    assert_eq!(
        run["results"]["claims"][1],
        json!({ "name": "plan", "added": 5, "removed": 0, "changed": 0, "noise": 0 })
    );
    let (first, link) = differences(&management, &id, "?page_size=3").await;
    let last = first.last().unwrap()["number"].as_i64().unwrap();
    assert!(link.is_some_and(|link| link.contains(&format!("after={last}")) && link.ends_with("rel=\"next\"")));
    let (rest, link) = differences(&management, &id, &format!("?page_size=3&after={last}")).await;
    assert_eq!((first.len(), rest.len(), link), (3, 2, None));
    for query in ["?page_size=0", "?page_size=101", "?after=-1", "?class=new"] {
        let path = format!("{RUNS}/{id}/differences{query}");
        management.get(&path).await.expect_api_error(400, "guard.invalid_input");
    }
});

both!(what_varies_by_itself_is_noise, async |server: TestServer| {
    let management = server.management().await;
    let at = |plan: &str| format!("export const getCustomJwtClaims = () => ({{ at: Math.random(), plan: '{plan}' }});");
    upload(&management, "plan", "", &at("a")).await;
    upload(&management, "plan", "?activate=false", &at("b")).await;
    let id = start(&server, &management, &json!({})).await;
    let run = ended(&management, RUNS, &id).await;
    let users = run["compared"].as_i64().unwrap();
    assert_eq!(classes(&run), [("different".to_owned(), users)].into());
    let claims = [
        json!({ "name": "at", "added": 0, "removed": 0, "changed": 0, "noise": users }),
        json!({ "name": "plan", "added": 0, "removed": 0, "changed": users, "noise": 0 }),
    ];
    assert_eq!((&run["results"]["claims"], &run["results"]["noisy"]), (&json!(claims), &json!(users)));
});

both!(what_cannot_be_run_is_refused_at_its_field, async |server: TestServer| {
    let management = server.management().await;
    plan(&management).await;
    let users = count_users(&management).await;
    let (id, _) = fixtures::machine(&management, "job").await;
    for (field, more) in [
        ("version", json!({ "version": "9" })),
        ("version", json!({ "version": "two" })),
        ("version", json!({ "version": "1" })),
        ("application", json!({ "application": "nobody" })),
        ("application", json!({ "application": "claimsmith-console" })),
        ("sample", json!({ "sample": 0 })),
        ("sample", json!({ "sample": users + 1 })),
        ("grantType", json!({ "grantType": "password" })),
        ("grantType", json!({ "grantType": "client_credentials" })),
        ("grantType", json!({ "grantType": "authorization_code", "application": id })),
        ("resource", json!({ "resource": "https://nowhere.test" })),
        ("resource", json!({ "resource": server.machine().resource })),
        ("scope", json!({ "scope": "x".repeat(3000) })),
        ("tokenKind", json!({ "tokenKind": "id-token" })),
        ("http.perSecond", json!({ "http": { "perSecond": 0 } })),
        ("http.perSecond", json!({ "http": { "perSecond": 101 } })),
    ] {
        let refused = management.post(RUNS, asked(&server, &more)).await;
        refused.expect_api_error(422, "plugin.population_run_refused");
        assert_eq!(refused["data"]["field"], field, "{}", refused.body);
    }
    for (field, body) in [
        ("against", asked(&server, &json!({ "against": "yesterday" }))),
        ("sometimes", asked(&server, &json!({ "sometimes": true }))),
        ("version", json!({ "application": "x" })),
    ] {
        let refused = management.post(RUNS, body).await;
        refused.expect_api_error(400, "guard.invalid_input");
        assert!(refused.text("details").contains(field), "{}", refused.body);
    }
    management.patch("/api/plugins/plan", json!({ "applications": ["elsewhere"] })).await.expect(200);
    let refused = management.post(RUNS, asked(&server, &json!({}))).await;
    refused.expect_api_error(422, "plugin.population_run_refused");
    assert_eq!(refused["data"]["field"], "application");

    let compose = "export const composeMessage = () => ({ url: 'https://sms.example.com/' });";
    upload(&management, "texts", "", compose).await;
    let refused =
        management.post("/api/plugins/texts/population-runs", asked(&server, &json!({ "version": "1" }))).await;
    refused.expect_api_error(422, "plugin.population_run_refused");
    let unknown = "/api/plugins/nobody/population-runs";
    management.post(unknown, asked(&server, &json!({}))).await.expect_api_error(404, "entity.not_exists_with_id");
    management.get(unknown).await.expect(404);
    for path in ["", "/differences"] {
        management.get(&format!("{RUNS}/nobody{path}")).await.expect(404);
    }
    management.post(&format!("{RUNS}/nobody/cancel"), json!({})).await.expect(404);
    management.delete(&format!("{RUNS}/nobody")).await.expect(404);
    assert_eq!(management.get(RUNS).await.expect(200).body, json!([]));
});

both!(one_run_goes_on_at_a_time_until_it_is_canceled, async |server: TestServer| {
    let management = server.management().await;
    slow_plan(&management).await;
    let id = start(&server, &management, &json!({})).await;
    let second = management.post(RUNS, asked(&server, &json!({}))).await;
    second.expect_api_error(409, "plugin.population_run_running");
    until_it_has_begun(&management, &id).await;
    let canceled = management.post(&format!("{RUNS}/{id}/cancel"), json!({})).await.expect(200);
    let compared = canceled["compared"].as_i64().unwrap();
    assert_eq!((&canceled["state"], canceled["endedAt"].is_i64()), (&json!("canceled"), true));
    assert!(compared < canceled["users"].as_i64().unwrap(), "{}", canceled.body);
    let again = management.post(&format!("{RUNS}/{id}/cancel"), json!({})).await.expect(200);
    assert_eq!((&again["state"], &again["endedAt"]), (&json!("canceled"), &canceled["endedAt"]));
    assert!(!differences(&management, &id, "").await.0.is_empty(), "what it found stays");

    // The next one may begin at once, and its deletion ends it.
    let next = start(&server, &management, &json!({ "sample": 60 })).await;
    management.delete(&format!("{RUNS}/{next}")).await.expect(204);
    management.get(&format!("{RUNS}/{next}")).await.expect(404);
    let last = start(&server, &management, &json!({ "sample": 1 })).await;
    assert_eq!(ended(&management, RUNS, &last).await["state"], "complete");
    assert_eq!(management.get(&format!("{RUNS}/{id}")).await.expect(200)["compared"], compared, "it wrote no more");
    let logs = management.get("/api/logs?logKey=Management.Plugin.CancelPopulationRun").await.expect(200).body;
    assert_eq!(logs.as_array().unwrap().len(), 1);
});

both!(a_run_ends_when_who_started_it_has_lost_a_right, async |server: TestServer| {
    let management = server.management().await;
    slow_plan(&management).await;
    let recorder = narrow(&server, &management, &["plugins:recordings", "users:read"]).await;
    let id = start(&server, &recorder, &json!({})).await;
    until_it_has_begun(&management, &id).await;
    let roles = management.get("/api/roles?page_size=100").await.expect(200).body;
    let role = fixtures::find(&roles, "name", "plugins:recordings users:read")["id"].as_str().unwrap();
    management.delete(&format!("/api/roles/{role}")).await.expect(204);
    let run = ended(&management, RUNS, &id).await;
    assert_eq!(run["state"], "canceled", "{run}");
    assert!(
        run["compared"].as_i64() < run["users"].as_i64() && run["problem"].as_str().unwrap().contains("permissions")
    );
});

both!(a_run_needs_two_scopes_and_a_third_for_http, async |server: TestServer| {
    let management = server.management().await;
    plan(&management).await;
    let both = narrow(&server, &management, &["plugins:recordings", "users:read"]).await;
    for scopes in [&["plugins:recordings"][..], &["plugins:write", "plugins:read", "users:read"]] {
        let one = narrow(&server, &management, scopes).await;
        one.post(RUNS, asked(&server, &json!({}))).await.expect_api_error(403, "auth.forbidden");
    }
    let http = json!({ "http": { "perSecond": 5 } });
    both.post(RUNS, asked(&server, &http)).await.expect_api_error(403, "auth.forbidden");
    let begun = both.post(RUNS, asked(&server, &json!({}))).await.expect(201);
    assert_eq!(begun["withSecrets"], false, "for those, there is another scope");
    let id = begun.text("id");
    let reader = narrow(&server, &management, &["plugins:read"]).await;
    assert_eq!(ended(&reader, RUNS, &id).await["state"], "complete");
    let path = format!("{RUNS}/{id}");
    reader.get(&format!("{path}/differences")).await.expect_api_error(403, "auth.forbidden");
    reader.post(&format!("{path}/cancel"), json!({})).await.expect_api_error(403, "auth.forbidden");
    reader.delete(&path).await.expect_api_error(403, "auth.forbidden");
    both.get(&path).await.expect_api_error(403, "auth.forbidden");
    let recorder = narrow(&server, &management, &["plugins:recordings", "plugins:grant"]).await;
    recorder.get(&format!("{path}/differences")).await.expect_api_error(403, "auth.forbidden");
    assert!(differences(&both, &id, "").await.0.is_empty());
    recorder.delete(&path).await.expect(204);
});

both!(requests_are_refused_and_counted_unless_they_are_allowed, async |server: TestServer| {
    let management = server.management().await;
    let asks = "export const getCustomJwtClaims = async () => {
      try { return { answer: (await fetch('https://api.example.invalid/')).status }; }
      catch (error) { return { answer: String(error) }; }
    };";
    let settings = [("manifest", "[capabilities.http]\nhosts = [\"api.example.invalid\"]\n")];
    fixtures::upload(&management, "/api/plugins/plan", asks, &settings).await.expect(201);
    let granted = json!({ "hosts": ["api.example.invalid"] });
    management.put("/api/plugins/plan/grants/http", granted).await.expect(200);
    let nothing = json!({ "version": "1", "against": "nothing", "sample": 2 });
    let id = start(&server, &management, &nothing).await;
    let run = ended(&management, RUNS, &id).await;
    assert_eq!((&run["compared"], &run["httpSent"], &run["httpRefused"]), (&json!(2), &json!(0), &json!(2)));
    let mut allowed = nothing;
    allowed["http"] = json!({ "perSecond": 100 });
    let id = start(&server, &management, &allowed).await;
    let run = ended(&management, RUNS, &id).await;
    assert_eq!(
        (&run["http"], &run["httpSent"], &run["httpRefused"]),
        (&json!({ "perSecond": 100 }), &json!(2), &json!(0))
    );
});

both!(what_a_version_makes_of_a_secret_is_not_shown, async |server: TestServer| {
    let management = server.management().await;
    let half = "export const getCustomJwtClaims = ({ environmentVariables }) => \
                ({ half: environmentVariables.API_KEY.slice(0, 7) });";
    upload(&management, "plan", "", FIRST).await;
    upload(&management, "plan", "?activate=false", half).await;
    management.put("/api/plugins/plan/secrets/API_KEY", json!({ "value": "hunterx-and-more" })).await.expect(204);
    let id = start(&server, &management, &json!({ "sample": 1 })).await;
    assert_eq!(ended(&management, RUNS, &id).await["withSecrets"], true);
    let (found, _) = differences(&management, &id, "").await;
    let text = found[0].to_string();
    assert!(text.contains("\"half\"") && !text.contains("hunter"), "{text}");
});

both!(a_token_script_is_run_over_all_users, async |server: TestServer| {
    let management = server.management().await;
    let path = "/api/configs/jwt-customizer/access-token";
    for plan in ["gold", "silver"] {
        let script = format!("const getCustomJwtClaims = async () => ({{ plan: '{plan}' }});");
        let put = management.put(path, json!({ "script": script })).await;
        assert!([200, 201].contains(&put.status), "{}", put.body);
    }
    let runs = "/api/plugins/jwt-access-token/population-runs";
    let body = asked(&server, &json!({ "version": "1" }));
    let id = management.post(runs, body).await.expect(201).text("id");
    let run = ended(&management, runs, &id).await;
    assert_eq!(
        (&run["against"], run["results"]["claims"][0]["changed"].clone()),
        (&json!("2"), run["compared"].clone())
    );
});
