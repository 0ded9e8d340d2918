//! Every key of a manifest: obeyed, and refused where it is invalid.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use super::*;
use crate::{Kind, Limits};
use std::{fs, time::Duration};

const EXCHANGE: &str = "urn:ietf:params:oauth:grant-type:token-exchange";

fn parse(text: &str) -> Result<Manifest, ManifestError> {
    Manifest::parse("roles.toml", text)
}

fn refusal(text: &str) -> String {
    parse(text).unwrap_err().to_string()
}

#[test]
fn an_empty_manifest_is_the_default_one() {
    let manifest = parse("").unwrap();
    assert_eq!((manifest.order, manifest.enabled, manifest.on_error(Kind::Claims)), (0, true, OnError::Deny));
    assert!(manifest.applies(TokenKind::AccessToken, EXCHANGE, "app", Some("https://api.example.com")));
    assert!(manifest.applies(TokenKind::ClientCredentials, "client_credentials", "app", None));
    assert!(!manifest.applies(TokenKind::IdToken, "authorization_code", "app", None));
}

#[test]
fn a_breaker_has_defaults_and_can_be_switched_off() {
    let breaker = parse("").unwrap().breaker;
    assert!(breaker.enabled && !breaker.wants_previous_version());
    assert_eq!((breaker.failures(), breaker.window()), (20, Duration::from_secs(60)));
    let manifest = parse("[breaker]\nfailures = 3\nwindow = 5\non_open = \"previous version\"\n").unwrap();
    let breaker = manifest.breaker;
    assert_eq!((breaker.failures(), breaker.window()), (3, Duration::from_secs(5)));
    assert!(breaker.wants_previous_version());
    assert_eq!(parse(&manifest.to_toml().unwrap()).unwrap(), manifest);
    assert!(!parse("").unwrap().to_toml().unwrap().contains("breaker"));
    let off = parse("[breaker]\nenabled = false\non_open = \"previous version\"\n").unwrap().breaker;
    assert!(!off.enabled && !off.wants_previous_version());
}

#[test]
fn filters_must_all_match() {
    let manifest = parse(&format!(
        "token_kinds = [\"access-token\"]\ngrant_types = [\"{EXCHANGE}\"]\napplications = [\"app\"]\n\
         resources = [\"https://api.example.com\"]\n"
    ))
    .unwrap();
    let api = Some("https://api.example.com");
    assert!(manifest.applies(TokenKind::AccessToken, EXCHANGE, "app", api));
    assert!(!manifest.applies(TokenKind::ClientCredentials, EXCHANGE, "app", api));
    assert!(!manifest.applies(TokenKind::AccessToken, "refresh_token", "app", api));
    assert!(!manifest.applies(TokenKind::AccessToken, EXCHANGE, "other", api));
    assert!(!manifest.applies(TokenKind::AccessToken, EXCHANGE, "app", Some("https://api.example.com/")));
    assert!(!manifest.applies(TokenKind::AccessToken, EXCHANGE, "app", None));
    assert!(!parse("enabled = false").unwrap().applies(TokenKind::AccessToken, EXCHANGE, "app", api));
}

#[test]
fn errors_name_file_line_and_key() {
    let table = [
        ("order = 1\nordr = 2\n", "roles.toml, line 2, `ordr`: unknown field `ordr`"),
        ("[limits]\ndeadline = 5\n", "roles.toml, line 2, `limits.deadline`: unknown field `deadline`"),
        ("order = \"first\"\n", "roles.toml, line 1, `order`: invalid type"),
        ("on_error = \"ignore\"\n", "roles.toml, line 1, `on_error`: unknown variant `ignore`"),
        ("token_kinds = [\"refresh-token\"]\n", "roles.toml, line 1, `token_kinds[0]`: unknown variant"),
        ("\n[environment]\nPORT = 80\n", "roles.toml, line 3, `environment.PORT`: invalid type"),
        ("[limits]\nmemory_mib = 0\n", "roles.toml, `limits.memory_mib`: a plugin cannot work with 0"),
        ("[limits]\nmemory_mib = -1\n", "roles.toml, line 2, `limits.memory_mib`: invalid value"),
        ("[breaker]\nfailures = 0\n", "roles.toml, `breaker.failures`: between 1 and 10000 are accepted"),
        ("[breaker]\nwindow = 3601\n", "roles.toml, `breaker.window`: between 1 and 3600 are accepted"),
        ("[breaker]\nretries = 1\n", "roles.toml, line 2, `breaker.retries`: unknown field `retries`"),
        ("[breaker]\non_open = \"skip\"\n", "roles.toml, line 2, `breaker.on_open`: unknown variant `skip`"),
        ("applications = []\n", "roles.toml, `applications`: an empty list matches nothing"),
        ("grant_types = [\"token-exchange\"]\n", "roles.toml, `grant_types`: `token-exchange` is not a grant type"),
        ("environment = { A = \"1\" }\nsecrets = { A = { env = \"B\" } }\n", "roles.toml, `secrets.A`: the same name"),
        ("[environment]\n\"A=B\" = \"1\"\n", "roles.toml, `environment.A=B`: this is not a name"),
        ("[capabilities.http]\nhosts = []\n", "roles.toml, `capabilities.http.hosts`: an empty list grants nothing"),
        ("[capabilities.http]\n", "roles.toml, line 1, `capabilities.http`: missing field `hosts`"),
        ("[capabilities.files]\n", "roles.toml, line 1, `capabilities.files`: unknown field `files`"),
        (
            "[capabilities.http]\nhosts = [\"https://a.b/\"]\n",
            "roles.toml, line 2, `capabilities.http.hosts[0]`: `https://a.b/` is not a host",
        ),
        (
            "capabilities.http = { hosts = [\"a.b\"], methods = [] }\n",
            "roles.toml, `capabilities.http.methods`: an empty list",
        ),
        (
            "capabilities.http = { hosts = [\"a.b\"], methods = [\"get\"] }\n",
            "roles.toml, `capabilities.http.methods`: `get` is not a method that can be granted; there are GET, HEAD",
        ),
        (
            "capabilities.http = { hosts = [\"a.b\"], calls = 0 }\n",
            "roles.toml, `capabilities.http.calls`: must be from 1 to 16, not 0",
        ),
        (
            "capabilities.http = { hosts = [\"a.b\"], kib = 1025 }\n",
            "roles.toml, `capabilities.http.kib`: must be from 1 to 1024, not 1025",
        ),
        ("order = \n", "roles.toml, line 1: "),
    ];
    for (text, start) in table {
        let shown = refusal(text);
        assert!(shown.starts_with(start), "{text:?} gave {shown:?}, not {start:?}");
    }
}

#[test]
fn json_has_the_same_keys_and_errors() {
    let text = r#"{ "order": 2, "limits": { "memory_mib": 8 }, "secrets": { "KEY": { "env": "A" } } }"#;
    let manifest = Manifest::parse_json("roles.json", text).unwrap();
    assert_eq!((manifest.order, manifest.limits.memory_mib, manifest.secrets.len()), (2, Some(8), 1));
    let table = [
        ("{\n\"ordr\": 2 }", "roles.json, line 2, `ordr`: unknown field `ordr`"),
        (r#"{ "limits": { "memory_mib": 0 } }"#, "roles.json, `limits.memory_mib`: a plugin cannot work with 0"),
        (r#"{ "secrets": { "KEY": "hunter2" } }"#, "roles.json, line 1, `secrets.KEY`: a secret is {"),
        ("{} {}", "roles.json, line 1: trailing characters"),
    ];
    for (text, start) in table {
        let shown = Manifest::parse_json("roles.json", text).unwrap_err().to_string();
        assert!(shown.starts_with(start) && !shown.contains("hunter2"), "{text:?} gave {shown:?}, not {start:?}");
    }
    let error = parse("order = 1\nordr = 2\n").unwrap_err();
    assert_eq!((error.file(), error.line(), error.key()), ("roles.toml", Some(2), Some("ordr")));
}

#[test]
fn a_secret_written_into_the_manifest_is_refused_and_not_repeated() {
    for value in [
        "\"hunter2\"",
        "{ value = \"hunter2\" }",
        "{ env = \"A\", file = \"hunter2\" }",
        "{ env = \"\" }",
        "{ env = 4 }",
        "[\"hunter2\"]",
    ] {
        let shown = refusal(&format!("[secrets]\nKEY = {value}\n"));
        assert!(shown.starts_with("roles.toml, line 2, `secrets.KEY`: a secret is {"), "{shown}");
        assert!(!shown.contains("hunter2"), "{shown}");
    }
    let shown = refusal("[secrets]\nKEY = \"hunter2\n");
    assert!(!shown.contains("hunter2"), "{shown}");
}

#[test]
fn secrets_come_from_variables_and_files() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("key"), "hunter2\r\n").unwrap();
    let manifest =
        parse("[environment]\nA = \"a\"\n[secrets]\nB = { file = \"key\" }\nC = { env = \"CARGO_PKG_NAME\" }\n");
    let manifest = manifest.unwrap();
    let secrets = manifest.resolve_secrets(folder.path()).unwrap();
    let variables = manifest.variables(&secrets);
    let expected = [("A", "a"), ("B", "hunter2"), ("C", "claimsmith-runtime")];
    assert_eq!(*variables, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
    assert_eq!(format!("{secrets:?}"), r#"{"B": "***", "C": "***"}"#);
    assert_eq!(Secrets::placeholders(["B"]).pairs(), [("B".to_owned(), "secret:B".to_owned())]);
}

#[test]
fn a_missing_secret_is_an_error_with_its_name() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("empty"), "\n").unwrap();
    fs::write(folder.path().join("bytes"), [0xff, 0xfe]).unwrap();
    fs::write(folder.path().join("huge"), vec![b'x'; (64 << 10) + 1]).unwrap();
    let table = [
        ("env = \"CLAIMSMITH_NO_SUCH_VARIABLE\"", "the variable CLAIMSMITH_NO_SUCH_VARIABLE is not set"),
        ("file = \"none\"", "none cannot be read"),
        ("file = \"empty\"", "the value is empty"),
        ("file = \"bytes\"", "bytes is not UTF-8"),
        ("file = \"huge\"", "huge is larger than 65536 bytes"),
        ("file = \".\"", ". is not a regular file"),
    ];
    for (source, reason) in table {
        let manifest = parse(&format!("[secrets]\nKEY = {{ {source} }}\n")).unwrap();
        let shown = manifest.resolve_secrets(folder.path()).unwrap_err().to_string();
        assert!(shown.starts_with(&format!("secret `KEY`: {reason}")), "{shown}");
    }
}

#[test]
fn secrets_are_masked_wherever_they_stand() {
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let secrets = Secrets::from_pairs(vec![pair("A", "key"), pair("B", "key-and-more"), pair("C", "two\n\"lines\"")]);
    assert_eq!(secrets.mask("a key-and-more, a key"), "a ***, a ***");
    assert_eq!(secrets.mask("as is two\n\"lines\"."), "as is ***.");
    assert_eq!(secrets.mask(r#"{"c":"two\n\"lines\""}"#), r#"{"c":"***"}"#);
    assert_eq!(secrets.mask("nothing here"), "nothing here");
}

#[test]
fn what_is_left_of_a_cut_secret_is_masked() {
    let secrets = Secrets::from_pairs(vec![("A".to_owned(), "hunter22".to_owned())]);
    assert_eq!(secrets.mask("the key is hunte…"), "the key is ***…");
    assert_eq!(secrets.mask("not `hunter2…` but hunter22…"), "not `***…` but ***…");
    assert_eq!(
        secrets.mask("hun… is hardly anything, hunter… in the end hunte"),
        "hun… is hardly anything, ***… in the end hunte"
    );
}

#[test]
fn a_secret_is_found_wherever_it_stands_in_claims() {
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let secrets = Secrets::from_pairs(vec![pair("PIN", "123"), pair("KEY", "hunter22"), pair("CODE", "8077")]);
    let found = |claims: serde_json::Value| secrets.find_in(claims.as_object().unwrap()).map(str::to_owned);
    let table = [
        (serde_json::json!({ "a": { "b": ["x", { "c": "is hunter22!" }] } }), Some("KEY")),
        (serde_json::json!({ "a": { "my hunter22": true } }), Some("KEY")),
        (serde_json::json!({ "code": 8077 }), Some("CODE")),
        (serde_json::json!({ "pin": "123", "hunter": 80778, "none": null }), None),
    ];
    for (claims, name) in table {
        assert_eq!(found(claims.clone()).as_deref(), name, "{claims}");
    }
}

#[test]
fn a_secret_is_found_and_masked_in_the_usual_encodings() {
    let secrets = Secrets::from_pairs(vec![("KEY".to_owned(), "hunter?22 ~>".to_owned())]);
    let spellings = [
        // btoa of the value, and of "x", "xy" and "xyz" before and behind it.
        "aHVudGVyPzIyIH4+",
        "eGh1bnRlcj8yMiB+Png=",
        "eHlodW50ZXI/MjIgfj54eQ==",
        "eHl6aHVudGVyPzIyIH4+eHl6",
        // For URLs.
        "eHlodW50ZXI_MjIgfj54eQ",
        "aHVudGVyPzIyIH4-",
        "68756e7465723f3232207e3e",
        "68756E7465723F3232207E3E",
        "hunter%3F22%20~%3E",
        "hunter%3f22+%7e%3e",
        "hunter%3F22+%7E%3E",
        "%68%75%6e%74%65%72%3f%32%32%20%7e%3e",
    ];
    for text in spellings {
        let line = format!("it is {text}.");
        let masked = secrets.mask(&line);
        assert!(masked.contains("***"), "{masked}");
        let left = masked.strip_prefix("it is ").and_then(|rest| rest.strip_suffix('.')).unwrap().replace("***", "");
        assert!(left.trim_end_matches('=').len() <= 8, "more than its neighbours are left of {text}: {masked}");
        assert_eq!(secrets.find_in_text(&line), Some("KEY"), "{text}");
        let claims = serde_json::json!({ "a": [line] });
        assert_eq!(secrets.find_in(claims.as_object().unwrap()), Some("KEY"), "{text}");
    }
    for text in ["aHVudGVy", "68756e74", "hunter%3F", "hunter"] {
        assert_eq!((secrets.mask(text).as_ref(), secrets.find_in_text(text)), (text, None));
    }
}

#[test]
fn limits_lower_and_raise_up_to_the_servers() {
    let defaults = Limits::default();
    let max = Limits { deadline: Duration::from_secs(2), memory: 128 << 20, output: 32 << 10, ..defaults };
    let over = |text: &str| parse(text).unwrap().limits.over(Kind::Claims, &defaults, &max);
    assert_eq!(over(""), defaults);
    let lower = over("[limits]\ndeadline_ms = 50\nmemory_mib = 8\noutput_kib = 1\n");
    assert_eq!((lower.deadline, lower.memory, lower.output), (Duration::from_millis(50), 8 << 20, 1 << 10));
    let capped = over("[limits]\ndeadline_ms = 60000\nmemory_mib = 4096\noutput_kib = 4096\n");
    assert_eq!((capped.deadline, capped.memory, capped.output), (max.deadline, max.memory, max.output));
}

#[test]
fn a_transform_applies_to_events_and_hooks() {
    let table = [
        ("", true),
        ("events = [\"*\"]\nhooks = [\"crm\"]\n", true),
        ("events = [\"User.*\"]\nhooks = [\"hook-1\"]\n", true),
        ("events = [\"Role.*\", \"User.Data.Updated\"]\n", true),
        ("events = [\"User.Data.*\"]\n", true),
        ("events = [\"User.Data\"]\n", false),
        ("events = [\"Users.*\"]\n", false),
        ("hooks = [\"other\"]\n", false),
        ("events = [\"Role.*\"]\nhooks = [\"crm\"]\n", false),
        ("enabled = false\n", false),
    ];
    for (text, applies) in table {
        assert_eq!(parse(text).unwrap().applies_to_delivery("User.Data.Updated", "hook-1", "crm"), applies, "{text}");
    }
    assert!(parse("events = [\"*\", \"PostSignIn\", \"Identifier.Lockout\"]\n").is_ok());
    for event in
        ["", "user.created", "User.", ".User", "User.*.Updated", "User*", "**", "User Created", "User..Created"]
    {
        let shown = refusal(&format!("events = [\"{event}\"]\n"));
        assert!(shown.starts_with(&format!("roles.toml, `events`: `{event}` is not an event")), "{shown}");
    }
    for list in ["events", "hooks"] {
        assert!(refusal(&format!("{list} = []\n")).contains("an empty list matches nothing"));
    }
}

#[test]
fn settings_of_another_kind_are_refused() {
    let table = [
        ("events = [\"*\"]\n", "events", Kind::Claims),
        ("hooks = [\"crm\"]\n", "hooks", Kind::Claims),
        ("on_error = \"retry\"\n", "on_error", Kind::Claims),
        ("on_error = \"original\"\n", "on_error", Kind::Claims),
        ("on_error = \"drop\"\n", "on_error", Kind::Claims),
        ("on_error = \"deny\"\n", "on_error", Kind::WebhookTransform),
        ("on_error = \"skip\"\n", "on_error", Kind::WebhookTransform),
        ("token_kinds = [\"access-token\"]\n", "token_kinds", Kind::WebhookTransform),
        ("grant_types = [\"refresh_token\"]\n", "grant_types", Kind::WebhookTransform),
        ("applications = [\"app\"]\n", "applications", Kind::WebhookTransform),
        ("resources = [\"https://api.example.com\"]\n", "resources", Kind::WebhookTransform),
    ];
    for (text, key, refused) in table {
        let manifest = parse(text).unwrap();
        let other = if refused == Kind::Claims { Kind::WebhookTransform } else { Kind::Claims };
        for refused in [refused, Kind::Message] {
            let error = manifest.validate_for(refused, "roles.toml").unwrap_err();
            assert_eq!((error.file(), error.key()), ("roles.toml", Some(key)), "{text}");
        }
        assert_eq!(manifest.validate_for(other, "roles.toml"), Ok(()), "{text}");
        assert_eq!(manifest.likely_kind(), Some(other), "{text}");
    }
    let http = parse("[capabilities.http]\nhosts = [\"a.b\"]\n").unwrap();
    let error = http.validate_for(Kind::WebhookTransform, "roles.toml").unwrap_err();
    assert_eq!(error.key(), Some("capabilities.http"));
    assert!(error.message().starts_with("this is for claims plugins and message plugins"), "{error}");
    for kind in [Kind::Claims, Kind::Message] {
        assert_eq!(http.validate_for(kind, "roles.toml"), Ok(()));
    }
    assert_eq!(http.likely_kind(), None, "two kinds send requests");
    let recording = parse("[recording]\nkeep = [\"answer.plan\"]\n").unwrap();
    assert_eq!(recording.validate_for(Kind::Message, "roles.toml").unwrap_err().key(), Some("recording"));
    for kind in [Kind::Claims, Kind::WebhookTransform] {
        assert_eq!(recording.validate_for(kind, "roles.toml"), Ok(()));
    }
    let either = parse("order = 1\nenabled = false\n").unwrap();
    assert_eq!(either.likely_kind(), None);
    assert_eq!(either.on_error(Kind::WebhookTransform), OnError::Retry);
}

#[test]
fn settings_that_were_stored_before_there_were_transforms_are_read() {
    let stored = serde_json::json!({
        "order": 1, "enabled": true, "on_error": "skip", "token_kinds": ["access-token"], "grant_types": null,
        "applications": null, "resources": null, "limits": { "deadline_ms": null, "memory_mib": null, "output_kib": null },
        "environment": {}, "secrets": {}, "capabilities": {},
    });
    let manifest: Manifest = serde_json::from_value(stored).unwrap();
    assert_eq!(manifest.on_error(Kind::Claims), OnError::Skip);
    assert_eq!(manifest.token_kinds(), [TokenKind::AccessToken]);
    assert_eq!(manifest.validate_for(Kind::Claims, "stored"), Ok(()));
    let written = serde_json::to_value(Manifest::default()).unwrap();
    let keys: Vec<_> = written.as_object().unwrap().keys().collect();
    assert!(!keys.iter().any(|key| ["on_error", "token_kinds", "events", "hooks"].contains(&key.as_str())), "{keys:?}");
    assert_eq!(serde_json::from_value::<Manifest>(written).unwrap(), Manifest::default());
}

#[test]
fn a_transform_and_a_message_plugin_may_answer_as_much_as_a_delivery_holds() {
    for kind in [Kind::WebhookTransform, Kind::Message] {
        let over = |text: &str| {
            let defaults = Limits::default();
            parse(text).unwrap().limits.over(kind, &defaults, &crate::MAX_LIMITS).output
        };
        assert_eq!(
            (over(""), over("[limits]\noutput_kib = 2\n"), over("[limits]\noutput_kib = 512\n")),
            (256 << 10, 2 << 10, 256 << 10)
        );
    }
}

#[test]
fn a_secret_is_found_in_a_text_however_it_is_written() {
    let secrets =
        Secrets::from_pairs(vec![("KEY".to_owned(), "a b/\"c".to_owned()), ("PIN".to_owned(), "123".to_owned())]);
    for text in
        ["it is a b/\"c.", r#"{"a":["\u0061 b/\"c"]}"#, r#"{"a":"a b\/\"c"}"#, "users/a%20b%2F%22c", r#""a b/\"c""#]
    {
        assert_eq!(secrets.find_in_text(text), Some("KEY"), "{text}");
    }
    // Also where it is no JSON, or more of it than anybody reads.
    let deep = format!(r#"{}"\ud83d\ude00 \u0061 b/\"c"{}"#, "[".repeat(200), "]".repeat(200));
    for text in [deep.as_str(), r#"nothing "\u0061 b/\"c"#] {
        assert_eq!(secrets.find_in_text(text), Some("KEY"), "{text}");
    }
    let odd = [r"\", r"\u", r"\ud83d", r"\ud83d\u0061", r"\u00é"];
    for text in ["a b", "123", "%", "%2", "%zz", "", r#"{"a":1}"#].into_iter().chain(odd) {
        assert_eq!(secrets.find_in_text(text), None, "{text}");
    }
}

#[test]
fn an_answer_that_is_no_text_is_searched_like_one() {
    let secrets = Secrets::from_pairs(vec![("KEY".to_owned(), "correct-horse".to_owned())]);
    let masked = secrets.mask_response(b"\xff correct-horse".to_vec());
    assert_eq!(masked, Ok(b"\xff ***".to_vec()));
    for body in [&b"\xff %63orrect-horse"[..], b"\xff \"\\u0063orrect-horse\""] {
        assert!(secrets.mask_response(body.to_vec()).is_err_and(|error| error.contains("unusual form")));
    }
    assert_eq!(secrets.mask_response(b"\xff \xc3".to_vec()), Ok(b"\xff \xc3".to_vec()));
}
