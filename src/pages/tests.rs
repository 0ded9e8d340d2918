//! What every page has to be: escaped, labelled, in one language, without inline scripts and styles.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod all_pages;
mod full_account;
mod links;
mod targets;

use super::error_page::{ErrorKind, ErrorPage};
use super::form::FieldError;
use super::form_post::FormPostPage;
use super::frame::Frame;
use super::not_found::NotFoundPage;
use super::sign_in::credentials::SignInPage;
use super::sign_in::register::RegisterPage;
use super::sign_out::SignOutPage;
use super::welcome::WelcomePage;
use all_pages::{frame, pages};
use askama::Template;
use axum::http::{StatusCode, header};
use serde_json::json;

const HOSTILE: &str = "\"'><script>alert(1)</script>&{{name}}";
const ESCAPED: &str = "&#60;script&#62;alert(1)&#60;/script&#62;&#38;{{name}}";

/// The tags of a name, each with its attributes.
fn tags<'h>(html: &'h str, name: &str) -> Vec<&'h str> {
    let starts = html.match_indices(&format!("<{name}")).map(|(start, _)| &html[start..]).collect::<Vec<_>>();
    let is_whole = |tag: &&str| tag[name.len() + 1..].starts_with([' ', '>']);
    starts.into_iter().filter(is_whole).map(|tag| tag.split_once('>').unwrap().0).collect()
}

fn attribute<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    tag.split_once(&format!(" {name}=\"")).and_then(|(_, rest)| rest.split_once('"')).map(|(value, _)| value)
}

#[test]
fn what_others_write_is_escaped() {
    for (name, html) in pages(&frame(HOSTILE), HOSTILE) {
        assert!(!html.contains("<script>") && !html.contains("\"'>"), "{name}: {html}");
        let is_written = !matches!(name, "device_done" | "not_found" | "mailbox_closed" | "void_one_time_token");
        assert_eq!(html.contains(ESCAPED), is_written, "{name}: {html}");
    }
}

#[test]
fn a_page_needs_nothing_that_its_policy_forbids() {
    for (name, html) in pages(&frame("Shop"), "x") {
        for forbidden in [" style=", "<style", " onclick", " onload", "javascript:", "http://"] {
            let html = html.replace("http://www.w3.org", "");
            assert!(!html.contains(forbidden), "{name}: {forbidden}");
        }
        for script in tags(&html, "script") {
            assert!(attribute(script, "src").unwrap().starts_with("/assets/"), "{name}: {script}");
        }
    }
}

#[test]
fn a_page_is_one_document_in_one_language() {
    let mut frame = frame("Shop");
    frame.language = "ar".to_owned().try_into().unwrap();
    for (name, html) in pages(&frame, "x") {
        assert!(
            html.starts_with("<!doctype html>") && html.contains("<html lang=\"ar\" dir=\"rtl\">"),
            "{name}: {html}"
        );
        for (tag, count) in [("h1", 1), ("main", 1), ("title", 1)] {
            assert_eq!(tags(&html, tag).len(), count, "{name}: {tag}");
        }
        assert!(!html.contains("<title></title>"), "{name}");
        assert!(!html.contains("{{"), "{name}: {html}");
        let mut ids: Vec<_> =
            html.match_indices(" id=\"").map(|(at, _)| attribute(&html[at..], "id").unwrap()).collect();
        let count = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), count, "{name}");
    }
}

#[test]
fn fields_are_labelled_and_forms_tied_to_the_browser() {
    for (name, html) in pages(&frame("Shop"), "x") {
        for input in tags(&html, "input") {
            // By its type, or by the attribute: one that only password managers read.
            let is_hidden = input.contains("type=\"hidden\"") || input.contains(" hidden");
            let is_box = input.contains("type=\"checkbox\"");
            let label = attribute(input, "id").map(|id| format!("<label class=\"label\" for=\"{id}\">"));
            assert!(is_hidden || is_box || html.contains(&label.unwrap()), "{name}: {input}");
            // An argument of a macro that is called as one of its parameters would be that parameter.
            let value = attribute(input, "value");
            assert!(is_hidden || value.is_none() || value != attribute(input, "name"), "{name}: {input}");
            let text = ["text", "password", "email"].iter().any(|kind| input.contains(&format!("type=\"{kind}\"")));
            assert_eq!(text, attribute(input, "autocomplete").is_some(), "{name}: {input}");
            for id in attribute(input, "aria-describedby").unwrap_or_default().split(' ').filter(|id| !id.is_empty()) {
                assert_eq!(html.matches(&format!(" id=\"{id}\"")).count(), 1, "{name}: {id}");
            }
        }
        for form in tags(&html, "form") {
            assert_eq!(attribute(form, "method"), Some("post"), "{name}");
        }
        let forms = tags(&html, "form").len();
        // Invitations and links of the terminal are accepted by their tokens, in any browser. A form that was submitted
        // again after the session had ended changes nothing until the signed-in user confirms it.
        let has_none = matches!(
            name,
            "form_post" | "invitation" | "console_again" | "console_setup" | "console_recovery" | "console_invited"
        );
        let tokens = html.matches("name=\"csrf\" value=\"x\"").count();
        assert_eq!(tokens, if has_none { 0 } else { forms }, "{name}");
        assert!(html.matches(" autofocus").count() <= 1, "{name}");
    }
}

/// Fields of forms without secrets: what is visible on the page, and ids that are useless in another browser.
const HIDDEN_FIELDS: [&str; 9] =
    ["captcha_token", "decision", "email", "id", "identifier", "payload", "record", "user_code", "verification_id"];

#[test]
fn custom_css_reads_no_secret() {
    let mut frame = frame("Shop");
    frame.look.style_sheets.push("/assets/custom.css".to_owned());
    frame.look.has_custom_css = true;
    let mut styled = 0;
    for (name, html) in pages(&frame, "x") {
        if !html.contains("/assets/custom.css") {
            continue;
        }
        styled += 1;
        for input in tags(&html, "input").into_iter().filter(|input| input.contains("type=\"hidden\"")) {
            let field = attribute(input, "name").unwrap();
            assert!(HIDDEN_FIELDS.contains(&field), "{name}: selectors of custom CSS read {input}");
        }
        // Codes of pictures are secrets in attributes as well.
        assert!(!html.contains("src=\"data:"), "{name}");
        for form in tags(&html, "form") {
            assert!(!attribute(form, "action").unwrap().contains('?'), "{name}: {form}");
        }
        let tied = html.matches("<textarea name=\"csrf\" autocomplete=\"off\" readonly hidden>x</textarea>").count();
        assert_eq!(tied, tags(&html, "form").len(), "{name}");
    }
    assert!(styled > 20, "{styled}");
}

fn sign_in(frame: &Frame, error: Option<FieldError<'_>>, identifier: &str) -> (StatusCode, Vec<String>, String) {
    let page =
        SignInPage { frame, csrf: "x", error, identifier, has_agreed: false, is_code: false, has_new_password: false };
    let html = page.render().unwrap();
    let inputs =
        tags(&html, "input").into_iter().filter(|input| !input.contains("hidden")).map(str::to_owned).collect();
    (page.answer().status(), inputs, html)
}

#[test]
fn an_error_is_told_at_its_field_which_has_the_focus() {
    let frame = Frame::plain("en").unwrap();
    let (status, inputs, html) = sign_in(&frame, Some(FieldError::at("password", "Wrong.")), "zoe");
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(html.contains("id=\"password-error\"") && html.contains("Wrong.") && !html.contains("form-error"));
    assert_eq!(attribute(&inputs[1], "aria-describedby"), Some("password-error"));
    assert_eq!(attribute(&inputs[1], "aria-invalid"), Some("true"));
    assert_eq!([0, 1].map(|index: usize| inputs[index].contains(" autofocus")), [false, true]);
    assert_eq!(attribute(&inputs[0], "value"), Some("zoe"));
    assert!(attribute(&inputs[1], "value").is_none() && attribute(&inputs[0], "aria-invalid").is_none());

    // The error of a field that the page does not have is not lost.
    for error in [FieldError::of_form("Wrong."), FieldError::at("other", "Wrong.")] {
        let (_, inputs, html) = sign_in(&frame, Some(error), "zoe");
        assert!(html.contains("id=\"form-error\" role=\"alert\"") && html.contains("Wrong."));
        assert_eq!(attribute(&inputs[1], "aria-describedby"), Some("form-error"));
        assert!(inputs[1].contains(" autofocus") && !html.contains("aria-invalid"));
    }

    let (status, inputs, html) = sign_in(&frame, None, "");
    assert_eq!(status, StatusCode::OK);
    assert!(inputs[0].contains(" autofocus") && !html.contains("aria-invalid") && !html.contains("role=\"alert\""));
    assert_eq!(inputs.len(), 2);
}

#[test]
fn browsers_know_what_the_fields_are_for() {
    let frame = frame("Shop");
    let (_, inputs, _) = sign_in(&frame, None, "");
    assert_eq!(attribute(&inputs[0], "autocomplete"), Some("username webauthn"));
    assert_eq!(attribute(&inputs[1], "autocomplete"), Some("current-password"));
    assert_eq!(attribute(&inputs[2], "name"), Some("agree"));
    let html = RegisterPage {
        frame: &frame,
        csrf: "x",
        error: None,
        username: "",
        identifier: "",
        is_code: false,
        has_agreed: false,
    }
    .render()
    .unwrap();
    assert!(html.contains("autocomplete=\"username\"") && html.contains("autocomplete=\"new-password\""), "{html}");
    assert!(html.contains("passwordrules=\"minlength: 8;\"") && html.contains("At least 8 characters"), "{html}");
    assert!(html.contains("aria-describedby=\"password-hint\""), "{html}");
    assert!(
        html.contains("href=\"https://a.test/privacy\" target=\"_blank\" rel=\"noopener\">privacy policy</a>."),
        "{html}"
    );
}

#[test]
fn who_agreed_need_not_do_so_again() {
    let frame = frame("Shop");
    for has_agreed in [false, true] {
        let sign_in = SignInPage {
            frame: &frame,
            csrf: "x",
            error: None,
            identifier: "zoe",
            has_agreed,
            is_code: false,
            has_new_password: false,
        };
        let register = RegisterPage {
            frame: &frame,
            csrf: "x",
            error: None,
            username: "zoe",
            identifier: "",
            is_code: false,
            has_agreed,
        };
        for html in [sign_in.render().unwrap(), register.render().unwrap()] {
            let boxes: Vec<_> =
                tags(&html, "input").into_iter().filter(|input| input.contains("type=\"checkbox\"")).collect();
            assert_eq!(boxes.iter().map(|input| input.contains(" checked")).collect::<Vec<_>>(), [has_agreed]);
        }
    }
}

#[test]
fn the_way_to_the_other_page_is_there_when_it_leads_somewhere() {
    let mut frame = Frame::plain("en").unwrap();
    for (mode, may_register, may_sign_in) in
        [("SignIn", false, true), ("Register", true, false), ("SignInAndRegister", true, true)]
    {
        frame.settings = serde_json::from_value(json!({ "signInMode": mode })).unwrap();
        let (_, _, sign_in) = sign_in(&frame, None, "");
        let register = RegisterPage {
            frame: &frame,
            csrf: "x",
            error: None,
            username: "",
            identifier: "",
            is_code: false,
            has_agreed: false,
        }
        .render()
        .unwrap();
        assert_eq!(sign_in.contains("href=\"/register\""), may_register, "{mode}");
        assert_eq!(register.contains("href=\"/sign-in\""), may_sign_in, "{mode}");
    }
}

#[test]
fn pages_that_lead_to_an_application_may_and_others_may_not() {
    let frame = frame("Shop");
    let onward = [
        sign_in_answer(&frame),
        FormPostPage { frame: &frame, redirect_uri: "https://a.test", parameters: Vec::new() }.answer(),
        SignOutPage { frame: &frame, csrf: "", action: "", name: "" }.answer(),
    ];
    let own = [
        NotFoundPage { frame: &frame }.answer(),
        WelcomePage { frame: &frame, base_url: "", has_demo: false, has_account_page: false, is_ready: true }.answer(),
        ErrorPage { kind: ErrorKind::Expired, ..ErrorPage::new(&frame) }.answer(StatusCode::BAD_REQUEST),
    ];
    for (responses, is_bound) in [(onward, false), (own, true)] {
        for response in responses {
            let policy = response.headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
            assert_eq!(policy.contains("form-action"), is_bound, "{policy}");
            assert_eq!(response.headers()[header::CONTENT_LANGUAGE], "en");
        }
    }
}

fn sign_in_answer(frame: &Frame) -> axum::response::Response {
    SignInPage {
        frame,
        csrf: "x",
        error: None,
        identifier: "",
        has_agreed: false,
        is_code: false,
        has_new_password: false,
    }
    .answer()
}
