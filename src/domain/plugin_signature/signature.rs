//! The formats of a signature: the base64 that cosign 2 writes, the Sigstore bundle of cosign 3, and what was attached in
//! a registry.

use super::format::{FormatError, MAX_SIGNATURE_BYTES, raw};
use super::registry::{Document, RegistrySignature};
use crate::base64;
use claimsmith_json::{self as json, INCOMING};
use serde::Deserialize;
use serde::de::IgnoredAny;
use sha2::{Digest as _, Sha256, Sha384, Sha512};

/// A signature that was read, and not verified yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature(pub(super) Form);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Of the source.
    Source(SourceSignature),
    /// Of a manifest that names the source.
    Registry(RegistrySignature),
}

/// A signature of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SourceSignature {
    /// ASN.1 DER of ECDSA, or the 64 bytes of Ed25519.
    pub(super) bytes: Vec<u8>,
    /// The digest of what was signed, as a bundle states it.
    pub(super) digest: Option<StatedDigest>,
    /// What a bundle says of the key.
    pub(super) hint: Option<String>,
}

/// A digest that a bundle states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StatedDigest {
    algorithm: DigestAlgorithm,
    bytes: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DigestAlgorithm {
    Sha256,
    Sha384,
    Sha512,
}

/// The members of a bundle that count (`dev.sigstore.bundle.v1.Bundle` as JSON).
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Bundle {
    media_type: Option<String>,
    verification_material: Option<Material>,
    message_signature: Option<MessageSignature>,
    dsse_envelope: Option<IgnoredAny>,
    base64_signature: Option<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Material {
    public_key: Option<PublicKey>,
    certificate: Option<IgnoredAny>,
    x509_certificate_chain: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct PublicKey {
    hint: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct MessageSignature {
    message_digest: Option<MessageDigest>,
    signature: String,
}

#[derive(Deserialize)]
struct MessageDigest {
    algorithm: String,
    digest: String,
}

impl Signature {
    /// Reads either format: a bundle begins with a brace.
    pub fn parse(text: &[u8]) -> Result<Self, FormatError> {
        if text.len() > MAX_SIGNATURE_BYTES {
            return Err(FormatError::TooLarge);
        }
        let text = std::str::from_utf8(text).map_err(|_| FormatError::Unknown)?.trim_ascii();
        if text.starts_with('{') {
            return Self::of_bundle(text);
        }
        let bytes = raw(text).ok_or(FormatError::Unknown)?;
        Ok(Self(Form::Source(SourceSignature { bytes, digest: None, hint: None })))
    }

    fn of_bundle(text: &str) -> Result<Self, FormatError> {
        if let Ok(document) = json::read::<Document>(text, INCOMING) {
            return RegistrySignature::read(&document).map(|signature| Self(Form::Registry(signature)));
        }
        let bundle: Bundle = json::read(text, INCOMING).map_err(|_| FormatError::NotABundle)?;
        if bundle.base64_signature.is_some() {
            return Err(FormatError::OldBundle);
        }
        let is_bundle = |kind: &String| kind.starts_with("application/vnd.dev.sigstore.bundle");
        if !bundle.media_type.as_ref().is_some_and(is_bundle) {
            return Err(FormatError::NotABundle);
        }
        if bundle.dsse_envelope.is_some() {
            return Err(FormatError::Attestation);
        }
        let material = bundle.verification_material.ok_or(FormatError::NotABundle)?;
        if material.certificate.is_some() || material.x509_certificate_chain.is_some() {
            return Err(FormatError::Certificate);
        }
        let key = material.public_key.ok_or(FormatError::NotABundle)?;
        let MessageSignature { message_digest, signature } = bundle.message_signature.ok_or(FormatError::NotABundle)?;
        let bytes = raw(&signature).ok_or(FormatError::NotABundle)?;
        let digest = message_digest.map(StatedDigest::read).transpose()?;
        let hint = key.hint.filter(|hint| !hint.is_empty());
        Ok(Self(Form::Source(SourceSignature { bytes, digest, hint })))
    }
}

impl StatedDigest {
    fn read(MessageDigest { algorithm, digest }: MessageDigest) -> Result<Self, FormatError> {
        let (algorithm, length) = match algorithm.as_str() {
            "SHA2_256" => (DigestAlgorithm::Sha256, 32),
            "SHA2_384" => (DigestAlgorithm::Sha384, 48),
            "SHA2_512" => (DigestAlgorithm::Sha512, 64),
            _ => return Err(FormatError::Digest),
        };
        let bytes = base64::decode(&digest).filter(|bytes| bytes.len() == length).ok_or(FormatError::Digest)?;
        Ok(Self { algorithm, bytes })
    }

    /// Whether it is that of these bytes.
    pub(super) fn is_of(&self, message: &[u8]) -> bool {
        match self.algorithm {
            DigestAlgorithm::Sha256 => Sha256::digest(message).as_slice() == self.bytes,
            DigestAlgorithm::Sha384 => Sha384::digest(message).as_slice() == self.bytes,
            DigestAlgorithm::Sha512 => Sha512::digest(message).as_slice() == self.bytes,
        }
    }
}
