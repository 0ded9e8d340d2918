//! Takes the snapshot of a plugin: runs its top-level code once, under limits, and reads out its memory.

use super::{image, modules::AUTHOR_MODULE, sections::LinkFailure, shared_component::STACK_BYTES, worlds::ScriptKind};
use crate::{
    Limits, LoadError,
    epoch_ticker::EpochTicker,
    guest::{self, Guest},
    trap,
};
use std::time::Duration;
use tokio::time::timeout;
use wasmtime::{
    Engine, Store,
    component::{Instance, InstancePre, WasmList},
};

/// What top-level code may use. It runs once per version of a plugin, not per call.
const LIMITS: Limits = Limits { deadline: Duration::from_secs(2), memory: 64 << 20, output: 64 << 10, log: 64 << 10 };

/// The object in which the runtime keeps constructors of streams and futures; the plugin worlds have neither.
const GLUE: &str = "const wit = globalThis.wit = {};";

/// Bytes that reading the snapshot may copy: whole memories, which no guest asked for.
const MAX_SNAPSHOT_BYTES: usize = 2 * LIMITS.memory;

type Init = (String, String, Option<String>, bool);

/// Why there is no snapshot.
pub(super) enum SnapshotFailure {
    /// The author's code threw: message and stack, with the positions that the guest saw.
    Thrown(String),
    /// Anything else, ready to show.
    Other(LoadError),
}

impl From<wasmtime::Error> for SnapshotFailure {
    fn from(error: wasmtime::Error) -> Self {
        Self::Other(trap::host_failure(&error))
    }
}

impl From<LinkFailure> for SnapshotFailure {
    fn from(failure: LinkFailure) -> Self {
        Self::Other(LoadError::Internal(failure.0))
    }
}

/// Runs `text` as a module and takes the snapshot.
pub(super) async fn take(
    (engine, ticker): (&Engine, &EpochTicker),
    (without_snapshot, image): (&InstancePre<Guest>, &[u8]),
    script_kind: &ScriptKind,
    text: String,
    metered: bool,
) -> Result<Vec<u8>, SnapshotFailure> {
    let mut store = guest::new_store(engine, ticker, &LIMITS, metered)?;
    let ours = script_kind.prelude.iter().map(|(path, text)| (*path, (*text).to_owned()));
    store.data_mut().modules = ours.chain([(AUTHOR_MODULE, text)]).collect();
    let run = async {
        let instance = without_snapshot.instantiate_async(&mut store).await?;
        instance.get_typed_func::<(), ()>(&mut store, "prepare")?.call_async(&mut store, ()).await?;
        let init = instance.get_typed_func::<Init, (Result<(), String>,)>(&mut store, "init")?;
        let (path, entry) = script_kind.entry;
        let arguments = (GLUE.to_owned(), entry.to_owned(), Some(path.to_owned()), false);
        let (answer,) = init.call_async(&mut store, arguments).await?;
        Ok((instance, answer))
    };
    let ran: Result<wasmtime::Result<_>, _> = timeout(LIMITS.deadline, run).await;
    let failed = |text: String| Err(SnapshotFailure::Other(LoadError::Initialization(text)));
    if let Some(limit) = store.data().memory.exceeded() {
        return failed(format!("top-level code used more than {} MiB", limit >> 20));
    }
    let instance = match ran {
        Err(_) => return failed(format!("top-level code ran longer than {} s", LIMITS.deadline.as_secs())),
        Ok(Err(error)) if trap::is_out_of_memory(&error) => return Err(error.into()),
        Ok(Err(error)) => return failed(format!("top-level code failed: {}", trap::describe(&error))),
        Ok(Ok((_, Err(thrown)))) => return Err(SnapshotFailure::Thrown(thrown)),
        Ok(Ok((instance, Ok(())))) => instance,
    };
    store.set_hostcall_fuel(MAX_SNAPSHOT_BYTES);
    read_out(&mut store, instance, image).await
}

/// Leaves out the stack, which is empty since nothing runs.
async fn read_out(store: &mut Store<Guest>, instance: Instance, image: &[u8]) -> Result<Vec<u8>, SnapshotFailure> {
    let take = instance.get_typed_func::<(), (WasmList<u8>,)>(&mut *store, "take")?;
    let (memory,) = take.call_async(&mut *store, ()).await?;
    let memory = memory.as_le_slice(&*store);
    let pages = image::pages(memory, STACK_BYTES as usize)?;
    Ok(image::with(image, Some(memory.len() as u64 >> 16), pages)?)
}
