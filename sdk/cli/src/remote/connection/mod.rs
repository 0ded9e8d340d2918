//! The server and the credentials of remote commands: from flags, then the environment, then what `claimsmith login`
//! keeps, then the server of this machine.

use super::Usage;
use super::logins::{Login, Store};
use crate::local_server::LocalServer;
use crate::secret::SecretString;
use anyhow::Context as _;
use std::path::PathBuf;
use url::Url;

/// The URL of the server.
pub(super) const SERVER: &str = "CLAIMSMITH_SERVER";
/// An access token for its Management API.
const TOKEN: &str = "CLAIMSMITH_TOKEN";
/// A machine-to-machine application that may get one.
const CLIENT_ID: &str = "CLAIMSMITH_CLIENT_ID";
/// Its secret.
const CLIENT_SECRET: &str = "CLAIMSMITH_CLIENT_SECRET";
/// The resource indicator of the Management API.
const RESOURCE: &str = "CLAIMSMITH_RESOURCE";
/// The environment variables with the server and the credentials.
pub const VARIABLES: &[&str] = &[SERVER, TOKEN, CLIENT_ID, CLIENT_SECRET, RESOURCE];

/// The server and the credentials. If neither is given: the server whose data folder is here, as its management
/// application.
#[derive(clap::Args, Default)]
#[command(next_help_heading = "Server")]
pub(crate) struct ServerArgs {
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
    pub(crate) json: bool,
}

impl ServerArgs {
    /// Whether a flag says that a server is meant.
    pub(crate) fn is_given(&self) -> bool {
        let texts = [&self.server, &self.token, &self.client_id, &self.client_secret, &self.resource];
        texts.iter().any(|text| text.is_some()) || self.client_secret_file.is_some() || self.json
    }
}

/// One server, and the credentials for it.
pub(super) struct ServerConnection {
    /// Without a slash at the end.
    pub(super) server: String,
    pub(super) resource: String,
    pub(super) scope: String,
    pub(super) credentials: Credentials,
}

pub(super) enum Credentials {
    Token(SecretString),
    Client {
        id: String,
        secret: SecretString,
    },
    /// Of a person, by `claimsmith login`.
    Login(Login),
}

/// Puts flags, environment, sign-ins and the server of this machine together.
pub(super) fn resolve(
    args: &ServerArgs,
    environment: impl Fn(&str) -> Option<String>,
    local: Result<LocalServer, &'static str>,
    store: Option<&Store>,
) -> anyhow::Result<ServerConnection> {
    let named = args.server.clone().or_else(|| environment(SERVER));
    let only = match (&named, &local, store) {
        (None, Err(_), Some(store)) => store.only()?.map(|login| login.server),
        _ => None,
    };
    let server = named_server(named.or(only), &local)?;
    // The credentials of a server's data folder are for this server, and are never sent to another.
    let management = local.ok().filter(|local| is_same_server(local, &server)).and_then(|local| local.management);
    let resource = args.resource.clone().or_else(|| environment(RESOURCE));
    let resource = resource.or_else(|| management.as_ref().map(|management| management.resource.clone()));
    let given = given(args, environment)?;
    let login = match store {
        Some(store) if given.is_none() => store.find(&server)?,
        _ => None,
    };
    let credentials = match (given, login, management) {
        (Some(credentials), ..) => credentials,
        (None, Some(login), _) => Credentials::Login(login),
        (None, None, Some(management)) => {
            Credentials::Client { id: management.client_id, secret: SecretString::new(management.client_secret) }
        }
        (None, None, None) => {
            let text = format!(
                "no credentials for {server}: sign in with `claimsmith login {server}`, or set {TOKEN}, or {CLIENT_ID} \
                 and {CLIENT_SECRET}"
            );
            return Err(Usage::new(text).into());
        }
    };
    let resource = resource.unwrap_or_else(|| format!("{server}/api"));
    Ok(ServerConnection { server, resource, scope: args.scope.clone(), credentials })
}

/// The server of this URL, or else the one of this machine.
pub(super) fn named_server(named: Option<String>, local: &Result<LocalServer, &'static str>) -> anyhow::Result<String> {
    match (named, local) {
        (Some(url), _) => Ok(parse(&url)?),
        (None, Ok(local)) => Ok(format!("http://{}", connectable(&local.listen))),
        (None, Err(reason)) => {
            Err(Usage::new(format!("no server was named: use --server or {SERVER} ({reason})")).into())
        }
    }
}

/// The credentials of the flags, or else those of the environment.
fn given(args: &ServerArgs, environment: impl Fn(&str) -> Option<String>) -> anyhow::Result<Option<Credentials>> {
    if let Some(token) = &args.token {
        return Ok(Some(Credentials::Token(SecretString::new(token.clone()))));
    }
    let flag_secret = match (&args.client_secret, &args.client_secret_file) {
        (Some(secret), _) => Some(secret.clone()),
        (None, Some(file)) => Some(read_secret(file)?),
        (None, None) => None,
    };
    let by_flag = args.client_id.is_some() || flag_secret.is_some();
    if !by_flag && let Some(token) = environment(TOKEN) {
        return Ok(Some(Credentials::Token(SecretString::new(token))));
    }
    let id = args.client_id.clone().or_else(|| environment(CLIENT_ID));
    let secret = flag_secret.or_else(|| environment(CLIENT_SECRET));
    match (id, secret) {
        (Some(id), Some(secret)) => Ok(Some(Credentials::Client { id, secret: SecretString::new(secret) })),
        (Some(_), None) => {
            let text = format!("the application has no secret: set {CLIENT_SECRET} or --client-secret-file");
            Err(Usage::new(text).into())
        }
        (None, Some(_)) => {
            let text = format!("the secret has no application: set {CLIENT_ID} or --client-id");
            Err(Usage::new(text).into())
        }
        (None, None) => Ok(None),
    }
}

fn read_secret(file: &PathBuf) -> anyhow::Result<String> {
    let text = std::fs::read_to_string(file).with_context(|| format!("{} cannot be read", file.display()))?;
    Ok(text.trim().to_owned())
}

/// The URL without a slash at the end. It is what paths are appended to.
pub(super) fn parse(text: &str) -> Result<String, Usage> {
    let refused = |reason: &str| Usage::new(format!("the server's URL is not valid: {reason}"));
    let url = Url::parse(text).map_err(|error| refused(&error.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(refused("its scheme is neither http nor https"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(refused("it contains a user name or a password"));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(refused("it has a query or a fragment"));
    }
    Ok(url.as_str().trim_end_matches('/').to_owned())
}

/// Whether the server of this machine is the one of this URL.
fn is_same_server(local: &LocalServer, server: &str) -> bool {
    let listen = connectable(&local.listen);
    let addresses = [local.base_url.trim_end_matches('/').to_owned(), format!("http://{listen}")];
    addresses.iter().any(|address| address == server)
}

/// An address to connect to: a server that listens on all of them is here too.
fn connectable(listen: &str) -> String {
    match listen.parse::<std::net::SocketAddr>() {
        Ok(address) if address.ip().is_unspecified() && address.is_ipv4() => format!("127.0.0.1:{}", address.port()),
        Ok(address) if address.ip().is_unspecified() => format!("[::1]:{}", address.port()),
        _ => listen.to_owned(),
    }
}

#[cfg(test)]
mod tests;
