//! What an upload says of itself: the label and the note of its version, and the key of the folder that it is applied
//! from.

use claimsmith_domain::documents::text::Text;
use claimsmith_web::error::ApiError;

/// The texts of the query, as they are stored.
#[derive(Debug, Default)]
pub(super) struct UploadLabels {
    pub(super) label: Option<String>,
    pub(super) note: Option<String>,
    pub(super) applied_by: Option<String>,
}

impl UploadLabels {
    /// Checks what their length does not say.
    pub(super) fn read(
        label: Option<Text<1, 128>>,
        note: Option<Text<1, 1024>>,
        applied_by: Option<Text<1, 64>>,
    ) -> Result<Self, ApiError> {
        let label = shown("label", label.map(String::from), char::is_control)?;
        let note = shown("note", note.map(String::from), |c| c.is_control() && c != '\n')?;
        let is_of_no_key = |c: char| !c.is_ascii_alphanumeric() && !matches!(c, '.' | '_' | '-');
        if applied_by.as_ref().is_some_and(|key| key.as_str().contains(is_of_no_key)) {
            let details = "Error in key path \"appliedBy\": expected letters, digits, `.`, `_` and `-`";
            return Err(ApiError::invalid_input("query", details));
        }
        Ok(Self { label, note, applied_by: applied_by.map(String::from) })
    }
}

/// The text, which may not have control characters: it is shown in terminals and pages.
fn shown(name: &str, text: Option<String>, is_refused: impl Fn(char) -> bool) -> Result<Option<String>, ApiError> {
    if text.as_ref().is_some_and(|text| text.contains(is_refused)) {
        let details = format!("Error in key path \"{name}\": control characters are not accepted");
        return Err(ApiError::invalid_input("query", details));
    }
    Ok(text)
}
