//! The rules of each type of profile field: converts between the form and the API's JSON.

use crate::fields::{Field, FieldKind, Options, body_of, form_of};
use crate::form::Form;
use crate::json::filled;
use serde_json::{Map, Value, json};

const YES_NO: Options = &[("false", "No"), ("true", "Yes")];
const TICKED: Options = &[("false", "Not ticked"), ("true", "Ticked")];
const FORMATS: Options = &[
    ("yyyy-MM-dd", "yyyy-MM-dd"),
    ("dd/MM/yyyy", "dd/MM/yyyy"),
    ("MM/dd/yyyy", "MM/dd/yyyy"),
    ("custom", "Another one"),
];
const ADDRESS: Options = &[
    ("formatted", "The whole address in one field"),
    ("streetAddress", "Street and number"),
    ("locality", "Town"),
    ("region", "Region"),
    ("postalCode", "Postal code"),
    ("country", "Country"),
];
const FULL_NAME: Options = &[("givenName", "Given name"), ("middleName", "Middle name"), ("familyName", "Family name")];

/// Form field with the options of a select field, one per line.
const CHOICES: &str = "choices";
/// Form fields with the parts to ask for, and with the mandatory ones.
const ASKED: &str = "asked";
const NEEDED: &str = "needed";
/// Separates the stored value of an option from its label.
const EQUALS: char = '=';

/// The form fields for a type, except the name; `shown` is the current field.
pub(super) fn fields(kind: &str, shown: &Value) -> Vec<Field> {
    let mut fields = vec![
        Field::new("label", "Label", FieldKind::Text).hint("What people read. Empty: the name."),
        Field::new("description", "Description", FieldKind::Text).hint("Stands below the field."),
    ];
    // A checkbox is never mandatory.
    if kind != "Checkbox" {
        fields.push(Field::new("required", "Has to be filled in", FieldKind::One(YES_NO)));
    }
    fields.extend(rules(kind, shown));
    if !matches!(kind, "Checkbox" | "Address" | "Fullname") {
        fields.push(Field::new("config.placeholder", "Placeholder", FieldKind::Text));
    }
    fields
}

fn rules(kind: &str, shown: &Value) -> Vec<Field> {
    let parts = |known| {
        vec![
            Field::new(ASKED, "Parts that people are asked for", FieldKind::Many(known)),
            Field::new(NEEDED, "Parts that have to be filled in", FieldKind::Many(known)),
        ]
    };
    match kind {
        "Text" => vec![
            Field::new("config.minLength", "Fewest characters", FieldKind::Number),
            Field::new("config.maxLength", "Most characters", FieldKind::Number),
        ],
        "Number" => vec![
            Field::new("config.minValue", "Least", FieldKind::Number),
            Field::new("config.maxValue", "Largest", FieldKind::Number),
        ],
        "Date" => vec![
            Field::new(
                "config.format",
                "Format",
                if is_listed(shown) { FieldKind::One(FORMATS) } else { FieldKind::Text },
            ),
            Field::new("config.customFormat", "Another format", FieldKind::Text).hint("Of yyyy, MM and dd."),
        ],
        "Checkbox" => vec![Field::new("config.defaultValue", "At first", FieldKind::One(TICKED))],
        "Select" if lines(shown).is_none() => vec![Field::new("config.options", "Choices (JSON)", FieldKind::Json)],
        "Select" => {
            let hint = "What is kept, and after = what people read, such as: de = Germany";
            vec![Field::new(CHOICES, "Choices, one a line", FieldKind::Lines).hint(hint).required()]
        }
        "Regex" => vec![Field::new("config.format", "Regular expression", FieldKind::Text).required()],
        "Address" => parts(ADDRESS),
        "Fullname" => parts(FULL_NAME),
        _ => Vec::new(),
    }
}

/// Whether the format of a date is one of those that the form offers.
fn is_listed(shown: &Value) -> bool {
    let format = shown.get("config").and_then(|config| config.get("format")?.as_str());
    format.is_none_or(|format| FORMATS.iter().any(|(known, _)| *known == format))
}

/// The options of a select field as lines; none if one of them cannot be written as a line.
fn lines(shown: &Value) -> Option<Vec<String>> {
    let text = |choice: &Value, name: &str| choice.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let line = |choice: &Value| {
        let (value, label) = (text(choice, "value"), text(choice, "label"));
        let is_plain = value.trim() == value && !value.contains([EQUALS, '\n', '\r']) && !label.contains(['\n', '\r']);
        is_plain.then(|| if label.is_empty() { value } else { format!("{value} {EQUALS} {label}") })
    };
    options(shown).iter().map(line).collect()
}

fn options(shown: &Value) -> &[Value] {
    list(shown, "options")
}

fn list<'v>(shown: &'v Value, name: &str) -> &'v [Value] {
    shown.get("config").and_then(|config| config.get(name)?.as_array()).map_or(&[], Vec::as_slice)
}

/// The names of the enabled parts whose member `what` is true.
fn parts_that<'v>(shown: &'v Value, what: &str) -> Vec<&'v str> {
    let such = list(shown, "parts").iter().filter(|part| part["enabled"] == true && part[what] == true);
    such.filter_map(|part| part["name"].as_str()).collect()
}

/// Fills a form with the values of a field.
pub(super) fn form(kind: &str, shown: &Value) -> Form {
    let mut object = shown.as_object().cloned().unwrap_or_default();
    object.insert(CHOICES.to_owned(), lines(shown).unwrap_or_default().into());
    object.insert(ASKED.to_owned(), parts_that(shown, "enabled").into());
    object.insert(NEEDED.to_owned(), parts_that(shown, "required").into());
    form_of(&fields(kind, shown), &object.into())
}

/// The request body from a form, based on the current field.
pub(super) fn body(kind: &str, form: &Form, shown: &Value) -> Result<Value, String> {
    let fields = fields(kind, shown);
    let mut body = filled(body_of(&fields, form, shown)?);
    body["type"] = kind.into();
    body["required"] = (form.text("required") == "true").into();
    let Some(members) = body.as_object_mut() else { return Ok(body) };
    let taken = [CHOICES, ASKED, NEEDED].map(|name| members.remove(name).is_some());
    let config = members.entry("config").or_insert_with(|| shown.get("config").cloned().unwrap_or_else(|| json!({})));
    if taken[0] {
        config["options"] = form.lines(CHOICES).into_iter().map(choice).collect();
    }
    if taken[1] {
        config["parts"] = parts(if kind == "Address" { ADDRESS } else { FULL_NAME }, form, shown);
    }
    Ok(body)
}

fn choice(line: &str) -> Value {
    match line.split_once(EQUALS) {
        Some((value, label)) => json!({ "value": value.trim(), "label": label.trim() }),
        None => json!({ "value": line }),
    }
}

/// The current parts updated from the form, followed by new ones. Other members of a part are kept.
fn parts(known: Options, form: &Form, shown: &Value) -> Value {
    let is_ticked = |name: &str, part: &str| form.all(name).any(|ticked| ticked == part);
    let mut parts = list(shown, "parts").to_vec();
    for (name, _) in known {
        if is_ticked(ASKED, name) && !parts.iter().any(|part| part["name"] == *name) {
            parts.push(Map::from_iter([("name".into(), (*name).into()), ("type".into(), "Text".into())]).into());
        }
    }
    for part in &mut parts {
        let name = part["name"].as_str().unwrap_or_default().to_owned();
        let is_asked = is_ticked(ASKED, &name);
        part["enabled"] = is_asked.into();
        part["required"] = (is_asked && is_ticked(NEEDED, &name)).into();
    }
    parts.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(fields: &[(&str, &str)]) -> Form {
        Form::of(fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect())
    }

    #[test]
    fn choices_are_lines() {
        let form_of_choices = sent(&[("label", "Size"), (CHOICES, "s = Small = tiny\nm\n")]);
        let made = body("Select", &form_of_choices, &Value::Null);
        let options = json!([{ "value": "s", "label": "Small = tiny" }, { "value": "m" }]);
        let expected =
            json!({ "type": "Select", "label": "Size", "required": false, "config": { "options": options } });
        assert_eq!(made, Ok(expected.clone()));
        assert_eq!(form("Select", &expected).raw(CHOICES), "s = Small = tiny\nm");
        // Options that do not fit on a line are edited as JSON.
        let odd = json!({ "config": { "options": [{ "value": "a=b" }] } });
        assert!(fields("Select", &odd).iter().any(|field| field.kind == FieldKind::Json));
    }

    #[test]
    fn what_else_a_part_says_stays() {
        let town = json!({ "name": "locality", "type": "Text", "enabled": true, "required": true, "label": "Ort" });
        let shown = json!({ "config": { "parts": [town] } });
        assert_eq!(form("Address", &shown).text(NEEDED), "locality");
        let made = body("Address", &sent(&[(ASKED, "country"), (NEEDED, "country"), (NEEDED, "locality")]), &shown);
        let parts = json!([
            { "name": "locality", "type": "Text", "enabled": false, "required": false, "label": "Ort" },
            { "name": "country", "type": "Text", "enabled": true, "required": true },
        ]);
        assert_eq!(made.map(|body| body["config"]["parts"].clone()), Ok(parts));
    }
}
