//! The wasmtime engine and its settings: pooled instances, epoch interruption, fuel, stacks, and a cache of native
//! code.

use crate::{HostOptions, StartError, memory_limiter::MAX_TABLE_ELEMENTS};
use wasmtime::{Cache, Config, Enabled, Engine, InstanceAllocationStrategy, PoolingAllocationConfig};

/// Bytes of a guest's stack: some 3,000 calls deep in JavaScript. With more, the JavaScript runtime would overflow its
/// own second stack first, whose end it cannot tell from any other bad address.
const WASM_STACK_BYTES: usize = 2 << 20;

/// Bytes of stack that host functions have beyond the guest's.
const HOST_STACK_BYTES: usize = 512 << 10;

/// Instances beside those of calls: one trial instance, and one whose top-level code runs.
const SPARE_INSTANCES: u32 = 2;

/// Sets up the engine.
pub(crate) fn new_engine(options: &HostOptions, code_cache: Option<Cache>) -> Result<Engine, StartError> {
    let mut config = Config::new();
    // Nothing that [`HostOptions`] change may have a part in the native code: another process, with other options,
    // compiles it into the cache.
    config.parallel_compilation(options.parallel_compilation);
    config.epoch_interruption(true);
    // Native code is cached under a key that knows of it, so that both kinds of host may share a cache.
    config.consume_fuel(options.metered);
    // The prebuilt JavaScript runtime is validated with it.
    config.wasm_component_model_map(true);
    // What a guest leaves on its stack is neither kept for the next nor kept resident.
    config.async_stack_zeroing(true);
    config.max_wasm_stack(WASM_STACK_BYTES).async_stack_size(WASM_STACK_BYTES + HOST_STACK_BYTES);
    config.cache(code_cache);
    config.allocation_strategy(InstanceAllocationStrategy::Pooling(pool(options)));
    Engine::new(&config).or_else(|error| {
        // The pool reserves address space ahead, which a container or `ulimit -v` may refuse.
        tracing::warn!(error = format!("{error:#}"), "the instance pool cannot reserve its address space; instances are allocated on demand, and calls take longer");
        config.allocation_strategy(InstanceAllocationStrategy::OnDemand);
        Engine::new(&config).map_err(start_error)
    })
}

#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
fn start_error(error: wasmtime::Error) -> StartError {
    StartError(format!("{error:#}"))
}

/// Slots for every call at once. What a component may hold fits the largest known guest, a Python interpreter.
fn pool(options: &HostOptions) -> PoolingAllocationConfig {
    let instances = u32::try_from(options.concurrency.max(1)).unwrap_or(u32::MAX).saturating_add(SPARE_INSTANCES);
    let mut pool = PoolingAllocationConfig::default();
    pool.total_component_instances(instances)
        .total_stacks(instances)
        .total_core_instances(instances.saturating_mul(60))
        .max_core_instances_per_component(60)
        .total_tables(instances.saturating_mul(60))
        .max_tables_per_component(60)
        .table_elements(MAX_TABLE_ELEMENTS)
        .total_memories(instances.saturating_mul(10))
        .max_memories_per_component(10)
        .max_memory_size(options.max_memory)
        .max_component_instance_size(8 << 20)
        .max_core_instance_size(8 << 20)
        // A slot that was used keeps memory resident, and is kept for the plugin that used it. Versions come and go: as
        // many as calls at once need are kept, not one for every version that there ever was.
        .max_unused_warm_slots(instances)
        // Resetting this much by copying is cheaper than giving it back and faulting it in again.
        .linear_memory_keep_resident(2 << 20)
        // Only pages that were written to, where the system can tell which (Linux 6.7).
        .pagemap_scan(Enabled::Auto)
        .table_keep_resident(64 << 10)
        .async_stack_keep_resident(64 << 10);
    pool
}
