//! The forms of sign-in, registration and the account page with empty, too long, wrong and hostile values: whatever is
//! refused is said at its field or, where it must not be told which, at the form; and nothing that was typed is lost.

#[path = "../console/forms.rs"]
mod forms;

use crate::sign_in::{application, give_password, request};
use claimsmith_test_support::{Browser, TestServer, both};
use forms::{ShownField, ShownForm, bad_values, filled_in, forms, links, lost, text_of};
use serde_json::json;
use std::collections::{BTreeSet, VecDeque};

/// What is wrong with the answer to a form.
fn faults(status: u16, html: &str, form: &ShownForm, name: &str, sent: &[(String, String)]) -> Vec<String> {
    let mut faults = Vec::new();
    if html.contains("<script>alert(1)") {
        faults.push("it runs in the page".to_owned());
    }
    match status {
        200 | 303 => return faults,
        422 | 429 => {}
        other => faults.push(format!("answered with {other}")),
    }
    let has_field = |again: &ShownForm| again.fields.iter().any(|field| field.is_typed() && field.name == name);
    let Some(again) = forms(html).into_iter().find(|again| again.action == form.action && has_field(again)) else {
        faults.push("the form is gone".to_owned());
        return faults;
    };
    faults.extend(lost(&again, sent));
    let is_said = again.fields.iter().filter(|field| field.name == name).any(|field| {
        let ids = field.attributes.get("aria-describedby").map_or("", String::as_str);
        let error = ids.split(' ').find(|id| id.ends_with("-error"));
        field.attributes.get("aria-invalid").is_some_and(|is| is == "true")
            && error.and_then(|id| text_of(html, id)).is_some()
    });
    if !is_said && text_of(html, "form-error").is_none() {
        faults.push("nothing is said".to_owned());
    }
    faults
}

/// Sends bad values for each field of each form that `start` leads to; answers what is wrong, and the number of forms.
async fn tried(browser: &Browser, start: &str, beginning: &str) -> (BTreeSet<String>, usize) {
    let mut waiting = VecDeque::from([start.to_owned()]);
    let (mut seen, mut wrong, mut count, mut turn) = (BTreeSet::new(), BTreeSet::new(), 0, 0);
    while let Some(path) = waiting.pop_front() {
        let page = browser.visit(&path).await;
        if page.status != 200 {
            continue;
        }
        waiting.extend(links(page.html(), beginning).into_iter().filter(|link| seen.insert(link.clone())));
        for form in forms(page.html()) {
            let is_of_use = form.method == "post" && !form.is_multipart && form.fields.iter().any(ShownField::is_typed);
            let names: Vec<_> = form.fields.iter().map(|field| field.name.as_str()).collect();
            if !is_of_use || !seen.insert(format!("{} {}", form.action, names.join(" "))) {
                continue;
            }
            count += 1;
            for (index, field) in form.fields.iter().enumerate().filter(|(_, field)| field.is_typed()) {
                // A form with NUL is refused as a whole: nobody can type it.
                for (what, value) in bad_values(field).into_iter().filter(|(_, value)| !value.contains('\0')) {
                    turn += 1;
                    let sent = filled_in(&form, index, &value, turn);
                    let pairs: Vec<_> = sent.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
                    let answer = browser.submit(&form.action, &pairs).await;
                    for fault in faults(answer.status, answer.html(), &form, &field.name, &sent) {
                        wrong.insert(format!("{path} {} ({}), {what}: {fault}", form.action, field.name));
                    }
                }
            }
        }
    }
    (wrong, count)
}

both!(what_is_refused_at_a_page_is_said_at_its_field, async |server: TestServer| {
    give_password(&server).await;
    // Guessing is not what is tried here.
    let lenient = json!({ "sentinelPolicy": { "maxAttempts": 10_000, "lockoutDuration": 1 } });
    server.management().await.patch("/api/sign-in-exp", lenient).await.expect(200);
    let client = application(&server, false).await;
    let mut wrong = BTreeSet::new();
    for first in ["login", "create"] {
        let browser = Browser::new(&server);
        let answer = browser.open(&request(&client, &[("prompt", first)])).await.expect(303);
        let page = answer.header("location").unwrap().to_owned();
        let (found, count) = tried(&browser, &page, "/").await;
        assert!(count > 0, "{page} has no forms");
        wrong.extend(found);
    }
    let (browser, _) = server.signed_in(&[&server.demo().customer_user_id]).await;
    let (found, count) = tried(&browser, "/account", "/account").await;
    assert!(count >= 5, "{count}");
    wrong.extend(found);
    let wrong: Vec<_> = wrong.into_iter().collect();
    assert!(wrong.is_empty(), "{} faults:\n{}", wrong.len(), wrong.join("\n"));
});
