//! The requests to a registry. `oci-client` signs in, uploads, and downloads blobs. Manifests are read here, since only
//! this way their bytes are bounded and their redirects are not followed.

use super::artifact::{Layer, MANIFEST, MAX_MANIFEST_BYTES, Pushed};
use super::{credentials, digest_of};
use crate::registry_args::RegistryArgs;
use crate::terminal::printable;
use anyhow::{Context as _, anyhow, bail, ensure};
use futures_util::StreamExt as _;
use oci_client::client::{ClientConfig, ClientProtocol};
use oci_client::errors::OciDistributionError;
use oci_client::secrets::RegistryAuth;
use oci_client::{Client, Reference, RegistryOperation};
use reqwest::header::{ACCEPT, HeaderValue, LOCATION};
use reqwest::{RequestBuilder, Response, StatusCode};
use std::time::Duration;
use tokio::time::timeout;
use url::{Host, Url};

/// How long connecting to a registry may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum characters of a registry's own words in an error.
const MAX_SHOWN: usize = 500;
/// Indexes are asked for as well, so that they can be told from what is not there.
const ACCEPTED: &str = "application/vnd.oci.image.manifest.v1+json, application/vnd.oci.image.index.v1+json, \
                        application/vnd.docker.distribution.manifest.v2+json, \
                        application/vnd.docker.distribution.manifest.list.v2+json";
/// The name of this client.
const USER_AGENT: &str = concat!("claimsmith/", env!("CARGO_PKG_VERSION"));

/// One repository of a registry, and who asks.
pub(super) struct Repository {
    reference: Reference,
    client: Client,
    http: reqwest::Client,
    auth: RegistryAuth,
    scheme: &'static str,
    limit: Duration,
}

impl Repository {
    pub(super) async fn open(reference: Reference, args: RegistryArgs) -> anyhow::Result<Self> {
        let registry = reference.resolve_registry().to_owned();
        let is_plain = args.plain_http || is_of_this_machine(&registry);
        let (protocol, scheme) = if is_plain {
            (ClientProtocol::HttpsExcept(vec![registry]), "http")
        } else {
            (ClientProtocol::Https, "https")
        };
        let limit = Duration::from_secs(args.registry_seconds.into());
        let config = ClientConfig {
            protocol,
            platform_resolver: None,
            connect_timeout: Some(CONNECT_TIMEOUT),
            read_timeout: Some(limit),
            user_agent: USER_AGENT,
            ..ClientConfig::default()
        };
        let client = Client::try_from(config).context("the client of registries cannot be started")?;
        let http = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(CONNECT_TIMEOUT)
            .user_agent(USER_AGENT)
            .build()?;
        let auth = credentials::of(&reference).await?;
        Ok(Self { reference, client, http, auth, scheme, limit })
    }

    pub(super) fn reference(&self) -> &Reference {
        &self.reference
    }

    /// The manifest of a reference of this repository; `None` if there is none. If it names a digest, the manifest has it.
    pub(super) async fn manifest(&self, reference: &Reference) -> anyhow::Result<Option<Vec<u8>>> {
        let Some(manifest) = self.within("the manifest", self.read_manifest(reference)).await? else { return Ok(None) };
        let digest = digest_of(&manifest);
        if let Some(asked) = reference.digest()
            && asked != digest
        {
            bail!("{}: it sent another manifest than was asked for: the digest is {digest}, not {asked}", self.name());
        }
        Ok(Some(manifest))
    }

    /// A blob, which has the digest and the size that the manifest says.
    pub(super) async fn blob(&self, layer: &Layer) -> anyhow::Result<Vec<u8>> {
        let bytes = self.within("a blob", self.read_blob(layer)).await?;
        let digest = digest_of(&bytes);
        if bytes.len() != layer.size || digest != layer.digest {
            let (name, asked) = (self.name(), &layer.digest);
            bail!("{name}: it sent another blob than was asked for: the digest is {digest}, not {asked}");
        }
        Ok(bytes)
    }

    /// Uploads blobs and then the manifest, which refers to them. Returns the manifest's digest.
    pub(super) async fn push(&self, pushed: Pushed) -> anyhow::Result<String> {
        let Pushed { blobs, manifest } = pushed;
        self.within("the sign-in", self.sign_in(RegistryOperation::Push)).await?;
        for (digest, bytes) in blobs {
            let push = async {
                self.client.push_blob(&self.reference, bytes, &digest).await.map_err(|error| self.explained(error))
            };
            self.within("the upload of a blob", push).await?;
        }
        let digest = digest_of(&manifest);
        let media_type = HeaderValue::from_static(MANIFEST);
        let push = async {
            let pushed = self.client.push_manifest_raw(&self.reference, manifest, media_type).await;
            pushed.map_err(|error| self.explained(error))
        };
        self.within("the upload of the manifest", push).await?;
        Ok(digest)
    }

    async fn read_manifest(&self, reference: &Reference) -> anyhow::Result<Option<Vec<u8>>> {
        let token = self.sign_in(RegistryOperation::Pull).await?;
        let place = reference.digest().or(reference.tag()).unwrap_or("latest");
        let (host, repository) = (reference.resolve_registry(), reference.repository());
        let url = format!("{}://{host}/v2/{repository}/manifests/{place}", self.scheme);
        let request = || {
            let request = self.http.get(&url).header(ACCEPT, ACCEPTED);
            match &token {
                Some(token) => request.bearer_auth(token),
                None => request,
            }
        };
        let mut response = sent(request()).await?;
        // A registry with basic authentication gives no token.
        if response.status() == StatusCode::UNAUTHORIZED
            && token.is_none()
            && let RegistryAuth::Basic(user, password) = &self.auth
        {
            response = sent(request().basic_auth(user, Some(password))).await?;
        }
        match response.status() {
            StatusCode::OK => bounded(response).await.map(Some),
            StatusCode::NOT_FOUND => Ok(None),
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => Err(self.login_needed()),
            status if status.is_redirection() => {
                let place = response.headers().get(LOCATION).and_then(|place| place.to_str().ok()).unwrap_or("nowhere");
                bail!("it redirects to {}; redirects of manifests are not followed", printable(place))
            }
            status => bail!("it answered {status}"),
        }
    }

    async fn read_blob(&self, layer: &Layer) -> anyhow::Result<Vec<u8>> {
        let opened = self.client.pull_blob_stream(&self.reference, layer.digest.as_str()).await;
        let mut stream = opened.map_err(|error| self.explained(error))?;
        let mut bytes = Vec::new();
        while let Some(chunk) = stream.next().await {
            // Among others, that the digest is another one.
            let chunk = chunk.map_err(|error| anyhow!("the blob {}: {}", layer.digest, shown(&error.to_string())))?;
            let (size, digest) = (layer.size, &layer.digest);
            ensure!(bytes.len() + chunk.len() <= size, "it sent more than the {size} bytes of the blob {digest}");
            bytes.extend_from_slice(&chunk);
        }
        Ok(bytes)
    }

    /// Gets a token, if the registry gives tokens. The client keeps it as well.
    async fn sign_in(&self, operation: RegistryOperation) -> anyhow::Result<Option<String>> {
        self.client.auth(&self.reference, &self.auth, operation).await.map_err(|error| self.explained(error))
    }

    /// Does something in time; an error names the registry.
    async fn within<T>(&self, what: &str, work: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
        match timeout(self.limit, work).await {
            Ok(done) => done.with_context(|| self.name().to_owned()),
            Err(_) => {
                bail!("{}: {what} took longer than {} s (--registry-seconds)", self.name(), self.limit.as_secs())
            }
        }
    }

    fn name(&self) -> &str {
        self.reference.registry()
    }

    fn login_needed(&self) -> anyhow::Error {
        match &self.auth {
            RegistryAuth::Anonymous => anyhow!("it needs a login: docker login {}", self.name()),
            _ => anyhow!("it does not accept the credentials of `docker login` for {}", self.reference.repository()),
        }
    }

    /// What the client says, for people.
    fn explained(&self, error: OciDistributionError) -> anyhow::Error {
        match error {
            OciDistributionError::UnauthorizedError { .. } | OciDistributionError::AuthenticationFailure(_) => {
                self.login_needed()
            }
            OciDistributionError::ServerError { code: 401 | 403, .. } => self.login_needed(),
            OciDistributionError::RequestError(error) => match error.status() {
                Some(StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) => self.login_needed(),
                Some(status) => anyhow!("it answered {status}"),
                None => error.without_url().into(),
            },
            other => anyhow!(shown(&other.to_string())),
        }
    }
}

async fn sent(request: RequestBuilder) -> anyhow::Result<Response> {
    request.send().await.map_err(|error| error.without_url().into())
}

async fn bounded(mut response: Response) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(reqwest::Error::without_url)? {
        ensure!(
            bytes.len() + chunk.len() <= MAX_MANIFEST_BYTES,
            "its manifest has more than {MAX_MANIFEST_BYTES} bytes"
        );
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

/// The beginning of a text from elsewhere.
fn shown(text: &str) -> String {
    printable(&text.chars().take(MAX_SHOWN).collect::<String>())
}

/// Whether a registry is reached without a network.
fn is_of_this_machine(registry: &str) -> bool {
    let url = Url::parse(&format!("http://{registry}/")).ok();
    match url.as_ref().and_then(Url::host) {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_of_this_machine;

    #[test]
    fn only_this_machine_is_asked_without_tls() {
        for (registry, expected) in [
            ("localhost:5000", true),
            ("localhost", true),
            ("127.0.0.1:5000", true),
            ("127.8.0.1", true),
            ("localhost.example.com", false),
            ("10.0.0.1:5000", false),
            ("registry.example.com", false),
        ] {
            assert_eq!(is_of_this_machine(registry), expected, "{registry}");
        }
    }
}
