//! Plugins in registries of the Open Container Initiative: `claimsmith plugin push`, `pull`, and `deploy oci://…`. Only
//! the command line talks to a registry; a server never does.
//!
//! `reference` reads `oci://…`, `credentials` reads what `docker login` keeps, `client` sends requests, `artifact` says
//! which layer is what, `signature` takes along what `cosign sign` attached. What a registry sends is bounded in bytes
//! and time, and has the digest that was asked for, before anything else happens.

mod artifact;
mod client;
mod credentials;
mod pull;
mod push;
mod reference;
mod signature;

pub(crate) use pull::{PullArgs, pull, upload};
pub(crate) use push::{PushArgs, push};

use crate::remote::deploy::Language;
use data_encoding::HEXLOWER;
use sha2::{Digest as _, Sha256};

/// `sha256:…` of some bytes.
pub(crate) fn digest_of(bytes: &[u8]) -> String {
    format!("sha256:{}", HEXLOWER.encode(&Sha256::digest(bytes)))
}

/// The ending of a file in a language.
fn ending(language: Language) -> &'static str {
    match language {
        Language::JavaScript => "js",
        Language::TypeScript => "ts",
        Language::Wasm => "wasm",
    }
}

/// Whether a manifest is read as that of a plugin, for the fuzz targets.
///
/// # Panics
/// If what was read is not what it promises to be.
#[must_use]
pub fn accepts_manifest(manifest: &[u8]) -> bool {
    let found = artifact::parse(manifest);
    let signatures = artifact::signatures(manifest);
    for layer in
        found.iter().flat_map(artifact::Artifact::layers).chain(signatures.iter().flatten().map(|(one, _)| one))
    {
        assert!(layer.digest.len() == "sha256:".len() + 64 && layer.size <= artifact::MAX_SOURCE_BYTES, "{layer:?}");
    }
    found.is_ok()
}

/// Whether a text is read as a reference, for the fuzz targets.
///
/// # Panics
/// If what was read is not what it promises to be.
#[must_use]
pub fn accepts_reference(text: &str) -> bool {
    let found = reference::parse(text);
    if let Ok(reference) = &found {
        assert!(!reference.registry().is_empty() && !reference.repository().is_empty(), "{text:?}");
        let place = reference.digest().or(reference.tag()).unwrap_or_default();
        assert!(!place.is_empty() && !place.contains(['/', '?', '#', '%']), "{text:?}");
    }
    found.is_ok()
}
