//! An empty replacement for the JavaScript module resolver, which a dependency names and nothing calls.

use std::path::Path;

#[derive(Default)]
pub struct ResolveOptions {
    pub condition_names: Vec<String>,
    pub extensions: Vec<String>,
    pub main_fields: Vec<String>,
    pub node_path: bool,
    pub symlinks: bool,
    pub modules: Vec<String>,
}

pub struct Resolver;

pub struct Resolution;

#[derive(Clone, Copy, Debug)]
pub struct LeftOut;

impl std::fmt::Display for LeftOut {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("this resolver is left out of the build")
    }
}

impl std::error::Error for LeftOut {}

impl Resolver {
    pub fn new(_: ResolveOptions) -> Self {
        Self
    }

    pub fn resolve_file(&self, _: impl AsRef<Path>, _: &str) -> Result<Resolution, LeftOut> {
        Err(LeftOut)
    }
}

impl Resolution {
    pub fn path(&self) -> &Path {
        Path::new("")
    }
}
