//! The JavaScript runtime as a component of one plugin world, without its memory: linked once, compiled once, cached
//! between starts, and shared by all plugins of the world.

use super::{
    image::{self, IMAGE},
    linking,
    sections::LinkFailure,
    worlds::ScriptKind,
};
use crate::{
    LoadError,
    compiled_code_cache::{self, CompiledCodeCache},
    disk_cache::DiskCache,
    guest::Guest,
    trap,
    wit::{WIT, contract_with},
};
use bytes::Bytes;
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use std::{
    fmt::Display,
    hash::{DefaultHasher, Hash, Hasher},
    path::PathBuf,
    sync::OnceLock,
};
use wasmtime::{
    Engine, Module,
    component::{Component, InstancePre, Linker},
};
use wit_component::{StringEncoding, embed_component_metadata};
use wit_parser::Resolve;

/// The version of how the runtime is linked and snapshots are taken.
const VERSION: u32 = 3;

/// Bytes of the runtime's own stack, at the beginning of its memory.
pub(super) const STACK_BYTES: u32 = 1 << 20;

/// The component, and its memory before any code ran.
pub(super) struct SharedComponent {
    component: Component,
    /// Bytes of the component.
    pub(super) size: usize,
    pub(super) image: Bytes,
    /// Linked with that memory; needed to run top-level code.
    without_snapshot: OnceLock<InstancePre<Guest>>,
    /// The cache files of all of it, each with the folder of its cache.
    pub(super) files: Vec<(&'static str, PathBuf)>,
}

/// A digest of everything but the author's text that a snapshot depends on.
pub(super) fn fingerprint(engine: &Engine, script_kind: &ScriptKind) -> String {
    let mut version = DefaultHasher::new();
    engine.precompile_compatibility_hash().hash(&mut version);
    let mut digest = Sha256::new();
    digest.update(VERSION.to_le_bytes());
    digest.update(version.finish().to_le_bytes());
    digest.update(script_kind.world);
    digest.update(script_kind.export.1);
    for (name, text) in WIT.iter().chain(script_kind.prelude).chain([&script_kind.entry]) {
        digest.update(name);
        digest.update(Sha256::digest(text));
    }
    digest.update(Sha256::digest(runtime()));
    HEXLOWER.encode(&digest.finalize())
}

impl SharedComponent {
    pub(super) fn new(
        engine: &Engine,
        script_kind: &ScriptKind,
        fingerprint: &str,
        cache: Option<&DiskCache>,
        native: Option<&CompiledCodeCache>,
    ) -> Result<Self, LoadError> {
        let keys = [format!("base-{fingerprint}"), format!("image-{fingerprint}")];
        let kept = cache.and_then(|cache| Some((cache.get(&keys[0])?, cache.get(&keys[1])?)));
        let (bytes, image) = if let Some(kept) = kept {
            kept
        } else {
            let (bytes, image) = link(script_kind).map_err(|failure| LoadError::Internal(failure.0))?;
            cache.inspect(|cache| cache.put(&keys[0], &bytes));
            cache.inspect(|cache| cache.put(&keys[1], &image));
            (bytes.into(), image.into())
        };
        let component = compiled_code_cache::compile(native, engine, &bytes, Component::from_binary);
        let component = component.map_err(|error| trap::host_failure(&error))?;
        let kept = cache.into_iter().flat_map(|cache| keys.iter().map(|key| ("components", cache.path(key))));
        let code =
            native.into_iter().flat_map(|native| [&bytes, &image].map(|bytes| ("native", native.path(engine, bytes))));
        let files = kept.chain(code).collect();
        Ok(Self { component, size: bytes.len(), image, without_snapshot: OnceLock::new(), files })
    }

    /// Linked with the memory of a plugin.
    pub(super) fn with(&self, linker: &Linker<Guest>, image: &Module) -> wasmtime::Result<InstancePre<Guest>> {
        let mut linker = linker.clone();
        linker.root().module(IMAGE, image)?;
        linker.instantiate_pre(&self.component)
    }

    /// Linked with the initial memory, in which no code ran.
    pub(super) fn without_snapshot(
        &self,
        engine: &Engine,
        linker: &Linker<Guest>,
        native: Option<&CompiledCodeCache>,
    ) -> wasmtime::Result<&InstancePre<Guest>> {
        if let Some(without_snapshot) = self.without_snapshot.get() {
            return Ok(without_snapshot);
        }
        let image = compiled_code_cache::compile(native, engine, &self.image, Module::from_binary)?;
        let without_snapshot = self.with(linker, &image)?;
        Ok(self.without_snapshot.get_or_init(|| without_snapshot))
    }

    /// What it imports.
    pub(super) fn imports(&self, engine: &Engine) -> Vec<String> {
        let imports = crate::linker::imports(engine, &self.component);
        imports.into_iter().filter(|name| name != super::LOADER && name != IMAGE).collect()
    }
}

fn runtime() -> &'static [u8] {
    componentize_qjs::default_runtime_wasm()
}

/// Links the runtime with glue for the world: a component, and the module of its memory.
fn link(script_kind: &ScriptKind) -> Result<(Vec<u8>, Vec<u8>), LinkFailure> {
    let glue = glue(script_kind).map_err(LinkFailure)?;
    let parts = [runtime(), glue.as_slice()];
    // The memory base is known from the component, and part of the code: so it is linked twice.
    let draft = linking::link(&parts, 0, STACK_BYTES)?;
    let base = image::memory_base(&encode(&draft.module).map_err(LinkFailure)?)?;
    let linked = linking::link(&parts, base, STACK_BYTES)?;
    let (component, module) = image::without(&encode(&linked.module).map_err(LinkFailure)?)?;
    Ok((component, image::with(&module, None, linked.data)?))
}

/// The glue module through which the runtime is called, with the WIT of the plugin world and of the snapshot.
fn glue(script_kind: &ScriptKind) -> Result<Vec<u8>, String> {
    let (declared, linked) = script_kind.export;
    let (resolve, package) = contract_with(|text| text.replace(declared, linked))?;
    let world = resolve.select_world(&[package], Some(script_kind.world)).map_err(said)?;
    let (mut glue, _) = wit_dylib::create_with_metadata(&resolve, world, None);
    embed_component_metadata(&mut glue, &resolve, world, StringEncoding::UTF8).map_err(said)?;
    let mut resolve = Resolve::default();
    let package = resolve.push_str("snapshot.wit", linking::WORLD).map_err(said)?;
    let world = resolve.select_world(&[package], None).map_err(said)?;
    embed_component_metadata(&mut glue, &resolve, world, StringEncoding::UTF8).map_err(said)?;
    Ok(glue)
}

fn encode(library: &[u8]) -> Result<Vec<u8>, String> {
    let mut linker = wit_component::Linker::default();
    linker.encoder().validate(true);
    linker.stack_size(STACK_BYTES);
    linker.library("runtime", library, false).map_err(said)?;
    linker.encode().map_err(said)
}

fn said(error: impl Display) -> String {
    format!("{error:#}")
}
