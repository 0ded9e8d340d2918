//! The pages over HTTP: those that need nobody to be signed in, their headers, their files, their languages.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

mod account;
mod assets;
mod bad_input;
mod below_a_path;
mod breached_passwords;
mod captcha;
mod codes;
mod cookies;
mod demo;
mod device;
mod elsewhere;
mod extra_profile;
mod forgotten_password;
mod headers;
mod languages;
mod links;
mod mailbox;
mod routes;
mod second_factor;
mod set_up_codes;
mod settings;
mod sign_in;
mod tabs;
mod targets;
mod trusted_devices;

use claimsmith_test_support::{Answer, TestServer};

/// What browsers say that they accept.
const BROWSER: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

/// Asks for a page as a browser does.
async fn browse(server: &TestServer, path: &str) -> Answer {
    Answer::of(server.http.get(server.url(path)).header("accept", BROWSER)).await
}

/// The HTML of a page.
fn html(answer: &Answer) -> &str {
    assert_eq!(answer.header("content-type"), Some("text/html; charset=utf-8"), "{:#}", answer.body);
    answer.body.as_str().unwrap()
}

/// The values of an attribute, in their order.
fn values<'h>(html: &'h str, attribute: &str) -> Vec<&'h str> {
    let start = format!(" {attribute}=\"");
    html.split(&start).skip(1).map(|rest| rest.split_once('"').unwrap().0).collect()
}

/// The paths of a page's style sheets.
fn style_sheets(html: &str) -> Vec<String> {
    let lines = html.split("<link rel=\"stylesheet\"").skip(1);
    lines.map(|rest| values(rest, "href")[0].replace("&#38;", "&")).collect()
}
