//! Cache entries of compiled plugins: all that loading one needs, in one file, keyed by a digest of everything that it
//! is made from. A host that finds the entry neither parses nor compiles what was uploaded.

use crate::{Kind, Source, json};
use bytes::Bytes;
use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::hash::{DefaultHasher, Hash, Hasher};
use wasmtime::Engine;

/// The folder of these entries, in the cache folder.
pub(crate) const PLUGINS_FOLDER: &str = "plugins";

#[cfg(feature = "javascript")]
pub(crate) use crate::javascript::SourcePositions;

/// Without JavaScript no position needs to be translated.
#[cfg(not(feature = "javascript"))]
pub(crate) type SourcePositions = ();

/// The version of this file format, and of compiling where no other part of the key changes with it.
const VERSION: u32 = 4;

/// One compiled plugin.
pub(crate) struct CachedPlugin {
    pub(crate) metadata: PluginMetadata,
    /// The WebAssembly that was compiled: a component, or for a script the module of its memory.
    pub(crate) bytes: Bytes,
    /// An entry of [`CompiledCodeCache`](crate::compiled_code_cache::CompiledCodeCache).
    pub(crate) native: Bytes,
}

/// What loading it found out.
#[derive(Serialize, Deserialize)]
pub(crate) struct PluginMetadata {
    pub(crate) kind: Kind,
    pub(crate) imports: Vec<String>,
    pub(crate) positions: Option<SourcePositions>,
}

/// The first line of the file.
#[derive(Serialize, Deserialize)]
struct CacheHeader {
    metadata: PluginMetadata,
    /// How many bytes of WebAssembly follow; the rest is native code.
    bytes: usize,
}

impl CachedPlugin {
    /// None where the file has another format.
    pub(crate) fn read(file: &Bytes) -> Option<Self> {
        let end = file.iter().position(|byte| *byte == b'\n')?;
        let CacheHeader { metadata, bytes: size } = json::read(&file[..end], json::STORED).ok()?;
        let start = end + 1;
        let middle = start.checked_add(size).filter(|middle| *middle <= file.len())?;
        Some(Self { metadata, bytes: file.slice(start..middle), native: file.slice(middle..) })
    }

    pub(crate) fn write(metadata: PluginMetadata, bytes: &[u8], native: &[u8]) -> serde_json::Result<Vec<u8>> {
        let head = serde_json::to_vec(&CacheHeader { metadata, bytes: bytes.len() })?;
        Ok([&head, &b"\n"[..], bytes, native].concat())
    }
}

/// The cache key. `made_with` names what else, beside the engine, the compiled code depends on.
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
        let metadata = || PluginMetadata { kind: Kind::Claims, imports: vec!["a:b/c".to_owned()], positions: None };
        let written = CachedPlugin::write(metadata(), b"com\nponent", b"path\nnative").unwrap();
        let read = CachedPlugin::read(&written.clone().into()).unwrap();
        assert_eq!((read.metadata.kind, read.metadata.imports), (Kind::Claims, metadata().imports));
        assert_eq!((&read.bytes[..], &read.native[..]), (&b"com\nponent"[..], &b"path\nnative"[..]));
        let head = written.iter().position(|byte| *byte == b'\n').unwrap();
        for length in [0, head, head + 5] {
            assert!(CachedPlugin::read(&written[..length].to_vec().into()).is_none(), "{length}");
        }
    }
}
