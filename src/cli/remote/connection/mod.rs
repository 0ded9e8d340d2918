//! Which server, and as whom: flags, then the environment, then the bootstrap report of a server of this machine.

use super::Usage;
use crate::bootstrap::BootstrapReport;
use crate::config::{BaseUrl, Secret, client};
use anyhow::Context as _;
use std::path::PathBuf;

/// Where to ask and who asks. Without a server and credentials: the server whose data folder is here, as its management
/// application.
#[derive(clap::Args, Default)]
#[command(next_help_heading = "Server")]
pub(in crate::cli) struct ServerArgs {
    #[arg(long, global = true, value_name = "URL", help = "URL of the server [environment: CLAIMSMITH_SERVER]")]
    pub(super) server: Option<String>,
    #[arg(
        long,
        global = true,
        value_name = "TOKEN",
        conflicts_with_all = ["client_id", "client_secret", "client_secret_file"],
        help = "An access token for its Management API [environment: CLAIMSMITH_TOKEN]",
    )]
    pub(super) token: Option<String>,
    #[arg(
        long,
        global = true,
        value_name = "ID",
        help = "A machine-to-machine application that may get one [environment: CLAIMSMITH_CLIENT_ID]"
    )]
    pub(super) client_id: Option<String>,
    #[arg(
        long,
        global = true,
        value_name = "SECRET",
        conflicts_with = "client_secret_file",
        help = "Its secret; other users of this machine may see it here [environment: CLAIMSMITH_CLIENT_SECRET]"
    )]
    pub(super) client_secret: Option<String>,
    /// A file that holds its secret
    #[arg(long, global = true, value_name = "FILE")]
    pub(super) client_secret_file: Option<PathBuf>,
    #[arg(
        long,
        global = true,
        value_name = "URI",
        help = "Resource indicator of the Management API, which follows the server's base URL, not the URL by which it \
                is reached [environment: CLAIMSMITH_RESOURCE; default: the server's URL plus /api]"
    )]
    pub(super) resource: Option<String>,
    /// Scopes to ask for, separated by spaces
    #[arg(long, global = true, value_name = "SCOPES", default_value = "all")]
    pub(super) scope: String,
    /// Print the server's JSON as it is
    #[arg(long, global = true)]
    pub(in crate::cli) json: bool,
}

impl ServerArgs {
    /// Whether a flag says that a server is meant.
    pub(in crate::cli) fn is_given(&self) -> bool {
        let texts = [&self.server, &self.token, &self.client_id, &self.client_secret, &self.resource];
        texts.iter().any(|text| text.is_some()) || self.client_secret_file.is_some() || self.json
    }
}

/// One server, and how it lets us in.
pub(super) struct Target {
    /// Without a slash at the end.
    pub(super) server: String,
    pub(super) resource: String,
    pub(super) scope: String,
    pub(super) credentials: Credentials,
}

pub(super) enum Credentials {
    Token(Secret<String>),
    Client { id: String, secret: Secret<String> },
}

/// Puts flags, environment and report together.
pub(super) fn resolve(
    args: &ServerArgs,
    environment: impl Fn(&str) -> Option<String>,
    report: Option<&BootstrapReport>,
) -> anyhow::Result<Target> {
    let named = args.server.clone().or_else(|| environment(client::SERVER));
    let server = match (named, report) {
        (Some(url), _) => parse(&url)?,
        (None, Some(report)) => format!("http://{}", reachable(&report.listen)),
        (None, None) => {
            let text =
                format!("which server? Name it with --server or {}: there is none of this machine", client::SERVER);
            return Err(Usage::new(text + " whose bootstrap.json can be read in the data folder").into());
        }
    };
    // What the report holds is for the server that wrote it, and is shown to no other.
    let management = report.filter(|report| is_of(report, &server)).and_then(|report| report.management_api.as_ref());
    let resource = args.resource.clone().or_else(|| environment(client::RESOURCE));
    let resource = resource.or_else(|| management.map(|management| management.resource.clone()));
    let credentials = match (given(args, environment)?, management) {
        (Some(credentials), _) => credentials,
        (None, Some(management)) => {
            let secret = Secret::new(management.client_secret.clone());
            Credentials::Client { id: management.client_id.clone(), secret }
        }
        (None, None) => {
            let text = format!("no credentials for {server}: set {}, or {}", client::TOKEN, client::CLIENT_ID);
            return Err(Usage::new(format!("{text} and {}", client::CLIENT_SECRET)).into());
        }
    };
    let resource = resource.unwrap_or_else(|| format!("{server}/api"));
    Ok(Target { server, resource, scope: args.scope.clone(), credentials })
}

/// The credentials of the flags, or else those of the environment.
fn given(args: &ServerArgs, environment: impl Fn(&str) -> Option<String>) -> anyhow::Result<Option<Credentials>> {
    if let Some(token) = &args.token {
        return Ok(Some(Credentials::Token(Secret::new(token.clone()))));
    }
    let flag_secret = match (&args.client_secret, &args.client_secret_file) {
        (Some(secret), _) => Some(secret.clone()),
        (None, Some(file)) => Some(read_secret(file)?),
        (None, None) => None,
    };
    let by_flag = args.client_id.is_some() || flag_secret.is_some();
    if !by_flag && let Some(token) = environment(client::TOKEN) {
        return Ok(Some(Credentials::Token(Secret::new(token))));
    }
    let id = args.client_id.clone().or_else(|| environment(client::CLIENT_ID));
    let secret = flag_secret.or_else(|| environment(client::CLIENT_SECRET));
    match (id, secret) {
        (Some(id), Some(secret)) => Ok(Some(Credentials::Client { id, secret: Secret::new(secret) })),
        (Some(_), None) => {
            let text = format!("the application has no secret: set {} or --client-secret-file", client::CLIENT_SECRET);
            Err(Usage::new(text).into())
        }
        (None, Some(_)) => {
            let text = format!("whose secret is it? Set {} or --client-id", client::CLIENT_ID);
            Err(Usage::new(text).into())
        }
        (None, None) => Ok(None),
    }
}

fn read_secret(file: &PathBuf) -> anyhow::Result<String> {
    let text = std::fs::read_to_string(file).with_context(|| format!("{} cannot be read", file.display()))?;
    Ok(text.trim().to_owned())
}

fn parse(url: &str) -> Result<String, Usage> {
    let parsed = url.parse::<BaseUrl>();
    let url = parsed.map_err(|reason| Usage::new(format!("the server's URL is not one: {reason}")))?;
    Ok(url.as_str().to_owned())
}

/// Whether the report's server is the one of this URL.
fn is_of(report: &BootstrapReport, server: &str) -> bool {
    let listen = reachable(&report.listen);
    let addresses = [report.base_url.trim_end_matches('/').to_owned(), format!("http://{listen}")];
    addresses.iter().any(|address| address == server)
}

/// An address to connect to: a server that listens on all of them is here too.
fn reachable(listen: &str) -> String {
    match listen.parse::<std::net::SocketAddr>() {
        Ok(address) if address.ip().is_unspecified() && address.is_ipv4() => format!("127.0.0.1:{}", address.port()),
        Ok(address) if address.ip().is_unspecified() => format!("[::1]:{}", address.port()),
        _ => listen.to_owned(),
    }
}

#[cfg(test)]
mod tests;
