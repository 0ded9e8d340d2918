//! How a plugin is kept in a registry: a manifest with a layer for its source, and one each for its settings and golden
//! cases. A component has the media types that `wkg` uses (`application/wasm`), a script those of this project.

use super::digest_of;
use crate::remote::deploy::Language;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The media type of a manifest.
pub(super) const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";
/// The largest manifest, which is what the specification of registries tells clients to expect.
pub(super) const MAX_MANIFEST_BYTES: usize = 4 << 20;
/// The largest source, in bytes; a server has a limit of its own.
pub(super) const MAX_SOURCE_BYTES: usize = 64 << 20;
/// The largest settings or golden cases, in bytes: a server takes a mebibyte for both.
const MAX_COMPANION_BYTES: usize = 1 << 20;
/// The largest text that cosign signs, in bytes.
const MAX_PAYLOAD_BYTES: usize = 64 << 10;
/// The highest number of signatures.
const MAX_SIGNATURES: usize = 16;

/// The configuration and the layer of a component, as `wkg` pushes them.
const WASM_CONFIG: &str = "application/vnd.wasm.config.v0+json";
const WASM: &str = "application/wasm";
/// The configuration of a script, and the layers that are this project's own.
const CONFIG: &str = "application/vnd.claimsmith.plugin.config.v1+json";
const JAVASCRIPT: &str = "application/vnd.claimsmith.plugin.source.v1+javascript";
const TYPESCRIPT: &str = "application/vnd.claimsmith.plugin.source.v1+typescript";
const SETTINGS: &str = "application/vnd.claimsmith.plugin.settings.v1+toml";
const CASES: &str = "application/vnd.claimsmith.plugin.cases.v1+json";
/// What `cosign sign` attaches, and where its signature is.
const SIMPLE_SIGNING: &str = "application/vnd.dev.cosign.simplesigning.v1+json";
const COSIGN_SIGNATURE: &str = "dev.cosignproject.cosign/signature";
/// The file name of a layer.
const TITLE: &str = "org.opencontainers.image.title";

/// A plugin in a registry.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Artifact {
    pub(super) language: Language,
    pub(super) source: Layer,
    pub(super) settings: Option<Layer>,
    pub(super) cases: Option<Layer>,
    /// The file name of its source.
    pub(super) title: Option<String>,
}

/// A blob as a manifest names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Layer {
    pub(super) digest: String,
    pub(super) size: usize,
}

/// What is pushed: the manifest, after the blobs that it names.
pub(super) struct Pushed {
    pub(super) blobs: Vec<(String, Vec<u8>)>,
    pub(super) manifest: Vec<u8>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Manifest {
    schema_version: u32,
    media_type: Option<String>,
    layers: Option<Vec<Descriptor>>,
    manifests: Option<Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Descriptor {
    media_type: String,
    digest: String,
    size: u64,
    #[serde(default)]
    annotations: Option<BTreeMap<String, String>>,
}

impl Artifact {
    /// All its layers.
    pub(super) fn layers(&self) -> impl Iterator<Item = &Layer> {
        [Some(&self.source), self.settings.as_ref(), self.cases.as_ref()].into_iter().flatten()
    }
}

/// Reads the manifest of a plugin.
pub(super) fn parse(manifest: &[u8]) -> Result<Artifact, String> {
    let (mut source, mut settings, mut cases, mut title) = (None, None, None, None);
    for layer in layers(manifest)? {
        let language = match layer.media_type.as_str() {
            WASM => Some(Language::Wasm),
            JAVASCRIPT => Some(Language::JavaScript),
            TYPESCRIPT => Some(Language::TypeScript),
            _ => None,
        };
        let is_second = if let Some(language) = language {
            title = layer.annotations.as_ref().and_then(|all| all.get(TITLE).cloned());
            source.replace((language, layer.bounded(MAX_SOURCE_BYTES)?)).is_some()
        } else if layer.media_type == SETTINGS {
            settings.replace(layer.bounded(MAX_COMPANION_BYTES)?).is_some()
        } else if layer.media_type == CASES {
            cases.replace(layer.bounded(MAX_COMPANION_BYTES)?).is_some()
        } else {
            return Err(format!("it is not a plugin: it has a layer of the media type {:?}", layer.media_type));
        };
        if is_second {
            return Err(format!("it has two layers of the media type {:?}", layer.media_type));
        }
    }
    let (language, source) = source.ok_or("it is not a plugin: it has no layer with a component or a script")?;
    Ok(Artifact { language, source, settings, cases, title })
}

/// Reads the manifest of what cosign attached: what was signed, and the signature.
pub(super) fn signatures(manifest: &[u8]) -> Result<Vec<(Layer, String)>, String> {
    let layers = layers(manifest)?;
    if layers.len() > MAX_SIGNATURES {
        return Err(format!("it has {} signatures; at most {MAX_SIGNATURES} are read", layers.len()));
    }
    let signed = layers.iter().filter(|layer| layer.media_type == SIMPLE_SIGNING).map(
        |layer| -> Result<(Layer, String), String> {
            let signature = layer.annotations.as_ref().and_then(|all| all.get(COSIGN_SIGNATURE));
            let signature = signature.ok_or_else(|| format!("a layer has no annotation {COSIGN_SIGNATURE}"))?;
            Ok((layer.bounded(MAX_PAYLOAD_BYTES)?, signature.clone()))
        },
    );
    signed.collect()
}

fn layers(manifest: &[u8]) -> Result<Vec<Descriptor>, String> {
    let manifest: Manifest =
        serde_json::from_slice(manifest).map_err(|error| format!("its manifest cannot be read: {error}"))?;
    let media_type = manifest.media_type.as_deref().unwrap_or(MANIFEST);
    if manifest.manifests.is_some() || media_type.contains("index") || media_type.contains("manifest.list") {
        return Err("it is an index of several manifests: name one of them by its digest".to_owned());
    }
    if manifest.schema_version != 2 {
        return Err(format!("its manifest has the schema version {}; 2 is read", manifest.schema_version));
    }
    manifest.layers.ok_or_else(|| "its manifest has no layers".to_owned())
}

impl Descriptor {
    fn bounded(&self, limit: usize) -> Result<Layer, String> {
        let hex = self.digest.strip_prefix("sha256:").unwrap_or_default();
        if hex.len() != 64 || !hex.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')) {
            return Err(format!("the digest of a layer is not sha256: and 64 hexadecimal digits: {:?}", self.digest));
        }
        match usize::try_from(self.size) {
            Ok(size) if size <= limit => Ok(Layer { digest: self.digest.clone(), size }),
            _ => Err(format!("a layer has {} bytes; at most {limit} are read", self.size)),
        }
    }
}

/// What is pushed for these files: each with its name.
pub(super) fn build(
    language: Language,
    source: (&str, Vec<u8>),
    settings: Option<(&str, Vec<u8>)>,
    cases: Option<(&str, Vec<u8>)>,
) -> Result<Pushed, serde_json::Error> {
    let media_type = match language {
        Language::Wasm => WASM,
        Language::JavaScript => JAVASCRIPT,
        Language::TypeScript => TYPESCRIPT,
    };
    let (mut layers, mut blobs) = (Vec::new(), Vec::new());
    let parts = [(media_type, Some(source)), (SETTINGS, settings), (CASES, cases)];
    for (media_type, part) in parts {
        // Registries take no empty blobs, and an empty file says nothing.
        let Some((title, bytes)) = part.filter(|(_, bytes)| !bytes.is_empty()) else { continue };
        layers.push(described(media_type, &bytes, Some(title)));
        blobs.push((digest_of(&bytes), bytes));
    }
    let (config_type, config) = match language {
        // As `wkg` reads it. Without a time of its own, the same files have the same digest.
        Language::Wasm => (
            WASM_CONFIG,
            json!({
                "created": "1970-01-01T00:00:00Z", "author": null, "architecture": "wasm", "os": "wasip2",
                "layerDigests": blobs.iter().map(|(digest, _)| digest).collect::<Vec<_>>(), "component": null,
            }),
        ),
        Language::JavaScript | Language::TypeScript => {
            (CONFIG, json!({ "mediaType": language.media_type(), "contract": claimsmith_runtime::contract_version() }))
        }
    };
    let config = serde_json::to_vec(&config)?;
    let manifest = json!({
        "schemaVersion": 2, "mediaType": MANIFEST, "config": described(config_type, &config, None), "layers": layers,
    });
    blobs.push((digest_of(&config), config));
    Ok(Pushed { blobs, manifest: serde_json::to_vec(&manifest)? })
}

fn described(media_type: &str, bytes: &[u8], title: Option<&str>) -> Value {
    let mut descriptor = json!({ "mediaType": media_type, "digest": digest_of(bytes), "size": bytes.len() });
    if let Some(title) = title {
        descriptor["annotations"] = json!({ TITLE: title });
    }
    descriptor
}

#[cfg(test)]
mod tests;
