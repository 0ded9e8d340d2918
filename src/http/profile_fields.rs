//! Forms with the operator's custom profile fields: the entered values, and the messages of refusals.

use claimsmith_domain::custom_profile_field::date;
use claimsmith_domain::custom_profile_field::submission::{ProfileProblem, RefusedValue};
use claimsmith_domain::documents::custom_profile_field::{CustomProfileField, FieldType, Rules};
use claimsmith_domain::documents::text::Text;
use claimsmith_pages::custom_fields::{id_of, label_of};
use claimsmith_pages::frame::Frame;
use claimsmith_pages::texts::tree::fill;
use claimsmith_web::extract::form::Form;
use serde_json::{Map, Value};

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
