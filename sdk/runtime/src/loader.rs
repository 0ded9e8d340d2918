//! From a source to something that can be called: bytes, component, native code, links, and one instantiation on
//! trial.

use crate::{
    Kind, Language, Limits, LoadError, Source,
    bindings::{claims::ClaimsPre, transform::WebhookTransformPre},
    guest::{self, Guest},
    host::Shared,
    linker, native, trap,
    wasm::{COMPONENT, MAGIC, MODULE, WIT_SECTION},
};
use std::{borrow::Cow, time::Duration};
use tokio::time::timeout;
use wasmtime::component::{Component, InstancePre};
use wit_component::ComponentEncoder;

/// How long the trial instantiation may take; a large guest copies megabytes there.
const TRIAL: Duration = Duration::from_secs(2);

/// A proven component.
pub(crate) struct Loaded {
    pub(crate) world: World,
    pub(crate) imports: Vec<String>,
    /// Bytes of the component.
    pub(crate) size: usize,
    /// Turns positions in a stack trace into the author's own, where the guest saw others.
    rewrite: Option<Box<Rewrite>>,
}

/// A component, linked as what it is for.
pub(crate) enum World {
    Claims(ClaimsPre<Guest>),
    WebhookTransform(WebhookTransformPre<Guest>),
}

type Rewrite = dyn Fn(String) -> String + Send + Sync;

impl Loaded {
    /// `text` with the author's own positions.
    pub(crate) fn rewrite(&self, text: String) -> String {
        match &self.rewrite {
            Some(rewrite) => rewrite(text),
            None => text,
        }
    }
}

impl World {
    pub(crate) fn kind(&self) -> Kind {
        match self {
            Self::Claims(_) => Kind::Claims,
            Self::WebhookTransform(_) => Kind::WebhookTransform,
        }
    }

    fn instance(&self) -> &InstancePre<Guest> {
        match self {
            Self::Claims(claims) => claims.instance_pre(),
            Self::WebhookTransform(transform) => transform.instance_pre(),
        }
    }
}

/// Blocks while it compiles.
pub(crate) async fn load(shared: &Shared, source: &Source) -> Result<Loaded, LoadError> {
    let loaded = match source.language {
        Language::Wasm => load_wasm(shared, &source.bytes)?,
        #[cfg(feature = "javascript")]
        Language::JavaScript | Language::TypeScript => load_javascript(shared, source).await?,
        #[cfg(not(feature = "javascript"))]
        Language::JavaScript | Language::TypeScript => {
            return Err(LoadError::Internal("this host was built without JavaScript".to_owned()));
        }
    };
    try_instance(shared, loaded.world.instance()).await?;
    Ok(loaded)
}

fn load_wasm(shared: &Shared, bytes: &[u8]) -> Result<Loaded, LoadError> {
    let refused = |text: String| LoadError::NotAComponent(text);
    let version = bytes
        .strip_prefix(MAGIC)
        .ok_or_else(|| refused("the file is not WebAssembly: it does not begin with its magic number".to_owned()))?;
    let bytes = if version.starts_with(COMPONENT) {
        Cow::Borrowed(bytes)
    } else if version.starts_with(MODULE) {
        Cow::Owned(encode_module(bytes)?)
    } else {
        return Err(refused("the file is of a version of WebAssembly that is not supported".to_owned()));
    };
    let component = compile(shared, &bytes)?;
    let (kind, imports) = linker::check_world(&shared.engine, &component)?;
    Ok(Loaded { world: link(shared, kind, &component)?, imports, size: bytes.len(), rewrite: None })
}

#[cfg(feature = "javascript")]
async fn load_javascript(shared: &Shared, source: &Source) -> Result<Loaded, LoadError> {
    let Shared { engine, linker, javascript, .. } = shared;
    let made = javascript.componentize(engine, linker, source).await?;
    let component = compile(shared, &made.bytes)?;
    let mut imports = linker::imports(engine, &component);
    imports.retain(|name| name != crate::javascript::LOADER);
    let size = made.bytes.len();
    let world = link(shared, made.kind, &component)?;
    let rewrite: Box<Rewrite> = Box::new(move |text| made.positions.rewrite(text));
    Ok(Loaded { world, imports, size, rewrite: Some(rewrite) })
}

/// A core module becomes a component by the WIT that it carries.
fn encode_module(bytes: &[u8]) -> Result<Vec<u8>, LoadError> {
    if !bytes.windows(WIT_SECTION.len()).any(|window| window == WIT_SECTION) {
        let text =
            "the file is a core module without its WIT (it has no `component-type` section): make it a component";
        return Err(LoadError::NotAComponent(text.to_owned()));
    }
    let encode = || ComponentEncoder::default().module(bytes)?.validate(true).encode();
    encode()
        .map_err(|error| LoadError::NotAComponent(format!("the core module does not become a component: {error:#}")))
}

fn compile(shared: &Shared, bytes: &[u8]) -> Result<Component, LoadError> {
    native::compile(shared.native.as_deref(), &shared.engine, bytes).map_err(|error| {
        if trap::is_out_of_memory(&error) {
            return LoadError::OutOfMemory(format!("{error:#}"));
        }
        LoadError::NotAComponent(format!("the component is not valid: {error:#}"))
    })
}

fn link(shared: &Shared, kind: Kind, component: &Component) -> Result<World, LoadError> {
    let linked = shared.linker.instantiate_pre(component).and_then(|linked| match kind {
        Kind::Claims => ClaimsPre::new(linked).map(World::Claims),
        Kind::WebhookTransform => WebhookTransformPre::new(linked).map(World::WebhookTransform),
    });
    let world = kind.world().rsplit('/').next().unwrap_or_default();
    linked.map_err(|error| LoadError::WrongWorld(format!("it does not fit the world `{world}`: {error:#}")))
}

/// Start functions run here for the first time: better now than in the first call.
async fn try_instance(shared: &Shared, linked: &InstancePre<Guest>) -> Result<(), LoadError> {
    let limits = Limits { memory: shared.options.max_memory, ..Limits::default() };
    let internal = |error: wasmtime::Error| LoadError::Internal(format!("{error:#}"));
    let mut store = guest::new_store(&shared.engine, &limits, shared.options.metered).map_err(internal)?;
    let tried = timeout(TRIAL, linked.instantiate_async(&mut store)).await;
    if let Some(limit) = store.data().memory.exceeded() {
        return Err(LoadError::Initialization(format!("it needs more than {} MiB to start", limit >> 20)));
    }
    match tried {
        Ok(Ok(_)) => Ok(()),
        Ok(Err(error)) if trap::is_out_of_memory(&error) => Err(trap::host_failure(&error)),
        Ok(Err(error)) => Err(LoadError::Initialization(format!("it does not start: {}", trap::describe(&error)))),
        Err(_) => Err(LoadError::Initialization(format!("it does not start within {} s", TRIAL.as_secs()))),
    }
}
