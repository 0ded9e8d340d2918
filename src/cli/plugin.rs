//! `claimsmith plugin`, `login` and `logout`: the commands of `sdk/cli`, with the server of this machine found by its configuration.

use claimsmith_cli::{LocalServer, LoginArgs, ManagementApplication, PluginArgs};
use claimsmith_config::{Config, ConfigArgs};
use claimsmith_identity::bootstrap::report;
use std::process::ExitCode;

pub(super) async fn run(args: &PluginArgs, config: &ConfigArgs) -> ExitCode {
    claimsmith_cli::run(args, &|| local(config)).await
}

pub(super) async fn login(args: &LoginArgs, config: &ConfigArgs) -> ExitCode {
    claimsmith_cli::login(args, &|| local(config)).await
}

pub(super) async fn logout(args: &LoginArgs, config: &ConfigArgs) -> ExitCode {
    claimsmith_cli::logout(args, &|| local(config)).await
}

/// The server of this machine, and its management application.
fn local(config: &ConfigArgs) -> Result<LocalServer, &'static str> {
    // A client's machine need not have a server's configuration.
    let found = Config::load(config).ok().and_then(|config| report::read(&report::path(&config.data_dir)));
    let report = found.ok_or("no bootstrap.json of a server on this machine could be read in the data folder")?;
    let management = report.management_api.map(|management| ManagementApplication {
        resource: management.resource,
        client_id: management.client_id.into(),
        client_secret: management.client_secret,
    });
    Ok(LocalServer { base_url: report.base_url, listen: report.listen, management })
}

#[cfg(test)]
mod tests {
    use claimsmith_config::client;

    #[test]
    fn the_variables_of_the_commands_are_no_mistake_in_a_servers_environment() {
        for variable in claimsmith_cli::VARIABLES {
            assert!(client::VARIABLES.contains(variable), "{variable}");
        }
    }
}
