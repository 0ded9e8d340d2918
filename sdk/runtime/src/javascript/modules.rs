//! The modules of a JavaScript plugin, served from memory while its top-level code runs. There is no other way in:
//! no file is ever read.

use crate::guest::Guest;
use wasmtime::{StoreContextMut, component::Linker};

/// The interface through which the JavaScript runtime asks for modules; it stays imported after the snapshot.
pub(crate) const LOADER: &str = "local:init/module-loader";

/// Where the author's module is found. Authors read the plugin's own name instead.
pub(super) const AUTHOR: &str = "/plugin.js";

/// The folder of our own modules.
pub(super) const OURS: &str = "/claimsmith/";

/// The module that exports what the WIT asks for.
pub(super) const ENTRY: (&str, &str) = ("/claimsmith/entry.js", include_str!("guest/entry.js"));

/// What the entry imports.
pub(super) const PRELUDE: [(&str, &str); 7] = [
    ("/claimsmith/call.js", include_str!("guest/call.js")),
    ("/claimsmith/console.js", include_str!("guest/console.js")),
    ("/claimsmith/fetch.js", include_str!("guest/fetch.js")),
    ("/claimsmith/headers.js", include_str!("guest/headers.js")),
    ("/claimsmith/random.js", include_str!("guest/random.js")),
    ("/claimsmith/text.js", include_str!("guest/text.js")),
    ("/claimsmith/prelude.js", include_str!("guest/prelude.js")),
];

type Answer = wasmtime::Result<(Result<String, String>,)>;

/// Serves [`Guest::modules`].
pub(crate) fn add_to_linker(linker: &mut Linker<Guest>) -> wasmtime::Result<()> {
    let mut loader = linker.instance(LOADER)?;
    loader.func_wrap("resolve", |store: StoreContextMut<'_, Guest>, (referrer, name): (String, String)| -> Answer {
        let found = referrer.starts_with(OURS) && store.data().modules.iter().any(|(path, _)| *path == name);
        Ok((if found { Ok(name) } else { Err(format!("a plugin is one file: it cannot import \"{name}\"")) },))
    })?;
    loader.func_wrap("load", |store: StoreContextMut<'_, Guest>, (path,): (String,)| -> Answer {
        let module = store.data().modules.iter().find(|(known, _)| *known == path);
        Ok((module.map(|(_, text)| text.clone()).ok_or_else(|| format!("there is no module \"{path}\"")),))
    })
}
