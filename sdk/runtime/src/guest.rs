//! One guest's side of the host: its store, and what it is given of the world. It sees no file, no socket, no
//! environment and no argument; clocks and randomness work, since language runtimes do not start without them.

use crate::{
    Level, Limits,
    bindings::claimsmith::plugin::{http, log, random, types},
    limiter::MemoryLimiter,
    log::LogBuffer,
};
use wasmtime::{Engine, Store, component::ResourceTable};
use wasmtime_wasi::{WasiCtx, WasiCtxView, WasiView};

/// Resources, tasks and handles that one guest may hold: each costs the host memory that no limiter sees.
const HANDLES: usize = 4096;

/// Bytes that one call of a host function may carry beside the answer or a log line of the allowed size.
const HOSTCALL_SLACK: usize = 64 << 10;

/// Bytes that `random.bytes` gives in one call, as the WIT says.
const RANDOM_BYTES: u32 = 4096;

/// The state of one store.
pub(crate) struct Guest {
    wasi: WasiCtx,
    table: ResourceTable,
    pub(crate) memory: MemoryLimiter,
    pub(crate) log: LogBuffer,
    /// Path and text of what the guest may load while its top-level code runs. Empty in a call.
    #[cfg(feature = "javascript")]
    pub(crate) modules: Vec<(&'static str, String)>,
}

/// A store whose guest yields to the async runtime at every tick, so that a timeout around it can end it.
pub(crate) fn new_store(engine: &Engine, limits: &Limits) -> Store<Guest> {
    let mut table = ResourceTable::new();
    table.set_max_capacity(HANDLES);
    let wasi = WasiCtx::builder()
        .allow_tcp(false)
        .allow_udp(false)
        .allow_ip_name_lookup(false)
        .max_random_size(u64::from(RANDOM_BYTES))
        .build();
    let guest = Guest {
        wasi,
        table,
        memory: MemoryLimiter::new(limits.memory),
        log: LogBuffer::new(limits.log),
        #[cfg(feature = "javascript")]
        modules: Vec::new(),
    };
    let mut store = Store::new(engine, guest);
    store.limiter(|guest| &mut guest.memory);
    store.set_epoch_deadline(1);
    store.epoch_deadline_async_yield_and_update(1);
    store.set_hostcall_fuel(hostcall_bytes(limits));
    store.set_max_component_handles(HANDLES);
    if let Some(table) = store.concurrent_resource_table() {
        table.set_max_capacity(HANDLES);
    }
    store
}

/// Bytes that may cross to the host at once, in a call or in the answer.
pub(crate) fn hostcall_bytes(limits: &Limits) -> usize {
    limits.output.max(limits.log).saturating_add(HOSTCALL_SLACK)
}

impl WasiView for Guest {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView { ctx: &mut self.wasi, table: &mut self.table }
    }
}

impl types::Host for Guest {}

impl log::Host for Guest {
    fn write(&mut self, level: log::Level, message: String) -> wasmtime::Result<()> {
        let level = match level {
            log::Level::Debug => Level::Debug,
            log::Level::Info => Level::Info,
            log::Level::Warn => Level::Warn,
            log::Level::Error => Level::Error,
        };
        self.log.write(level, message);
        Ok(())
    }
}

impl http::Host for Guest {
    fn send(&mut self, request: http::Request) -> wasmtime::Result<Result<http::Response, String>> {
        Ok(Err(format!("{} {} was not granted to this plugin", request.method, request.url)))
    }
}

impl random::Host for Guest {
    fn bytes(&mut self, len: u32) -> wasmtime::Result<Vec<u8>> {
        if len > RANDOM_BYTES {
            wasmtime::bail!("random.bytes gives at most {RANDOM_BYTES} bytes a call, not {len}");
        }
        let mut bytes = vec![0; len as usize];
        getrandom::fill(&mut bytes)?;
        Ok(bytes)
    }
}
