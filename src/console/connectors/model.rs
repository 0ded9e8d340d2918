//! Connectors and their factories, as the API describes them.

use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::fields::{Field, FieldKind, body_of};
use crate::form::Form;
use claimsmith_api::connectors::{ConnectorView, FactoryView, FormItem};
use claimsmith_domain::documents::connector::{ConnectorType, FormItemType};
use serde_json::{Value, json};

/// What screens say of a connector factory.
pub(super) trait FactoryFacts {
    fn title(&self) -> &str;
    fn about(&self) -> &str;
    /// Whether it sends messages, so that a test message can be sent.
    fn sends(&self) -> bool;
    /// The form fields that it declares.
    fn fields(&self) -> Vec<Field>;
    /// The configuration from a form. An empty secret is omitted or stays masked, so that the stored one is kept.
    fn config(&self, form: &Form, current: &Value) -> Result<Value, String>;
}

impl FactoryFacts for FactoryView {
    fn title(&self) -> &str {
        self.about.name.get("en").and_then(Value::as_str).unwrap_or(&self.id)
    }

    fn about(&self) -> &str {
        self.about.description.get("en").and_then(Value::as_str).unwrap_or_default()
    }

    fn sends(&self) -> bool {
        self.kind != ConnectorType::Social
    }

    fn fields(&self) -> Vec<Field> {
        self.about.form_items.iter().flat_map(fields_of).collect()
    }

    fn config(&self, form: &Form, current: &Value) -> Result<Value, String> {
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

fn fields_of(item: &FormItem) -> Vec<Field> {
    if item.key == "auth" && item.kind == FormItemType::Json {
        return vec![
            Field::new("auth.user", "User", FieldKind::Text),
            Field::new("auth.pass", "Password", FieldKind::Secret),
        ];
    }
    let kind = match item.kind {
        FormItemType::Json => FieldKind::Json,
        FormItemType::Number => FieldKind::Number,
        FormItemType::Switch => FieldKind::Switch,
        _ if item.is_confidential => FieldKind::Secret,
        _ => FieldKind::Text,
    };
    let field = Field::new(&item.key, &item.label, kind);
    vec![if item.required { field.required() } else { field }]
}

/// All connectors, the oldest first.
pub(super) async fn all(caller: &Caller) -> Result<Vec<ConnectorView>, Failure> {
    caller.get("/api/connectors").await
}

pub(super) async fn read(caller: &Caller, id: &str) -> Result<ConnectorView, Failure> {
    caller.get(&path_of(id)).await
}

pub(super) async fn read_factory(caller: &Caller, id: &str) -> Result<FactoryView, Failure> {
    caller.get(&format!("/api/connector-factories/{}", segment(id))).await
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
    use claimsmith_api::connectors::AboutFactory;

    #[test]
    fn a_secret_that_is_left_empty_stays() {
        let item = |key: &str, kind| {
            let (key, label) = (key.to_owned(), String::new());
            FormItem { key, kind, label, required: false, is_confidential: false }
        };
        let about = AboutFactory {
            name: json!({}),
            description: json!({}),
            logo: String::new(),
            logo_dark: None,
            readme: String::new(),
            config_template: String::new(),
            form_items: vec![item("host", FormItemType::Text), item("auth", FormItemType::Json)],
            platform: None,
            is_standard: false,
            is_token_storage_supported: false,
        };
        let (id, target) = ("smtp".to_owned(), "smtp".to_owned());
        let factory = FactoryView { id, kind: ConnectorType::Email, target, about };
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
