//! Loads a plugin: makes a component of the source, compiles and links it, and instantiates it once on trial.

#[cfg(feature = "javascript")]
use crate::javascript::ClaimsScript;
use crate::{
    Kind, Language, Limits, LoadError, Source,
    bindings::{claims::ClaimsPre, message::MessagePre, transform::WebhookTransformPre},
    claims_export::ClaimsExport,
    compiled_code_cache::Compile,
    foreign_file::ForeignFile,
    guest::{self, Guest},
    host_state::HostState,
    linker,
    plugin_cache::{CachedPlugin, PluginMetadata, SourcePositions},
    trap,
    wasm::{COMPONENT, MAGIC, MODULE, WIT_SECTION},
};
use std::{borrow::Cow, sync::Arc, time::Duration};
use tokio::time::timeout;
use wasmtime::component::{Component, InstancePre};
use wit_component::ComponentEncoder;

/// How long the trial instantiation may take; a large guest copies megabytes there.
const TRIAL_TIMEOUT: Duration = Duration::from_secs(2);

/// A component that was compiled, linked and instantiated once.
pub(crate) struct LoadedComponent {
    pub(crate) world: World,
    pub(crate) imports: Vec<String>,
    /// Bytes of the component.
    pub(crate) size: usize,
    /// Maps positions in a stack trace to the author's source, where the guest runs other text.
    positions: Option<SourcePositions>,
}

/// The WebAssembly that is compiled for one plugin, and what is known about it.
struct CompilerInput<'a> {
    /// A component; for a script the module of its memory, which the shared component imports.
    bytes: Cow<'a, [u8]>,
    /// None where it is known only after compiling.
    kind: Option<Kind>,
    positions: Option<SourcePositions>,
}

/// A compiled and linked plugin.
struct LinkedPlugin {
    world: World,
    imports: Vec<String>,
    /// Bytes of the component, shared parts included.
    size: usize,
    /// Native code that was compiled now, not taken from a cache.
    native: Option<Vec<u8>>,
}

/// A linked component of one world.
pub(crate) enum World {
    Claims(ClaimsExport),
    WebhookTransform(WebhookTransformPre<Guest>),
    Message(MessagePre<Guest>),
}

impl LoadedComponent {
    /// `text` with its positions mapped to the author's source.
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
            Self::Message(_) => Kind::Message,
        }
    }

    pub(crate) fn instance(&self) -> &InstancePre<Guest> {
        match self {
            Self::Claims(claims) => claims.instance_pre(),
            Self::WebhookTransform(transform) => transform.instance_pre(),
            Self::Message(message) => message.instance_pre(),
        }
    }
}

/// Blocks while it compiles. With a cache entry the source is not parsed.
pub(crate) async fn load(shared: &Arc<HostState>, source: &Source) -> Result<LoadedComponent, LoadError> {
    let key = shared.plugin_cache.is_some().then(|| shared.key(source));
    let entry = shared.plugin_cache.as_ref().zip(key.as_deref()).and_then(|(cache, key)| cache.get(key));
    let loaded = match entry.as_ref().and_then(CachedPlugin::read) {
        Some(cached) => load_cached(shared, source.language, cached).inspect_err(|_| {
            // The next attempt compiles it again.
            shared.plugin_cache.as_ref().zip(key.as_deref()).inspect(|(cache, key)| cache.remove(key));
        })?,
        None => make(shared, source, key.as_deref()).await?,
    };
    let (tried, instance) = (Arc::clone(shared), loaded.world.instance().clone());
    let trial =
        shared.threads.run(&source.name.as_str().into(), async move { trial_instantiate(&tried, &instance).await });
    trial.await.unwrap_or_else(|| Err(LoadError::Internal("the plugin host is shutting down".to_owned())))?;
    Ok(loaded)
}

/// Loads a cache entry.
fn load_cached(shared: &HostState, language: Language, cached: CachedPlugin) -> Result<LoadedComponent, LoadError> {
    let CachedPlugin { metadata: PluginMetadata { kind, imports, positions }, bytes, native } = cached;
    let LinkedPlugin { world, size, .. } = link(shared, language, Some(kind), &bytes, Some(&native))?;
    Ok(LoadedComponent { world, imports, size, positions })
}

/// Compiles the source, and writes the cache entry.
async fn make(shared: &HostState, source: &Source, key: Option<&str>) -> Result<LoadedComponent, LoadError> {
    let CompilerInput { bytes, kind, positions } = match source.language {
        Language::Wasm => read_wasm(source.bytes())?,
        #[cfg(feature = "javascript")]
        Language::JavaScript | Language::TypeScript => read_javascript(shared, source).await?,
        #[cfg(not(feature = "javascript"))]
        Language::JavaScript | Language::TypeScript => return Err(without_javascript()),
    };
    let LinkedPlugin { world, imports, size, native } = link(shared, source.language, kind, &bytes, None)?;
    if let Some(((cache, key), native)) = shared.plugin_cache.as_ref().zip(key).zip(native) {
        let metadata = PluginMetadata { kind: world.kind(), imports: imports.clone(), positions: positions.clone() };
        let file =
            CachedPlugin::write(metadata, &bytes, &native).map_err(|error| LoadError::Internal(error.to_string()))?;
        cache.put(key, &file);
    }
    Ok(LoadedComponent { world, imports, size, positions })
}

#[cfg(not(feature = "javascript"))]
fn without_javascript() -> LoadError {
    LoadError::Internal("this host was built without JavaScript".to_owned())
}

fn read_wasm(bytes: &[u8]) -> Result<CompilerInput<'_>, LoadError> {
    let component = match bytes.strip_prefix(MAGIC) {
        Some(version) if version.starts_with(COMPONENT) => Cow::Borrowed(bytes),
        Some(version) if version.starts_with(MODULE) => Cow::Owned(encode_module(bytes)?),
        _ => return Err(LoadError::NotAComponent(ForeignFile::of(bytes).text().to_owned())),
    };
    Ok(CompilerInput { bytes: component, kind: None, positions: None })
}

#[cfg(feature = "javascript")]
async fn read_javascript(shared: &HostState, source: &Source) -> Result<CompilerInput<'static>, LoadError> {
    let HostState { engine, ticker, linker, javascript, .. } = shared;
    let made = javascript.snapshot(engine, ticker, linker, source).await?;
    Ok(CompilerInput { bytes: Cow::Owned(made.image), kind: Some(made.kind), positions: Some(made.positions) })
}

/// Makes a component of a core module, by the WIT that it carries.
fn encode_module(bytes: &[u8]) -> Result<Vec<u8>, LoadError> {
    if !bytes.windows(WIT_SECTION.len()).any(|window| window == WIT_SECTION) {
        return Err(LoadError::NotAComponent(ForeignFile::of(bytes).text().to_owned()));
    }
    let encode = || ComponentEncoder::default().module(bytes)?.validate(true).encode();
    encode()
        .map_err(|error| LoadError::NotAComponent(format!("the core module does not become a component: {error:#}")))
}

/// Compiles `bytes`, or takes their compiled code from `entry`, and links it.
fn link(
    shared: &HostState,
    language: Language,
    kind: Option<Kind>,
    bytes: &[u8],
    entry: Option<&[u8]>,
) -> Result<LinkedPlugin, LoadError> {
    let HostState { engine, linker, .. } = shared;
    #[cfg(feature = "javascript")]
    if let (Language::JavaScript | Language::TypeScript, Some(kind)) = (language, kind) {
        let (image, native) = compile(shared, bytes, entry, wasmtime::Module::from_binary)?;
        let (instance, imports, code_size) = shared.javascript.link(engine, linker, kind, &image)?;
        let world = match kind {
            Kind::Claims => {
                let script = ClaimsScript::new(instance).map_err(|error| trap::host_failure(&error))?;
                World::Claims(ClaimsExport::Script(script))
            }
            Kind::WebhookTransform | Kind::Message => as_world(kind, instance)?,
        };
        return Ok(LinkedPlugin { world, imports, size: code_size + bytes.len(), native });
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
    let linked = linker.instantiate_pre(&component).map_err(|error| wrong_world(kind, &error))?;
    Ok(LinkedPlugin { world: as_world(kind, linked)?, imports, size: bytes.len(), native })
}

/// Compiles, or takes the compiled code from `entry`. Answers new native code as well.
fn compile<T>(
    shared: &HostState,
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
        let hint =
            if ForeignFile::of(bytes) == ForeignFile::CutOff { " (it ends too early, or was changed)" } else { "" };
        LoadError::NotAComponent(format!("the component is not valid{hint}: {error:#}"))
    })
}

fn as_world(kind: Kind, linked: InstancePre<Guest>) -> Result<World, LoadError> {
    let world = match kind {
        Kind::Claims => ClaimsPre::new(linked).map(|pre| World::Claims(ClaimsExport::Component(pre))),
        Kind::WebhookTransform => WebhookTransformPre::new(linked).map(World::WebhookTransform),
        Kind::Message => MessagePre::new(linked).map(World::Message),
    };
    world.map_err(|error| wrong_world(kind, &error))
}

fn wrong_world(kind: Kind, error: &wasmtime::Error) -> LoadError {
    let world = kind.world().rsplit('/').next().unwrap_or_default();
    LoadError::WrongWorld(format!("it does not fit the world `{world}`: {error:#}"))
}

/// Instantiates once, so that a failing start function is found now and not in the first call.
async fn trial_instantiate(shared: &HostState, linked: &InstancePre<Guest>) -> Result<(), LoadError> {
    let limits = Limits { memory: shared.options.max_memory, ..Limits::default() };
    let internal = |error: wasmtime::Error| LoadError::Internal(format!("{error:#}"));
    let mut store =
        guest::new_store(&shared.engine, &shared.ticker, &limits, shared.options.metered).map_err(internal)?;
    let tried = timeout(TRIAL_TIMEOUT, linked.instantiate_async(&mut store)).await;
    if let Some(limit) = store.data().memory.exceeded() {
        return Err(LoadError::Initialization(format!("it needs more than {} MiB of memory to start", limit >> 20)));
    }
    match tried {
        Ok(Ok(_)) => Ok(()),
        Ok(Err(error)) if trap::is_out_of_memory(&error) => Err(trap::host_failure(&error)),
        Ok(Err(error)) => Err(LoadError::Initialization(format!("it does not start: {}", trap::describe(&error)))),
        Err(_) => Err(LoadError::Initialization(format!("it does not start within {} s", TRIAL_TIMEOUT.as_secs()))),
    }
}
