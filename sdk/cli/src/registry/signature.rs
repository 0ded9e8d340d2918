//! What `cosign sign --key` attached to a plugin in a registry, by the scheme of tags. It signs the manifest, not the
//! source, so the manifest is taken along: a server verifies the signature, that what was signed is the manifest, and that
//! the manifest names the source that it was given.

use super::artifact;
use super::client::Repository;
use anyhow::{anyhow, ensure};
use data_encoding::BASE64;
use oci_client::Reference;
use serde_json::json;

/// What the document of a signature begins with.
const KIND: &str = "claimsmith.registry-signature.v1";
/// What a server takes as a signature, in bytes.
const MAX_BYTES: usize = 64 << 10;

/// The document that is sent as the signature of an upload; `None` if nothing was signed.
pub(super) async fn fetch(repository: &Repository, manifest: &[u8]) -> anyhow::Result<Option<Vec<u8>>> {
    let reference = repository.reference();
    let tag = format!("{}.sig", super::digest_of(manifest).replace(':', "-"));
    let place = Reference::with_tag(reference.registry().to_owned(), reference.repository().to_owned(), tag.clone());
    let Some(attached) = repository.manifest(&place).await? else { return Ok(None) };
    let named = |error: String| anyhow!("{}, {tag}: {error}", reference.registry());
    let mut signatures = Vec::new();
    for (layer, signature) in artifact::signatures(&attached).map_err(named)? {
        let payload = repository.blob(&layer).await?;
        signatures.push(json!({ "payload": BASE64.encode(&payload), "signature": signature }));
    }
    ensure!(!signatures.is_empty(), "{}, {tag}: it has no signature that `cosign sign` wrote", reference.registry());
    let document = json!({ "kind": KIND, "manifest": BASE64.encode(manifest), "signatures": signatures });
    let document = serde_json::to_vec(&document)?;
    let (host, bytes) = (reference.registry(), document.len());
    ensure!(bytes <= MAX_BYTES, "{host}, {tag}: the signature has {bytes} bytes; at most {MAX_BYTES} are accepted");
    Ok(Some(document))
}
