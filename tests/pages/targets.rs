//! Where pages lead: every target of a page, and of a screen of the console, has a route.

#[path = "../../src/pages/tests/links.rs"]
mod links;

use claimsmith_domain::console::ConsoleRole::Admin;
use claimsmith_test_support::{Answer, TestServer, both};
use links::targets;
use reqwest::Method;
use std::collections::BTreeSet;

/// What the pages of `src/pages` lead to; a unit test there keeps the list complete.
const LISTED: &str = include_str!("../../src/pages/tests/targets.txt");
/// Pictures that users uploaded; that of the list was never uploaded.
const UPLOADED: &str = "/avatars/";
/// The fewest screens that the console leads to.
const MIN_SCREENS: usize = 100;

both!(every_target_of_a_page_has_a_route, async |server: TestServer| {
    let mut problems = Vec::new();
    for line in LISTED.lines() {
        let (method, path) = line.split_once(' ').unwrap();
        let request =
            server.http.request(method.parse().unwrap(), server.url(path)).header("sec-fetch-site", "same-origin");
        // A form is refused, since it has no token.
        let request = if method == "POST" { request.form(&[("x", "x")]) } else { request };
        let answer = Answer::of(request).await;
        if answer.status == 405 || answer.status == 404 && !path.starts_with(UPLOADED) || answer.status >= 500 {
            problems.push(format!("{line}: {}", answer.status));
        }
    }
    assert!(problems.is_empty(), "{problems:#?}");
});

both!(every_target_of_the_console_has_a_route, async |server: TestServer| {
    server.operator("ada", &[Admin]).await;
    let browser = server.at_console("ada").await;
    let (mut open, mut problems) = (vec!["/console".to_owned()], Vec::new());
    let (mut seen, mut screens) = (BTreeSet::new(), 0);
    while let Some(path) = open.pop() {
        let answer = browser.visit(&path).await;
        if matches!(answer.status, 404 | 405) || answer.status >= 500 {
            problems.push(format!("{path}: {}", answer.status));
        }
        if !path.starts_with("/console") {
            continue;
        }
        screens += 1;
        for (method, target) in targets(answer.html()) {
            // Queries only sort, filter and fill in.
            let bare = target.split('?').next().unwrap().to_owned();
            if !seen.insert((method.clone(), bare.clone())) {
                continue;
            }
            if method == "GET" {
                open.push(target);
                continue;
            }
            // Forms are not sent, so that nothing changes: an answer to `OPTIONS` says which methods there are.
            let options = browser.send(browser.request(Method::OPTIONS, &bare)).await;
            if !options.header("allow").is_some_and(|allowed| allowed.split(',').any(|one| one == method)) {
                problems.push(format!("{method} {bare}, at {path}: {}", options.status));
            }
        }
    }
    assert!(problems.is_empty(), "{problems:#?}");
    assert!(screens >= MIN_SCREENS, "{screens}");
});
