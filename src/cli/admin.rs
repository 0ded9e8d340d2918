//! `claimsmith admin`: administration directly on the database, for the operator of the machine.

use crate::server::open_served_database;
use claimsmith_cli::terminal::print_line;
use claimsmith_config::Config;
use claimsmith_domain::clock::Clock;
use claimsmith_domain::documents::user::Email;
use claimsmith_identity::bootstrap::{self, console_link};
use claimsmith_storage::Db;

#[derive(clap::Subcommand)]
pub(super) enum AdminCommand {
    /// Restore access: to the console for a user, or to the Management API.
    Recover(RecoverArgs),
    /// Print a link for the account of another administrator; it works once and expires after an hour.
    Invite {
        /// The email address that the account begins with.
        #[arg(long, value_name = "ADDRESS")]
        email: Option<String>,
    },
}

#[derive(clap::Args)]
#[group(required = true, multiple = false)]
pub(super) struct RecoverArgs {
    /// Make this user an administrator of the console, sign them out everywhere, and print a link that gives them a new
    /// password, whatever the settings of sign-in say: their id, user name or email address.
    #[arg(value_name = "USER")]
    user: Option<String>,
    /// Create or repair the Management API's first application and its role; a new secret is written to
    /// bootstrap.json of the data folder.
    #[arg(long)]
    bootstrap: bool,
}

pub(super) async fn run(mut config: Config, command: AdminCommand) -> anyhow::Result<()> {
    let db = open_served_database(&mut config).await?;
    let config = &config;
    let now = Clock::system().now_ms();
    match command {
        AdminCommand::Recover(RecoverArgs { user: Some(user), .. }) => {
            let id = bootstrap::recover_administrator(&db, &user, now).await?.user_id;
            let link = console_link::recovery_link(&db, config, &id, now).await?;
            print_line(&format!("User {id} administers the console, and is signed out everywhere."));
            print_line(&format!("Set a new password for them, within an hour:\n\n  Open {link}\n"));
        }
        AdminCommand::Recover(RecoverArgs { user: None, .. }) => recover_management(&db, config, now).await?,
        AdminCommand::Invite { email } => {
            let email = email.map(Email::try_from).transpose().map_err(anyhow::Error::msg)?;
            let link = console_link::invite(&db, config, email.map(Into::into), now).await?;
            print_line(&format!("Administrator invitation (valid for one hour):\n\n  Open {link}\n"));
        }
    }
    db.close().await;
    Ok(())
}

async fn recover_management(db: &Db, config: &Config, now: i64) -> anyhow::Result<()> {
    let recovered = bootstrap::recover(db, config, now).await?;
    print_line(&format!(
        "Application {} has all rights on the Management API. Its new secret is in {}.",
        recovered.client_id,
        recovered.report.display()
    ));
    Ok(())
}
