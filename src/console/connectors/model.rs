//! Connectors and their factories, as the API describes them.

use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::fields::{Field, FieldKind, body_of};
use crate::form::Form;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// A connector factory.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Factory {
    pub(super) id: String,
    #[serde(rename = "type")]
    pub(super) kind: String,
    name: Map<String, Value>,
    description: Map<String, Value>,
    form_items: Vec<Item>,
    pub(super) is_standard: bool,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Item {
    key: String,
    #[serde(rename = "type")]
    kind: String,
    label: String,
    required: bool,
    is_confidential: bool,
}

/// A connector.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Connector {
    pub(super) id: String,
    #[serde(rename = "connectorId")]
    pub(super) factory_id: String,
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) target: String,
    pub(super) config: Value,
}

impl Connector {
    pub(super) async fn read(caller: &Caller, id: &str) -> Result<Self, Failure> {
        caller.get(&path_of(id)).await
    }

    pub(super) fn page(&self) -> String {
        page_of(&self.id)
    }

    /// Whether the API returned its configuration.
    pub(super) fn is_readable(&self) -> bool {
        self.config.is_object()
    }
}

impl Factory {
    pub(super) async fn read(caller: &Caller, id: &str) -> Result<Self, Failure> {
        caller.get(&format!("/api/connector-factories/{}", segment(id))).await
    }

    pub(super) fn title(&self) -> &str {
        self.name.get("en").and_then(Value::as_str).unwrap_or(&self.id)
    }

    pub(super) fn about(&self) -> &str {
        self.description.get("en").and_then(Value::as_str).unwrap_or_default()
    }

    /// Whether it sends messages, so that a test message can be sent.
    pub(super) fn sends(&self) -> bool {
        self.kind != "Social"
    }

    /// The form fields that it declares.
    pub(super) fn fields(&self) -> Vec<Field> {
        self.form_items.iter().flat_map(Item::fields).collect()
    }

    /// The configuration from a form. An empty secret is omitted or stays masked, so that the stored one is kept.
    pub(super) fn config(&self, form: &Form, current: &Value) -> Result<Value, String> {
        let fields = self.fields();
        let mut config = current.as_object().cloned().unwrap_or_default();
        if let Value::Object(members) = body_of(&fields, form, current)? {
            config.extend(members);
        }
        config.retain(|_, value| !value.is_null());
        // An SMTP relay without authentication has no `auth` member.
        if let Some(auth) = config.get_mut("auth").and_then(Value::as_object_mut) {
            if auth.contains_key("user") {
                auth.entry("type").or_insert_with(|| json!("login"));
            } else {
                config.remove("auth");
            }
        }
        Ok(Value::Object(config))
    }
}

impl Item {
    fn fields(&self) -> Vec<Field> {
        if self.key == "auth" && self.kind == "Json" {
            return vec![
                Field::new("auth.user", "User", FieldKind::Text),
                Field::new("auth.pass", "Password", FieldKind::Secret),
            ];
        }
        let kind = match self.kind.as_str() {
            "Json" => FieldKind::Json,
            "Number" => FieldKind::Number,
            "Switch" => FieldKind::Switch,
            _ if self.is_confidential => FieldKind::Secret,
            _ => FieldKind::Text,
        };
        let field = Field::new(&self.key, &self.label, kind);
        vec![if self.required { field.required() } else { field }]
    }
}

pub(super) fn path_of(id: &str) -> String {
    format!("/api/connectors/{}", segment(id))
}

pub(super) fn page_of(id: &str) -> String {
    format!("/console/connectors/{}", segment(id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_that_is_left_empty_stays() {
        let item = |key: &str, kind: &str| Item { key: key.to_owned(), kind: kind.to_owned(), ..Item::default() };
        let factory = Factory { form_items: vec![item("host", "Text"), item("auth", "Json")], ..Factory::default() };
        let form = |fields: &[(&str, &str)]| {
            Form::of(fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect())
        };
        let current = json!({ "host": "a", "auth": { "type": "login", "user": "u", "pass": "********" } });
        let kept = factory.config(&form(&[("host", "b"), ("auth.user", "u"), ("auth.pass", "")]), &current);
        assert_eq!(kept, Ok(json!({ "host": "b", "auth": { "type": "login", "user": "u", "pass": "********" } })));
        let without = factory.config(&form(&[("host", "b")]), &current);
        assert_eq!(without, Ok(json!({ "host": "b" })));
    }
}
