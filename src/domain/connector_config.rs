//! Reads the `config` of connectors, whatever they are for.

use serde_json::Value;

/// Deserializes a configuration; the error names the key path.
pub(crate) fn read<T: serde::de::DeserializeOwned>(config: &Value) -> Result<T, String> {
    serde_path_to_error::deserialize(config).map_err(|error| {
        let path = error.path().to_string();
        // `.` is the whole.
        let member = if path == "." { String::new() } else { format!(".{path}") };
        format!("Error in key path \"config{member}\": {}", error.inner())
    })
}
