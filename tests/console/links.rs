//! One-time links of the terminal: for the first administrator, a further one, and one who cannot get in.

use crate::{BINARY, COOKIE};
use claimsmith_domain::console::ConsoleRole::{Admin, Read};
use claimsmith_domain::console::ConsoleRoles;
use claimsmith_domain::id::UserId;
use claimsmith_identity::bootstrap::console_link::{invite, recovery_link, setup_link};
use claimsmith_storage::{audit, roles};
use claimsmith_test_support::{Answer, Browser, CONSOLE_PASSWORD, CommandOutput, Home, Process, TestServer, both};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

const OTHER_PASSWORD: &str = "copper-lantern-17";

/// A link for the first administrator.
async fn setup(server: &TestServer) -> String {
    setup_link(&server.app.db, &server.app.config, server.clock.now_ms()).await.unwrap().unwrap()
}

/// Fills in the form of a link.
async fn fill_in(browser: &Browser, page: &Answer, fields: &[(&str, &str)]) -> Answer {
    let code = page.hidden("code");
    let form: Vec<_> = [("code", &*code)].into_iter().chain(fields.iter().copied()).collect();
    browser.submit("/console/setup", &form).await
}

fn expect_over(answer: Answer) {
    assert!(answer.expect(410).html().contains("This link is not valid any more"));
}

async fn roles_of(server: &TestServer, username: &str) -> (UserId, ConsoleRoles) {
    let users = server.management().await.get(&format!("/api/users?search={username}")).await.expect(200);
    let id = UserId::from(users.body[0]["id"].as_str().unwrap());
    let held = roles::console::of_user(&mut server.begin().await, &id).await.unwrap();
    (id, held)
}

both!(the_first_administrator_comes_by_the_link, async |server: TestServer| {
    let (link, other) = (setup(&server).await, setup(&server).await);
    let code = link.split_once("/console/setup?code=").unwrap().1;
    assert!(code.len() == 43 && link.starts_with(&server.report.base_url), "{link}");
    let browser = Browser::new(&server);
    // A preview burns nothing.
    for _ in 0..2 {
        browser.send(browser.request(reqwest::Method::HEAD, &link)).await.expect(200);
        let page = browser.visit(&link).await.expect(200);
        assert!(page.html().contains("Welcome to Claimsmith"), "{}", page.body);
    }
    let page = browser.visit(&link).await.expect(200);
    for (fields, wrong) in [
        (vec![("password", CONSOLE_PASSWORD)], "identifier"),
        (vec![("identifier", "1ada"), ("password", CONSOLE_PASSWORD)], "identifier"),
        (vec![("identifier", "ada@"), ("password", CONSOLE_PASSWORD)], "identifier"),
        (vec![("identifier", "customer"), ("password", CONSOLE_PASSWORD)], "identifier"),
        (vec![("identifier", "ada"), ("name", &*"x".repeat(129)), ("password", CONSOLE_PASSWORD)], "name"),
        (vec![("identifier", "ada")], "password"),
        (vec![("identifier", "ada"), ("password", "short")], "password"),
        (vec![("identifier", "ada"), ("password", "password")], "password"),
    ] {
        let refused = fill_in(&browser, &page, &fields).await.expect(422);
        assert!(refused.html().contains(&format!("id=\"{wrong}-error\"")), "{fields:?} {}", refused.body);
    }
    let fields = [("identifier", "ada"), ("name", "Ada Lovelace"), ("password", CONSOLE_PASSWORD)];
    let done = fill_in(&browser, &page, &fields).await.expect(303);
    assert_eq!(done.header("location"), Some(&*format!("{}/console", server.report.base_url)));
    let home = browser.visit("/console").await.expect(200);
    assert!(
        home.html().contains("Ada Lovelace") && home.html().contains("<small>Administrator</small>"),
        "{}",
        home.body
    );
    let (id, held) = roles_of(&server, "ada").await;
    assert_eq!(held, ConsoleRoles::of(&[Admin]));
    // It is a sign-in like any other.
    browser.visit("/account").await.expect(200);
    assert!(server.at_console("ada").await.cookie(COOKIE).is_some());

    // This link and those of other nodes are over, and no more are made.
    for link in [&link, &other] {
        expect_over(browser.visit(link).await);
        expect_over(browser.submit("/console/setup", &[("code", link.split_once('=').unwrap().1)]).await);
    }
    expect_over(fill_in(&browser, &page, &fields).await);
    assert_eq!(setup_link(&server.app.db, &server.app.config, server.clock.now_ms()).await.unwrap(), None);
    let logs = audit::list_by_key(&mut server.begin().await, "Console.Setup", 5).await.unwrap();
    assert_eq!(logs.len(), 1);
    assert_eq!((&logs[0].payload["userId"], &logs[0].payload["by"]), (&json!(id), &json!("operator")));
    assert!(!logs[0].payload.to_string().contains(code));
});

both!(of_two_at_once_one_becomes_the_administrator, async |server: TestServer| {
    let (link, other) = (setup(&server).await, setup(&server).await);
    let browser = Browser::new(&server);
    let (page, page_of_other) = (browser.visit(&link).await.expect(200), browser.visit(&other).await.expect(200));
    let post = async |page: &Answer, username: &str| {
        let fields = [("identifier", username), ("password", CONSOLE_PASSWORD)];
        fill_in(&Browser::new(&server), page, &fields).await.status
    };
    let all = tokio::join!(post(&page, "ada"), post(&page, "eve"), post(&page_of_other, "bob"));
    let mut all = [all.0, all.1, all.2];
    all.sort_unstable();
    assert_eq!(all, [303, 410, 410]);
    assert_eq!(roles::console::count_admins(&mut server.begin().await).await.unwrap(), 1);
});

both!(a_link_of_yesterday_and_one_that_never_was_say_so, async |server: TestServer| {
    let link = setup(&server).await;
    let browser = Browser::new(&server);
    let page = browser.visit(&link).await.expect(200);
    server.clock.advance(Duration::from_hours(1));
    let fields = [("identifier", "ada"), ("password", CONSOLE_PASSWORD)];
    expect_over(fill_in(&browser, &page, &fields).await);
    for path in [&*link, "/console/setup", "/console/setup?code=", "/console/setup?code=x", "/console/setup?code=%FF"] {
        expect_over(browser.visit(path).await);
    }
    // Another site cannot fill it in.
    let fresh = setup(&server).await;
    let form = [("code", fresh.split_once('=').unwrap().1), fields[0], fields[1]];
    browser.send(browser.form("/console/setup", &form).header("sec-fetch-site", "cross-site")).await.expect(403);
    browser.send(browser.form("/console/setup", &form)).await.expect(403);
    browser.visit(&fresh).await.expect(200);
});

both!(somebody_who_administers_by_another_way_ends_it_too, async |server: TestServer| {
    let link = setup(&server).await;
    server.operator("ada", &[Admin]).await;
    expect_over(Browser::new(&server).visit(&link).await);
});

both!(a_further_administrator_is_invited, async |server: TestServer| {
    server.operator("root", &[Admin]).await;
    let output = Process::run(BINARY, &server.home, &[], &["admin", "invite", "--email", "ada@example.com"]).await;
    let text = CommandOutput::from(output).ok();
    let link = text.split_whitespace().find(|word| word.contains("/console/setup?code=")).unwrap().to_owned();
    let logs = audit::list_by_key(&mut server.begin().await, "Admin.Invite", 5).await.unwrap();
    assert_eq!((&logs[0].payload["email"], &logs[0].payload["by"]), (&json!("ada@example.com"), &json!("operator")));

    let browser = Browser::new(&server);
    // The command has the time of the machine; the server's clock stands still.
    let page = browser.visit(&link).await.expect(200);
    assert!(page.html().contains("value=\"ada@example.com\""), "{}", page.body);
    let fields = [("identifier", "ada@example.com"), ("password", CONSOLE_PASSWORD)];
    fill_in(&browser, &page, &fields).await.expect(303);
    assert!(browser.visit("/console").await.expect(200).html().contains("ada@example.com"));
    assert_eq!(roles_of(&server, "ada@example.com").await.1, ConsoleRoles::of(&[Admin]));
    expect_over(browser.visit(&link).await);

    let refused = Process::run(BINARY, &server.home, &[], &["admin", "invite", "--email", "nonsense"]).await;
    assert!(CommandOutput::from(refused).fails(1).contains("expected an email address"));
});

both!(whoever_lost_everything_gets_in_again, async |server: TestServer| {
    let id = server.operator("ada", &[Read]).await;
    let elsewhere = server.at_console("ada").await;
    let user = format!("/api/users/{id}");
    let management = server.management().await;
    // Nobody could sign in any more, and whoever could would be asked for a factor.
    let mfa = json!({ "factors": ["Totp"], "policy": "Mandatory" });
    let nothing = json!({ "signInMode": "Register", "signIn": { "methods": [] }, "mfa": mfa });
    management.patch("/api/sign-in-exp", nothing).await.expect(200);
    management.post(&format!("{user}/mfa-verifications"), json!({ "type": "Totp" })).await.expect(200);
    management.patch(&format!("{user}/is-suspended"), json!({ "isSuspended": true })).await.expect(200);

    let run = async |who: &str| Process::run(BINARY, &server.home, &[], &["admin", "recover", who]).await;
    let text = CommandOutput::from(run("ada").await).ok();
    let first = text.split_whitespace().find(|word| word.contains("/console/setup?code=")).unwrap().to_owned();
    let text = CommandOutput::from(run(&id).await).ok();
    let link = text.split_whitespace().find(|word| word.contains("/console/setup?code=")).unwrap().to_owned();
    let browser = Browser::new(&server);
    expect_over(browser.visit(&first).await);

    let page = browser.visit(&link).await.expect(200);
    assert!(page.html().contains("Choose a new password") && page.html().contains("value=\"ada\""), "{}", page.body);
    let refused = fill_in(&browser, &page, &[("password", "short")]).await.expect(422);
    assert!(refused.html().contains("id=\"password-error\""), "{}", refused.body);
    fill_in(&browser, &page, &[("password", OTHER_PASSWORD)]).await.expect(303);
    assert!(browser.visit("/console").await.expect(200).html().contains("<small>Reader, Administrator</small>"));
    elsewhere.visit("/console").await.expect(303);
    expect_over(browser.visit(&link).await);
    let verified = management.post(&format!("{user}/password/verify"), json!({ "password": OTHER_PASSWORD })).await;
    verified.expect(204);

    assert!(CommandOutput::from(run("nobody").await).fails(1).contains("nobody"));
});

both!(a_recovery_is_of_no_use_once_the_role_is_gone, async |server: TestServer| {
    let id = server.operator("ada", &[Admin]).await;
    let link = recovery_link(&server.app.db, &server.app.config, &id, server.clock.now_ms()).await.unwrap();
    server.hold(&id, &[]).await;
    let browser = Browser::new(&server);
    let page = browser.visit(&link).await.expect(200);
    fill_in(&browser, &page, &[("password", OTHER_PASSWORD)]).await.expect(303);
    browser.visit("/console").await.expect(403);
    assert_eq!(roles_of(&server, "ada").await.1, ConsoleRoles::NONE);
});

both!(the_terminal_shows_the_link_until_somebody_administers, async |home: Arc<Home>| {
    let process = Process::start(BINARY, &home, &[]).await.unwrap();
    let line = process.stdout.wait_for("Open http://localhost:3001/console/setup?code=").await;
    let link = line.trim().trim_start_matches("Open ").to_owned();
    let browser = Browser::new(&process);
    let page = browser.visit(&link).await.expect(200);
    let fields = [("identifier", "ada"), ("password", CONSOLE_PASSWORD)];
    let made = fill_in(&browser, &page, &fields).await;
    made.expect(303);
    let code = link.split_once('=').unwrap().1;
    assert!(!process.stderr.text().contains(code), "the log has no queries");
    drop(process);
    let process = Process::start(BINARY, &home, &[]).await.unwrap();
    assert!(!process.stdout.text().contains("/console/setup"), "{}", process.stdout.text());
});

both!(an_invitation_survives_the_first_administrator, async |server: TestServer| {
    let (app, now) = (&server.app, server.clock.now_ms());
    let link = invite(&app.db, &app.config, None, now).await.unwrap();
    server.operator("root", &[Admin]).await;
    let browser = Browser::new(&server);
    let page = browser.visit(&link).await.expect(200);
    fill_in(&browser, &page, &[("identifier", "ada"), ("password", CONSOLE_PASSWORD)]).await.expect(303);
    assert_eq!(roles_of(&server, "ada").await.1, ConsoleRoles::of(&[Admin]));
});
