//! What guests are linked to: our interfaces, and WASI behind an empty context. A component that imports anything
//! else is refused at load, by name.

use crate::{LoadError, bindings::Claims, guest::Guest};
use wasmtime::{
    Engine,
    component::{Component, HasSelf, Linker},
};

/// The export that makes a component a claims plugin.
const CLAIMS_EXPORT: &str = "get-custom-jwt-claims";

/// The interfaces of this package that a guest may import.
const INTERFACES: [&str; 4] =
    ["claimsmith:plugin/types", "claimsmith:plugin/log", "claimsmith:plugin/http", "claimsmith:plugin/random"];

/// Filled once; every component is linked from it.
pub(crate) fn new_linker(engine: &Engine) -> wasmtime::Result<Linker<Guest>> {
    let mut linker = Linker::new(engine);
    wasmtime_wasi::p2::add_to_linker_async(&mut linker)?;
    Claims::add_to_linker::<Guest, HasSelf<Guest>>(&mut linker, |guest| guest)?;
    #[cfg(feature = "javascript")]
    crate::javascript::add_to_linker(&mut linker)?;
    Ok(linker)
}

/// The names of a component's imports, without their versions.
pub(crate) fn imports(engine: &Engine, component: &Component) -> Vec<String> {
    let unversioned = |name: &str| name.split('@').next().unwrap_or_default().to_owned();
    component.component_type().imports(engine).map(|(name, _)| unversioned(name)).collect()
}

/// A component's [`imports`]; an error if there are others than ours and WASI's, or if the export is missing.
pub(crate) fn check_world(engine: &Engine, component: &Component) -> Result<Vec<String>, LoadError> {
    let imports = imports(engine, component);
    let is_ours = |name: &String| INTERFACES.contains(&name.as_str()) || name.starts_with("wasi:");
    let refused: Vec<_> = imports.iter().filter(|name| !is_ours(name)).cloned().collect();
    if !refused.is_empty() {
        return Err(LoadError::UnknownImports(refused));
    }
    let world = component.component_type();
    let exports: Vec<&str> = world.exports(engine).map(|(name, _)| name).collect();
    if !exports.contains(&CLAIMS_EXPORT) {
        let found = if exports.is_empty() { "nothing".to_owned() } else { exports.join(", ") };
        return Err(LoadError::WrongWorld(format!("it does not export `{CLAIMS_EXPORT}`; it exports {found}")));
    }
    Ok(imports)
}
