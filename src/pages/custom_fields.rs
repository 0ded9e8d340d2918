//! Inputs of the custom profile fields; an address and a name have one for each part. Their entered values, and the
//! messages of refused ones.

use crate::frame::Frame;
use crate::texts::Fields as Labels;
use crate::texts::tree::fill;
use claimsmith_domain::custom_profile_field::date;
use claimsmith_domain::custom_profile_field::submission::{ProfileProblem, RefusedValue};
use claimsmith_domain::documents::custom_profile_field::{CustomProfileField, FieldType, Part, Rules, Ticked};
use claimsmith_domain::documents::text::Text;
use claimsmith_web::extract::form::Form;
use serde_json::{Map, Value};

/// The prefix of the inputs' names, so that they do not collide with other inputs.
pub(crate) const PREFIX: &str = "field-";

/// An input.
#[derive(Clone, Debug, Default)]
pub(crate) struct InputView {
    /// Its id and its name.
    pub(crate) id: String,
    /// What it is called.
    pub(crate) label: String,
    /// The type of the element; `select` is not an `input`.
    pub(crate) kind: &'static str,
    /// Its value.
    pub(crate) value: String,
    /// What it is for.
    pub(crate) hint: String,
    /// Its placeholder while it is empty.
    pub(crate) placeholder: String,
    /// Whether it must be filled in.
    pub(crate) required: bool,
    /// Attributes with bounds.
    pub(crate) bounds: Vec<(&'static str, String)>,
    /// What can be chosen.
    pub(crate) options: Vec<OptionView>,
}

/// A choice.
#[derive(Clone, Debug, Default)]
pub(crate) struct OptionView {
    /// What is sent.
    pub(crate) value: String,
    /// The label.
    pub(crate) label: String,
    /// Whether it is chosen.
    pub(crate) is_chosen: bool,
}

/// The inputs of these fields. `entered` returns the value of a field by its name.
pub(crate) fn inputs(
    frame: &Frame,
    fields: &[CustomProfileField],
    entered: impl Fn(&str) -> Option<Value>,
) -> Vec<InputView> {
    let labels = &frame.t.fields;
    let mut views = Vec::new();
    for field in fields {
        let name = field.name.as_str();
        let hint = field.description.clone().unwrap_or_default();
        if !field.kind.has_parts() {
            let label = label_of(labels, name, &field.label);
            let value = entered(name);
            let view = input(field.kind, &field.config.rules, value.as_ref());
            views.push(InputView { id: id_of(name, None), label, hint, required: field.required, ..view });
            continue;
        }
        let whole = label_of(labels, name, &field.label);
        let is_address = field.kind == FieldType::Address;
        let address = if is_address { entered(name) } else { None };
        for part in field.parts() {
            let part_name = part.name.as_str();
            let value = if is_address {
                address.as_ref().and_then(|address| address.get(part_name)).cloned()
            } else {
                entered(part_name)
            };
            let own = label_of(labels, part_name, part.label.as_ref().map_or("", |label| label.as_str()));
            let label = if is_address { format!("{whole}: {own}") } else { own };
            views.push(InputView { label, ..part_input(field, part, value.as_ref()) });
        }
    }
    views
}

/// The name of the input of a field, or of a part of an address.
#[must_use]
pub(crate) fn id_of(name: &str, part: Option<&str>) -> String {
    part.map_or_else(|| format!("{PREFIX}{name}"), |part| format!("{PREFIX}{name}-{part}"))
}

fn part_input(field: &CustomProfileField, part: &Part, value: Option<&Value>) -> InputView {
    let name = part.name.as_str();
    let id = if field.kind == FieldType::Address { id_of(&field.name, Some(name)) } else { id_of(name, None) };
    let rules = part.config.clone().unwrap_or_default();
    let hint = part.description.as_ref().map(|text| text.as_str().to_owned()).unwrap_or_default();
    InputView { id, hint, required: part.required, ..input(part.kind, &rules, value) }
}

fn input(kind: FieldType, rules: &Rules, value: Option<&Value>) -> InputView {
    let shown = match value {
        Some(Value::String(text)) => text.clone(),
        Some(value) if !value.is_null() => value.to_string(),
        _ => String::new(),
    };
    let number = |name: &'static str, bound: Option<String>| bound.map(|bound| (name, bound));
    let text = |bound: Option<u32>| bound.map(|bound| bound.to_string());
    let whole = |bound: Option<i64>| bound.map(|bound| bound.to_string());
    let (element, bounds) = match kind {
        FieldType::Number => (
            "number",
            vec![
                number("min", whole(rules.min_value)),
                number("max", whole(rules.max_value)),
                Some(("step", "any".to_owned())),
            ],
        ),
        FieldType::Text => {
            ("text", vec![number("minlength", text(rules.min_length)), number("maxlength", text(rules.max_length))])
        }
        FieldType::Date => ("date", Vec::new()),
        FieldType::Checkbox => ("checkbox", Vec::new()),
        FieldType::Select => ("select", Vec::new()),
        FieldType::Url => ("url", Vec::new()),
        FieldType::Regex | FieldType::Address | FieldType::Fullname => ("text", Vec::new()),
    };
    let value = match kind {
        // `input type=date` has a single format.
        FieldType::Date => date::parse(date::format_of(rules), &shown).map_or(shown, |day| day.shown(date::ISO)),
        FieldType::Checkbox if shown.is_empty() => (rules.default_value == Some(Ticked::True)).to_string(),
        _ => shown,
    };
    let options = rules.options.iter().flat_map(|options| options.iter()).map(|choice| {
        let label = choice.label.as_ref().map(Text::as_str).filter(|label| !label.is_empty());
        OptionView {
            value: choice.value.as_str().to_owned(),
            label: label.unwrap_or(choice.value.as_str()).to_owned(),
            is_chosen: choice.value.as_str() == value,
        }
    });
    let options: Vec<_> = options.collect();
    InputView {
        kind: element,
        value,
        placeholder: rules.placeholder.as_ref().map(|text| text.as_str().to_owned()).unwrap_or_default(),
        bounds: bounds.into_iter().flatten().collect(),
        options,
        ..InputView::default()
    }
}

/// The label of a field: the operator's, or that of the pages for a standard claim, or its name.
#[must_use]
pub(crate) fn label_of(labels: &Labels, name: &str, own: &str) -> String {
    if !own.is_empty() {
        return own.to_owned();
    }
    let known = match name {
        "name" | "fullname" => &labels.name,
        "givenName" => &labels.given_name,
        "familyName" => &labels.family_name,
        "nickname" => &labels.nickname,
        "website" => &labels.website,
        "gender" => &labels.gender,
        "birthdate" => &labels.birthdate,
        "zoneinfo" => &labels.zoneinfo,
        "locale" => &labels.locale,
        "address" => &labels.address,
        other => return other.to_owned(),
    };
    known.clone()
}

/// The entered values of these fields, by name. Empty ones are empty strings, and unticked boxes are false.
pub(crate) fn entered(form: &Form, fields: &[CustomProfileField]) -> Map<String, Value> {
    let mut values = Map::new();
    for field in fields {
        let name = field.name.as_str();
        match field.kind {
            FieldType::Address => {
                let parts = field.parts().map(|part| {
                    let part_name = part.name.as_str();
                    let rules = part.config.clone().unwrap_or_default();
                    (part_name.to_owned(), value(form, &id_of(name, Some(part_name)), part.kind, &rules))
                });
                values.insert(name.to_owned(), Value::Object(parts.collect()));
            }
            FieldType::Fullname => {
                for part in field.parts() {
                    let rules = part.config.clone().unwrap_or_default();
                    let value = value(form, &id_of(part.name.as_str(), None), part.kind, &rules);
                    values.insert(part.name.as_str().to_owned(), value);
                }
            }
            kind => {
                values.insert(name.to_owned(), value(form, &id_of(name, None), kind, &field.config.rules));
            }
        }
    }
    values
}

fn value(form: &Form, input: &str, kind: FieldType, rules: &Rules) -> Value {
    let text = form.all(input).next().unwrap_or_default().trim();
    match kind {
        FieldType::Checkbox => Value::Bool(text == "true"),
        FieldType::Date => {
            let day = date::parse(date::ISO, text);
            Value::String(day.map_or_else(|| text.to_owned(), |day| day.shown(date::format_of(rules))))
        }
        _ => Value::String(text.to_owned()),
    }
}

/// The message for a refused value.
pub(crate) fn told(frame: &Frame, fields: &[CustomProfileField], refused: &RefusedValue) -> String {
    let own = fields.iter().find(|field| field.name == refused.name).map(|field| field.label.as_str());
    let part = || {
        let mut parts = fields.iter().flat_map(CustomProfileField::parts);
        let part = parts.find(|part| part.name.as_str() == refused.name)?;
        part.label.as_ref().map(Text::as_str)
    };
    let label = label_of(&frame.t.fields, &refused.name, own.or_else(part).unwrap_or_default());
    let texts = &frame.t.errors;
    let text = if refused.problem == ProfileProblem::Required { &texts.field_required } else { &texts.field_invalid };
    fill(text, &[("field", &label)])
}
