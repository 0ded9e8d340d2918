//! Makes plugins of JavaScript and TypeScript: the source is parsed (`syntax`), its top-level code runs once under
//! limits on a prebuilt QuickJS (`shared_component`), and a snapshot of the memory that it left is the plugin
//! (`snapshot`). The code is one component that all these plugins share.

mod claims_script;
mod enum_limits;
mod image;
mod linking;
mod modules;
mod sections;
mod shared_component;
mod snapshot;
mod source_positions;
mod syntax;
mod worlds;

use crate::{
    Finding, Kind, LoadError, Source, compiled_code_cache::CompiledCodeCache, disk_cache::DiskCache,
    epoch_ticker::EpochTicker, guest::Guest, trap,
};
use shared_component::SharedComponent;
use snapshot::SnapshotFailure;
use std::{
    path::PathBuf,
    sync::{Arc, OnceLock},
};
use wasmtime::{
    Engine, Module,
    component::{InstancePre, Linker},
};
use worlds::{CLAIMS, MESSAGE, ScriptKind, TRANSFORM};

pub(crate) use claims_script::{ClaimsScript, request_text};
pub(crate) use modules::{LOADER, add_to_linker};
pub(crate) use source_positions::SourcePositions;

/// What the runtime puts before the message of an exception.
const EVALUATION_ERROR_PREFIXES: [&str; 2] =
    ["Failed to evaluate user JavaScript module: ", "Failed to finish JavaScript module evaluation: "];

/// What it puts before a syntax error: the syntax is newer than the runtime.
const SYNTAX_ERROR_PREFIX: &str = "Failed to declare JavaScript module: ";

/// What the runtime says of a top-level `await` that never settles.
const DEADLOCK_TEXT: &str = "blocking on a promise resulted in a dead lock";

/// What is prepared once for all plugins of these languages.
pub(crate) struct JavaScript {
    claims: PreparedScriptKind,
    transform: PreparedScriptKind,
    message: PreparedScriptKind,
    cache: Option<DiskCache>,
    native: Option<Arc<CompiledCodeCache>>,
    metered: bool,
}

/// What is prepared once for all plugins of one kind.
struct PreparedScriptKind {
    script_kind: &'static ScriptKind,
    fingerprint: String,
    base: OnceLock<SharedComponent>,
}

/// The module of one plugin's memory, its kind, and its source map.
pub(crate) struct MemorySnapshot {
    pub(crate) image: Vec<u8>,
    pub(crate) kind: Kind,
    pub(crate) positions: SourcePositions,
}

impl JavaScript {
    /// Uses the caches, if there are any. `metered` is the engine's own.
    pub(crate) fn new(
        engine: &Engine,
        cache: Option<DiskCache>,
        native: Option<Arc<CompiledCodeCache>>,
        metered: bool,
    ) -> Self {
        let prepared = |script_kind| PreparedScriptKind {
            script_kind,
            fingerprint: shared_component::fingerprint(engine, script_kind),
            base: OnceLock::new(),
        };
        let [claims, transform, message] = [&CLAIMS, &TRANSFORM, &MESSAGE].map(prepared);
        Self { claims, transform, message, cache, native, metered }
    }

    /// How many writes to the cache failed.
    pub(crate) fn write_failures(&self) -> usize {
        self.cache.as_ref().map_or(0, DiskCache::write_failures)
    }

    /// Blocks while it parses and links; the author's top-level code runs as async.
    pub(crate) async fn snapshot(
        &self,
        engine: &Engine,
        ticker: &EpochTicker,
        linker: &Linker<Guest>,
        source: &Source,
    ) -> Result<MemorySnapshot, LoadError> {
        let script = syntax::read(&source.name, source.language, source.bytes())?;
        let kind = script.kind.kind;
        let prepared = self.prepared(kind);
        let base = self.base(engine, prepared)?;
        let without_snapshot = base.without_snapshot(engine, linker, self.native.as_deref());
        let without_snapshot = without_snapshot.map_err(|error| trap::host_failure(&error))?;
        let positions = script.positions;
        let taken = snapshot::take(
            (engine, ticker),
            (without_snapshot, &base.image),
            prepared.script_kind,
            script.text,
            self.metered,
        )
        .await;
        let image = taken.map_err(|failure| match failure {
            SnapshotFailure::Thrown(text) => thrown(prepared.script_kind, &positions.rewrite(text)),
            SnapshotFailure::Other(error) => error,
        })?;
        Ok(MemorySnapshot { image, kind, positions })
    }

    /// The linked instance, its imports, and the size of the shared component.
    pub(crate) fn link(
        &self,
        engine: &Engine,
        linker: &Linker<Guest>,
        kind: Kind,
        image: &Module,
    ) -> Result<(InstancePre<Guest>, Vec<String>, usize), LoadError> {
        let base = self.base(engine, self.prepared(kind))?;
        let instance = base.with(linker, image).map_err(|error| trap::host_failure(&error))?;
        Ok((instance, base.imports(engine), base.size))
    }

    /// What a plugin of these languages depends on beside its text and the engine.
    pub(crate) fn fingerprints(&self) -> [&str; 3] {
        [&self.claims.fingerprint, &self.transform.fingerprint, &self.message.fingerprint]
    }

    /// The files of the runtime of one kind, or of all where it is not known, each with the folder of its cache. They
    /// are made where they are missing. Blocks.
    pub(crate) fn runtime_files(
        &self,
        engine: &Engine,
        linker: &Linker<Guest>,
        kind: Option<Kind>,
    ) -> Result<Vec<(&'static str, PathBuf)>, LoadError> {
        let mut files = Vec::new();
        for prepared in [&self.claims, &self.transform, &self.message] {
            if kind.is_none_or(|kind| kind == prepared.script_kind.kind) {
                let base = self.base(engine, prepared)?;
                let compiled = base.without_snapshot(engine, linker, self.native.as_deref());
                compiled.map_err(|error| trap::host_failure(&error))?;
                files.extend(base.files.iter().cloned());
            }
        }
        Ok(files)
    }

    fn prepared(&self, kind: Kind) -> &PreparedScriptKind {
        match kind {
            Kind::Claims => &self.claims,
            Kind::WebhookTransform => &self.transform,
            Kind::Message => &self.message,
        }
    }

    fn base<'a>(&self, engine: &Engine, prepared: &'a PreparedScriptKind) -> Result<&'a SharedComponent, LoadError> {
        if let Some(base) = prepared.base.get() {
            return Ok(base);
        }
        let PreparedScriptKind { script_kind, fingerprint, base } = prepared;
        let made = SharedComponent::new(engine, script_kind, fingerprint, self.cache.as_ref(), self.native.as_deref())?;
        Ok(base.get_or_init(|| made))
    }
}

/// The error that the author's top-level code threw, or a syntax error that the runtime found.
fn thrown(script_kind: &ScriptKind, text: &str) -> LoadError {
    let text = EVALUATION_ERROR_PREFIXES.iter().fold(text, |text, prefix| text.strip_prefix(prefix).unwrap_or(text));
    if let Some(text) = text.strip_prefix(SYNTAX_ERROR_PREFIX) {
        return LoadError::Syntax(vec![syntax_finding(text)]);
    }
    if text.contains(script_kind.not_a_function) {
        return LoadError::WrongWorld(script_kind.not_a_function.to_owned());
    }
    let text = if text.contains(DEADLOCK_TEXT) { "it awaits a promise that never settles" } else { text };
    LoadError::Initialization(format!("top-level code failed: {text}"))
}

/// A syntax error of the runtime, at the position that its trace names.
fn syntax_finding(text: &str) -> Finding {
    let mut found = Finding::at_first_position(text);
    if found.file.is_some() {
        // The position is shown before the message now.
        let message = text.lines().take_while(|line| !line.trim_start().starts_with("at "));
        found.message = message.collect::<Vec<_>>().join("\n");
    }
    found
}
