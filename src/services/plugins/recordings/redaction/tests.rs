//! What a recording shows of an input.

use super::*;
use serde_json::json;
use std::collections::BTreeMap;

fn redaction(keep: &[&str]) -> Redaction {
    let keep: Vec<String> = keep.iter().map(|path| (*path).to_owned()).collect();
    Redaction::new(&[7; 32], &keep)
}

fn context() -> Value {
    json!({
        "grant": { "type": "urn:ietf:params:oauth:grant-type:token-exchange", "subjectTokenContext": { "ticket": "T-4711" } },
        "user": {
            "id": "q3v8k1znw2pd7f0ymx4ab", "primaryEmail": "lovelace@example.com", "name": "Ada Lovelace",
            "isSuspended": false, "createdAt": 1_760_000_000_000_i64, "avatar": null,
            "customData": { "plan": "gold", "lovelace@example.com": { "visits": 3 }, "notes": ["met Ada", 7] },
            "roles": [{ "id": "role1", "name": "customer", "scopes": [{ "id": "scope1", "name": "orders:read" }] }],
        },
    })
}

#[test]
fn ids_of_roles_grants_booleans_numbers_and_names_of_the_contract_are_kept() {
    let shown = redaction(&[]).value("context", &context());
    let user = &shown["user"];
    assert_eq!(shown["grant"]["type"], "urn:ietf:params:oauth:grant-type:token-exchange");
    assert_eq!(
        (&user["isSuspended"], &user["createdAt"], &user["avatar"]),
        (&json!(false), &json!(1_760_000_000_000_i64), &Value::Null)
    );
    assert_eq!((&user["roles"][0]["id"], &user["roles"][0]["scopes"][0]["id"]), (&json!("role1"), &json!("scope1")));
    let text = shown.to_string().to_lowercase();
    for personal in ["lovelace", "ada", "gold", "q3v8k1", "4711", "plan", "ticket", "notes", "customer", "orders"] {
        assert!(!text.contains(personal), "{personal} in {text}");
    }
}

#[test]
fn lengths_and_forms_are_kept() {
    let shown = redaction(&[]).value("context", &context());
    let length = |value: &Value| value.as_str().map(|text| (text.len(), text.contains('@')));
    let all = context();
    let (before, after) = (&all["user"], &shown["user"]);
    for name in ["id", "primaryEmail", "name"] {
        assert_eq!(length(&after[name]), length(&before[name]), "{name}");
        assert_ne!(after[name], before[name]);
    }
    assert_eq!(after["customData"].as_object().map(Map::len), Some(3));
}

#[test]
fn equal_texts_stay_equal_in_names_and_values() {
    let shown = redaction(&[]).value("context", &context());
    let email = shown["user"]["primaryEmail"].as_str().unwrap_or_default();
    assert_eq!(shown["user"]["customData"][email].as_object().map(Map::len), Some(1), "{shown}");
    assert_eq!(redaction(&[]).value("context", &context()), shown, "and from call to call");
    assert_ne!(
        Redaction::new(&[8; 32], &[]).value("context", &context()),
        shown,
        "but not from recording to recording"
    );
}

#[test]
fn what_the_operator_keeps_is_kept_with_its_name_and_nothing_beside_it() {
    let shown = redaction(&["context.user.customData.plan"]).value("context", &context());
    assert_eq!(shown["user"]["customData"]["plan"], "gold");
    let text = shown.to_string();
    assert!(!text.contains("notes") && !text.contains("met"), "{text}");
    let all = redaction(&["context.user.customData"]).value("context", &context());
    assert_eq!(all["user"]["customData"], context()["user"]["customData"]);
    assert_ne!(all["user"]["name"], context()["user"]["name"]);
    let elsewhere = redaction(&["event.data.plan"]).value("context", &context());
    assert_eq!(elsewhere, redaction(&[]).value("context", &context()));
}

#[test]
fn an_answer_shows_what_the_redacted_one_shows() {
    let redacted = json!({ "tier": "gold", "greeting": "Hello Xqf" });
    let answer = json!({ "tier": "gold", "greeting": "Hello Ada", "Ada": true });
    let shown = redaction(&[]).answer(&answer, &ShownTexts::of(&redacted));
    assert_eq!(shown["tier"], "gold");
    assert_ne!(shown["greeting"], "Hello Ada");
    assert!(shown.get("Ada").is_none() && shown.as_object().is_some_and(|shown| shown.len() == 3), "{shown}");
    let alone = redaction(&[]).answer(&answer, &ShownTexts::default());
    assert!(!alone.to_string().contains("gold"), "{alone}");
}

#[test]
fn credentials_of_other_servers_are_never_kept() {
    let body = json!({ "access_token": "abcdefgh", "plan": "gold", "session": { "apiKey": "ijklmnop" } });
    let shown = redaction(&["http"]).value(HTTP, &body).to_string();
    assert!(shown.contains("gold") && !shown.contains("abcdefgh") && !shown.contains("ijklmnop"), "{shown}");
}

#[test]
fn credentials_do_not_come_along_with_what_is_kept() {
    let context = json!({ "user": { "customData": { "plan": "gold", "crm": { "apiToken": "abcdefgh" } } } });
    let shown = redaction(&["context.user.customData"]).value("context", &context).to_string();
    assert!(shown.contains("gold") && !shown.contains("abcdefgh"), "{shown}");
    let named = redaction(&["context.user.customData.crm.apiToken"]).value("context", &context).to_string();
    assert!(named.contains("abcdefgh"), "by its own name: {named}");
}

#[test]
fn names_that_would_become_one_stay_apart() {
    let members: Map<String, Value> = (b'a'..=b'z').map(|c| (char::from(c).to_string(), json!(1))).collect();
    let shown = redaction(&[]).value("event", &Value::Object(members));
    assert_eq!(shown.as_object().map(Map::len), Some(26));
}

/// Numbers that look random, the same in each run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        // Knuth's multiplier.
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }

    /// A word that occurs nowhere by chance.
    fn word(&mut self) -> String {
        let letters = ["a", "k", "Q", "7", "ä", "日", "z", "0", "M", "e"];
        (0..8 + self.roll(8)).map(|_| letters[usize::try_from(self.roll(10)).unwrap_or_default()]).collect()
    }

    fn text(&mut self, words: &mut Vec<String>) -> String {
        let [one, two, three] = [self.word(), self.word(), self.word()];
        let text = match self.roll(6) {
            0 => format!("{one}@{two}.com"),
            1 => format!("https://{one}.test/{two}?{three}=1"),
            2 => format!("+49 {one} {two}"),
            3 => format!("{one}-{two}_{three}"),
            4 => one.clone(),
            _ => format!("{one}, {two}; {three}!"),
        };
        words.extend([one, two, three].into_iter().filter(|word| text.contains(word.as_str())));
        text
    }

    fn value(&mut self, depth: u64, words: &mut Vec<String>) -> Value {
        match self.roll(if depth == 0 { 4 } else { 6 }) {
            0 => Value::Null,
            1 => json!(self.roll(2) == 0),
            2 => json!(self.roll(1_000_000)),
            3 => json!(self.text(words)),
            4 => (0..self.roll(4)).map(|_| self.value(depth - 1, words)).collect(),
            _ => {
                let known = ["name", "customData", "user", "primaryEmail", "createdAt", "token", "type", "id", "data"];
                let mut members = Map::new();
                for _ in 0..self.roll(5) {
                    let name = match usize::try_from(self.roll(18)).ok().and_then(|index| known.get(index)) {
                        Some(name) => (*name).to_owned(),
                        None => self.text(words),
                    };
                    let value = self.value(depth - 1, words);
                    members.insert(name, value);
                }
                Value::Object(members)
            }
        }
    }
}

/// The same form: kinds, lengths, numbers; and each text has one pseudonym.
fn agree(before: &Value, after: &Value, pairs: &mut BTreeMap<String, String>) {
    match (before, after) {
        (Value::String(before), Value::String(after)) => {
            assert_eq!(before.len(), after.len(), "{before:?} became {after:?}");
            let first = pairs.entry(before.clone()).or_insert_with(|| after.clone());
            assert_eq!(first, after, "of {before:?}");
        }
        (Value::Array(before), Value::Array(after)) => {
            assert_eq!(before.len(), after.len());
            before.iter().zip(after).for_each(|(before, after)| agree(before, after, pairs));
        }
        // Their members are in another order.
        (Value::Object(before), Value::Object(after)) => assert_eq!(before.len(), after.len()),
        (before, after) => assert_eq!(before, after),
    }
}

#[test]
fn no_text_of_any_input_is_shown() {
    let mut dice = Dice(42);
    let mut pairs = BTreeMap::new();
    let redaction = redaction(&[]);
    let mut seen = 0;
    for round in 0..3000 {
        let mut words = Vec::new();
        let value = dice.value(5, &mut words);
        let root = ["token", "context", "event", "hook", HTTP][round % 5];
        let shown = redaction.value(root, &value);
        let text = shown.to_string();
        for word in &words {
            assert!(!text.contains(word.as_str()), "{word:?} of {value} in {text}");
        }
        agree(&value, &shown, &mut pairs);
        assert_eq!(redaction.value(root, &value), shown);
        seen += words.len();
    }
    assert!(seen > 3000, "the inputs hold next to nothing: {seen}");
}
