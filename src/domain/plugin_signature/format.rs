//! What all formats of a signature have in common: their bounds, base64, and why a text is none of them.

use crate::base64;

/// The largest file of a signature, in bytes. A bundle with an entry of a transparency log has some 5 KiB.
pub const MAX_SIGNATURE_BYTES: usize = 64 << 10;
/// The longest signature itself, in bytes: one of these algorithms has at most 72.
const MAX_RAW_BYTES: usize = 512;

/// Why a text is not a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// Larger than any signature.
    #[error("the signature has more than {MAX_SIGNATURE_BYTES} bytes")]
    TooLarge,
    /// Neither base64 nor JSON.
    #[error("the signature is neither the base64 nor the bundle that `cosign sign-blob --key` writes")]
    Unknown,
    /// JSON that is no bundle.
    #[error("the bundle cannot be read: expected a Sigstore bundle with messageSignature and verificationMaterial")]
    NotABundle,
    /// A bundle of cosign 2 in its own form.
    #[error("the bundle is of cosign 2's own form: write the signature itself (--output-signature) or a new bundle")]
    OldBundle,
    /// An attestation instead of a signature.
    #[error("the bundle is an attestation (dsseEnvelope): sign the file itself with `cosign sign-blob --key`")]
    Attestation,
    /// A certificate instead of a key.
    #[error("the bundle was signed with a certificate, which is not accepted: sign with `cosign sign-blob --key`")]
    Certificate,
    /// A document of a registry that cannot be read.
    #[error("the signature of a registry cannot be read: expected what `claimsmith plugin pull` writes")]
    Registry,
    /// A digest that is not one of SHA-2.
    #[error("the bundle's messageDigest is not a SHA2_256, SHA2_384 or SHA2_512 of that length")]
    Digest,
}

/// The bytes of a signature in base64.
pub(super) fn raw(text: &str) -> Option<Vec<u8>> {
    base64::decode(text).filter(|bytes| !bytes.is_empty() && bytes.len() <= MAX_RAW_BYTES)
}
