//! The rules of users are in `accounts`: nothing else writes users, their identifiers, factors, accounts elsewhere or
//! settings, so that sign-in, the Management API, people themselves and the operator share them.

use super::circles::paths_in;
use super::{code, server_sources, sources};
use std::collections::BTreeSet;

/// What is written beside, without a rule: that somebody signed in, that a one-time password or a passkey was used, what
/// an enterprise connector said of somebody, and what retention deletes.
const NO_RULES: [&str; 7] = [
    "mfa::use_step",
    "passkeys::used",
    "sso_identities::update_detail",
    "users::signed_in",
    "activity::count_up",
    "activity::delete_expired",
    "avatars::delete_expired",
];

/// Who may write: the rules, and the people of the demo, whose digests are made ahead.
const WRITERS: [&str; 2] = ["src/identity/accounts", "src/identity/bootstrap/demo.rs"];

/// The functions of `storage::users` that write, as `module::function`.
fn writing_functions() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (path, text) in sources("src/storage/users") {
        let file = path.file_stem().unwrap().to_str().unwrap();
        let module = if file == "mod" { "users" } else { file };
        for function in text.split("\npub async fn ").skip(1) {
            let body = function.split("\n}\n").next().unwrap();
            if ["INSERT INTO ", "UPDATE ", "DELETE FROM "].iter().any(|statement| body.contains(statement)) {
                let name: String = body.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                found.insert(format!("{module}::{name}"));
            }
        }
    }
    found
}

/// The modules of `storage::users` that a file imports, each as it names them.
fn imported(code: &str) -> BTreeSet<String> {
    let paths = paths_in(code, &["claimsmith_storage"]).into_iter();
    let paths = paths.filter(|path| path.get(1).is_some_and(|module| module == "users"));
    paths.filter_map(|path| path.into_iter().rfind(|part| part != "self")).collect()
}

#[test]
fn only_accounts_writes_users() {
    let functions = writing_functions();
    assert!(functions.len() > 20, "the search finds next to nothing: {functions:?}");
    let (mut problems, mut within) = (Vec::new(), 0);
    for (path, text) in server_sources() {
        let code = code(&text);
        let imported = imported(&code);
        for function in &functions {
            let (module, name) = function.split_once("::").unwrap();
            // By a path from `storage`, by one from `storage::users`, by an imported module, or imported itself.
            let calls = code.contains(&format!("storage::{function}("))
                || code.contains(&format!("users::{function}("))
                || (imported.contains(module) && code.contains(&format!("{function}(")))
                || (imported.contains(name) && code.contains(&format!(" {name}(")));
            if !calls {
                continue;
            }
            if WRITERS.iter().any(|writer| path.starts_with(writer)) {
                within += 1;
            } else if !NO_RULES.contains(&function.as_str()) {
                problems.push(format!("{} calls {function}", path.display()));
            }
        }
    }
    assert!(within > 15, "accounts itself seems to write next to nothing: {within}");
    assert!(problems.is_empty(), "{problems:#?}");
}
