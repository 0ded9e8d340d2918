//! How the commands that read or write a registry talk to it.

#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct RegistryArgs {
    /// Talk HTTP without TLS to the registry; otherwise only to one of this machine
    #[arg(long)]
    pub(crate) plain_http: bool,
    /// Seconds that one answer of the registry may take
    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) registry_seconds: u32,
}

impl Default for RegistryArgs {
    fn default() -> Self {
        Self { plain_http: false, registry_seconds: 120 }
    }
}
