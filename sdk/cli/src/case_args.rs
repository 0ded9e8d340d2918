//! The options of `claimsmith plugin test` for golden cases.

use std::path::PathBuf;

/// How golden cases are run here.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct CaseArgs {
    /// Run the golden cases again at every change
    #[arg(long)]
    pub(crate) watch: bool,
    /// Let what the plugin answers be what the failing cases expect: read the difference before you commit it
    #[arg(long)]
    pub(crate) update: bool,
    /// Say what no golden case asks
    #[arg(long)]
    pub(crate) coverage: bool,
    /// Ask so many made-up questions beside, and fail if the plugin traps, sets reserved names or takes too much
    #[arg(long, value_name = "NUMBER")]
    pub(crate) random: Option<u32>,
    /// The seed of the made-up questions [default: another one each time]
    #[arg(long, value_name = "NUMBER", requires = "random")]
    pub(crate) seed: Option<u64>,
    /// Write what came of the golden cases as `JUnit` XML
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
}

impl CaseArgs {
    pub(crate) fn is_given(&self) -> bool {
        self.watch || self.update || self.coverage || self.random.is_some() || self.junit.is_some()
    }
}
