//! Every form of the console with empty, too long, wrong and hostile values: whatever is refused is said at its field,
//! and nothing that was typed is lost. The forms are found by following the links of an administrator.

use crate::BINARY;
use crate::forms::{ShownField, ShownForm, bad_values, filled_in, forms, links, lost, sample, text_of};
use claimsmith_domain::console::ConsoleRole::Admin;
use claimsmith_test_support::{Actor, Answer, Browser, CONSOLE_PASSWORD, Home, Kind, Process, TestServer, both};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Pages of one kind that are opened: forms depend on what is listed first.
const MAX_PAGES_OF_A_KIND: usize = 3;
/// What is wrong with a refusal that marks no field.
const NOWHERE: &str = "said at no field";
/// What is wrong with a refusal that marks other fields.
const ELSEWHERE: &str = "said at other fields";

/// Refusals that concern no field: the action of the form, and what is said.
const ABOUT_NO_FIELD: &[(&str, &str)] = &[
    // The issuer of this provider is always the same one; here it cannot be reached.
    ("/console/connectors/enterprise/new/GoogleWorkspace", "The document of the issuer cannot be used"),
];

/// The form of a plugin: the server compiles and runs each text that is sent, so its fields are tried beside the others.
const WORKBENCH: &str = "/console/plugins/new";

/// Sends a form as a browser does.
async fn send(browser: &Browser, form: &ShownForm, fields: &[(&str, &str)]) -> Answer {
    if form.method == "post" {
        browser.submit(&form.action, fields).await
    } else {
        browser.send(browser.request(reqwest::Method::GET, &form.action).query(fields)).await
    }
}

/// An administrator who has followed the link of the terminal.
async fn administrator(server: &Process) -> Browser {
    let line = server.stdout.wait_for("/console/setup?code=").await;
    let address = line.split_whitespace().find(|word| word.contains("/console/setup?code=")).unwrap().to_owned();
    let browser = Browser::new(server);
    let page = browser.visit(&address).await.expect(200);
    let code = page.hidden("code");
    let fields = [("code", &*code), ("identifier", "ada"), ("password", CONSOLE_PASSWORD)];
    browser.submit("/console/setup", &fields).await.expect(303);
    browser
}

/// Something of each kind, so that no list is empty.
async fn furnish(server: &Process, management: &Actor) {
    let make = async |path: &str, body: Value| {
        let made = management.post(path, body).await;
        assert!(matches!(made.status, 200 | 201), "{path}: {}", made.body);
        made
    };
    let url = make("/api/hook-receivers", json!({})).await.text("url");
    make("/api/hooks", json!({ "name": "furnished", "events": ["Role.Created"], "config": { "url": url } })).await;
    let organization = make("/api/organizations", json!({ "name": "Furnished" })).await.text("id");
    let members = json!({ "userIds": [server.demo().customer_user_id] });
    make(&format!("/api/organizations/{organization}/users"), members).await;
    make("/api/organization-roles", json!({ "name": "editor" })).await;
    make("/api/roles", json!({ "name": "reader", "description": "Reads." })).await;
    make("/api/sso-connectors", json!({ "providerName": "Okta", "connectorName": "Furnished" })).await;
    make("/api/custom-profile-fields", json!({ "name": "furnished", "type": "Text", "required": false })).await;
    let details = json!({ "subject": "Your code", "content": "{{code}}" });
    let templates = json!({ "templates": [{ "languageTag": "en", "templateType": "SignIn", "details": details }] });
    management.put("/api/email-templates", templates).await.expect(200);
    management.put("/api/custom-phrases/de", json!({ "sign_in": { "title": "Moin!" } })).await.expect(201);
}

/// Deletes the connector that a form has created: there is one of its kind, and of the id that the form sends.
async fn undo(management: &Actor, form: &ShownForm, answer: &Answer) {
    for (page, new, operation) in [
        ("/console/connectors/", "/console/connectors/new/", "/api/connectors"),
        ("/console/connectors/enterprise/", "/console/connectors/enterprise/new/", "/api/sso-connectors"),
    ] {
        let created = answer.header("location").filter(|_| form.action.starts_with(new));
        if let Some(id) = created.and_then(|path| path.strip_prefix(page)?.split('?').next()) {
            management.delete(&format!("{operation}/{id}")).await.expect(204);
        }
    }
}

/// The fields of a form, and what kind of page it is sent to.
fn key_of(form: &ShownForm) -> String {
    let names: Vec<_> = form.fields.iter().map(|field| field.name.as_str()).collect();
    format!("{} {} {}", form.method, kind_of(&form.action), names.join(" "))
}

/// The same form where what it is about has another name now.
async fn found_again(browser: &Browser, path: &str, form: &ShownForm) -> ShownForm {
    let page = browser.visit(path).await.expect(200);
    forms(page.html()).into_iter().find(|again| key_of(again) == key_of(form)).unwrap()
}

/// A path without what tells apart two of the same kind: identifiers have a digit or a capital letter.
fn kind_of(path: &str) -> String {
    let path = path.split('?').next().unwrap_or_default();
    let is_id = |part: &str| part.bytes().any(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase());
    let parts: Vec<_> = path.split('/').map(|part| if is_id(part) { "{id}" } else { part }).collect();
    parts.join("/")
}

/// What is wrong with a page that refuses a form.
fn faults(html: &str, form: &ShownForm, index: usize, sent: &[(String, String)]) -> Vec<String> {
    let name = &form.fields[index].name;
    let again = forms(html).into_iter().find(|again| {
        again.action == form.action && again.fields.iter().any(|field| field.is_typed() && field.name == *name)
    });
    let Some(again) = again else { return vec!["the form is gone".to_owned()] };
    let mut faults = lost(&again, sent);
    let marked: Vec<_> = again
        .fields
        .iter()
        .filter(|field| field.attributes.get("aria-invalid").is_some_and(|is| is == "true"))
        .collect();
    let said: Vec<_> = marked
        .iter()
        .filter(|field| {
            let ids = field.attributes.get("aria-describedby").map_or("", String::as_str);
            let problem = ids.split(' ').find(|id| id.ends_with("-problem"));
            problem.and_then(|id| text_of(html, id)).is_some_and(|text| !text.is_empty())
        })
        .map(|field| field.name.as_str())
        .collect();
    // A draft of a plugin has many parts; its diagnostics say the part and the line.
    if !said.contains(&name.as_str()) && !html.contains("<ol class=\"problems\">") {
        let alert = html.split_once("role=\"alert\"").map_or("", |(_, rest)| rest);
        let alert: String = alert.split("<span>").nth(1).unwrap_or_default().chars().take(160).collect();
        let place = if said.is_empty() { NOWHERE } else { ELSEWHERE };
        faults.push(format!("{place} {said:?}: {alert}"));
    }
    faults
}

/// Whether a refusal concerns none of the fields of its form.
fn is_about_no_field(form: &ShownForm, fault: &str) -> bool {
    fault.starts_with(NOWHERE)
        && ABOUT_NO_FIELD.iter().any(|(action, text)| form.action == *action && fault.contains(text))
}

fn faults_of(answer: &Answer, form: &ShownForm, index: usize, sent: &[(String, String)]) -> Vec<String> {
    let mut faults = match answer.status {
        200 | 303 => Vec::new(),
        422 => faults(answer.html(), form, index, sent),
        // A search that cannot be read.
        400 if form.method != "post" && answer.html().contains("role=\"alert\"") => Vec::new(),
        other => vec![format!("answered with {other}")],
    };
    if answer.html().contains("<script>alert(1)") {
        faults.push("it runs in the page".to_owned());
    }
    faults
}

/// The forms that somebody can type into, one of each kind, with the page that shows them. Pages whose path has `own` are
/// left out.
async fn walk(browser: &Browser, own: &str) -> Vec<(String, ShownForm)> {
    let mut pages: BTreeMap<String, usize> = BTreeMap::new();
    let mut waiting = VecDeque::from(["/console".to_owned()]);
    let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
    while let Some(path) = waiting.pop_front() {
        let count = pages.entry(kind_of(&path)).or_default();
        *count += 1;
        if *count > MAX_PAGES_OF_A_KIND || path.contains("/export") || path.contains("/live") {
            continue;
        }
        let page = browser.visit(&path).await;
        if page.status != 200 {
            continue;
        }
        for mut form in forms(page.html()) {
            if form.action.is_empty() {
                path.split('?').next().unwrap_or_default().clone_into(&mut form.action);
            }
            let key = key_of(&form);
            if !form.is_multipart && form.fields.iter().any(ShownField::is_typed) && seen.insert(key) {
                found.push((path.clone(), form));
            }
        }
        for link in links(page.html(), "/console") {
            if !link.contains(own) && seen.insert(link.clone()) {
                waiting.push_back(link);
            }
        }
    }
    found
}

/// What is wrong with the refusals of forms, for the fields that are tried, by their place and name.
async fn faults_of_forms(
    browser: &Browser,
    management: &Actor,
    found: &[(String, ShownForm)],
    is_tried: impl Fn(usize, &str) -> bool,
) -> BTreeSet<String> {
    let (mut wrong, mut turn) = (BTreeSet::new(), 0);
    for (path, shown) in found {
        let mut form = shown.clone();
        'form: for (index, field) in shown.fields.iter().enumerate().filter(|(_, field)| field.is_typed()) {
            if !is_tried(index, &field.name) {
                continue;
            }
            for (what, value) in bad_values(field) {
                turn += 1;
                let form = &mut form;
                let sent = filled_in(form, index, &value, turn);
                let pairs: Vec<_> = sent.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
                let answer = send(browser, form, &pairs).await;
                undo(management, form, &answer).await;
                assert_ne!(answer.status, 401, "the session ended before {} {} ({what})", form.action, field.name);
                let mut faults = faults_of(&answer, form, index, &sent);
                let mut is_accepted = answer.status == 303;
                faults.retain(|fault| !is_about_no_field(form, fault));
                if faults.iter().any(|fault| fault.starts_with(ELSEWHERE)) {
                    // Another field may be wrong whatever this one holds.
                    let good = filled_in(form, index, &sample(field, turn), turn);
                    let pairs: Vec<_> = good.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
                    let answer = send(browser, form, &pairs).await;
                    undo(management, form, &answer).await;
                    is_accepted |= answer.status == 303;
                    if answer.status == 422 {
                        faults.retain(|fault| !fault.starts_with(ELSEWHERE));
                    }
                }
                for fault in faults {
                    wrong.insert(format!("{} {} ({}), {what}: {fault}", kind_of(path), form.action, field.name));
                }
                if is_accepted && form.action.ends_with("/delete") {
                    break 'form;
                }
                if is_accepted && form.fields.iter().any(|field| field.name == "newName") {
                    *form = found_again(browser, path, form).await;
                }
            }
        }
    }
    wrong
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_refused_is_said_at_its_field() {
    let home = Home::new(Kind::Sqlite).await;
    let server = Process::start(BINARY, &home, &[]).await.unwrap();
    let browser = administrator(&server).await;
    let management = server.management().await;
    furnish(&server, &management).await;
    // The forms of the administrator's own page end the session that walks; users have the same forms.
    let own = management.get("/api/users?search=ada").await.expect(200).body[0]["id"].as_str().unwrap().to_owned();

    let found = walk(&browser, &own).await;
    assert!(found.len() > 40, "only {} forms were found", found.len());
    let count = found.len();
    let (drafts, mut found): (Vec<_>, Vec<_>) = found.into_iter().partition(|(_, form)| form.action == WORKBENCH);
    // What is deleted has no other forms any longer, and nothing within it.
    found.sort_by_key(|(_, form)| form.action.strip_suffix("/delete").map(|of| usize::MAX - of.matches('/').count()));
    // All drafts have the same fields, and all golden cases.
    let draft = drafts.into_iter().max_by_key(|(_, form)| form.fields.len()).unwrap();
    let draft = std::slice::from_ref(&draft);
    let is_own_kind = |name: &str| !name.starts_with("case.") || name.starts_with("case.0.");
    let (mut wrong, even, odd) = tokio::join!(
        faults_of_forms(&browser, &management, &found, |_, _| true),
        faults_of_forms(&browser, &management, draft, |index, name| index % 2 == 0 && is_own_kind(name)),
        faults_of_forms(&browser, &management, draft, |index, name| index % 2 == 1 && is_own_kind(name)),
    );
    wrong.extend(even.into_iter().chain(odd));
    let wrong: Vec<_> = wrong.into_iter().collect();
    assert!(wrong.is_empty(), "{} faults of {count} forms:\n{}", wrong.len(), wrong.join("\n"));
}

both!(plain_http_across_a_network_is_remarked_after_saving, async |server: TestServer| {
    server.operator("ada", &[Admin]).await;
    let browser = server.at_console("ada").await;
    let page = browser.visit("/console/applications/new?type=Traditional").await.expect(200);
    let fields = |uri| [("type", "Traditional"), ("name", "Intranet"), ("redirectUris", uri)];
    let refused = browser.fill_in(&page, "/console/applications/new", &fields("localhost:3000/in")).await.expect(422);
    let said = text_of(refused.html(), "redirectUris-problem").unwrap();
    assert!(said.contains("absolute URI") && refused.html().contains("localhost:3000/in"), "{said}");
    browser.fill_in(&page, "/console/applications/new", &fields("http://intranet.test/in")).await.expect(200);
    let made = server.management().await.get("/api/applications?search=Intranet").await.expect(200);
    let page =
        browser.visit(&format!("/console/applications/{}", made.body[0]["id"].as_str().unwrap())).await.expect(200);
    let remark = text_of(page.html(), "redirectUris-remark").unwrap();
    assert!(remark.starts_with("http://intranet.test/in: Not encrypted"), "{remark}");
    assert_eq!(text_of(page.html(), "postLogoutRedirectUris-remark").unwrap(), "");
});
