//! `claimsmith tokens mint`: issues a user's access token to an operator at the terminal, through the token pipeline.

use crate::server;
use claimsmith_cli::terminal::print_line;
use claimsmith_config::Config;
use claimsmith_domain::clock::Clock;
use claimsmith_domain::random::Random;
use claimsmith_services::supervisor::Tasks;
use claimsmith_services::tokens::operator::{self, MintRequest};

#[derive(clap::Subcommand)]
pub(super) enum TokensCommand {
    /// Print an access token of a user. Audited; plugins run as for any other user token.
    Mint {
        /// The user's id.
        #[arg(long, value_name = "ID")]
        user: String,
        /// The application that the token is issued to.
        #[arg(long, value_name = "ID")]
        client: String,
        /// Scopes, separated by spaces.
        #[arg(long, default_value = "openid")]
        scope: String,
        /// The resource to which the token is bound; without one it is opaque.
        #[arg(long, value_name = "URI")]
        resource: Option<String>,
    },
}

pub(super) async fn run(config: Config, command: TokensCommand) -> anyhow::Result<()> {
    let TokensCommand::Mint { user, client, scope, resource } = command;
    let tasks = Tasks::default();
    let app = server::open_for_command(config, (Clock::system(), Random::system()), &tasks).await?;
    let request = MintRequest { user_id: user.into(), client_id: client.into(), scope, resource };
    let issued =
        operator::mint(&app.db, &app.authorizations, &app.issuer, &app.config, request, app.clock.now_ms()).await?;
    print_line(&issued.access_token);
    app.db.close().await;
    Ok(())
}
