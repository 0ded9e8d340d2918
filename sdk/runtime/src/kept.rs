//! All that loading a plugin needs, in one file under the digest of all that it is made of: so that a host which finds it
//! neither reads nor compiles what somebody handed in.

use crate::{Kind, Source, json};
use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::hash::{DefaultHasher, Hash, Hasher};
use wasmtime::Engine;

/// The folder of such files, in that of the cache.
pub(crate) const PLUGINS: &str = "plugins";

#[cfg(feature = "javascript")]
pub(crate) use crate::javascript::Positions;

/// No language here has positions of its own.
#[cfg(not(feature = "javascript"))]
pub(crate) type Positions = ();

/// Counts the changes of what is written here, and of how it is made where no other part of the key tells.
const VERSION: u32 = 3;

/// One plugin, made ready.
pub(crate) struct Kept {
    pub(crate) about: About,
    /// What is compiled: a component, or of a script the module of its memory.
    pub(crate) bytes: Vec<u8>,
    /// An entry of [`NativeCache`](crate::native::NativeCache).
    pub(crate) native: Vec<u8>,
}

/// What was found out about it.
#[derive(Serialize, Deserialize)]
pub(crate) struct About {
    pub(crate) kind: Kind,
    pub(crate) imports: Vec<String>,
    pub(crate) positions: Option<Positions>,
}

/// The first line of the file.
#[derive(Serialize, Deserialize)]
struct Head {
    about: About,
    /// How many bytes of what is compiled follow; the rest is native code.
    bytes: usize,
}

impl Kept {
    /// None where the file is none of ours.
    pub(crate) fn read(mut bytes: Vec<u8>) -> Option<Self> {
        let end = bytes.iter().position(|byte| *byte == b'\n')?;
        let Head { about, bytes: size } = json::read(&bytes[..end], json::STORED).ok()?;
        let start = end + 1;
        let middle = start.checked_add(size).filter(|middle| *middle <= bytes.len())?;
        let native = bytes.split_off(middle);
        bytes.drain(..start);
        Some(Self { about, bytes, native })
    }

    pub(crate) fn write(about: About, bytes: &[u8], native: &[u8]) -> serde_json::Result<Vec<u8>> {
        let head = serde_json::to_vec(&Head { about, bytes: bytes.len() })?;
        Ok([&head, &b"\n"[..], bytes, native].concat())
    }
}

/// Under what it is kept. `made_with` tells what else than the engine has a part in it.
pub(crate) fn key(engine: &Engine, made_with: &[&str], source: &Source) -> String {
    let mut version = DefaultHasher::new();
    engine.precompile_compatibility_hash().hash(&mut version);
    let mut digest = Sha256::new();
    digest.update(VERSION.to_le_bytes());
    digest.update(version.finish().to_le_bytes());
    for part in made_with.iter().copied().chain([source.language.extension(), &source.name, source.digest()]) {
        digest.update(part.len().to_le_bytes());
        digest.update(part);
    }
    HEXLOWER.encode(&digest.finalize())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;

    #[test]
    fn what_is_written_is_read_and_what_is_cut_is_not() {
        let about = || About { kind: Kind::Claims, imports: vec!["a:b/c".to_owned()], positions: None };
        let written = Kept::write(about(), b"com\nponent", b"path\nnative").unwrap();
        let read = Kept::read(written.clone()).unwrap();
        assert_eq!((read.about.kind, read.about.imports), (Kind::Claims, about().imports));
        assert_eq!((read.bytes.as_slice(), read.native.as_slice()), (&b"com\nponent"[..], &b"path\nnative"[..]));
        let head = written.iter().position(|byte| *byte == b'\n').unwrap();
        for length in [0, head, head + 5] {
            assert!(Kept::read(written[..length].to_vec()).is_none(), "{length}");
        }
    }
}
