//! The module loader of JavaScript plugins: modules come from memory while top-level code runs; no file is ever read.

use crate::guest::Guest;
use wasmtime::{StoreContextMut, component::Linker};

/// The interface through which the JavaScript runtime asks for modules; it stays imported after the snapshot.
pub(crate) const LOADER: &str = "local:init/module-loader";

/// The path of the author's module. In error messages it is replaced by the plugin's own file name.
pub(super) const AUTHOR_MODULE: &str = "/plugin.js";

/// The path prefix of the runtime's own modules.
pub(super) const RUNTIME_MODULES: &str = "/claimsmith/";

/// Path and text of one module.
pub(super) type Module = (&'static str, &'static str);

type LoaderResult = wasmtime::Result<(Result<String, String>,)>;

/// Serves [`Guest::modules`].
pub(crate) fn add_to_linker(linker: &mut Linker<Guest>) -> wasmtime::Result<()> {
    let mut loader = linker.instance(LOADER)?;
    loader.func_wrap(
        "resolve",
        |store: StoreContextMut<'_, Guest>, (referrer, name): (String, String)| -> LoaderResult {
            let found =
                referrer.starts_with(RUNTIME_MODULES) && store.data().modules.iter().any(|(path, _)| *path == name);
            Ok((if found { Ok(name) } else { Err(format!("a plugin is one file: it cannot import \"{name}\"")) },))
        },
    )?;
    loader.func_wrap("load", |store: StoreContextMut<'_, Guest>, (path,): (String,)| -> LoaderResult {
        let module = store.data().modules.iter().find(|(known, _)| *known == path);
        Ok((module.map(|(_, text)| text.clone()).ok_or_else(|| format!("there is no module \"{path}\"")),))
    })
}
