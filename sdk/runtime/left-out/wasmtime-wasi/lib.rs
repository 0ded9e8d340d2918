//! An empty replacement for the WASI crate of an engine version that is never started.

use wasmtime::component::ResourceTable;

pub struct WasiCtx;

pub struct WasiCtxView<'a> {
    pub ctx: &'a mut WasiCtx,
    pub table: &'a mut ResourceTable,
}

pub trait WasiView {
    fn ctx(&mut self) -> WasiCtxView<'_>;
}

#[derive(Default)]
pub struct WasiCtxBuilder;

impl WasiCtxBuilder {
    pub fn new() -> Self {
        Self
    }

    pub fn stdin<S>(&mut self, _: S) -> &mut Self {
        self
    }

    pub fn stdout<S>(&mut self, _: S) -> &mut Self {
        self
    }

    pub fn stderr<S>(&mut self, _: S) -> &mut Self {
        self
    }

    pub fn build(&mut self) -> WasiCtx {
        WasiCtx
    }
}

pub mod p2 {
    use wasmtime::component::Linker;
    use wasmtime::{LeftOut, Result};

    pub mod pipe {
        use bytes::Bytes;

        pub struct MemoryInputPipe;

        impl MemoryInputPipe {
            pub fn new(_: Bytes) -> Self {
                Self
            }
        }

        #[derive(Clone)]
        pub struct MemoryOutputPipe;

        impl MemoryOutputPipe {
            pub fn new(_: usize) -> Self {
                Self
            }

            pub fn contents(&self) -> Bytes {
                Bytes::new()
            }
        }
    }

    pub fn add_to_linker_async<T>(_: &mut Linker<T>) -> Result<()> {
        Err(LeftOut)
    }
}

pub mod p3 {
    use wasmtime::component::Linker;
    use wasmtime::{LeftOut, Result};

    pub fn add_to_linker<T>(_: &mut Linker<T>) -> Result<()> {
        Err(LeftOut)
    }
}
