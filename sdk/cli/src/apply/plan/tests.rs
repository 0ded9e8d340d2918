//! What a plan says of plugins of the folder and of the server.

use super::{Action, LocalPlugin, ServerPlugin, Step, summary};
use crate::registry::digest_of;
use crate::remote::deploy::{Language, UploadedFile};
use claimsmith_runtime::Manifest;
use std::collections::BTreeSet;

const SOURCE: &str = "export const a = 1;\nexport const b = 2;\n";

fn local() -> LocalPlugin {
    let file = |name: &str, text: &str| UploadedFile { file_name: name.to_owned(), bytes: text.as_bytes().to_vec() };
    LocalPlugin {
        name: "plans".to_owned(),
        language: Language::JavaScript,
        source: file("plans.js", SOURCE),
        digest: digest_of(SOURCE.as_bytes()),
        settings: Manifest { order: 3, ..Manifest::default() },
        settings_text: "order = 3\n".to_owned(),
        secrets: BTreeSet::new(),
        cases: Some(file("plans.cases.json", "[]")),
        signature: None,
    }
}

fn server() -> ServerPlugin {
    ServerPlugin {
        etag: Some("\"7\"".to_owned()),
        version: "4".to_owned(),
        is_active: true,
        language: "javascript".to_owned(),
        digest: digest_of(SOURCE.as_bytes()),
        source: Some(SOURCE.to_owned()),
        settings_text: "order = 3\n".to_owned(),
        settings: Some(Manifest { order: 3, ..Manifest::default() }),
        cases: Some("[]".to_owned()),
        signature: None,
        secrets: BTreeSet::new(),
        granted: None,
        granted_cache: None,
        applied_by: None,
    }
}

#[test]
fn what_is_the_same_stays() {
    let step = Step::of(&local(), Some(&server()));
    assert_eq!((step.action, step.changes.len(), step.needs.len()), (Action::Nothing, 0, 0));
    assert_eq!(step.rendered(), "= plans: unchanged");
    let step = Step::of(&local(), Some(&ServerPlugin { is_active: false, ..server() }));
    assert_eq!(step.action, Action::Activate);
}

#[test]
fn a_change_shows_its_lines() {
    let old = SOURCE.replace("= 1", "= 0\u{1b}[2J");
    let changed = ServerPlugin { digest: digest_of(old.as_bytes()), source: Some(old), ..server() };
    let step = Step::of(&local(), Some(&changed));
    assert_eq!((step.action, step.etag.as_deref()), (Action::Change, Some("\"7\"")));
    let text = step.rendered();
    for line in [
        "~ plans: changed",
        "    --- plans.js, version 4 of the server",
        "    +++ plans.js of the folder",
        "    -export const a = 0\\u{1b}[2J;",
        "    +export const a = 1;",
        "     export const b = 2;",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
}

#[test]
fn settings_and_cases_are_told_from_the_source() {
    let other = Manifest { order: 9, ..Manifest::default() };
    let settings = ServerPlugin { settings: Some(other), settings_text: "order = 9\n".to_owned(), ..server() };
    let step = Step::of(&local(), Some(&settings));
    assert_eq!(step.action, Action::Settings);
    assert!(step.rendered().contains("-order = 9"), "{}", step.rendered());
    let cases = ServerPlugin { cases: None, ..server() };
    assert_eq!(Step::of(&local(), Some(&cases)).action, Action::Cases);
    let both = ServerPlugin { cases: None, settings: None, ..server() };
    assert_eq!(Step::of(&local(), Some(&both)).action, Action::Change);
}

#[test]
fn a_signature_that_the_server_does_not_have_is_a_change() {
    let signed = |text: &str| {
        let signature = UploadedFile { file_name: "plans.js.sig".to_owned(), bytes: text.as_bytes().to_vec() };
        LocalPlugin { signature: Some(signature), ..local() }
    };
    let step = Step::of(&signed("abc"), Some(&server()));
    assert_eq!((step.action, step.changes.len()), (Action::Signature, 1));
    assert!(step.action.uploads());
    let has = |text: &str| ServerPlugin { signature: Some(text.to_owned()), ..server() };
    assert_eq!(Step::of(&signed("abc"), Some(&has("abc"))).action, Action::Nothing);
    assert_eq!(Step::of(&signed("abc"), Some(&has("def"))).action, Action::Signature);
    assert_eq!(Step::of(&local(), Some(&has("def"))).action, Action::Nothing, "that of the server stays");
}

#[test]
fn a_value_that_is_not_shown_counts_as_the_same() {
    let with = |value: &str| {
        let environment = [("REGION".to_owned(), value.to_owned())].into();
        Manifest { environment, order: 3, ..Manifest::default() }
    };
    let local = LocalPlugin { settings: with("eu"), ..local() };
    let shown = |value: &str| ServerPlugin { settings: Some(with(value)), ..server() };
    assert_eq!(Step::of(&local, Some(&shown("********"))).action, Action::Nothing);
    assert_eq!(Step::of(&local, Some(&shown("us"))).action, Action::Settings);
}

#[test]
fn what_somebody_has_to_do_is_said() {
    let manifest = "[capabilities.http]\nhosts = [\"api.example.com\"]\n";
    let settings = Manifest::parse("plans.toml", manifest).unwrap_or_default();
    let local = LocalPlugin { secrets: ["API_KEY".to_owned()].into(), settings, ..local() };
    let text = Step::of(&local, None).rendered();
    assert!(text.starts_with("+ plans: new\n    javascript, 40 bytes, sha256:"), "{text}");
    assert!(text.contains("  ! it needs a grant of HTTP requests to [\"api.example.com\"]: claimsmith plugin grant"));
    assert!(text.contains("  ! it needs the secret API_KEY: claimsmith plugin secret set plans API_KEY"), "{text}");

    let keeping = "[capabilities.cache]\nentries = 10\n";
    let keeping = Manifest::parse("plans.toml", keeping).unwrap_or_default();
    let cached = LocalPlugin { settings: keeping, ..self::local() };
    let text = Step::of(&cached, None).rendered();
    assert!(
        text.contains("  ! it needs a grant of a cache of 10 entries and 1024 KiB: claimsmith plugin grant"),
        "{text}"
    );
    let granted_cache = cached.settings.capabilities.cache;
    assert!(Step::of(&cached, Some(&ServerPlugin { granted_cache, ..server() })).needs.is_empty());

    let granted = local.settings.capabilities.http.clone();
    let ready = ServerPlugin { granted, secrets: ["API_KEY".to_owned()].into(), ..server() };
    assert!(Step::of(&local, Some(&ready)).needs.is_empty());
}

#[test]
fn the_last_line_counts() {
    let steps = [
        Step::of(&local(), None),
        Step::of(&local(), Some(&server())),
        Step::deletion("old".to_owned(), "\"1\"".to_owned(), "production"),
    ];
    assert_eq!(summary(&steps), "plan: 1 new, 1 deleted, 1 unchanged");
}

#[test]
fn names_of_a_server_do_not_steer_the_terminal() {
    let text = Step::deletion("old\u{1b}[2J".to_owned(), "\"1\"".to_owned(), "pro\u{7}").rendered();
    assert!(text.contains("old") && !text.contains(['\u{1b}', '\u{7}']), "{text:?}");
}
