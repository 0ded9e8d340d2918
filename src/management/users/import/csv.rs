//! Records of CSV as bodies of `POST /api/users`.

use super::members::suggestion;
use crate::users::columns::{
    ADDRESS, CUSTOM_DATA, ID, PROFILE, READ_ONLY_COLUMNS, SECRETS, SUSPENDED, TEXTS, of_profile,
};
use crate::users::formulas::unguard;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::json::value_in;
use serde_json::{Map, Value, json};

/// The meaning of each column of a file.
#[derive(Debug)]
pub(super) struct Columns(Vec<CsvColumn>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum CsvColumn {
    /// A string of the user.
    Text(String),
    /// A string that exports never contain, so it is taken unchanged.
    Secret(String),
    /// A string of the profile.
    Profile(String),
    /// A string of the profile's address.
    Address(String),
    CustomData,
    Suspended,
    /// Of an export, and not imported.
    Ignored,
}

impl CsvColumn {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            CUSTOM_DATA => Self::CustomData,
            SUSPENDED => Self::Suspended,
            _ if name == ID || READ_ONLY_COLUMNS.contains(&name) => Self::Ignored,
            _ if TEXTS.contains(&name) => Self::Text(name.to_owned()),
            _ if SECRETS.contains(&name) => Self::Secret(name.to_owned()),
            _ if !of_profile().any(|known| known == name) => return None,
            _ => match name.strip_prefix(ADDRESS) {
                Some(member) => Self::Address(member.to_owned()),
                None => Self::Profile(name.trim_start_matches(PROFILE).to_owned()),
            },
        })
    }
}

impl Columns {
    /// Parses the header. An unknown column is an error: its values would be lost.
    pub(super) fn read(header: Vec<Vec<u8>>) -> Result<Self, ApiError> {
        let mut columns: Vec<CsvColumn> = Vec::with_capacity(header.len());
        for name in header {
            let name = String::from_utf8_lossy(&name).trim().to_owned();
            let column = CsvColumn::named(&name);
            let column = column.ok_or_else(|| {
                invalid(&format!("there is no column {name:?}{}", suggestion(&name).trim_end_matches(['?', '.'])))
            })?;
            if column != CsvColumn::Ignored && columns.contains(&column) {
                return Err(invalid(&format!("the column {name:?} is named twice")));
            }
            columns.push(column);
        }
        if columns.iter().all(|column| *column == CsvColumn::Ignored) {
            return Err(invalid("the first line names no column that is taken in"));
        }
        Ok(Self(columns))
    }

    /// The request body of a record; `None` for a record of empty fields. Empty fields are omitted.
    pub(super) fn body(&self, fields: Vec<Vec<u8>>) -> Result<Option<Map<String, Value>>, ApiError> {
        if fields.iter().all(Vec::is_empty) {
            return Ok(None);
        }
        if fields.len() != self.0.len() {
            let details = format!("Error in the record: expected {} fields, found {}", self.0.len(), fields.len());
            return Err(ApiError::invalid_input("body", details));
        }
        let (mut body, mut profile, mut address) = (Map::new(), Map::new(), Map::new());
        for (column, field) in self.0.iter().zip(fields).filter(|(_, field)| !field.is_empty()) {
            let text = || {
                let text = String::from_utf8(field.clone()).ok().filter(|text| !text.contains('\0'));
                text.ok_or_else(|| ApiError::invalid_input("body", "Error in a text: expected UTF-8 without NUL"))
            };
            match column {
                CsvColumn::Ignored => {}
                CsvColumn::Text(name) => _ = body.insert(name.clone(), unguard(&text()?).into()),
                CsvColumn::Secret(name) => _ = body.insert(name.clone(), text()?.into()),
                CsvColumn::Profile(name) => _ = profile.insert(name.clone(), unguard(&text()?).into()),
                CsvColumn::Address(name) => _ = address.insert(name.clone(), unguard(&text()?).into()),
                CsvColumn::CustomData => {
                    _ = body.insert(CUSTOM_DATA.to_owned(), value_in(unguard(&text()?).as_bytes())?);
                }
                CsvColumn::Suspended => _ = body.insert(SUSPENDED.to_owned(), switch(&text()?)),
            }
        }
        if !address.is_empty() {
            profile.insert("address".to_owned(), Value::Object(address));
        }
        if !profile.is_empty() {
            body.insert("profile".to_owned(), Value::Object(profile));
        }
        Ok(Some(body))
    }
}

/// Also accepts the spelling of spreadsheets; other values are refused when the body is parsed.
fn switch(text: &str) -> Value {
    match text.to_ascii_lowercase().as_str() {
        "true" => json!(true),
        "false" => json!(false),
        _ => json!(text),
    }
}

fn invalid(why: &str) -> ApiError {
    let message = format!("The columns of the file cannot be read: {why}.");
    ApiError::new(ApiCode::UserImportColumnsInvalid, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::users::columns::of_export;

    fn fields(texts: &[&str]) -> Vec<Vec<u8>> {
        texts.iter().map(|text| text.as_bytes().to_vec()).collect()
    }

    #[test]
    fn a_record_is_the_body_that_its_columns_say() -> Result<(), ApiError> {
        let columns = Columns::read(fields(&[
            "id",
            " username",
            "profile.givenName",
            "profile.address.country",
            "customData",
            "isSuspended",
        ]))?;
        let body = columns.body(fields(&["x", "ada", "Ada", "UK", "{\"a\":[1]}", "TRUE"]))?;
        let expected = json!({
            "username": "ada", "customData": { "a": [1] }, "isSuspended": true,
            "profile": { "givenName": "Ada", "address": { "country": "UK" } }
        });
        assert_eq!(body.map(Value::Object), Some(expected));
        let body = columns.body(fields(&["", "ada", "", "", "", ""]))?;
        assert_eq!(body.map(Value::Object), Some(json!({ "username": "ada" })));
        assert!(columns.body(fields(&["", "", "", "", "", ""]))?.is_none());
        for bad in [&["x"][..], &["", "ada", "", "", "{", ""]] {
            assert!(columns.body(fields(bad)).is_err(), "{bad:?}");
        }
        assert!(columns.body(vec![vec![0xff]; 6]).is_err());
        Ok(())
    }

    #[test]
    fn the_apostrophe_before_a_formula_goes_and_secrets_are_as_they_stand() -> Result<(), ApiError> {
        let columns = Columns::read(fields(&["name", "profile.website", "profile.address.locality", "password"]))?;
        let body = columns.body(fields(&["'=1+1", "''@x", "'Ada'", "'=secret"]))?;
        let profile = json!({ "website": "'@x", "address": { "locality": "'Ada'" } });
        let expected = json!({ "name": "=1+1", "password": "'=secret", "profile": profile });
        assert_eq!(body.map(Value::Object), Some(expected));
        Ok(())
    }

    #[test]
    fn what_the_export_writes_can_be_read() {
        let header: Vec<Vec<u8>> = of_export().into_iter().map(String::into_bytes).collect();
        assert!(Columns::read(header).is_ok());
        for bad in [&["username", "nickname"][..], &["username", "username"], &["id", "roles"], &[""], &[]] {
            assert!(Columns::read(fields(bad)).is_err(), "{bad:?}");
        }
    }
}
