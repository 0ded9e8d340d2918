//! One plugin's memory, after its author's top-level code ran, under limits.

use super::{base::STACK, image, modules::AUTHOR, sections::Failure as Broken, worlds::Flavour};
use crate::{
    Limits, LoadError,
    guest::{self, Guest},
    ticker::Ticker,
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

/// Where the runtime keeps the makers of streams and futures; our worlds have neither.
const GLUE: &str = "const wit = globalThis.wit = {};";

/// Reading the snapshot out copies whole memories, which no guest asked for.
const SNAPSHOT_BYTES: usize = 2 * LIMITS.memory;

type Init = (String, String, Option<String>, bool);

/// Why there is no snapshot.
pub(super) enum Failure {
    /// The author's code threw: message and stack, with the positions that the guest saw.
    Thrown(String),
    /// Anything else, ready to show.
    Other(LoadError),
}

impl From<wasmtime::Error> for Failure {
    fn from(error: wasmtime::Error) -> Self {
        Self::Other(trap::host_failure(&error))
    }
}

impl From<Broken> for Failure {
    fn from(failure: Broken) -> Self {
        Self::Other(LoadError::Internal(failure.0))
    }
}

/// Runs `text` as a module and takes the snapshot.
pub(super) async fn take(
    (engine, ticker): (&Engine, &Ticker),
    (unprepared, image): (&InstancePre<Guest>, &[u8]),
    flavour: &Flavour,
    text: String,
    metered: bool,
) -> Result<Vec<u8>, Failure> {
    let mut store = guest::new_store(engine, ticker, &LIMITS, metered)?;
    let ours = flavour.prelude.iter().map(|(path, text)| (*path, (*text).to_owned()));
    store.data_mut().modules = ours.chain([(AUTHOR, text)]).collect();
    let run = async {
        let instance = unprepared.instantiate_async(&mut store).await?;
        instance.get_typed_func::<(), ()>(&mut store, "prepare")?.call_async(&mut store, ()).await?;
        let init = instance.get_typed_func::<Init, (Result<(), String>,)>(&mut store, "init")?;
        let (path, entry) = flavour.entry;
        let arguments = (GLUE.to_owned(), entry.to_owned(), Some(path.to_owned()), false);
        let (answer,) = init.call_async(&mut store, arguments).await?;
        Ok((instance, answer))
    };
    let ran: Result<wasmtime::Result<_>, _> = timeout(LIMITS.deadline, run).await;
    let failed = |text: String| Err(Failure::Other(LoadError::Initialization(text)));
    if let Some(limit) = store.data().memory.exceeded() {
        return failed(format!("top-level code used more than {} MiB", limit >> 20));
    }
    let instance = match ran {
        Err(_) => return failed(format!("top-level code ran longer than {} s", LIMITS.deadline.as_secs())),
        Ok(Err(error)) if trap::is_out_of_memory(&error) => return Err(error.into()),
        Ok(Err(error)) => return failed(format!("top-level code failed: {}", trap::describe(&error))),
        Ok(Ok((_, Err(thrown)))) => return Err(Failure::Thrown(thrown)),
        Ok(Ok((instance, Ok(())))) => instance,
    };
    store.set_hostcall_fuel(SNAPSHOT_BYTES);
    read_out(&mut store, instance, image).await
}

/// What is below the end of the stack is free again, since nothing runs.
async fn read_out(store: &mut Store<Guest>, instance: Instance, image: &[u8]) -> Result<Vec<u8>, Failure> {
    let take = instance.get_typed_func::<(), (WasmList<u8>,)>(&mut *store, "take")?;
    let (memory,) = take.call_async(&mut *store, ()).await?;
    let memory = memory.as_le_slice(&*store);
    let pages = image::pages(memory, STACK as usize)?;
    Ok(image::with(image, Some(memory.len() as u64 >> 16), pages)?)
}
