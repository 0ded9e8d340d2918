//! The options of `claimsmith plugin test` for golden cases.

use std::path::PathBuf;

/// How golden cases are run here.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct CaseArgs {
    /// Run the golden cases again at every change
    #[arg(long)]
    pub(crate) watch: bool,
    /// Update the expected answers of failing cases to the plugin's answers: review the difference before you commit it
    #[arg(long)]
    pub(crate) update: bool,
    /// Print which inputs no golden case has
    #[arg(long)]
    pub(crate) coverage: bool,
    /// Also run so many random inputs, and fail if the plugin traps, sets reserved names or exceeds a limit
    #[arg(long, value_name = "NUMBER")]
    pub(crate) random: Option<u32>,
    /// The seed of the random inputs [default: a new one each time]
    #[arg(long, value_name = "NUMBER", requires = "random")]
    pub(crate) seed: Option<u64>,
    /// Write the results of the golden cases as `JUnit` XML
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
}

impl CaseArgs {
    pub(crate) fn is_given(&self) -> bool {
        self.watch || self.update || self.coverage || self.random.is_some() || self.junit.is_some()
    }
}
