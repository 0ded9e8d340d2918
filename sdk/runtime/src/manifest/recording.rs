//! `[recording]`: the members of inputs and answers that recordings of a plugin's calls may keep as they are. Everything
//! else is redacted. Whoever starts a recording confirms them.

use serde::{Deserialize, Serialize};

/// What paths begin with: the parts of an input, the answer, and the answers of other servers.
const ROOTS: [&str; 6] = ["token", "context", "event", "hook", "answer", "http"];
/// The most members.
const MAX_MEMBERS: usize = 32;
/// The most bytes of a path.
const MAX_PATH_BYTES: usize = 256;

/// What a recording may keep.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RecordingSettings {
    /// Paths of members, such as `context.user.customData.plan`, each with everything below it. Lists count as their
    /// elements.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub keep: Vec<String>,
}

impl RecordingSettings {
    pub(super) fn is_empty(&self) -> bool {
        self.keep.is_empty()
    }

    pub(super) fn check(&self) -> Result<(), (String, String)> {
        let refused = |message: String| Err(("recording.keep".to_owned(), message));
        if self.keep.len() > MAX_MEMBERS {
            return refused(format!("at most {MAX_MEMBERS} members can be kept"));
        }
        for path in &self.keep {
            let (root, rest) = path.split_once('.').unwrap_or((path, ""));
            if !ROOTS.contains(&root) || rest.is_empty() {
                return refused(format!(
                    "`{path}` is no member: it begins with one of {}, such as context.user.customData.plan",
                    ROOTS.join(", ")
                ));
            }
            if path.len() > MAX_PATH_BYTES || path.split('.').any(str::is_empty) || path.contains(char::is_control) {
                return refused(format!("`{}` is no path of a member", path.escape_debug()));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::Manifest;

    #[test]
    fn members_are_kept_by_their_paths() {
        let manifest = |keep: &str| Manifest::parse("a.toml", &format!("[recording]\nkeep = [{keep}]\n"));
        let kept = manifest("\"context.user.customData.plan\", \"answer.plan\"");
        assert_eq!(kept.map(|manifest| manifest.recording.keep.len()), Ok(2));
        for wrong in ["\"context\"", "\"user.name\"", "\"\"", "\"context..name\"", "\"context.user.\"", "7"] {
            let error = manifest(wrong).err().map(|error| error.to_string()).unwrap_or_default();
            assert!(error.contains("recording.keep"), "{wrong}: {error}");
        }
        let many = vec!["\"token.scope\""; 33].join(",");
        assert!(manifest(&many).is_err());
    }

    #[test]
    fn settings_without_it_are_written_as_before() {
        let text = Manifest::default().to_toml().unwrap_or_default();
        assert!(!text.contains("recording"), "{text}");
    }
}
