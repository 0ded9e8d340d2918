//! An empty replacement for the Wizer crate of an engine version that is never started.

use wasmtime::component::Instance;
use wasmtime::{LeftOut, Result, Store};

#[derive(Default)]
pub struct Wizer;

pub struct Context;

pub struct WasmtimeWizerComponent<'a, T> {
    pub store: &'a mut Store<T>,
    pub instance: Instance,
}

impl Wizer {
    pub fn new() -> Self {
        Self
    }

    pub fn instrument_component(&self, _: &[u8]) -> Result<(Context, Vec<u8>)> {
        Err(LeftOut)
    }

    pub async fn snapshot_component<T>(&self, _: Context, _: &mut WasmtimeWizerComponent<'_, T>) -> Result<Vec<u8>> {
        Err(LeftOut)
    }
}
