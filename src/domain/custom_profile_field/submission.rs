//! Profile values that users submit: validated against the fields, and where each value is stored.

use super::value::{accepted, is_empty};
use crate::api_code::ApiCode;
use crate::documents::custom_profile_field::{CustomProfileField, FieldType, Part, Rules};
use crate::documents::text::Text;
use crate::documents::user::AvatarUrl;
use crate::profile::{self, Profile};
use serde::Deserialize;
use serde_json::{Map, Value};

/// Sign-in identifiers, which have steps of their own.
pub(super) const SIGN_IN: [&str; 5] = ["username", "primaryEmail", "primaryPhone", "email", "phone"];
/// Claims that users cannot set.
pub(super) const BUILT_IN: [&str; 1] = ["preferredUsername"];
/// Keys that the reference uses in the custom data of users.
pub(super) const RESERVED: [&str; 4] = ["onboarding", "guideRequests", "adminConsolePreferences", "defaultTenantId"];

/// Where a value is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueLocation {
    /// The display name.
    Name,
    /// The picture.
    Avatar,
    /// A standard claim.
    Profile(String),
    /// The integrator's data.
    CustomData(String),
}

/// Why a value is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProfileProblem {
    /// There is no such field.
    Unknown,
    /// It is a sign-in identifier.
    SignInIdentifier,
    /// Only identity providers set it.
    BuiltIn,
    /// It is reserved for other data of the reference.
    Reserved,
    /// It is required.
    Required,
    /// It is not valid for the field.
    Invalid,
}

/// A refused value with the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedValue {
    /// The name of the submitted value.
    pub name: String,
    /// The reason.
    pub problem: ProfileProblem,
}

impl ProfileProblem {
    /// The error code.
    #[must_use]
    pub fn code(self) -> ApiCode {
        match self {
            Self::Unknown => ApiCode::CustomProfileFieldsEntityNotExistsWithNames,
            Self::SignInIdentifier => ApiCode::CustomProfileFieldsNameConflictSignInIdentifier,
            Self::BuiltIn => ApiCode::CustomProfileFieldsNameConflictBuiltInProp,
            Self::Reserved => ApiCode::CustomProfileFieldsNameConflictCustomData,
            Self::Required => ApiCode::CustomProfileFieldsValueRequired,
            Self::Invalid => ApiCode::CustomProfileFieldsInvalidValue,
        }
    }
}

impl RefusedValue {
    /// The error message, for developers of clients.
    #[must_use]
    pub fn message(&self) -> String {
        let why = match self.problem {
            ProfileProblem::Unknown => "there is no such profile field",
            ProfileProblem::SignInIdentifier => "it is what people sign in with",
            ProfileProblem::BuiltIn | ProfileProblem::Reserved => "the name is reserved",
            ProfileProblem::Required => "it must be given",
            ProfileProblem::Invalid => "the value does not fit to its field",
        };
        format!("The value {:?} of the profile is refused: {why}.", self.name)
    }
}

impl ValueLocation {
    /// Where the value of a field with this name is stored.
    #[must_use]
    pub fn of(name: &str) -> Self {
        match name {
            "name" => Self::Name,
            "avatar" => Self::Avatar,
            claim if profile::is_key(claim) => Self::Profile(claim.to_owned()),
            other => Self::CustomData(other.to_owned()),
        }
    }
}

/// Maps submitted values to where they are stored; null removes a value. Standard claims are accepted without a field.
pub fn read(
    fields: &[CustomProfileField],
    values: &Map<String, Value>,
) -> Result<Vec<(ValueLocation, Value)>, RefusedValue> {
    let one = |(name, value): (&String, &Value)| {
        let read = read_one(fields, name, value);
        read.map(|value| (ValueLocation::of(name), value))
            .map_err(|problem| RefusedValue { name: name.clone(), problem })
    };
    values.iter().map(one).collect()
}

fn read_one(fields: &[CustomProfileField], name: &str, value: &Value) -> Result<Value, ProfileProblem> {
    for (names, problem) in [
        (&SIGN_IN[..], ProfileProblem::SignInIdentifier),
        (&BUILT_IN[..], ProfileProblem::BuiltIn),
        (&RESERVED[..], ProfileProblem::Reserved),
    ] {
        if names.contains(&name) {
            return Err(problem);
        }
    }
    let place = ValueLocation::of(name);
    let field = fields.iter().find(|field| field.name == name && field.kind != FieldType::Fullname);
    let part = || {
        let names = fields.iter().filter(|field| field.kind == FieldType::Fullname);
        names.flat_map(CustomProfileField::parts).find(|part| part.name.as_str() == name)
    };
    let read = if let Some(field) = field {
        if field.kind == FieldType::Address {
            address(field, value)?
        } else {
            single(field.kind, &field.config.rules, field.required, value)?
        }
    } else if let Some(part) = part() {
        of_part(part, value)?
    } else if matches!(place, ValueLocation::CustomData(_)) {
        return Err(ProfileProblem::Unknown);
    } else if is_empty(value) {
        Value::Null
    } else if value.is_string() || value.is_object() {
        value.clone()
    } else {
        return Err(ProfileProblem::Invalid);
    };
    if read.is_null() || matches!(place, ValueLocation::CustomData(_)) { Ok(read) } else { standard(&place, read) }
}

fn of_part(part: &Part, value: &Value) -> Result<Value, ProfileProblem> {
    let rules = part.config.clone().unwrap_or_default();
    single(part.kind, &rules, part.required, value)
}

fn single(kind: FieldType, rules: &Rules, is_required: bool, value: &Value) -> Result<Value, ProfileProblem> {
    if is_empty(value) {
        return if is_required { Err(ProfileProblem::Required) } else { Ok(Value::Null) };
    }
    accepted(kind, rules, value).ok_or(ProfileProblem::Invalid)
}

/// The submitted parts of a postal address, as strings.
fn address(field: &CustomProfileField, value: &Value) -> Result<Value, ProfileProblem> {
    let none = Map::new();
    let given = match value {
        Value::Object(given) => given,
        Value::Null => &none,
        _ => return Err(ProfileProblem::Invalid),
    };
    if given.keys().any(|name| !field.parts().any(|part| part.name.as_str() == name)) {
        return Err(ProfileProblem::Invalid);
    }
    let mut kept = Map::new();
    for part in field.parts() {
        let name = part.name.as_str();
        let value = of_part(part, given.get(name).unwrap_or(&Value::Null))?;
        if !value.is_null() {
            kept.insert(name.to_owned(), Value::String(text(&value)));
        }
    }
    match (kept.is_empty(), field.required) {
        (true, true) => Err(ProfileProblem::Required),
        (true, false) => Ok(Value::Null),
        (false, _) => Ok(Value::Object(kept)),
    }
}

/// A value as a standard claim: a string, except for the postal address.
fn standard(place: &ValueLocation, value: Value) -> Result<Value, ProfileProblem> {
    let value = if value.is_object() { value } else { Value::String(text(&value)) };
    let whole = value.as_str().unwrap_or_default().to_owned();
    let kept = match place {
        ValueLocation::Name => Text::<1, 128>::try_from(whole).ok().map(|name| Value::String(name.into())),
        ValueLocation::Avatar if whole.is_empty() => None,
        ValueLocation::Avatar => AvatarUrl::try_from(whole).ok().map(|avatar| Value::String(avatar.into())),
        ValueLocation::Profile(name) => {
            let profile = Profile::deserialize(Value::Object(Map::from_iter([(name.clone(), value)])));
            profile.ok().and_then(|profile| Map::from(profile).remove(name))
        }
        ValueLocation::CustomData(_) => Some(value),
    };
    kept.ok_or(ProfileProblem::Invalid)
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Whether the user still has to be asked for fields: for all until the user has answered once, then for required ones.
/// `has` tells whether the user has a value.
#[must_use]
pub fn is_missing(fields: &[CustomProfileField], has_answered: bool, has: impl Fn(&str) -> bool) -> bool {
    fields.iter().filter(|field| field.required || !has_answered).any(|field| {
        // A field without parts has nothing to enter.
        if field.kind.has_parts() && field.parts().next().is_none() {
            return false;
        }
        if field.kind != FieldType::Fullname {
            return !has(&field.name);
        }
        let mut asked = field.parts().filter(|part| part.required || !has_answered).peekable();
        if asked.peek().is_none() {
            // A required name without required parts needs at least one part.
            return !field.parts().any(|part| has(part.name.as_str()));
        }
        asked.any(|part| !has(part.name.as_str()))
    })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use serde_json::json;

    fn field(name: &str, kind: FieldType, required: bool, config: Value) -> CustomProfileField {
        CustomProfileField {
            name: name.to_owned(),
            kind,
            label: String::new(),
            description: None,
            required,
            config: serde_json::from_value(config).unwrap(),
        }
    }

    fn fields() -> Vec<CustomProfileField> {
        let part =
            |name: &str, required: bool| json!({ "enabled": true, "name": name, "type": "Text", "required": required });
        let off = json!({ "enabled": false, "name": "region", "type": "Text", "required": true });
        vec![
            field("company", FieldType::Text, true, json!({ "maxLength": 5 })),
            field("age", FieldType::Number, false, json!({})),
            field("birthdate", FieldType::Date, false, json!({})),
            field("zoneinfo", FieldType::Number, false, json!({})),
            field(
                "fullname",
                FieldType::Fullname,
                true,
                json!({ "parts": [part("givenName", true), part("familyName", false)] }),
            ),
            field(
                "address",
                FieldType::Address,
                false,
                json!({ "parts": [part("locality", true), part("country", false), off] }),
            ),
        ]
    }

    fn given(values: Value) -> Result<Vec<(ValueLocation, Value)>, ProfileProblem> {
        let Value::Object(values) = values else { return Ok(Vec::new()) };
        read(&fields(), &values).map_err(|refused| refused.problem)
    }

    #[test]
    fn values_are_kept_where_they_belong() {
        let of = |name: &str| ValueLocation::Profile(name.to_owned());
        let custom = |name: &str| ValueLocation::CustomData(name.to_owned());
        for (values, kept) in [
            (json!({ "company": " Acme " }), vec![(custom("company"), json!("Acme"))]),
            (json!({ "age": "7" }), vec![(custom("age"), json!(7))]),
            (json!({ "age": "" }), vec![(custom("age"), Value::Null)]),
            (json!({ "zoneinfo": 2 }), vec![(of("zoneinfo"), json!("2"))]),
            (json!({ "givenName": "Ada" }), vec![(of("givenName"), json!("Ada"))]),
            (json!({ "familyName": null }), vec![(of("familyName"), Value::Null)]),
            // Standard claims do not need a field.
            (
                json!({ "name": "Ada", "nickname": "A" }),
                vec![(ValueLocation::Name, json!("Ada")), (of("nickname"), json!("A"))],
            ),
            (json!({ "avatar": "https://a.test/a" }), vec![(ValueLocation::Avatar, json!("https://a.test/a"))]),
            (
                json!({ "address": { "locality": "London", "country": "" } }),
                vec![(of("address"), json!({ "locality": "London" }))],
            ),
        ] {
            assert_eq!(given(values.clone()), Ok(kept), "{values}");
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        for (values, problem) in [
            (json!({ "email": "a@b.test" }), ProfileProblem::SignInIdentifier),
            (json!({ "preferredUsername": "ada" }), ProfileProblem::BuiltIn),
            (json!({ "onboarding": {} }), ProfileProblem::Reserved),
            (json!({ "plan": "gold" }), ProfileProblem::Unknown),
            (json!({ "fullname": "Ada" }), ProfileProblem::Unknown),
            (json!({ "company": " " }), ProfileProblem::Required),
            (json!({ "givenName": "" }), ProfileProblem::Required),
            (json!({ "company": "Acme & Co" }), ProfileProblem::Invalid),
            (json!({ "company": { "a": 1 } }), ProfileProblem::Invalid),
            (json!({ "birthdate": "tomorrow" }), ProfileProblem::Invalid),
            (json!({ "address": "London" }), ProfileProblem::Invalid),
            (json!({ "address": { "country": "UK" } }), ProfileProblem::Required),
            (json!({ "address": { "locality": "London", "region": "x" } }), ProfileProblem::Invalid),
            (json!({ "avatar": "javascript:1" }), ProfileProblem::Invalid),
            (json!({ "name": "a".repeat(129) }), ProfileProblem::Invalid),
            (json!({ "nickname": ["a"] , "locale": {} }), ProfileProblem::Invalid),
        ] {
            assert_eq!(given(values.clone()), Err(problem), "{values}");
        }
    }

    #[test]
    fn everything_is_asked_for_once_and_what_is_required_always() {
        let has = |names: &'static [&'static str]| move |name: &str| names.contains(&name);
        let all = fields();
        assert!(!is_missing(&[], false, has(&[])));
        assert!(is_missing(&all, false, has(&["company", "givenName"])));
        assert!(!is_missing(&all, true, has(&["company", "givenName"])));
        assert!(is_missing(&all, true, has(&["company"])));
        let everything = ["company", "age", "birthdate", "zoneinfo", "givenName", "familyName", "address"];
        assert!(!is_missing(&all, false, |name| everything.contains(&name)));
        let part = json!({ "enabled": true, "name": "givenName", "type": "Text", "required": false });
        let name = [field("fullname", FieldType::Fullname, true, json!({ "parts": [part] }))];
        assert!(is_missing(&name, true, has(&[])) && !is_missing(&name, true, has(&["givenName"])));
    }
}
