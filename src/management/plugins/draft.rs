//! The source of a draft in a JSON body.

use super::upload_body::too_large;
use claimsmith_domain::base64;
use claimsmith_runtime::Source;
use claimsmith_services::deployments;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::management::Caller;

/// A draft as it is sent.
pub(super) struct Draft {
    pub(super) name: Option<String>,
    pub(super) language: String,
    pub(super) source: Option<String>,
    pub(super) source_base64: Option<String>,
}

impl Draft {
    /// The source, within the limit of uploads.
    pub(super) fn read(self, management: &Caller) -> Result<Source, ApiError> {
        let invalid = |key: &str, problem: &str| {
            ApiError::invalid_input("body", format!("Error in key path \"{key}\": {problem}"))
        };
        let name = self.name.unwrap_or_else(|| "draft".to_owned());
        claimsmith_runtime::check_plugin_name(&name).map_err(|error| invalid("name", &error.to_string()))?;
        let language = deployments::language(&self.language)
            .ok_or_else(|| invalid("language", "expected javascript, typescript or wasm"))?;
        let bytes = match (self.source, self.source_base64) {
            (Some(text), None) => text.into_bytes(),
            (None, Some(text)) => base64::decode(&text).ok_or_else(|| invalid("sourceBase64", "expected base64"))?,
            _ => return Err(invalid("source", "expected either source or sourceBase64")),
        };
        let limit = management.app.config.plugins.max_source;
        if bytes.len() > limit { Err(too_large(limit)) } else { Ok(Source::new(name, language, bytes)) }
    }
}
