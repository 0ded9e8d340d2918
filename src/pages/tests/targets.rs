//! Where the pages lead: `targets.txt` lists all of their targets on this server, and `tests/pages/targets.rs` resolves
//! each of them.

use super::all_pages::{frame, pages};
use super::links::targets;
use crate::frame::{Frame, SocialButton};
use serde_json::json;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The targets, a line for each.
const LISTED: &str = include_str!("targets.txt");
/// A path that pages get from their handlers: it can be opened, and has a form.
const PASSED_IN: &str = "/sign-in";

/// A frame in which pages offer every other way.
fn open_frame() -> Frame {
    let mut frame = frame("Shop");
    let method = |identifier| json!({ "identifier": identifier, "password": true, "verificationCode": true, "isPasswordPrimary": true });
    frame.settings = serde_json::from_value(json!({ "signInMode": "SignInAndRegister", "singleSignOnEnabled": true,
        "signIn": { "methods": [method("username"), method("email")] },
        "signUp": { "identifiers": ["username", "email"], "password": true, "verify": true },
        "passkeySignIn": { "enabled": true, "showPasskeyButton": true },
        "forgotPasswordMethods": ["EmailVerificationCode", "PhoneVerificationCode"] }))
    .unwrap();
    frame.buttons = vec![SocialButton { id: "c1".to_owned(), label: "Other".to_owned() }];
    frame.reach.email = true;
    frame.reach.phone = true;
    frame
}

/// Without the hash of a file's name, which changes with its content.
fn without_hash(path: String) -> String {
    match path.split('.').collect::<Vec<_>>()[..] {
        [stem, _, extension] if stem.starts_with("/assets/") => format!("{stem}.0.{extension}"),
        _ => path,
    }
}

#[test]
fn all_targets_are_listed() {
    let mut shown = pages(&frame("Shop"), PASSED_IN);
    shown.extend(pages(&open_frame(), PASSED_IN));
    let found = shown.iter().flat_map(|(_, html)| targets(html));
    let lines: BTreeSet<String> = found.map(|(method, path)| format!("{method} {}\n", without_hash(path))).collect();
    let wanted: String = lines.into_iter().collect();
    assert!(LISTED == wanted, "src/pages/tests/targets.txt has to be:\n{wanted}");
}

/// All Rust files of a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] });
    files.filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}

#[test]
fn every_template_is_rendered() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let texts: Vec<String> = sources(folder).iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    let rendered = [include_str!("all_pages.rs"), include_str!("full_account.rs")].concat();
    let templates = fs::read_dir(folder.join("templates")).unwrap().map(|entry| entry.unwrap().path());
    let mut count = 0;
    for template in templates.filter(|path| path.is_file() && !path.ends_with("layout.html")) {
        let name = template.file_name().unwrap().to_str().unwrap();
        let path = format!("#[template(path = \"{name}\")]");
        let structs: Vec<&str> = texts.iter().filter_map(|text| text.split_once(&path)).map(|(_, rest)| rest).collect();
        assert_eq!(structs.len(), 1, "{name} is the template of one struct");
        let page =
            structs[0].split_once("struct ").unwrap().1.split(|letter: char| !letter.is_alphanumeric()).next().unwrap();
        assert!(rendered.contains(&format!("{page} {{")), "{page} ({name}) is not in src/pages/tests/all_pages.rs");
        count += 1;
    }
    assert!(count > 30, "{count}");
}
