//! Makes a component of one of the plugin worlds from the core module that a compiler wrote.

use crate::{
    Kind, LoadError,
    foreign_file::ForeignFile,
    wasm::{COMPONENT, MAGIC, WIT_SECTION},
    wit::contract,
};
use std::path::Path;
use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};
use wit_parser::{PackageId, Resolve};

/// WASI preview 1, which compilers call (Go, a libc).
const ADAPTER: &str = include_str!("wasi.wat");
const ADAPTED: &str = "wasi_snapshot_preview1";

/// What the adapter calls in turn.
const CLOCKS: &str = "package wasi:clocks@0.2.0;
    interface wall-clock { record datetime { seconds: u64, nanoseconds: u32 } now: func() -> datetime; }";
const ADAPTER_WORLD: &str = "package claimsmith:adapter;
    world adapter {
        import claimsmith:plugin/log@1.2.0;
        import claimsmith:plugin/random@1.2.0;
        import wasi:clocks/wall-clock@0.2.0;
    }";

/// Makes a component of a core module that follows the canonical ABI of a world. The module may carry its WIT; else it
/// is taken for one of `kind`. What it asks of WASI preview 1 it gets without files, arguments and environment; its
/// output goes to the plugin's log. What is a component already stays as it is.
///
/// # Errors
/// [`LoadError::NotAComponent`] with what does not fit.
pub fn componentize(module: &[u8], kind: Kind) -> Result<Vec<u8>, LoadError> {
    if module.strip_prefix(MAGIC).is_some_and(|version| version.starts_with(COMPONENT)) {
        return Ok(module.to_vec());
    }
    let refused = |text: String| LoadError::NotAComponent(text);
    let foreign = ForeignFile::of(module);
    if !matches!(foreign, ForeignFile::CoreModule | ForeignFile::WasiCommand) {
        return Err(refused(foreign.text().to_owned()));
    }
    let carries_wit = module.windows(WIT_SECTION.len()).any(|window| window == WIT_SECTION);
    let module = if carries_wit { module.to_vec() } else { with_world(module, kind).map_err(refused)? };
    let adapter =
        adapter().map_err(|error| LoadError::Internal(format!("the WASI adapter cannot be built: {error}")))?;
    let encode = || {
        let mut encoder = ComponentEncoder::default();
        encoder.module(&module)?.adapter(ADAPTED, &adapter)?.validate(true).encode()
    };
    encode().map_err(|error| {
        let text = format!("the core module does not become a component: {error:#}");
        let is_command = foreign == ForeignFile::WasiCommand && !carries_wit;
        refused(if is_command { format!("{text}; {}", foreign.text()) } else { text })
    })
}

/// The module with the WIT of its world.
fn with_world(module: &[u8], kind: Kind) -> Result<Vec<u8>, String> {
    let (resolve, package) = contract()?;
    let world = kind.world().rsplit('/').next().unwrap_or_default();
    embedded(module.to_vec(), &resolve, package, world)
}

fn adapter() -> Result<Vec<u8>, String> {
    let module = wat::parse_str(ADAPTER).map_err(|error| error.to_string())?;
    let (mut resolve, _) = contract()?;
    let mut push =
        |name: &str, text: &str| resolve.push_str(Path::new(name), text).map_err(|error| format!("{error:#}"));
    push("clocks.wit", CLOCKS)?;
    let package = push("adapter.wit", ADAPTER_WORLD)?;
    embedded(module, &resolve, package, "adapter")
}

fn embedded(mut module: Vec<u8>, resolve: &Resolve, package: PackageId, world: &str) -> Result<Vec<u8>, String> {
    let mut embed = || {
        let world = resolve.select_world(&[package], Some(world))?;
        embed_component_metadata(&mut module, resolve, world, StringEncoding::UTF8)
    };
    embed().map_err(|error| format!("{error:#}"))?;
    Ok(module)
}
