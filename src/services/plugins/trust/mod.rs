//! Whether a plugin may be loaded by who signed its source: the operator's keys, and what a missing or wrong signature
//! means for files of the folder and for uploads. Every load verifies again, on each node: a key that was removed or has
//! expired no longer counts.

use claimsmith_domain::clock::Clock;
use claimsmith_domain::documents::plugin::Origin;
use claimsmith_domain::plugin_signature::{Distrust, FormatError, Signature, TrustMode, TrustedKeys, verify};
use claimsmith_runtime::read_signature;
use std::path::Path;
use std::sync::Arc;

/// Who may sign plugins. Cheap to clone.
#[derive(Clone, Debug)]
pub struct PluginTrust {
    keys: Arc<TrustedKeys>,
    folder: TrustMode,
    upload: TrustMode,
    clock: Clock,
}

/// The signature that came with a source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum GivenSignature {
    /// None.
    #[default]
    Missing,
    /// This text, not verified.
    Text(Arc<[u8]>),
    /// Its file cannot be read.
    Unreadable(String),
}

/// What is known of a signature.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrustVerdict {
    /// The name of the key that signed.
    pub signer: Option<Arc<str>>,
    /// Why no trusted key is known to have signed; `None` also where that does not matter.
    pub problem: Option<Arc<str>>,
    /// Whether the plugin must not be loaded.
    pub is_refused: bool,
}

impl Default for PluginTrust {
    /// Nobody need sign.
    fn default() -> Self {
        Self::new(TrustedKeys::default(), (TrustMode::Off, TrustMode::Off), Clock::system())
    }
}

impl PluginTrust {
    /// These keys, and the modes of folder and uploads.
    #[must_use]
    pub fn new(keys: TrustedKeys, (folder, upload): (TrustMode, TrustMode), clock: Clock) -> Self {
        Self { keys: Arc::new(keys), folder, upload, clock }
    }

    /// The mode of a source.
    #[must_use]
    pub fn mode(&self, origin: Origin) -> TrustMode {
        match origin {
            Origin::Folder => self.folder,
            Origin::Store => self.upload,
        }
    }

    /// Decides about a source.
    #[must_use]
    pub fn judge(&self, origin: Origin, source: &[u8], signature: &GivenSignature) -> TrustVerdict {
        let mode = self.mode(origin);
        if mode == TrustMode::Off && (self.keys.is_empty() || *signature == GivenSignature::Missing) {
            return TrustVerdict::default();
        }
        match self.signer(source, signature) {
            Ok(signer) => TrustVerdict { signer: Some(signer), ..TrustVerdict::default() },
            Err(_) if mode == TrustMode::Off => TrustVerdict::default(),
            Err(distrust) => TrustVerdict {
                signer: None,
                problem: Some(distrust.to_string().into()),
                is_refused: mode == TrustMode::Require,
            },
        }
    }

    /// The name of the key that signed, whatever the mode.
    pub fn signer(&self, source: &[u8], signature: &GivenSignature) -> Result<Arc<str>, Distrust> {
        let text = match signature {
            GivenSignature::Missing => None,
            GivenSignature::Text(text) => Some(&**text),
            GivenSignature::Unreadable(problem) => return Err(Distrust::Unreadable(problem.clone())),
        };
        verify(&self.keys, source, text, self.clock.now_ms()).map(|key| key.name().into())
    }
}

impl GivenSignature {
    /// The text of an upload or a row, if there is one.
    #[must_use]
    pub fn of(text: Option<&str>) -> Self {
        text.map_or(Self::Missing, |text| Self::Text(text.as_bytes().into()))
    }

    /// The signature beside a source.
    #[must_use]
    pub fn beside(source: &Path) -> Self {
        match read_signature(source) {
            Ok(None) => Self::Missing,
            Ok(Some((_, text))) => Self::Text(text.into()),
            Err((path, error)) => {
                let file = path.file_name().unwrap_or_default().to_string_lossy();
                Self::Unreadable(format!("its signature cannot be read: {file} {error}"))
            }
        }
    }

    /// Whether a text has the form of a signature, without verifying it.
    pub fn check_form(text: &str) -> Result<(), FormatError> {
        Signature::parse(text.as_bytes()).map(drop)
    }
}

#[cfg(test)]
mod tests;
