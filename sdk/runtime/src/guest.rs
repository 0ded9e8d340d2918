//! The store of one guest, and the host functions that it may call. WASI gives it no files, sockets, environment or
//! arguments; clocks and randomness work, since language runtimes do not start without them. Where instructions are
//! counted (fuel), random bytes are the same in every call: runtimes seed their hash tables with them, so the count
//! would vary.

use crate::{
    HttpResponse, Level, Limits,
    bindings::{
        claims::claimsmith::plugin::{cache, http, log, random, types},
        message::claimsmith::plugin::messages,
        transform::claimsmith::plugin::webhooks,
    },
    cache::{CacheCall, Owner},
    clocks::{CoarseMonotonic, CoarseWall, GivenWall},
    epoch_ticker::{ActiveTicker, EpochTicker},
    http::HttpCall,
    log_buffer::LogBuffer,
    memory_limiter::MemoryLimiter,
};
use rand::{Rng as _, SeedableRng as _, rngs::StdRng};
use std::time::Duration;
use wasmtime::{Engine, Store, component::ResourceTable};
use wasmtime_wasi::{WasiCtx, WasiCtxBuilder, WasiCtxView, WasiView};

/// Resources, tasks and handles that one guest may hold: each costs the host memory that no limiter sees.
const MAX_HANDLES: usize = 4096;

/// Bytes that one call of a host function may carry beside the answer or a log line of the allowed size.
const HOSTCALL_SLACK_BYTES: usize = 64 << 10;

/// Bytes that `random.bytes` gives in one call, as the WIT says.
const MAX_RANDOM_BYTES: u32 = 4096;

/// The fuel that a guest starts with where instructions are counted: it never runs out, only the deadline ends a call.
pub(crate) const INITIAL_FUEL: u64 = u64::MAX;

/// The state of one store.
pub(crate) struct Guest {
    wasi: WasiCtx,
    table: ResourceTable,
    /// None for the system's random source.
    random: Option<StdRng>,
    pub(crate) memory: MemoryLimiter,
    pub(crate) log: LogBuffer,
    pub(crate) http: HttpCall,
    pub(crate) cache: CacheCall,
    _active_ticker: ActiveTicker,
    /// Path and text of what the guest may load while its top-level code runs. Empty in a call.
    #[cfg(feature = "javascript")]
    pub(crate) modules: Vec<(&'static str, String)>,
}

/// A store whose guest yields to its executor at every tick, so that a timeout around it can end it.
/// On a metered engine it starts with [`INITIAL_FUEL`], which nobody can use up.
pub(crate) fn new_store(
    engine: &Engine,
    ticker: &EpochTicker,
    limits: &Limits,
    metered: bool,
) -> wasmtime::Result<Store<Guest>> {
    let mut table = ResourceTable::new();
    table.set_max_capacity(MAX_HANDLES);
    let mut wasi = empty_wasi();
    wasi.wall_clock(CoarseWall).monotonic_clock(CoarseMonotonic::start());
    if metered {
        wasi.secure_random(seeded_random(0)).insecure_random(seeded_random(0)).insecure_random_seed(0);
    }
    let guest = Guest {
        wasi: wasi.build(),
        table,
        random: metered.then(|| seeded_random(0)),
        memory: MemoryLimiter::new(limits.memory),
        log: LogBuffer::new(limits.log),
        http: HttpCall::default(),
        cache: CacheCall::default(),
        _active_ticker: ticker.start_ticking(),
        #[cfg(feature = "javascript")]
        modules: Vec::new(),
    };
    let mut store = Store::new(engine, guest);
    store.limiter(|guest| &mut guest.memory);
    store.set_epoch_deadline(1);
    store.epoch_deadline_async_yield_and_update(1);
    store.set_hostcall_fuel(hostcall_bytes(limits, 0));
    store.set_max_component_handles(MAX_HANDLES);
    if let Some(table) = store.concurrent_resource_table() {
        table.set_max_capacity(MAX_HANDLES);
    }
    if metered {
        store.set_fuel(INITIAL_FUEL)?;
    }
    Ok(store)
}

/// WASI without files, sockets, environment and arguments.
fn empty_wasi() -> WasiCtxBuilder {
    let mut wasi = WasiCtx::builder();
    wasi.allow_tcp(false).allow_udp(false).allow_ip_name_lookup(false).max_random_size(u64::from(MAX_RANDOM_BYTES));
    wasi
}

/// A random source with this seed.
fn seeded_random(seed: u64) -> StdRng {
    StdRng::seed_from_u64(seed)
}

impl Guest {
    /// Sets the time of day at which the call begins, and the seed of all random bytes.
    pub(crate) fn set_conditions(&mut self, clock: Duration, seed: u64) {
        let mut wasi = empty_wasi();
        wasi.wall_clock(GivenWall::start(clock)).monotonic_clock(CoarseMonotonic::start());
        wasi.secure_random(seeded_random(seed)).insecure_random(seeded_random(seed)).insecure_random_seed(seed.into());
        self.wasi = wasi.build();
        self.random = Some(seeded_random(seed));
    }
}

/// Bytes that may cross to the host in one host call: in the answer, a log line, or a request to another server of at
/// most `request` bytes.
pub(crate) fn hostcall_bytes(limits: &Limits, request: usize) -> usize {
    limits.output.max(limits.log).max(request).saturating_add(HOSTCALL_SLACK_BYTES)
}

impl WasiView for Guest {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView { ctx: &mut self.wasi, table: &mut self.table }
    }
}

impl types::Host for Guest {}

impl webhooks::Host for Guest {}

impl messages::Host for Guest {}

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
    async fn send(&mut self, request: http::Request) -> wasmtime::Result<Result<http::Response, String>> {
        let http::Request { method, url, headers, body } = request;
        let answer = self.http.send(method, &url, headers, body).await;
        Ok(self.told(answer).map(|HttpResponse { status, headers, body }| http::Response { status, headers, body }))
    }
}

impl cache::Host for Guest {
    fn get(&mut self, owner: cache::Owner, key: String) -> wasmtime::Result<Result<Option<Vec<u8>>, String>> {
        let found = self.cache.get(owner.into(), &key);
        Ok(self.told(found))
    }

    fn set(
        &mut self,
        owner: cache::Owner,
        key: String,
        value: Vec<u8>,
        seconds: u32,
    ) -> wasmtime::Result<Result<(), String>> {
        let kept = self.cache.set(owner.into(), &key, value, seconds);
        Ok(self.told(kept))
    }
}

impl Guest {
    /// The result of a host function, whose error is in the plugin's log as well.
    fn told<T>(&mut self, result: Result<T, String>) -> Result<T, String> {
        if let Err(why) = &result {
            self.log.write(Level::Warn, why.clone());
        }
        result
    }
}

impl From<cache::Owner> for Owner {
    fn from(owner: cache::Owner) -> Self {
        match owner {
            cache::Owner::User => Self::User,
            cache::Owner::Application => Self::Application,
            cache::Owner::Everybody => Self::Everybody,
        }
    }
}

impl random::Host for Guest {
    fn bytes(&mut self, len: u32) -> wasmtime::Result<Vec<u8>> {
        if len > MAX_RANDOM_BYTES {
            wasmtime::bail!("random.bytes gives at most {MAX_RANDOM_BYTES} bytes a call, not {len}");
        }
        let mut bytes = vec![0; len as usize];
        match &mut self.random {
            Some(random) => random.fill_bytes(&mut bytes),
            None => getrandom::fill(&mut bytes)?,
        }
        Ok(bytes)
    }
}
