//! Secrets in a configuration: responses never contain them, so a client that changes a configuration sends the
//! placeholder or omits the secret. The stored secret is kept then, but only for the destination that it was set for.

use super::Factory;
use crate::documents::hidden::HIDDEN;
use serde_json::Value;

/// The configuration with its secrets replaced by the placeholder.
#[must_use]
pub fn hide(factory: &Factory, config: &Value) -> Value {
    let mut shown = config.clone();
    for pointer in factory.secrets {
        if let Some(secret) = shown.pointer_mut(pointer).filter(|value| !value.is_null()) {
            *secret = Value::from(HIDDEN);
        }
    }
    shown
}

/// Fills in the stored secrets where the new configuration hides or omits them. Fails if there is none to keep, or if
/// its destination changes; the error names the key.
pub fn keep_secrets(factory: &Factory, new: &mut Value, before: Option<&Value>) -> Result<(), String> {
    for pointer in factory.secrets {
        let given = new.pointer(pointer);
        let is_hidden = given.is_some_and(|value| *value == HIDDEN);
        if given.is_some() && !is_hidden {
            continue;
        }
        let known = before.and_then(|before| before.pointer(pointer)).filter(|value| !value.is_null());
        let key = pointer[1..].replace('/', ".");
        match known {
            // The object around the secret was removed, and the secret with it.
            Some(_) if given.is_none() && !has_parent(new, pointer) => {}
            Some(secret) if is_same_destination(factory, new, before) => put(new, pointer, secret.clone()),
            Some(_) => {
                return Err(format!(
                    "Error in key path \"config.{key}\": the connector would reach another destination, or with less \
                     protection: give the secret again"
                ));
            }
            None if is_hidden => {
                return Err(format!("Error in key path \"config.{key}\": there is no secret yet that could be kept"));
            }
            None => {}
        }
    }
    Ok(())
}

fn is_same_destination(factory: &Factory, new: &Value, before: Option<&Value>) -> bool {
    factory.destination.iter().all(|pointer| new.pointer(pointer) == before.and_then(|before| before.pointer(pointer)))
}

/// The pointer of the parent object, and the name of the member.
fn parent(pointer: &str) -> (&str, &str) {
    pointer.rsplit_once('/').unwrap_or(("", pointer))
}

fn has_parent(config: &Value, pointer: &str) -> bool {
    config.pointer(parent(pointer).0).is_some_and(Value::is_object)
}

fn put(config: &mut Value, pointer: &str, secret: Value) {
    let (object, name) = parent(pointer);
    if let Some(Value::Object(members)) = config.pointer_mut(object) {
        members.insert(name.to_owned(), secret);
    }
}

#[cfg(test)]
mod tests {
    use super::super::factory;
    use super::*;
    use serde_json::json;

    fn kept(new: Value, before: Option<&Value>) -> Result<Value, String> {
        let smtp = factory("smtp").ok_or("no factory")?;
        let mut new = new;
        keep_secrets(smtp, &mut new, before)?;
        Ok(new)
    }

    #[test]
    fn a_secret_is_hidden_and_kept() -> Result<(), String> {
        let smtp = factory("smtp").ok_or("no factory")?;
        let before = json!({ "host": "mail.example.com", "auth": { "user": "ada", "pass": "secret" } });
        let shown = hide(smtp, &before);
        assert_eq!(shown, json!({ "host": "mail.example.com", "auth": { "user": "ada", "pass": HIDDEN } }));
        assert_eq!(kept(shown, Some(&before))?, before);
        let without = json!({ "host": "mail.example.com", "auth": { "user": "ada" }, "fromEmail": "x" });
        assert_eq!(kept(without, Some(&before))?["auth"]["pass"], "secret");
        let other = json!({ "host": "mail.example.com", "auth": { "user": "ada", "pass": "new" } });
        assert_eq!(kept(other.clone(), Some(&before))?, other);
        let none = json!({ "host": "mail.example.com" });
        assert_eq!(kept(none.clone(), Some(&before))?, none);
        Ok(())
    }

    #[test]
    fn a_secret_goes_nowhere_else() {
        let before = json!({ "host": "mail.example.com", "auth": { "user": "ada", "pass": "secret" } });
        for new in [
            json!({ "host": "mail.example.org", "auth": { "user": "ada", "pass": HIDDEN } }),
            json!({ "host": "mail.example.org", "auth": { "user": "ada" } }),
            json!({ "host": "mail.example.com", "port": 26, "auth": { "user": "ada" } }),
            json!({ "host": "mail.example.com", "ignoreTLS": true, "auth": { "user": "ada" } }),
            json!({ "host": "mail.example.com", "tls": { "ca": "…" }, "auth": { "user": "ada" } }),
        ] {
            assert!(kept(new.clone(), Some(&before)).is_err(), "{new}");
        }
        let hidden = json!({ "host": "mail.example.com", "auth": { "user": "ada", "pass": HIDDEN } });
        assert!(kept(hidden.clone(), None).is_err());
        assert!(kept(hidden, Some(&json!({ "host": "mail.example.com" }))).is_err());
    }
}
