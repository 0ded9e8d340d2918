//! The JavaScript runtime as a component of one of our worlds, without its memory: linked once, compiled once, kept in the
//! cache between starts, and shared by all plugins of the world.

use super::{
    image::{self, IMAGE},
    linking,
    sections::Failure,
    worlds::Flavour,
};
use crate::{
    LoadError,
    cache::Cache,
    guest::Guest,
    native::{self, NativeCache},
    trap,
    wit::{WIT, contract_with},
};
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

/// Counts the changes of how the runtime is linked and snapshots are taken.
const VERSION: u32 = 2;

/// The runtime's own stack in its memory, which begins with it.
pub(super) const STACK: u32 = 1 << 20;

/// The component, and the memory that it has before anything ran.
pub(super) struct Base {
    component: Component,
    /// Bytes of the component.
    pub(super) size: usize,
    pub(super) image: Vec<u8>,
    /// Linked with that memory; only top-level code needs it.
    unprepared: OnceLock<InstancePre<Guest>>,
    /// Where all of it is kept, each with the folder of its cache.
    pub(super) files: Vec<(&'static str, PathBuf)>,
}

/// A digest of everything but the author's text that a snapshot depends on.
pub(super) fn fingerprint(engine: &Engine, flavour: &Flavour) -> String {
    let mut version = DefaultHasher::new();
    engine.precompile_compatibility_hash().hash(&mut version);
    let mut digest = Sha256::new();
    digest.update(VERSION.to_le_bytes());
    digest.update(version.finish().to_le_bytes());
    digest.update(flavour.world);
    for (name, text) in WIT.iter().chain(flavour.prelude).chain([&flavour.entry]) {
        digest.update(name);
        digest.update(Sha256::digest(text));
    }
    digest.update(Sha256::digest(runtime()));
    HEXLOWER.encode(&digest.finalize())
}

impl Base {
    pub(super) fn new(
        engine: &Engine,
        flavour: &Flavour,
        fingerprint: &str,
        cache: Option<&Cache>,
        native: Option<&NativeCache>,
    ) -> Result<Self, LoadError> {
        let keys = [format!("base-{fingerprint}"), format!("image-{fingerprint}")];
        let kept = cache.and_then(|cache| Some((cache.get(&keys[0])?, cache.get(&keys[1])?)));
        let (bytes, image) = if let Some(kept) = kept {
            kept
        } else {
            let (bytes, image) = link(flavour).map_err(|failure| LoadError::Internal(failure.0))?;
            cache.inspect(|cache| cache.put(&keys[0], &bytes));
            cache.inspect(|cache| cache.put(&keys[1], &image));
            (bytes, image)
        };
        let component = native::compile(native, engine, &bytes, Component::from_binary);
        let component = component.map_err(|error| trap::host_failure(&error))?;
        let kept = cache.into_iter().flat_map(|cache| keys.iter().map(|key| ("components", cache.path(key))));
        let code =
            native.into_iter().flat_map(|native| [&bytes, &image].map(|bytes| ("native", native.path(engine, bytes))));
        let files = kept.chain(code).collect();
        Ok(Self { component, size: bytes.len(), image, unprepared: OnceLock::new(), files })
    }

    /// Linked with the memory of a plugin.
    pub(super) fn with(&self, linker: &Linker<Guest>, image: &Module) -> wasmtime::Result<InstancePre<Guest>> {
        let mut linker = linker.clone();
        linker.root().module(IMAGE, image)?;
        linker.instantiate_pre(&self.component)
    }

    /// Linked with the memory that nothing ran in.
    pub(super) fn unprepared(
        &self,
        engine: &Engine,
        linker: &Linker<Guest>,
        native: Option<&NativeCache>,
    ) -> wasmtime::Result<&InstancePre<Guest>> {
        if let Some(unprepared) = self.unprepared.get() {
            return Ok(unprepared);
        }
        let image = native::compile(native, engine, &self.image, Module::from_binary)?;
        let unprepared = self.with(linker, &image)?;
        Ok(self.unprepared.get_or_init(|| unprepared))
    }

    /// What it imports.
    pub(super) fn imports(&self, engine: &Engine) -> Vec<String> {
        let imports = crate::linker::imports(engine, &self.component);
        imports.into_iter().filter(|name| name != super::LOADER && name != IMAGE).collect()
    }
}

fn runtime() -> &'static [u8] {
    componentize_qjs::opt_size_runtime_wasm()
}

/// Links the runtime with glue for the world: a component, and the module of its memory.
fn link(flavour: &Flavour) -> Result<(Vec<u8>, Vec<u8>), Failure> {
    let glue = glue(flavour).map_err(Failure)?;
    let parts = [runtime(), glue.as_slice()];
    // Where memory begins is the component's to say, and part of the code.
    let draft = linking::link(&parts, 0, STACK)?;
    let base = image::memory_base(&encode(&draft.module).map_err(Failure)?)?;
    let linked = linking::link(&parts, base, STACK)?;
    let (component, module) = image::without(&encode(&linked.module).map_err(Failure)?)?;
    Ok((component, image::with(&module, None, linked.data)?))
}

/// What the runtime is called through, and the world of the snapshot.
fn glue(flavour: &Flavour) -> Result<Vec<u8>, String> {
    // An `async` export is how the runtime knows to run an author's promises.
    let asynchronous = flavour.export.replace("func(", "async func(");
    let (resolve, package) = contract_with(|text| text.replace(flavour.export, &asynchronous))?;
    let world = resolve.select_world(&[package], Some(flavour.world)).map_err(said)?;
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
    linker.stack_size(STACK);
    linker.library("runtime", library, false).map_err(said)?;
    linker.encode().map_err(said)
}

fn said(error: impl Display) -> String {
    format!("{error:#}")
}
