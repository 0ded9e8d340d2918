//! Declarative form fields of settings and connectors: fills a form from a JSON object, and builds the object from a
//! submitted form. A key such as `color.primaryColor` is a nested member.

use crate::form::Form;
use crate::json::{FormBuilder, texts};
use serde_json::{Map, Value, json};

/// Values and their labels.
pub(crate) type Options = &'static [(&'static str, &'static str)];

/// The options of a switch; the empty value means that it is not set.
const SWITCH: Options = &[("", "Default"), ("true", "Yes"), ("false", "No")];

/// The type of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FieldKind {
    Text,
    Colour,
    Number,
    /// Yes, no, or not set, which means the default.
    Switch,
    /// A list of texts, one per line.
    Lines,
    /// A multi-line text.
    Area,
    Json,
    /// Never shown; an empty field keeps the stored secret.
    Secret,
    One(Options),
    Many(Options),
}

/// A form field.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) key: String,
    pub(crate) label: String,
    pub(crate) hint: String,
    pub(crate) kind: FieldKind,
    /// Whether it is mandatory.
    pub(crate) is_required: bool,
}

impl Field {
    /// A field without a hint.
    pub(crate) fn new(key: &str, label: &str, kind: FieldKind) -> Self {
        Self { key: key.to_owned(), label: label.to_owned(), hint: String::new(), kind, is_required: false }
    }

    /// Sets the hint.
    pub(crate) fn hint(self, hint: &str) -> Self {
        Self { hint: hint.to_owned(), ..self }
    }

    /// Marks the field as mandatory.
    pub(crate) fn required(self) -> Self {
        Self { is_required: true, ..self }
    }

    /// Adapts a secret for an existing object: it may be left empty to keep the stored one.
    pub(crate) fn kept(self) -> Self {
        if self.kind != FieldKind::Secret {
            return self;
        }
        Self { is_required: false, ..self.hint("Leave empty to keep the current secret.") }
    }

    /// Visible lines of a text area.
    pub(crate) fn rows(&self) -> u8 {
        if self.kind == FieldKind::Area { 14 } else { 5 }
    }

    /// The form control to render.
    pub(crate) fn control(&self) -> &'static str {
        match self.kind {
            FieldKind::Text => "text",
            FieldKind::Colour => "color",
            FieldKind::Number => "number",
            FieldKind::Secret => "password",
            FieldKind::Lines | FieldKind::Area | FieldKind::Json => "area",
            FieldKind::Switch | FieldKind::One(_) => "select",
            FieldKind::Many(_) => "boxes",
        }
    }

    /// The options of a select field.
    pub(crate) fn options(&self) -> Options {
        match self.kind {
            FieldKind::Switch => SWITCH,
            FieldKind::One(options) | FieldKind::Many(options) => options,
            _ => &[],
        }
    }

    /// Whether a form selects this option.
    pub(crate) fn is_chosen(&self, form: &Form, value: &str) -> bool {
        form.all(&self.key).any(|chosen| chosen == value)
    }

    fn read(&self, form: &Form) -> Result<Value, String> {
        let name = self.key.as_str();
        Ok(match self.kind {
            FieldKind::Many(_) => form.all(name).collect::<Vec<_>>().into(),
            FieldKind::Lines => form.lines(name).into(),
            FieldKind::Number => crate::json::number(form, name),
            FieldKind::Switch => form.filled(name).map_or(Value::Null, |text| (text == "true").into()),
            FieldKind::Json => match form.filled(name) {
                Some(text) => claimsmith_json::read(text, claimsmith_json::SENT)
                    .map_err(|error| form.refuse(name, format!("{}: no JSON: {error}.", self.label)))?,
                None => Value::Null,
            },
            _ => crate::json::text(form, name),
        })
    }
}

/// Fills a form with the values of an object.
pub(crate) fn form_of(fields: &[Field], object: &Value) -> Form {
    fields
        .iter()
        .fold(FormBuilder::default(), |filled, field| {
            let value = object.pointer(&format!("/{}", field.key.replace('.', "/"))).unwrap_or(&Value::Null);
            match field.kind {
                FieldKind::Secret => filled,
                FieldKind::Many(_) => {
                    texts(value).into_iter().fold(filled, |filled, text| filled.value(&field.key, &text.into()))
                }
                FieldKind::Json if !value.is_null() => filled.value(&field.key, &crate::json::pretty(value).into()),
                _ => filled.value(&field.key, value),
            }
        })
        .form()
}

/// The top-level members that the fields belong to. Each is complete: the object's own member, updated from the form.
pub(crate) fn body_of(fields: &[Field], form: &Form, object: &Value) -> Result<Value, String> {
    let mut body = Map::new();
    for field in fields {
        let value = field.read(form)?;
        let (top, rest) = field.key.split_once('.').map_or((field.key.as_str(), None), |(top, rest)| (top, Some(rest)));
        if field.kind == FieldKind::Secret && value.is_null() {
            continue;
        }
        let Some(rest) = rest else {
            body.insert(top.to_owned(), value);
            continue;
        };
        let member = body.entry(top).or_insert_with(|| object.get(top).cloned().unwrap_or_else(|| json!({})));
        put(member, rest, value);
    }
    Ok(Value::Object(body))
}

/// Sets a nested member; null removes it.
fn put(target: &mut Value, path: &str, value: Value) {
    if !target.is_object() {
        *target = json!({});
    }
    let Some(members) = target.as_object_mut() else { return };
    match path.split_once('.') {
        Some((name, rest)) if !value.is_null() || members.contains_key(name) => {
            put(members.entry(name).or_insert_with(|| json!({})), rest, value);
        }
        None if !value.is_null() => drop(members.insert(path.to_owned(), value)),
        None => drop(members.remove(path)),
        Some(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_form_does_not_have_stays() {
        let fields = [Field::new("a.b.c", "C", FieldKind::Switch), Field::new("a.n", "N", FieldKind::Number)];
        let object = json!({ "a": { "b": { "d": 1 }, "n": 4 }, "z": 1 });
        assert_eq!(form_of(&fields, &object).text("a.n"), "4");
        let form = Form::of(vec![("a.b.c".to_owned(), "false".to_owned())]);
        let body = json!({ "a": { "b": { "c": false, "d": 1 } } });
        assert_eq!(body_of(&fields, &form, &object), Ok(body));
        let secret = [Field::new("secret", "Secret", FieldKind::Secret)];
        assert_eq!(body_of(&secret, &Form::default(), &json!({ "secret": "********" })), Ok(json!({})));
    }
}
