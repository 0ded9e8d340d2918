//! The JavaScript runtime as a component of one of our worlds, before any author's code: linked once, compiled once, and
//! kept in the cache between starts.

use super::worlds::Flavour;
use crate::{
    LoadError,
    cache::Cache,
    guest::Guest,
    native::{self, NativeCache},
    trap,
    wit::{WIT, contract_with},
};
use sha2::{Digest, Sha256};
use std::hash::{DefaultHasher, Hash, Hasher};
use wasi_preview1_component_adapter_provider::WASI_SNAPSHOT_PREVIEW1_REACTOR_ADAPTER as WASI_ADAPTER;
use wasmtime::{
    Engine,
    component::{InstancePre, Linker},
};
use wasmtime_wizer::Wizer;
use wit_component::{StringEncoding, embed_component_metadata};

/// The unfinished component, and the same made inspectable, compiled and linked.
pub(super) struct Base {
    pub(super) bytes: Vec<u8>,
    pub(super) inspectable: InstancePre<Guest>,
}

/// A digest of everything but the author's text that a snapshot depends on.
pub(super) fn fingerprint(engine: &Engine, flavour: &Flavour) -> String {
    let mut version = DefaultHasher::new();
    engine.precompile_compatibility_hash().hash(&mut version);
    let mut digest = Sha256::new();
    digest.update(version.finish().to_le_bytes());
    digest.update(flavour.world);
    for (name, text) in WIT.iter().chain(flavour.prelude).chain([&flavour.entry]) {
        digest.update(name);
        digest.update(Sha256::digest(text));
    }
    digest.update(Sha256::digest(runtime()));
    digest.update(Sha256::digest(WASI_ADAPTER));
    hex::encode(digest.finalize())
}

impl Base {
    pub(super) fn new(
        engine: &Engine,
        linker: &Linker<Guest>,
        flavour: &Flavour,
        fingerprint: &str,
        cache: Option<&Cache>,
        native: Option<&NativeCache>,
    ) -> Result<Self, LoadError> {
        let key = format!("base-{fingerprint}");
        let bytes = if let Some(bytes) = cache.and_then(|cache| cache.get(&key)) {
            bytes
        } else {
            let bytes = link(flavour).map_err(LoadError::Internal)?;
            cache.inspect(|cache| cache.put(&key, &bytes));
            bytes
        };
        let compile = || {
            let (_, inspectable) = Wizer::new().instrument_component(&bytes)?;
            linker.instantiate_pre(&native::compile(native, engine, &inspectable)?)
        };
        let inspectable = compile().map_err(|error| trap::host_failure(&error))?;
        Ok(Self { bytes, inspectable })
    }
}

fn runtime() -> &'static [u8] {
    componentize_qjs::opt_size_runtime_wasm()
}

/// Links the runtime with glue for the world.
fn link(flavour: &Flavour) -> Result<Vec<u8>, String> {
    // An `async` export is how the runtime knows to run an author's promises.
    let asynchronous = flavour.export.replace("func(", "async func(");
    let (resolve, package) = contract_with(|text| text.replace(flavour.export, &asynchronous))?;
    let link = || {
        let world = resolve.select_world(&[package], Some(flavour.world))?;
        let (mut glue, _) = wit_dylib::create_with_metadata(&resolve, world, None);
        embed_component_metadata(&mut glue, &resolve, world, StringEncoding::UTF8)?;
        let mut linker = wit_component::Linker::default();
        linker.encoder().validate(true);
        linker.library("runtime.wasm", runtime(), false)?;
        linker.library("glue.wasm", &glue, false)?;
        linker.encoder().adapter("wasi_snapshot_preview1", WASI_ADAPTER)?;
        linker.encode()
    };
    link().map_err(|error| format!("{error:#}"))
}
