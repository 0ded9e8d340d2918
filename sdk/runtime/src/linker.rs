//! The linker: the interfaces that guests may import, which are the plugin contract's and WASI with an empty context. A
//! component that imports anything else is refused when it is loaded.

use crate::{
    Kind, LoadError,
    bindings::{claims::Claims, message::claimsmith::plugin::messages, transform::claimsmith::plugin::webhooks},
    guest::Guest,
};
use wasmtime::{
    Engine,
    component::{Component, HasSelf, Linker},
};

/// The exports of which one makes a component a plugin.
const EXPORTS: [(&str, Kind); 3] =
    [("get-custom-jwt-claims", Kind::Claims), ("transform", Kind::WebhookTransform), ("compose", Kind::Message)];

/// The interfaces of this package that a guest may import, whatever its world.
const INTERFACES: [&str; 3] = ["claimsmith:plugin/types", "claimsmith:plugin/log", "claimsmith:plugin/random"];

/// Those of one world.
const OWN_INTERFACES: [(&str, Kind); 4] = [
    ("claimsmith:plugin/http", Kind::Claims),
    ("claimsmith:plugin/cache", Kind::Claims),
    ("claimsmith:plugin/webhooks", Kind::WebhookTransform),
    ("claimsmith:plugin/messages", Kind::Message),
];

/// Filled once; every component is linked from it.
pub(crate) fn new_linker(engine: &Engine) -> wasmtime::Result<Linker<Guest>> {
    let mut linker = Linker::new(engine);
    wasmtime_wasi::p2::add_to_linker_async(&mut linker)?;
    Claims::add_to_linker::<Guest, HasSelf<Guest>>(&mut linker, |guest| guest)?;
    // The other worlds have all but these in common with it.
    webhooks::add_to_linker::<Guest, HasSelf<Guest>>(&mut linker, |guest| guest)?;
    messages::add_to_linker::<Guest, HasSelf<Guest>>(&mut linker, |guest| guest)?;
    Ok(linker)
}

/// The names of a component's imports, without their versions.
pub(crate) fn imports(engine: &Engine, component: &Component) -> Vec<String> {
    let unversioned = |name: &str| name.split('@').next().unwrap_or_default().to_owned();
    component.component_type().imports(engine).map(|(name, _)| unversioned(name)).collect()
}

/// What a component is for, and its [`imports`]; an error if there are others than ours and WASI's, if it exports what
/// makes no plugin, or if it imports what is not given to plugins of its kind.
pub(crate) fn check_world(engine: &Engine, component: &Component) -> Result<(Kind, Vec<String>), LoadError> {
    let imports = imports(engine, component);
    let is_ours = |name: &String| {
        let name = name.as_str();
        INTERFACES.contains(&name) || OWN_INTERFACES.iter().any(|(own, _)| *own == name) || name.starts_with("wasi:")
    };
    let refused: Vec<_> = imports.iter().filter(|name| !is_ours(name)).cloned().collect();
    if !refused.is_empty() {
        return Err(LoadError::UnknownImports(refused));
    }
    let world = component.component_type();
    let exports: Vec<&str> = world.exports(engine).map(|(name, _)| name).collect();
    if let Some(text) = foreign_world(&imports, &exports) {
        return Err(LoadError::WrongWorld(text));
    }
    let kind = kind_of(&exports)?;
    let of_another = |name: &&String| OWN_INTERFACES.iter().any(|(own, of)| own == name && *of != kind);
    if let Some(name) = imports.iter().find(of_another) {
        return Err(LoadError::WrongWorld(format!(
            "it imports an interface that is not in its world {}: {name}",
            kind.world()
        )));
    }
    Ok((kind, imports))
}

/// What to do about a component that its tools made for another host: an HTTP handler, a program, or a script with the
/// interfaces that `ComponentizeJS` adds by itself.
fn foreign_world(imports: &[String], exports: &[&str]) -> Option<String> {
    let exports_of = |interface: &str| exports.iter().any(|name| name.split('@').next() == Some(interface));
    if exports_of("wasi:cli/run") {
        let text = "it is a WASI command: a component that exports the program `wasi:cli/run`. Build a library that \
                    exports the function of a plugin world, without `main`";
        return Some(text.to_owned());
    }
    let is_handler = exports_of("wasi:http/incoming-handler");
    let imported = imports.iter().find(|name| name.starts_with("wasi:http/"));
    let what = match imported {
        _ if is_handler => "it is an HTTP handler: a component that exports `wasi:http/incoming-handler`".to_owned(),
        Some(name) => format!("it imports `{name}`, which no plugin is given"),
        None => return None,
    };
    Some(format!(
        "{what}. ComponentizeJS adds `wasi:http` unless it is called with `--disable http --disable fetch-event`; \
         plugins send requests with `claimsmith:plugin/http`"
    ))
}

fn kind_of(exports: &[&str]) -> Result<Kind, LoadError> {
    let mut found = EXPORTS.iter().filter(|(name, _)| exports.contains(name));
    let refused = |text: String| Err(LoadError::WrongWorld(text));
    match (found.next(), found.next()) {
        (Some((_, kind)), None) => Ok(*kind),
        (Some((one, _)), Some((other, _))) => {
            refused(format!("it exports both `{one}` and `{other}`: a plugin has one of them"))
        }
        (None, _) => {
            let found = if exports.is_empty() { "nothing".to_owned() } else { exports.join(", ") };
            let [(claims, _), (transform, _), (compose, _)] = EXPORTS;
            refused(format!("it exports none of `{claims}`, `{transform}` and `{compose}`; it exports {found}"))
        }
    }
}
