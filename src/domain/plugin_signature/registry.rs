//! What `cosign sign --key` attached to a plugin in a registry, as `claimsmith plugin pull` writes it. There the text that
//! was signed names a manifest, and the manifest names the source by its digest; so both are taken along.

use super::format::{FormatError, raw};
use crate::base64;
use claimsmith_json::{self as json, INCOMING};
use data_encoding::HEXLOWER;
use serde::Deserialize;
use sha2::{Digest as _, Sha256};

/// What the document begins with.
const KIND: &str = "claimsmith.registry-signature.v1";
/// The type of the text that is signed.
const SIGNED_TYPE: &str = "cosign container image signature";
/// The media types of a layer that is a plugin's source.
const SOURCES: [&str; 3] = [
    "application/wasm",
    "application/vnd.claimsmith.plugin.source.v1+javascript",
    "application/vnd.claimsmith.plugin.source.v1+typescript",
];
/// Most signatures of one manifest.
const MAX_SIGNATURES: usize = 16;

/// A manifest with its signatures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RegistrySignature {
    /// The digests of the sources that the manifest names, `sha256:…`.
    sources: Vec<String>,
    /// The texts that name the manifest, each with its signature.
    pub(super) signed: Vec<(Vec<u8>, Vec<u8>)>,
}

#[derive(Deserialize)]
pub(super) struct Document {
    kind: String,
    manifest: String,
    signatures: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    payload: String,
    signature: String,
}

#[derive(Deserialize)]
struct Manifest {
    layers: Vec<Layer>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Layer {
    media_type: String,
    digest: String,
}

/// The text that cosign signs.
#[derive(Deserialize)]
struct Payload {
    critical: Critical,
}

#[derive(Deserialize)]
struct Critical {
    image: Image,
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Deserialize)]
struct Image {
    #[serde(rename = "docker-manifest-digest")]
    digest: String,
}

impl RegistrySignature {
    pub(super) fn read(document: &Document) -> Result<Self, FormatError> {
        if document.kind != KIND || document.signatures.len() > MAX_SIGNATURES {
            return Err(FormatError::Registry);
        }
        let manifest = base64::decode(&document.manifest).ok_or(FormatError::Registry)?;
        let Manifest { layers } = json::read(&manifest, INCOMING).map_err(|_| FormatError::Registry)?;
        let sources = layers.into_iter().filter(|layer| SOURCES.contains(&layer.media_type.as_str()));
        let sources = sources.map(|layer| layer.digest).collect();
        let digest = digest(&manifest);
        let mut signed = Vec::new();
        for Entry { payload, signature } in &document.signatures {
            let payload = base64::decode(payload).ok_or(FormatError::Registry)?;
            let signature = raw(signature).ok_or(FormatError::Registry)?;
            let text: Payload = json::read(&payload, INCOMING).map_err(|_| FormatError::Registry)?;
            if text.critical.kind == SIGNED_TYPE && text.critical.image.digest == digest {
                signed.push((payload, signature));
            }
        }
        Ok(Self { sources, signed })
    }

    /// Whether the manifest is signed by anybody, and this is its source.
    pub(super) fn is_of(&self, source: &[u8]) -> bool {
        let digest = digest(source);
        !self.signed.is_empty() && self.sources.contains(&digest)
    }
}

fn digest(bytes: &[u8]) -> String {
    format!("sha256:{}", HEXLOWER.encode(&Sha256::digest(bytes)))
}
