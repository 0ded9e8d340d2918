//! `oci://HOST/REPOSITORY:TAG` and `oci://HOST/REPOSITORY@sha256:…`.

use crate::remote::Usage;
use oci_client::Reference;

/// What a reference begins with.
const SCHEME: &str = "oci://";
/// Hexadecimal characters of a SHA-256.
const HEX_CHARACTERS: usize = 64;

/// Whether the text is meant to be one.
pub(super) fn is_reference(text: &str) -> bool {
    text.starts_with(SCHEME)
}

/// Reads a reference, which names a registry, and a tag or a digest.
pub(super) fn parse(text: &str) -> Result<Reference, Usage> {
    let refused = |reason: &str| Usage::new(format!("{text:?} is not a plugin of a registry: {reason}"));
    let rest = text.strip_prefix(SCHEME).ok_or_else(|| refused("it must begin with oci://"))?;
    let (host, path) = rest.split_once('/').ok_or_else(|| refused("expected oci://HOST/REPOSITORY:TAG"))?;
    // Otherwise the name would be one of Docker Hub.
    if !(host.contains(['.', ':']) || host == "localhost") {
        return Err(refused("it names no registry: expected oci://HOST/REPOSITORY:TAG"));
    }
    if !path.contains([':', '@']) {
        return Err(refused("name a tag (:TAG) or a digest (@sha256:…)"));
    }
    let parsed = rest.parse::<Reference>();
    let reference = parsed.map_err(|error| refused(&error.to_string()))?;
    let is_sha256 = |digest: &str| {
        let hex = digest.strip_prefix("sha256:").unwrap_or_default();
        hex.len() == HEX_CHARACTERS && hex.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
    };
    if reference.digest().is_some_and(|digest| !is_sha256(digest)) {
        return Err(refused("its digest must be sha256: and 64 hexadecimal digits"));
    }
    Ok(reference)
}

/// The same at a digest, as it is typed.
pub(super) fn pinned(reference: &Reference, digest: &str) -> String {
    format!("{SCHEME}{}/{}@{digest}", reference.registry(), reference.repository())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::{parse, pinned};

    #[test]
    fn a_reference_names_registry_repository_and_tag_or_digest() {
        let digest = format!("sha256:{}", "a".repeat(64));
        let tagged = parse("oci://registry.example.com/team/plans:1.2").unwrap();
        assert_eq!((tagged.registry(), tagged.repository()), ("registry.example.com", "team/plans"));
        assert_eq!((tagged.tag(), tagged.digest()), (Some("1.2"), None));
        let local = parse(&format!("oci://localhost:5000/plans@{digest}")).unwrap();
        assert_eq!((local.registry(), local.digest()), ("localhost:5000", Some(digest.as_str())));
        assert_eq!(pinned(&tagged, &digest), format!("oci://registry.example.com/team/plans@{digest}"));
    }

    #[test]
    fn everything_else_is_refused_with_the_reason() {
        let table = [
            ("registry.example.com/plans:1", "must begin with oci://"),
            ("oci://plans:1", "expected oci://HOST/REPOSITORY:TAG"),
            ("oci://team/plans:1", "names no registry"),
            ("oci://registry.example.com/plans", "name a tag"),
            ("oci://registry.example.com/Plans:1", "invalid"),
            ("oci://registry.example.com/plans@sha256:abc", "invalid"),
            ("oci://registry.example.com/plans:1?x=y", "invalid"),
            ("oci://registry.example.com/../plans:1", "invalid"),
            ("oci://user:password@registry.example.com/plans:1", ""),
        ];
        for (text, reason) in table {
            let error = parse(text).err().map(|error| error.to_string());
            assert!(error.as_ref().is_some_and(|error| error.contains(reason)), "{text}: {error:?}");
        }
        let sha512 = format!("oci://registry.example.com/plans@sha512:{}", "a".repeat(128));
        assert!(parse(&sha512).err().unwrap().to_string().contains("sha256"));
    }
}
