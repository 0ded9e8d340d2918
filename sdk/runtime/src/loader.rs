//! From a source to something that can be called: bytes, component, native code, links, and one instantiation on
//! trial.

use crate::{
    Kind, Language, Limits, LoadError, Source,
    bindings::{claims::ClaimsPre, transform::WebhookTransformPre},
    guest::{self, Guest},
    kept::{About, Kept, Positions},
    linker,
    native::Compile,
    shared::Shared,
    trap,
    wasm::{COMPONENT, MAGIC, MODULE, WIT_SECTION},
};
use std::{borrow::Cow, sync::Arc, time::Duration};
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
    positions: Option<Positions>,
}

/// What is compiled for one plugin, and what was found out about it.
struct Made<'a> {
    /// A component; of a script the module of its memory, for the component that scripts share.
    bytes: Cow<'a, [u8]>,
    /// None where only the compiled component tells.
    kind: Option<Kind>,
    positions: Option<Positions>,
}

/// What can be called, and what became known on the way.
struct Linked {
    world: World,
    imports: Vec<String>,
    /// Bytes of the component, with all that it shares.
    size: usize,
    /// Native code that was not known before.
    native: Option<Vec<u8>>,
}

/// A component, linked as what it is for.
pub(crate) enum World {
    Claims(ClaimsPre<Guest>),
    WebhookTransform(WebhookTransformPre<Guest>),
}

impl Loaded {
    /// `text` with the author's own positions.
    pub(crate) fn rewrite(&self, text: String) -> String {
        match &self.positions {
            #[cfg(feature = "javascript")]
            Some(positions) => positions.rewrite(text),
            _ => text,
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

/// Blocks while it compiles. What is kept is not even read.
pub(crate) async fn load(shared: &Arc<Shared>, source: &Source) -> Result<Loaded, LoadError> {
    let key = shared.kept.is_some().then(|| shared.key(source));
    let entry = shared.kept.as_ref().zip(key.as_deref()).and_then(|(kept, key)| kept.get(key));
    let loaded = match entry.and_then(Kept::read) {
        Some(kept) => take_up(shared, source.language, kept).inspect_err(|_| {
            // The next attempt makes it anew.
            shared.kept.as_ref().zip(key.as_deref()).inspect(|(kept, key)| kept.remove(key));
        })?,
        None => make(shared, source, key.as_deref()).await?,
    };
    let (tried, instance) = (Arc::clone(shared), loaded.world.instance().clone());
    let trial = shared.threads.run(&source.name.as_str().into(), async move { try_instance(&tried, &instance).await });
    trial.await.unwrap_or_else(|| Err(LoadError::Internal("the host is closed".to_owned())))?;
    Ok(loaded)
}

/// Loads what was made before.
fn take_up(shared: &Shared, language: Language, kept: Kept) -> Result<Loaded, LoadError> {
    let Kept { about: About { kind, imports, positions }, bytes, native } = kept;
    let Linked { world, size, .. } = link(shared, language, Some(kind), &bytes, Some(&native))?;
    Ok(Loaded { world, imports, size, positions })
}

/// Makes it, and keeps it under its key.
async fn make(shared: &Shared, source: &Source, key: Option<&str>) -> Result<Loaded, LoadError> {
    let Made { bytes, kind, positions } = match source.language {
        Language::Wasm => read_wasm(source.bytes())?,
        #[cfg(feature = "javascript")]
        Language::JavaScript | Language::TypeScript => read_javascript(shared, source).await?,
        #[cfg(not(feature = "javascript"))]
        Language::JavaScript | Language::TypeScript => return Err(without_javascript()),
    };
    let Linked { world, imports, size, native } = link(shared, source.language, kind, &bytes, None)?;
    if let Some(((kept, key), native)) = shared.kept.as_ref().zip(key).zip(native) {
        let about = About { kind: world.kind(), imports: imports.clone(), positions: positions.clone() };
        let file = Kept::write(about, &bytes, &native).map_err(|error| LoadError::Internal(error.to_string()))?;
        kept.put(key, &file);
    }
    Ok(Loaded { world, imports, size, positions })
}

#[cfg(not(feature = "javascript"))]
fn without_javascript() -> LoadError {
    LoadError::Internal("this host was built without JavaScript".to_owned())
}

fn read_wasm(bytes: &[u8]) -> Result<Made<'_>, LoadError> {
    let refused = |text: String| LoadError::NotAComponent(text);
    let version = bytes
        .strip_prefix(MAGIC)
        .ok_or_else(|| refused("the file is not WebAssembly: it does not begin with its magic number".to_owned()))?;
    let component = if version.starts_with(COMPONENT) {
        Cow::Borrowed(bytes)
    } else if version.starts_with(MODULE) {
        Cow::Owned(encode_module(bytes)?)
    } else {
        return Err(refused("the file is of a version of WebAssembly that is not supported".to_owned()));
    };
    Ok(Made { bytes: component, kind: None, positions: None })
}

#[cfg(feature = "javascript")]
async fn read_javascript(shared: &Shared, source: &Source) -> Result<Made<'static>, LoadError> {
    let Shared { engine, ticker, linker, javascript, .. } = shared;
    let made = javascript.snapshot(engine, ticker, linker, source).await?;
    Ok(Made { bytes: Cow::Owned(made.image), kind: Some(made.kind), positions: Some(made.positions) })
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

/// Compiles what was made, or takes `entry`, what came of compiling before, and links it.
fn link(
    shared: &Shared,
    language: Language,
    kind: Option<Kind>,
    bytes: &[u8],
    entry: Option<&[u8]>,
) -> Result<Linked, LoadError> {
    let Shared { engine, linker, .. } = shared;
    #[cfg(feature = "javascript")]
    if let (Language::JavaScript | Language::TypeScript, Some(kind)) = (language, kind) {
        let (image, native) = compile(shared, bytes, entry, wasmtime::Module::from_binary)?;
        let (instance, imports, code_size) = shared.javascript.link(engine, linker, kind, &image)?;
        return Ok(Linked { world: as_world(kind, instance)?, imports, size: code_size + bytes.len(), native });
    }
    #[cfg(not(feature = "javascript"))]
    if language != Language::Wasm {
        return Err(without_javascript());
    }
    let (component, native) = compile(shared, bytes, entry, Component::from_binary)?;
    let (kind, imports) = match kind {
        Some(kind) => (kind, linker::imports(engine, &component)),
        None => linker::check_world(engine, &component)?,
    };
    let linked = linker.instantiate_pre(&component).map_err(|error| misfit(kind, &error))?;
    Ok(Linked { world: as_world(kind, linked)?, imports, size: bytes.len(), native })
}

/// With the native code that comes of it, unless that is `entry`.
fn compile<T>(
    shared: &Shared,
    bytes: &[u8],
    entry: Option<&[u8]>,
    compile: Compile<T>,
) -> Result<(T, Option<Vec<u8>>), LoadError> {
    let compiled = match &shared.native {
        Some(native) => native.compile_with(&shared.engine, bytes, entry, compile),
        None => compile(&shared.engine, bytes).map(|compiled| (compiled, None)),
    };
    compiled.map_err(|error| {
        if trap::is_out_of_memory(&error) {
            return LoadError::OutOfMemory(format!("{error:#}"));
        }
        LoadError::NotAComponent(format!("the component is not valid: {error:#}"))
    })
}

fn as_world(kind: Kind, linked: InstancePre<Guest>) -> Result<World, LoadError> {
    let world = match kind {
        Kind::Claims => ClaimsPre::new(linked).map(World::Claims),
        Kind::WebhookTransform => WebhookTransformPre::new(linked).map(World::WebhookTransform),
    };
    world.map_err(|error| misfit(kind, &error))
}

fn misfit(kind: Kind, error: &wasmtime::Error) -> LoadError {
    let world = kind.world().rsplit('/').next().unwrap_or_default();
    LoadError::WrongWorld(format!("it does not fit the world `{world}`: {error:#}"))
}

/// Start functions run here for the first time: better now than in the first call.
async fn try_instance(shared: &Shared, linked: &InstancePre<Guest>) -> Result<(), LoadError> {
    let limits = Limits { memory: shared.options.max_memory, ..Limits::default() };
    let internal = |error: wasmtime::Error| LoadError::Internal(format!("{error:#}"));
    let mut store =
        guest::new_store(&shared.engine, &shared.ticker, &limits, shared.options.metered).map_err(internal)?;
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
