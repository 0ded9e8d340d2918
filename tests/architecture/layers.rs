//! The layers: which module of the server may use which others.

use super::{code, server_sources};
use std::collections::BTreeSet;
use std::path::Path;

/// Each module of the server with all that it may use of the others: `cli → server → http → own_account → interaction →
/// {accounts, app} → messages → {tokens, webhooks} → plugins`. `main` may use everything.
const MODULES: &[(&str, &[&str])] = &[
    ("activity", &[]),
    ("egress", &[]),
    ("supervisor", &[]),
    ("client_keys", &["egress", "supervisor"]),
    ("federation", &["egress"]),
    ("address_rate_limit", &[]),
    ("passwords", &["address_rate_limit"]),
    ("pictures", &[]),
    ("encryption", &[]),
    ("passkeys", &["encryption"]),
    ("byte_budget", &[]),
    ("concurrency_limit", &[]),
    ("row_budgets", &[]),
    ("stream_limit", &[]),
    ("serving", &["byte_budget", "concurrency_limit"]),
    ("plugins", &["activity", "egress", "supervisor"]),
    ("rekey", &["encryption"]),
    ("audit", &[]),
    ("tokens", &["audit", "client_keys", "supervisor", "plugins", "encryption"]),
    ("refusal_sampling", &["audit", "supervisor"]),
    ("deployments", &["encryption", "plugins", "supervisor"]),
    ("delivery_queue", &["supervisor"]),
    ("webhooks", &["activity", "audit", "delivery_queue", "egress", "supervisor", "plugins", "encryption"]),
    ("unit_of_work", &["audit", "webhooks"]),
    ("connectors", &["encryption"]),
    ("captcha", &["egress", "encryption"]),
    ("verification_codes", &["encryption"]),
    (
        "messages",
        &[
            "activity",
            "audit",
            "connectors",
            "delivery_queue",
            "egress",
            "encryption",
            "plugins",
            "supervisor",
            "tokens",
            "unit_of_work",
            "webhooks",
        ],
    ),
    ("accounts", &["encryption", "messages", "passwords", "pictures", "unit_of_work", "webhooks"]),
    ("bootstrap", &["accounts", "audit", "passwords", "encryption", "tokens", "unit_of_work", "webhooks"]),
    (
        "app",
        &[
            "activity",
            "captcha",
            "federation",
            "client_keys",
            "deployments",
            "egress",
            "address_rate_limit",
            "messages",
            "supervisor",
            "passkeys",
            "passwords",
            "pictures",
            "plugins",
            "refusal_sampling",
            "row_budgets",
            "stream_limit",
            "encryption",
            "tokens",
            "webhooks",
        ],
    ),
    ("retention", &["activity", "app", "supervisor"]),
    ("heartbeat", &["activity", "app", "supervisor"]),
    ("backchannel_logout", &["app", "audit", "delivery_queue", "egress", "supervisor", "tokens", "webhooks"]),
    (
        "interaction",
        &[
            "activity",
            "captcha",
            "connectors",
            "federation",
            "accounts",
            "app",
            "audit",
            "encryption",
            "messages",
            "passkeys",
            "passwords",
            "pictures",
            "refusal_sampling",
            "row_budgets",
            "tokens",
            "unit_of_work",
            "verification_codes",
            "webhooks",
        ],
    ),
    (
        "own_account",
        &[
            "accounts",
            "app",
            "audit",
            "encryption",
            "interaction",
            "pictures",
            "messages",
            "refusal_sampling",
            "tokens",
            "unit_of_work",
            "verification_codes",
            "webhooks",
        ],
    ),
    (
        "http",
        &[
            "activity",
            "captcha",
            "federation",
            "accounts",
            "app",
            "audit",
            "client_keys",
            "deployments",
            "encryption",
            "interaction",
            "messages",
            "passkeys",
            "own_account",
            "passwords",
            "pictures",
            "plugins",
            "refusal_sampling",
            "address_rate_limit",
            "byte_budget",
            "concurrency_limit",
            "connectors",
            "stream_limit",
            "tokens",
            "unit_of_work",
            "verification_codes",
            "webhooks",
        ],
    ),
    (
        "server",
        &[
            "app",
            "heartbeat",
            "backchannel_logout",
            "bootstrap",
            "deployments",
            "egress",
            "http",
            "passwords",
            "supervisor",
            "plugins",
            "serving",
            "retention",
        ],
    ),
    (
        "cli",
        &[
            "app",
            "audit",
            "bootstrap",
            "http",
            "passwords",
            "supervisor",
            "plugins",
            "rekey",
            "server",
            "tokens",
            "unit_of_work",
        ],
    ),
];

/// The module of the server that a file belongs to; `main` for `main.rs` and `lib.rs`.
fn module_of(path: &Path) -> String {
    let first = path.strip_prefix("src").unwrap().components().next().unwrap();
    let name = Path::new(&first).file_stem().unwrap().to_str().unwrap().to_owned();
    if name == "lib" { "main".to_owned() } else { name }
}

/// The names that follow `crate::`, also those in braces.
fn used_modules(code: &str) -> BTreeSet<String> {
    let name_at = |text: &str| -> String { text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect() };
    let mut used = BTreeSet::new();
    for (start, path) in code.match_indices("crate::") {
        let rest = &code[start + path.len()..];
        let Some(group) = rest.strip_prefix('{') else {
            used.insert(name_at(rest));
            continue;
        };
        let (mut depth, mut expects_name) = (1, true);
        for (index, character) in group.char_indices() {
            match character {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 1 => expects_name = true,
                _ if expects_name && depth == 1 && !character.is_whitespace() => {
                    used.insert(name_at(&group[index..]));
                    expects_name = false;
                }
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
    }
    used
}

#[test]
fn used_modules_are_found_in_every_form() {
    let code =
        "use crate::app::App;\nuse crate::{clock::{self, Clock}, http,\n storage};\nlet x = crate::random::id(1);";
    let expected = ["app", "clock", "http", "random", "storage"].map(str::to_owned);
    assert_eq!(used_modules(code), BTreeSet::from(expected));
}

#[test]
fn modules_know_only_what_stands_below_them() {
    let mut problems = Vec::new();
    for (path, text) in server_sources() {
        let module = module_of(&path);
        if module == "main" {
            continue;
        }
        let Some((_, allowed)) = MODULES.iter().find(|(name, _)| *name == module) else {
            problems.push(format!("{module} is not in the table: say what it may use"));
            continue;
        };
        for used in used_modules(&code(&text)) {
            let is_module = MODULES.iter().any(|(name, _)| *name == used);
            if is_module && used != module && !allowed.contains(&used.as_str()) {
                problems.push(format!("{} uses {used}, which {module} may not know", path.display()));
            }
        }
    }
    assert!(problems.is_empty(), "{problems:#?}");
}

#[test]
fn the_table_has_no_circles() {
    let mut below: Vec<&str> = Vec::new();
    for (module, allowed) in MODULES {
        for name in *allowed {
            assert!(below.contains(name), "{module} may use {name}, which stands above it");
        }
        below.push(module);
    }
}
