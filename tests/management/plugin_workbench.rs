//! What an editor of plugins needs: checks of drafts, sources, examples, and taking over from files.

use crate::fixtures::{find, narrow, texts};
use claimsmith_test_support::{Actor, Answer, Home, TestServer, both, until};
use reqwest::Method;
use reqwest::header::{CONTENT_TYPE, IF_MATCH};
use serde_json::{Value, json};
use std::sync::Arc;

const STAMP: &str =
    "export const getCustomJwtClaims = ({ environmentVariables }) => ({ stamp: environmentVariables.STAMP });";
const CASES: &str = r#"[
  { "name": "stamps", "input": { "environmentVariables": { "STAMP": "a" } }, "expected": { "claims": { "stamp": "a" } } },
  {
    "name": "stamps otherwise",
    "input": {}, "expected": { "claims": { "stamp": "b" } }
  }
]"#;

async fn check(management: &Actor, draft: Value) -> Answer {
    management.post("/api/plugin-checks", draft).await
}

fn draft(source: &str) -> Value {
    json!({ "language": "javascript", "source": source })
}

fn says(what: &str) -> String {
    format!("export const getCustomJwtClaims = () => ({{ says: {what:?} }});")
}

async fn put(management: &Actor, path: &str, source: String) -> Answer {
    Answer::of(management.request(Method::PUT, path).header(CONTENT_TYPE, "text/javascript").body(source)).await
}

/// What the customer's token says.
async fn said(server: &TestServer) -> Value {
    let token = server.exchange(&server.customer_token().await).access_token().await;
    server.verify(&token, &server.demo().resource).await.claims["says"].clone()
}

both!(a_draft_is_checked_with_every_position, async |server: TestServer| {
    let management = server.management().await;
    let mut good = draft(STAMP);
    good["settings"] = json!("order = 7\n[environment]\nSTAMP = \"b\"\n");
    good["cases"] = json!(CASES);
    let checked = check(&management, good.clone()).await.expect(200);
    assert_eq!((&checked["accepted"], &checked["diagnostics"]), (&json!(true), &json!([])), "{}", checked.body);
    let cases = &checked["cases"];
    assert_eq!(texts(cases, "name"), ["stamps", "stamps otherwise"]);
    assert_eq!((&cases[0]["line"], &cases[1]["line"]), (&json!(2), &json!(3)));
    assert_eq!((&cases[0]["passed"], &cases[0]["message"]), (&json!(true), &Value::Null));
    assert!(cases[0]["instructions"].as_u64() > Some(1000), "{cases}");
    let facts = &checked["facts"];
    assert_eq!((&facts["kind"], &facts["exports"]), (&json!("claims"), &json!(["get-custom-jwt-claims"])));
    assert_eq!(facts["size"], STAMP.len());

    good["settings"] = Value::Null;
    let failed = check(&management, good.clone()).await.expect(200);
    assert_eq!((&failed["accepted"], &failed["facts"]["kind"]), (&json!(false), &json!("claims")));
    let case = &failed["cases"][1];
    assert_eq!((&case["passed"], &case["got"]), (&json!(false), &json!({ "claims": {} })));
    assert_eq!(case["expected"], json!({ "claims": { "stamp": "b" } }));
    let [diagnostic] = failed["diagnostics"].as_array().unwrap().as_slice() else { panic!("{}", failed.body) };
    let found = (&diagnostic["part"], &diagnostic["case"], &diagnostic["line"]);
    assert_eq!(found, (&json!("cases"), &json!("stamps otherwise"), &json!(3)));
    assert!(diagnostic["message"].as_str().unwrap().contains("- "), "{diagnostic}");

    let at = |answer: &Answer| {
        let [one] = answer["diagnostics"].as_array().unwrap().as_slice() else { panic!("{}", answer.body) };
        assert_eq!((&answer["accepted"], &answer["cases"]), (&json!(false), &json!([])));
        ["part", "kind", "line", "column", "endLine", "endColumn"].map(|name| one[name].clone())
    };
    let bad = check(&management, draft("const a = 1;\nexport const getCustomJwtClaims = {;")).await.expect(200);
    assert_eq!(json!(at(&bad)), json!(["source", "syntax", 2, 36, 2, 37]));
    let none = check(&management, draft("export const x = 1;")).await.expect(200);
    assert_eq!(json!(at(&none)), json!(["source", "wrong_world", null, null, null, null]));
    let thrown = check(&management, draft(&format!("{STAMP}\nthrow new Error('early');"))).await.expect(200);
    assert_eq!(json!(at(&thrown)[..3]), json!(["source", "initialization", 2]));
    for (settings, place) in [
        ("order = 1\nordr = 2\n", json!(["settings", "manifest", 2, 1, 2, 5])),
        ("order = \"x\"\n", json!(["settings", "manifest", 1, 9, 1, 12])),
        ("order = 1\n\nevents = [\"User.*\"]\n", json!(["settings", "manifest", 3, null, null, null])),
        ("[secrets]\nKEY = { env = \"PATH\" }\n", json!(["settings", "manifest", 1, null, null, null])),
    ] {
        let mut wrong = draft(STAMP);
        wrong["settings"] = json!(settings);
        assert_eq!(json!(at(&check(&management, wrong).await.expect(200))), place, "{settings}");
    }
    for (cases, line) in [("[\n  { \"name\": 1 }\n]", 2), ("[\n\n{]", 3)] {
        let mut wrong = draft(STAMP);
        wrong["cases"] = json!(cases);
        assert_eq!(json!(at(&check(&management, wrong).await.expect(200))[..3]), json!(["cases", "case", line]));
    }
    // Types are stripped; nothing of all that is stored.
    let typed = json!({ "language": "typescript", "source": "export const getCustomJwtClaims = (): object => ({});" });
    assert_eq!(check(&management, typed).await.expect(200)["accepted"], true);
    assert_eq!(management.get("/api/plugins").await.expect(200).body, json!([]));
    for wrong in [
        json!({ "language": "cobol", "source": "" }),
        json!({ "language": "javascript" }),
        json!({ "language": "javascript", "source": "", "name": "No Name" }),
    ] {
        check(&management, wrong).await.expect_api_error(400, "guard.invalid_input");
    }
    for scope in ["plugins:read", "plugins:secrets", "plugins:grant"] {
        let narrow = narrow(&server, &management, &[scope]).await;
        check(&narrow, draft(STAMP)).await.expect_api_error(403, "auth.forbidden");
    }
});

both!(hostile_drafts_hurt_nobody, async |home: Arc<Home>| {
    // Time for a busy machine; a draft without end says itself when it ends.
    let ample = [("CLAIMSMITH_PLUGINS_DEADLINE_MS", "20000"), ("CLAIMSMITH_PLUGINS_BUDGET_MS", "40000")];
    let server = TestServer::start(&home, &ample).await.unwrap();
    let management = server.management().await;
    let endless = "export const getCustomJwtClaims = () => { for (;;) {} };";
    let mut spins = draft(endless);
    spins["settings"] = json!("[limits]\ndeadline_ms = 200\n");
    spins["cases"] = json!(r#"[{ "name": "ends", "input": {}, "expected": { "claims": {} } }]"#);
    let checked = check(&management, spins).await.expect(200);
    assert_eq!((&checked["accepted"], &checked["cases"][0]["outcome"]), (&json!(false), &json!("timed_out")));
    let huge = "export const getCustomJwtClaims = () => ({ text: 'x'.repeat(1 << 20) });";
    let mut writes = draft(huge);
    writes["cases"] = json!(r#"[{ "name": "is small", "input": {}, "expected": { "claims": {} } }]"#);
    let checked = check(&management, writes).await.expect(200);
    assert_eq!(checked["cases"][0]["outcome"], "bad_output", "{}", checked.body);
    assert!(checked.body.to_string().len() < 10_000);
    let large = check(&management, draft(&format!("{STAMP}// {}", "x".repeat(1 << 20)))).await.expect(200);
    assert_eq!(large["diagnostics"][0]["kind"], "too_large");
    let deep = format!("[{}{}]", "[".repeat(5000), "]".repeat(5000));
    let mut nested = draft(STAMP);
    nested["cases"] = json!(deep);
    assert_eq!(check(&management, nested).await.expect(200)["diagnostics"][0]["part"], "cases");
    // Cases without number are told to an end.
    let many = vec![json!({ "name": "same", "input": {}, "expected": { "claims": { "a": "x".repeat(1000) } } }); 2];
    let many: Vec<Value> = many
        .into_iter()
        .cycle()
        .take(3000)
        .enumerate()
        .map(|(number, mut case)| {
            case["name"] = json!(format!("case {number}"));
            case
        })
        .collect();
    let mut repeats = draft(STAMP);
    repeats["cases"] = json!(json!(many).to_string());
    let checked = check(&management, repeats).await.expect(200);
    assert!(checked["cases"].as_array().unwrap().len() <= 1000);
    assert_eq!(checked["diagnostics"].as_array().unwrap().len(), 21, "twenty, and how many more");
    assert_eq!(said(&server).await, Value::Null, "and tokens are issued");
});

both!(versions_tell_their_source_and_their_cost, async |server: TestServer| {
    let management = server.management().await;
    let form = |source: &'static str, cases: &'static str| {
        let part = |text: &'static str, file: &'static str| reqwest::multipart::Part::text(text).file_name(file);
        let settings = "order = 7\n[environment]\nSTAMP = \"b\"\n[capabilities.http]\nhosts = [\"api.example.com\"]\n";
        let form = reqwest::multipart::Form::new().part("source", part(source, "stamp.js"));
        form.part("manifest", part(settings, "stamp.toml")).part("cases", part(cases, "c.json"))
    };
    let request = management.request(Method::PUT, "/api/plugins/stamp").multipart(form(STAMP, CASES));
    let made = Answer::of(request).await.expect(201);
    let instructions = &made["version"]["instructions"];
    assert_eq!(texts(&instructions["cases"], "name"), ["stamps", "stamps otherwise"]);
    let total: u64 =
        instructions["cases"].as_array().unwrap().iter().map(|case| case["instructions"].as_u64().unwrap()).sum();
    assert_eq!(instructions["total"], total);
    let listed = management.get("/api/plugins/stamp/versions").await.expect(200).body;
    assert_eq!(&listed[0]["instructions"], instructions);
    assert_eq!(listed[0]["exports"], json!(["get-custom-jwt-claims"]));
    put(&management, "/api/plugins/stamp", says("later")).await.expect(201);
    let listed = management.get("/api/plugins/stamp/versions").await.expect(200).body;
    assert_eq!(listed[0]["instructions"], Value::Null, "without cases");

    let first = management.get("/api/plugins/stamp/versions/1").await.expect(200);
    assert_eq!((&first["source"], &first["cases"]), (&json!(STAMP), &json!(CASES)));
    let settings = first.text("settings");
    assert!(settings.contains("order = 7") && settings.contains("api.example.com"), "{settings}");
    let opened = management.get("/api/plugins/stamp/source").await.expect(200);
    assert_eq!((&opened["source"], &opened["origin"]), (&json!(says("later")), &json!("store")));
    assert_eq!((&opened["version"], &opened["settings"]), (&json!("2"), &json!(settings)));
    let shown = management.get("/api/plugins/stamp").await.expect(200);
    assert_eq!(opened.header("etag"), shown.header("etag"));
    // Whoever has seen an older state changes nothing.
    let stale = "\"1\"";
    for (method, path) in [(Method::PATCH, ""), (Method::POST, "/versions/1/activate"), (Method::DELETE, "/versions/1")]
    {
        let request = management.request(method, &format!("/api/plugins/stamp{path}")).json(&json!({ "order": 1 }));
        Answer::of(request.header(IF_MATCH, stale)).await.expect_api_error(412, "request.precondition_failed");
    }
    // What it opens can be uploaded as it is.
    let checked = json!({ "language": "javascript", "source": STAMP, "settings": settings, "cases": CASES });
    assert_eq!(check(&management, checked).await.expect(200)["accepted"], true);

    let reader = narrow(&server, &management, &["plugins:read"]).await;
    reader.get("/api/plugins/stamp/source").await.expect(200);
    reader.get("/api/plugins/nothing/source").await.expect_api_error(404, "entity.not_exists_with_id");
    let writer = narrow(&server, &management, &["plugins:write"]).await;
    writer.get("/api/plugins/stamp/source").await.expect_api_error(403, "auth.forbidden");
});

both!(a_file_that_was_never_loaded_is_taken_over_as_it_was_seen, async |server: TestServer| {
    let management = server.management().await;
    let folder = server.home.plugins_dir();
    for (name, settings, source) in [("off", "enabled = false\n", says("off")), ("broken", "", "(".to_owned())] {
        std::fs::write(folder.join(format!("{name}.toml")), settings).unwrap();
        std::fs::write(folder.join(format!("{name}.js")), source).unwrap();
        let path = format!("/api/plugins/{name}");
        until("the file in the list", async || (management.get(&path).await.status == 200).then_some(())).await;
        let open = async || management.get(&format!("{path}/source")).await.expect(200);
        let take_over = async |seen: &Answer| {
            let request = management.request(Method::PUT, &format!("{path}?takeOver=true"));
            let request =
                request.header(CONTENT_TYPE, "text/javascript").header(IF_MATCH, seen.header("etag").unwrap());
            Answer::of(request.body(says("upload"))).await
        };
        let before = open().await;
        std::fs::write(folder.join(format!("{name}.js")), "{").unwrap();
        take_over(&before).await.expect_api_error(412, "request.precondition_failed");
        take_over(&open().await).await.expect(201);
    }
});

both!(an_upload_takes_over_from_a_file_and_gives_it_back, async |server: TestServer| {
    let management = server.management().await;
    let folder = server.home.plugins_dir();
    std::fs::write(folder.join("mine.toml"), "order = 3 # mine\n").unwrap();
    std::fs::write(folder.join("mine.js"), says("file")).unwrap();
    let path = "/api/plugins/mine";
    let listed = until("the file in the list", async || {
        let answer = management.get(path).await;
        (answer.status == 200 && answer["state"] == "active").then_some(answer)
    })
    .await;
    assert_eq!((&listed["shadowsFile"], &listed["language"]), (&json!(false), &json!("javascript")));
    let opened = management.get(&format!("{path}/source")).await.expect(200);
    assert_eq!((&opened["source"], &opened["settings"]), (&json!(says("file")), &json!("order = 3 # mine\n")));
    assert_eq!(opened["files"], json!({ "source": "mine.js", "settings": "mine.toml", "cases": null }));
    assert_eq!(opened.header("etag"), listed.header("etag"));
    assert_eq!(said(&server).await, "file");

    put(&management, path, says("upload")).await.expect_api_error(409, "plugin.name_in_use");
    let over = format!("{path}?takeOver=true");
    put(&management, &format!("{over}&activate=false"), says("upload"))
        .await
        .expect_api_error(400, "guard.invalid_input");
    let with_tag = async |tag: &str| {
        let request = management.request(Method::PUT, &over).header(CONTENT_TYPE, "text/javascript");
        Answer::of(request.header(IF_MATCH, tag).body(says("upload"))).await
    };
    with_tag("\"another\"").await.expect_api_error(412, "request.precondition_failed");
    let taken = with_tag(listed.header("etag").unwrap()).await.expect(201);
    assert_eq!((&taken["plugin"]["source"], &taken["plugin"]["shadowsFile"]), (&json!("store"), &json!(true)));
    assert_eq!(said(&server).await, "upload");
    // Whatever changes, the file stays aside, and the next upload need not take over again.
    management.patch(path, json!({ "order": 4 })).await.expect(200);
    assert_eq!(put(&management, path, says("second")).await.expect(201)["plugin"]["shadowsFile"], true);
    std::fs::write(folder.join("mine.js"), says("newer file")).unwrap();
    std::fs::write(folder.join("later.js"), "export const getCustomJwtClaims = () => ({});").unwrap();
    until("another file", async || (management.get("/api/plugins/later").await.status == 200).then_some(())).await;
    assert_eq!(said(&server).await, "second");

    // Given back: from the next token on there is one of the two, never none.
    management.delete(path).await.expect(204);
    let back = said(&server).await;
    assert!(back == "newer file" || back == "second", "{back}");
    until("the file again", async || (said(&server).await == "newer file").then_some(())).await;
    let shown = management.get(path).await.expect(200);
    assert_eq!((&shown["source"], &shown["order"]), (&json!("folder"), &json!(3)));
    assert_eq!(shown["shadowsFile"], false);
    management.delete(path).await.expect_api_error(409, "plugin.name_in_use");

    // What is written into the settings by mistake is shown to nobody.
    std::fs::write(folder.join("mine.toml"), "[secrets]\nKEY = \"hunter2\"\n").unwrap();
    let opened = management.get(&format!("{path}/source")).await.expect(200);
    assert_eq!(opened["settings"], Value::Null);
    assert!(!opened.body.to_string().contains("hunter2"));
});

both!(examples_come_with_the_server, async |server: TestServer| {
    let management = server.management().await;
    let reader = narrow(&server, &management, &["plugins:read"]).await;
    let examples = reader.get("/api/plugin-examples").await.expect(200).body;
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("plugins");
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .filter_map(|entry| entry.unwrap().file_name().to_str()?.strip_suffix(".toml").map(str::to_owned))
        .collect();
    names.sort();
    let mut told = texts(&examples, "name");
    told.sort_unstable();
    assert_eq!(told, names, "every plugin of the folder");
    let templates = reader.get("/api/plugin-examples/templates").await.expect(200).body;
    assert_eq!(templates.as_array().unwrap().len(), 10);
    for example in examples.as_array().unwrap().iter().chain(templates.as_array().unwrap()) {
        let draft = json!({
            "language": example["language"], "source": example["source"], "cases": example["cases"],
        });
        let checked = check(&management, draft).await.expect(200);
        assert_eq!(checked["facts"]["kind"], example["kind"], "{example}");
        assert!(!example["source"].as_str().unwrap().contains("{{"), "{example}");
        assert!(!example["title"].as_str().unwrap().contains('\n'), "{example}");
    }
    let guard = reader.get("/api/plugin-examples/impersonation-guard").await.expect(200).body;
    assert_eq!(&guard, find(&examples, "name", "impersonation-guard"));
    let title = "No ticket, no impersonation: refuses an exchange whose subject token was asked for without a ticket.";
    assert_eq!(guard["title"], title);
    reader.get("/api/plugin-examples/nothing").await.expect_api_error(404, "entity.not_exists_with_id");
    let types = reader.get("/api/plugin-examples/types").await.expect(200);
    assert_eq!(texts(&types["files"], "name"), ["claimsmith.d.ts", "shapes.d.ts"]);
    let writer = narrow(&server, &management, &["plugins:write"]).await;
    for path in ["", "/types", "/templates", "/roles"] {
        writer.get(&format!("/api/plugin-examples{path}")).await.expect_api_error(403, "auth.forbidden");
    }
});
