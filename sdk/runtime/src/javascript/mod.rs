//! JavaScript and TypeScript become plugins in process: the text is read (`syntax`), run once under limits on a prebuilt
//! QuickJS (`base`), and the memory that it left is the plugin (`snapshot`): the code is the same for all of them.

mod base;
mod enums;
mod image;
mod linking;
mod modules;
mod positions;
mod sections;
mod snapshot;
mod syntax;
mod worlds;

use crate::{Finding, Kind, LoadError, Source, cache::Cache, guest::Guest, native::NativeCache, ticker::Ticker, trap};
use base::Base;
use snapshot::Failure;
use std::{
    path::PathBuf,
    sync::{Arc, OnceLock},
};
use wasmtime::{
    Engine, Module,
    component::{InstancePre, Linker},
};
use worlds::{CLAIMS, Flavour, TRANSFORM};

pub(crate) use modules::{LOADER, add_to_linker};
pub(crate) use positions::Positions;

/// What the runtime says before it tells what was thrown.
const RUNTIME_SAYS: [&str; 2] =
    ["Failed to evaluate user JavaScript module: ", "Failed to finish JavaScript module evaluation: "];

/// What it says before it tells what it could not read: syntax that is newer than the runtime.
const NOT_READ: &str = "Failed to declare JavaScript module: ";

/// How the runtime words a top-level `await` that nothing can end.
const NEVER_SETTLES: &str = "blocking on a promise resulted in a dead lock";

/// What is prepared once for all plugins of these languages.
pub(crate) struct JavaScript {
    claims: Prepared,
    transform: Prepared,
    cache: Option<Cache>,
    native: Option<Arc<NativeCache>>,
    metered: bool,
}

/// What is prepared once for all plugins of one kind.
struct Prepared {
    flavour: &'static Flavour,
    fingerprint: String,
    base: OnceLock<Base>,
}

/// The module of one plugin's memory, what it is for, and the way from its positions to its author's.
pub(crate) struct Snapshot {
    pub(crate) image: Vec<u8>,
    pub(crate) kind: Kind,
    pub(crate) positions: Positions,
}

impl JavaScript {
    /// Keeps what it makes in the caches, if there are any. `metered` is the engine's own.
    pub(crate) fn new(engine: &Engine, cache: Option<Cache>, native: Option<Arc<NativeCache>>, metered: bool) -> Self {
        let prepared =
            |flavour| Prepared { flavour, fingerprint: base::fingerprint(engine, flavour), base: OnceLock::new() };
        Self { claims: prepared(&CLAIMS), transform: prepared(&TRANSFORM), cache, native, metered }
    }

    /// How often something could not be kept.
    pub(crate) fn unkept(&self) -> usize {
        self.cache.as_ref().map_or(0, Cache::unkept)
    }

    /// Blocks while it reads and links; the author's top-level code runs as async.
    pub(crate) async fn snapshot(
        &self,
        engine: &Engine,
        ticker: &Ticker,
        linker: &Linker<Guest>,
        source: &Source,
    ) -> Result<Snapshot, LoadError> {
        let script = syntax::read(&source.name, source.language, source.bytes())?;
        let kind = script.flavour.kind;
        let prepared = self.prepared(kind);
        let base = self.base(engine, prepared)?;
        let unprepared = base.unprepared(engine, linker, self.native.as_deref());
        let unprepared = unprepared.map_err(|error| trap::host_failure(&error))?;
        let positions = script.positions;
        let taken =
            snapshot::take((engine, ticker), (unprepared, &base.image), prepared.flavour, script.text, self.metered)
                .await;
        let image = taken.map_err(|failure| match failure {
            Failure::Thrown(text) => thrown(prepared.flavour, &positions.rewrite(text)),
            Failure::Other(error) => error,
        })?;
        Ok(Snapshot { image, kind, positions })
    }

    /// What is called, what it imports, and the size of what plugins share of it.
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
    pub(crate) fn fingerprints(&self) -> [&str; 2] {
        [&self.claims.fingerprint, &self.transform.fingerprint]
    }

    /// The files of the runtime of one kind, or of all where it is not known, each with the folder of its cache. They are
    /// made where they are missing. Blocks.
    pub(crate) fn runtime_files(
        &self,
        engine: &Engine,
        linker: &Linker<Guest>,
        kind: Option<Kind>,
    ) -> Result<Vec<(&'static str, PathBuf)>, LoadError> {
        let mut files = Vec::new();
        for prepared in [&self.claims, &self.transform] {
            if kind.is_none_or(|kind| kind == prepared.flavour.kind) {
                let base = self.base(engine, prepared)?;
                let compiled = base.unprepared(engine, linker, self.native.as_deref());
                compiled.map_err(|error| trap::host_failure(&error))?;
                files.extend(base.files.iter().cloned());
            }
        }
        Ok(files)
    }

    fn prepared(&self, kind: Kind) -> &Prepared {
        match kind {
            Kind::Claims => &self.claims,
            Kind::WebhookTransform => &self.transform,
        }
    }

    fn base<'a>(&self, engine: &Engine, prepared: &'a Prepared) -> Result<&'a Base, LoadError> {
        if let Some(base) = prepared.base.get() {
            return Ok(base);
        }
        let Prepared { flavour, fingerprint, base } = prepared;
        let made = Base::new(engine, flavour, fingerprint, self.cache.as_ref(), self.native.as_deref())?;
        Ok(base.get_or_init(|| made))
    }
}

/// What the author's top-level code threw, or what the runtime could not read.
fn thrown(flavour: &Flavour, text: &str) -> LoadError {
    let text = RUNTIME_SAYS.iter().fold(text, |text, prefix| text.strip_prefix(prefix).unwrap_or(text));
    if let Some(text) = text.strip_prefix(NOT_READ) {
        return LoadError::Syntax(vec![not_read(text)]);
    }
    if text.contains(flavour.not_a_function) {
        return LoadError::WrongWorld(flavour.not_a_function.to_owned());
    }
    let text = if text.contains(NEVER_SETTLES) { "it awaits a promise that never settles" } else { text };
    LoadError::Initialization(format!("top-level code failed: {text}"))
}

/// What the runtime could not read, at the place that its trace names.
fn not_read(text: &str) -> Finding {
    let mut found = Finding::at_first_position(text);
    if found.file.is_some() {
        // The place stands before the message now.
        let message = text.lines().take_while(|line| !line.trim_start().starts_with("at "));
        found.message = message.collect::<Vec<_>>().join("\n");
    }
    found
}
