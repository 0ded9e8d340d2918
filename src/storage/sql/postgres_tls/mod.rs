//! TLS to a PostgreSQL whose certificate the driver cannot use: one that was made as PostgreSQL's manual says, which `libpq`
//! accepts ([`certificate`]).
//!
//! The driver takes no certificate verifier. So its connections go to a socket of this process, in a folder that only its
//! user may read, and from there over TLS to PostgreSQL. Only servers whose certificate the driver refuses get that.

mod certificate;

use certificate::{LikeLibpq, Trust};
use sqlx::PgPool;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions, PgSslMode};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpStream, UnixListener, UnixStream};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::aws_lc_rs::default_provider;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use tokio_rustls::rustls::{self, ClientConfig};
use url::Url;

/// The request for TLS (`SSLRequest`): its length and its code.
const SSL_REQUEST: [u8; 8] = [0, 0, 0, 8, 4, 210, 22, 47];
/// The timeout of a connection, with its handshake.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The pause after the system had no file descriptor for a connection.
const ACCEPT_BACKOFF: Duration = Duration::from_millis(250);

/// Opens a pool, with the options of its connections for further pools.
pub(super) async fn connect(
    pool: PgPoolOptions,
    url: &str,
    options: PgConnectOptions,
) -> sqlx::Result<(PgPool, PgConnectOptions)> {
    match pool.clone().connect_with(options.clone()).await {
        Err(error) if is_refused_certificate(&error) => {
            let options = through_here(url, options).await?;
            Ok((pool.connect_with(options.clone()).await?, options))
        }
        connected => Ok((connected?, options)),
    }
}

/// Whether the driver failed because it cannot use the certificate, or for another reason of TLS.
fn is_refused_certificate(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Tls(_) => true,
        sqlx::Error::Io(error) => matches!(error.get_ref(), Some(source) if source.is::<rustls::Error>()),
        _ => false,
    }
}

/// Options with which the driver reaches PostgreSQL through this process. An error if the certificate is not one that
/// `libpq` would accept with these options.
async fn through_here(url: &str, options: PgConnectOptions) -> sqlx::Result<PgConnectOptions> {
    let tunnel = Arc::new(Tunnel::of(url, &options).await?);
    // A certificate that is refused is an error at the start, not at the first query.
    drop(tunnel.connect().await?);
    let folder = TempDir::new().map_err(sqlx::Error::Io)?;
    let socket = folder.path().join(format!(".s.PGSQL.{}", options.get_port()));
    let listener = UnixListener::bind(socket).map_err(sqlx::Error::Io)?;
    let options = options.socket(folder.path()).ssl_mode(PgSslMode::Disable);
    tokio::spawn(async move {
        // Removed when the runtime ends.
        let _folder = folder;
        loop {
            match listener.accept().await {
                Ok((local, _)) => {
                    tokio::spawn(Arc::clone(&tunnel).carry(local));
                }
                Err(error) => {
                    tracing::error!(%error, "no connection to the database can be made");
                    tokio::time::sleep(ACCEPT_BACKOFF).await;
                }
            }
        }
    });
    tracing::info!("the certificate of the database is verified as libpq does it");
    Ok(options)
}

/// Where PostgreSQL is, and how it is recognized.
struct Tunnel {
    host: String,
    port: u16,
    name: ServerName<'static>,
    connector: TlsConnector,
}

impl Tunnel {
    async fn of(url: &str, options: &PgConnectOptions) -> sqlx::Result<Self> {
        let trust = match options.get_ssl_mode() {
            PgSslMode::VerifyFull => Trust::RootsAndName,
            PgSslMode::VerifyCa => Trust::Roots,
            _ => Trust::Anybody,
        };
        let roots = match parameter(url, ["sslrootcert", "ssl-root-cert", "ssl-ca"], "PGSSLROOTCERT") {
            Some(input) if trust != Trust::Anybody => {
                CertificateDer::pem_slice_iter(&read(&input).await?).collect::<Result<Vec<_>, _>>().map_err(tls)?
            }
            _ => Vec::new(),
        };
        let provider = Arc::new(default_provider());
        let verifier = Arc::new(LikeLibpq::new(trust, roots, options.get_host(), &provider).map_err(tls)?);
        let config =
            ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().map_err(tls)?;
        let config = config.dangerous().with_custom_certificate_verifier(verifier);
        let certificate = parameter(url, ["sslcert", "ssl-cert", "ssl-client-cert"], "PGSSLCERT");
        let key = parameter(url, ["sslkey", "ssl-key", "ssl-client-key"], "PGSSLKEY");
        let config = match (certificate, key) {
            (Some(certificate), Some(key)) => {
                let chain = CertificateDer::pem_slice_iter(&read(&certificate).await?)
                    .collect::<Result<Vec<_>, _>>()
                    .map_err(tls)?;
                let key = PrivateKeyDer::from_pem_slice(&read(&key).await?).map_err(tls)?;
                config.with_client_auth_cert(chain, key).map_err(tls)?
            }
            _ => config.with_no_client_auth(),
        };
        Ok(Self {
            host: options.get_host().to_owned(),
            port: options.get_port(),
            name: ServerName::try_from(options.get_host().to_owned()).map_err(tls)?,
            connector: TlsConnector::from(Arc::new(config)),
        })
    }

    /// A connection, verified, to which the driver has not said anything yet.
    async fn connect(&self) -> sqlx::Result<TlsStream<TcpStream>> {
        let connect = async {
            let mut stream = TcpStream::connect((self.host.as_str(), self.port)).await?;
            stream.set_nodelay(true)?;
            stream.write_all(&SSL_REQUEST).await?;
            if stream.read_u8().await? != b'S' {
                return Err(sqlx::Error::Tls("the database offers no TLS".into()));
            }
            Ok(self.connector.connect(self.name.clone(), stream).await?)
        };
        tokio::time::timeout(TIMEOUT, connect).await.unwrap_or(Err(sqlx::Error::PoolTimedOut))
    }

    /// Carries a connection of the driver until one of both sides closes it.
    async fn carry(self: Arc<Self>, mut local: UnixStream) {
        match self.connect().await {
            Ok(mut remote) => {
                if let Err(error) = tokio::io::copy_bidirectional(&mut local, &mut remote).await {
                    tracing::debug!(%error, "a connection to the database broke");
                }
            }
            Err(error) => tracing::warn!(%error, "the database cannot be reached over TLS"),
        }
    }
}

/// A parameter of the URL by any of its names, or else of the environment, as the driver reads it.
fn parameter(url: &str, names: [&str; 3], variable: &str) -> Option<String> {
    let url = Url::parse(url).ok()?;
    let found = url.query_pairs().find(|(name, _)| names.contains(&&**name)).map(|(_, value)| value.into_owned());
    found.or_else(|| std::env::var(variable).ok())
}

/// A certificate or a key: a file, or its text.
async fn read(input: &str) -> sqlx::Result<Vec<u8>> {
    if input.trim_start().starts_with("-----BEGIN") {
        return Ok(input.as_bytes().to_vec());
    }
    Ok(tokio::fs::read(PathBuf::from(input)).await?)
}

fn tls(error: impl std::error::Error + Send + Sync + 'static) -> sqlx::Error {
    sqlx::Error::Tls(Box::new(error))
}
