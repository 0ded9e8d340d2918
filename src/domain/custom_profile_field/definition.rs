//! Validates the definition of a profile field.

use super::date::is_format;
use super::submission::{BUILT_IN, RESERVED, SIGN_IN, ValueLocation};
use super::value::pattern;
use crate::api_code::ApiCode;
use crate::documents::custom_profile_field::{CustomProfileField, FieldType, Rules};

/// The parts of a postal address.
const ADDRESS_PARTS: [&str; 6] = ["formatted", "streetAddress", "locality", "region", "postalCode", "country"];
/// The parts of a full name.
const NAME_PARTS: [&str; 3] = ["givenName", "middleName", "familyName"];

/// What the format of a date may be.
const DATE_FORMATS: &str = "The format of a date has yyyy (or YYYY), MM and dd (or DD), such as MM/dd/yyyy, or is \
                            custom, with these in customFormat.";

/// Why the definition of a field is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefinitionProblem {
    /// The name has characters other than letters and digits.
    Name,
    /// The name is a sign-in identifier.
    SignInIdentifier,
    /// The name is a claim that only identity providers set.
    BuiltIn,
    /// The name is reserved for other data of the reference.
    Reserved,
    /// The minimum exceeds the maximum.
    MinMax,
    /// A checkbox has no valid default value.
    DefaultValue,
    /// There are no options.
    Options,
    /// It is not a regular expression, or too large.
    Regex,
    /// A postal address without parts.
    AddressParts,
    /// A full name without parts.
    FullnameParts,
    /// A part has parts itself.
    PartType,
    /// Another problem, in words.
    Shape(&'static str),
}

impl DefinitionProblem {
    /// The error code.
    #[must_use]
    pub fn code(self) -> ApiCode {
        match self {
            Self::Name => ApiCode::CustomProfileFieldsInvalidName,
            Self::SignInIdentifier => ApiCode::CustomProfileFieldsNameConflictSignInIdentifier,
            Self::BuiltIn => ApiCode::CustomProfileFieldsNameConflictBuiltInProp,
            Self::Reserved => ApiCode::CustomProfileFieldsNameConflictCustomData,
            Self::MinMax => ApiCode::CustomProfileFieldsInvalidMinMaxInput,
            Self::DefaultValue => ApiCode::CustomProfileFieldsInvalidDefaultValue,
            Self::Options => ApiCode::CustomProfileFieldsInvalidOptions,
            Self::Regex => ApiCode::CustomProfileFieldsInvalidRegexFormat,
            Self::AddressParts => ApiCode::CustomProfileFieldsInvalidAddressParts,
            Self::FullnameParts => ApiCode::CustomProfileFieldsInvalidFullnameParts,
            Self::PartType => ApiCode::CustomProfileFieldsInvalidSubComponentType,
            Self::Shape(_) => ApiCode::GuardInvalidInput,
        }
    }

    /// The error message.
    #[must_use]
    pub fn message(self) -> &'static str {
        match self {
            Self::Name => "The name of a field is made of 1 to 128 letters and digits.",
            Self::SignInIdentifier => "People sign in with what has this name.",
            Self::BuiltIn => "This name is that of a claim which people do not write.",
            Self::Reserved => "This name is reserved.",
            Self::MinMax => "The least is more than the most.",
            Self::DefaultValue => "Say the default value of the checkbox.",
            Self::Options => "Name what people can choose.",
            Self::Regex => {
                "This is not a regular expression that can be matched in bounded time (no look-around and no back \
                 references), or it is too large."
            }
            Self::AddressParts => "Name the parts of the address.",
            Self::FullnameParts => "Name the parts of the name.",
            Self::PartType => "Parts are not made of parts.",
            Self::Shape(problem) => problem,
        }
    }
}

/// Validates the definition of a field. A change must contain everything that the console of the reference sends.
pub fn check(field: &CustomProfileField, is_change: bool) -> Result<(), DefinitionProblem> {
    check_name(&field.name)?;
    let rules = &field.config.rules;
    check_rules(field.kind, rules)?;
    if field.kind == FieldType::Checkbox {
        if field.required {
            return Err(DefinitionProblem::Shape("A checkbox cannot be required."));
        }
        if is_change && rules.default_value.is_none() {
            return Err(DefinitionProblem::DefaultValue);
        }
    }
    check_parts(field)?;
    let is_address = field.kind == FieldType::Address;
    let problem = match ValueLocation::of(&field.name) {
        ValueLocation::Profile(name) if name == "address" => {
            (!is_address).then_some("The field \"address\" is of the type Address.")
        }
        ValueLocation::CustomData(_) => None,
        _ => is_address.then_some("What has this name is no address."),
    };
    problem.map_or(Ok(()), |problem| Err(DefinitionProblem::Shape(problem)))
}

fn check_name(name: &str) -> Result<(), DefinitionProblem> {
    if name.is_empty() || name.len() > 128 || !name.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return Err(DefinitionProblem::Name);
    }
    for (names, problem) in [
        (&BUILT_IN[..], DefinitionProblem::BuiltIn),
        (&RESERVED[..], DefinitionProblem::Reserved),
        (&SIGN_IN[..], DefinitionProblem::SignInIdentifier),
    ] {
        if names.contains(&name) {
            return Err(problem);
        }
    }
    Ok(())
}

fn check_rules(kind: FieldType, rules: &Rules) -> Result<(), DefinitionProblem> {
    let is_upside_down = match kind {
        FieldType::Text => rules.min_length.zip(rules.max_length).is_some_and(|(min, max)| min > max),
        FieldType::Number => rules.min_value.zip(rules.max_value).is_some_and(|(min, max)| min > max),
        _ => false,
    };
    if is_upside_down {
        return Err(DefinitionProblem::MinMax);
    }
    match kind {
        FieldType::Select if rules.options.as_ref().is_none_or(|options| options.is_empty()) => {
            Err(DefinitionProblem::Options)
        }
        FieldType::Regex => {
            let format = rules.format.as_ref();
            let format = format.ok_or(DefinitionProblem::Shape("A field of the type Regex has a format."))?;
            pattern(format.as_str()).map(drop).ok_or(DefinitionProblem::Regex)
        }
        FieldType::Date if !is_format(rules) => Err(DefinitionProblem::Shape(DATE_FORMATS)),
        _ => Ok(()),
    }
}

fn check_parts(field: &CustomProfileField) -> Result<(), DefinitionProblem> {
    let (names, without) = match field.kind {
        FieldType::Address => (&ADDRESS_PARTS[..], DefinitionProblem::AddressParts),
        FieldType::Fullname => (&NAME_PARTS[..], DefinitionProblem::FullnameParts),
        _ => return Ok(()),
    };
    let parts = field.config.parts.as_ref().filter(|parts| !parts.is_empty()).ok_or(without)?;
    for part in parts.iter() {
        if part.kind.has_parts() {
            return Err(DefinitionProblem::PartType);
        }
        if !names.contains(&part.name.as_str()) {
            return Err(DefinitionProblem::Shape("There is no such part."));
        }
        let rules = part.config.clone().unwrap_or_default();
        check_rules(part.kind, &rules)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use serde_json::{Value, json};

    fn field(name: &str, kind: &str, config: Value) -> CustomProfileField {
        CustomProfileField {
            name: name.to_owned(),
            kind: FieldType::parse(kind).unwrap(),
            label: String::new(),
            description: None,
            required: false,
            config: serde_json::from_value(config).unwrap(),
        }
    }

    #[test]
    fn definitions_that_make_no_sense_are_refused() {
        use DefinitionProblem::{
            AddressParts, BuiltIn, FullnameParts, MinMax, Name, Options, PartType, Regex, Reserved, SignInIdentifier,
        };
        let part = |name: &str, kind: &str| json!({ "enabled": true, "name": name, "type": kind, "required": true });
        let parts = |part: Value| json!({ "parts": [part] });
        for (name, kind, config, problem) in [
            ("", "Text", json!({}), Some(Name)),
            ("a-b", "Text", json!({}), Some(Name)),
            ("größe", "Text", json!({}), Some(Name)),
            ("primaryEmail", "Text", json!({}), Some(SignInIdentifier)),
            ("username", "Text", json!({}), Some(SignInIdentifier)),
            ("preferredUsername", "Text", json!({}), Some(BuiltIn)),
            ("adminConsolePreferences", "Text", json!({}), Some(Reserved)),
            ("company", "Text", json!({ "minLength": 2, "maxLength": 1 }), Some(MinMax)),
            ("company", "Text", json!({ "minLength": 2, "maxLength": 2 }), None),
            ("age", "Number", json!({ "minValue": 1, "maxValue": -1 }), Some(MinMax)),
            ("plan", "Select", json!({ "options": [] }), Some(Options)),
            ("plan", "Select", json!({ "options": [{ "value": "gold" }] }), None),
            ("code", "Regex", json!({ "format": "^[A-Z]{3}$" }), None),
            ("code", "Regex", json!({ "format": "(" }), Some(Regex)),
            ("code", "Regex", json!({ "format": "(?=x)x" }), Some(Regex)),
            ("code", "Regex", json!({ "format": "\\w{500}{500}" }), Some(Regex)),
            ("address", "Address", json!({}), Some(AddressParts)),
            ("address", "Address", parts(part("locality", "Text")), None),
            ("address", "Address", parts(part("formatted", "Fullname")), Some(PartType)),
            ("fullname", "Fullname", json!({ "parts": [] }), Some(FullnameParts)),
            ("fullname", "Fullname", parts(part("givenName", "Address")), Some(PartType)),
            ("fullname", "Fullname", parts(part("givenName", "Text")), None),
        ] {
            assert_eq!(check(&field(name, kind, config.clone()), false).err(), problem, "{name} {kind} {config}");
        }
        for (name, kind, config) in [
            ("code", "Regex", json!({})),
            ("birthdate", "Date", json!({ "format": "yy" })),
            ("fullname", "Fullname", parts(part("nickname", "Text"))),
            ("address", "Text", json!({})),
            ("website", "Address", parts(part("locality", "Text"))),
        ] {
            let problem = check(&field(name, kind, config), false).unwrap_err();
            assert_eq!(problem.code(), ApiCode::GuardInvalidInput, "{name} {kind}");
        }
        let tick = field("news", "Checkbox", json!({}));
        assert_eq!(check(&tick, false), Ok(()));
        assert_eq!(check(&tick, true), Err(DefinitionProblem::DefaultValue));
        assert_eq!(check(&field("news", "Checkbox", json!({ "defaultValue": "false" })), true), Ok(()));
        assert!(check(&CustomProfileField { required: true, ..tick }, false).is_err());
    }
}
