//! The memory limit of a guest: counts its linear memory, and remembers that the limit was hit. Whatever the guest
//! makes of a refused growth (an exception, a trap, a null pointer), the error says that the memory limit was exceeded.

use wasmtime::ResourceLimiter;

/// Elements of one table. The largest known guest, a Python interpreter, needs 13,000.
pub(crate) const MAX_TABLE_ELEMENTS: usize = 20_000;

/// The memory of one store, all its linear memories together, in bytes.
pub(crate) struct MemoryLimiter {
    limit: usize,
    used: usize,
    granted: usize,
    exceeded: bool,
}

impl MemoryLimiter {
    pub(crate) fn new(limit: usize) -> Self {
        Self { limit, used: 0, granted: 0, exceeded: false }
    }

    /// The limit, if the guest asked for more than it.
    pub(crate) fn exceeded(&self) -> Option<usize> {
        self.exceeded.then_some(self.limit)
    }

    /// A linear memory never shrinks, so what is in use is also the most that ever was.
    pub(crate) fn peak(&self) -> usize {
        self.used
    }
}

impl ResourceLimiter for MemoryLimiter {
    fn memory_growing(&mut self, current: usize, desired: usize, _maximum: Option<usize>) -> wasmtime::Result<bool> {
        self.granted = desired.saturating_sub(current);
        let used = self.used.saturating_add(self.granted);
        if used > self.limit {
            self.exceeded = true;
            return Ok(false);
        }
        self.used = used;
        Ok(true)
    }

    /// Granted here, but beyond the maximum that the memory declares for itself.
    fn memory_grow_failed(&mut self, _error: wasmtime::Error) -> wasmtime::Result<()> {
        self.used = self.used.saturating_sub(std::mem::take(&mut self.granted));
        Ok(())
    }

    fn table_growing(&mut self, _current: usize, desired: usize, _maximum: Option<usize>) -> wasmtime::Result<bool> {
        Ok(desired <= MAX_TABLE_ELEMENTS)
    }
}
