//! An empty replacement for a second wasmtime version, whose engine is never started.

use std::marker::PhantomData;

pub type Result<T, E = LeftOut> = std::result::Result<T, E>;

/// What every function answers.
#[derive(Clone, Copy, Debug)]
pub struct LeftOut;

impl std::fmt::Display for LeftOut {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("this engine is left out of the build")
    }
}

impl std::error::Error for LeftOut {}

#[derive(Default)]
pub struct Config;

impl Config {
    pub fn new() -> Self {
        Self
    }

    pub fn wasm_component_model(&mut self, _: bool) -> &mut Self {
        self
    }

    pub fn wasm_component_model_async(&mut self, _: bool) -> &mut Self {
        self
    }

    pub fn wasm_component_model_map(&mut self, _: bool) -> &mut Self {
        self
    }
}

pub struct Engine;

impl Engine {
    pub fn new(_: &Config) -> Result<Self> {
        Err(LeftOut)
    }
}

pub struct Store<T>(PhantomData<T>);

impl<T> Store<T> {
    pub fn new(_: &Engine, _: T) -> Self {
        Self(PhantomData)
    }
}

pub mod component {
    use super::{Engine, LeftOut, PhantomData, Result, Store};

    pub use super::bindgen;

    pub struct Component;

    impl Component {
        pub fn new(_: &Engine, _: impl AsRef<[u8]>) -> Result<Self> {
            Err(LeftOut)
        }
    }

    pub struct Instance;

    #[derive(Default)]
    pub struct ResourceTable;

    impl ResourceTable {
        pub fn new() -> Self {
            Self
        }
    }

    pub struct Linker<T>(PhantomData<T>);

    impl<T> Linker<T> {
        pub fn new(_: &Engine) -> Self {
            Self(PhantomData)
        }

        pub fn allow_shadowing(&mut self, _: bool) -> &mut Self {
            self
        }

        pub fn define_unknown_imports_as_traps(&mut self, _: &Component) -> Result<()> {
            Err(LeftOut)
        }

        pub fn instance(&mut self, _: &str) -> Result<LinkerInstance<T>> {
            Err(LeftOut)
        }

        pub async fn instantiate_async(&self, _: &mut Store<T>, _: &Component) -> Result<Instance> {
            Err(LeftOut)
        }
    }

    pub struct LinkerInstance<T>(PhantomData<T>);

    impl<T> LinkerInstance<T> {
        pub fn func_wrap<P, R>(&mut self, _: &str, _: impl Fn((), P) -> Result<R>) -> Result<()> {
            Err(LeftOut)
        }
    }
}

/// The bindings of the one world that is asked for.
#[macro_export]
macro_rules! bindgen {
    ($($settings:tt)*) => {
        struct Init;

        impl Init {
            fn new<T>(_: &mut $crate::Store<T>, _: &$crate::component::Instance) -> $crate::Result<Self> {
                Err($crate::LeftOut)
            }

            async fn call_init<T>(
                &self,
                _: &mut $crate::Store<T>,
                _: &str,
                _: &str,
                _: Option<&str>,
                _: bool,
            ) -> $crate::Result<std::result::Result<(), String>> {
                Err($crate::LeftOut)
            }
        }
    };
}
