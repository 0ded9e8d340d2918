//! Credentials as Docker keeps them: in `config.json`, or with a helper that it names.

use anyhow::{Context as _, anyhow, bail};
use docker_credential::{CredentialRetrievalError, DockerCredential, get_credential};
use oci_client::Reference;
use oci_client::secrets::RegistryAuth;
use std::path::PathBuf;
use std::time::Duration;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

/// How long a helper may take: it may ask its user.
const HELPER_TIMEOUT: Duration = Duration::from_mins(1);
/// The name of Docker Hub among the credentials.
const DOCKER_HUB: &str = "https://index.docker.io/v1/";

/// What is kept for a registry; anonymous if nothing is.
pub(super) async fn of(reference: &Reference) -> anyhow::Result<RegistryAuth> {
    let registry = reference.registry();
    let Some(file) = config_file().filter(|file| file.is_file()) else { return Ok(RegistryAuth::Anonymous) };
    let key = if registry == "docker.io" { DOCKER_HUB } else { registry }.to_owned();
    let asked = timeout(HELPER_TIMEOUT, spawn_blocking(move || get_credential(&key))).await;
    let found = asked.with_context(|| format!("the credential helper for {registry} did not answer in a minute"))??;
    match found {
        Ok(DockerCredential::UsernamePassword(user, password)) => Ok(RegistryAuth::Basic(user, password)),
        Ok(DockerCredential::IdentityToken(_)) => {
            bail!("`docker login` keeps an identity token for {registry}, which is not supported: use a password")
        }
        // A helper says with a failure that it knows nothing of a registry.
        Err(CredentialRetrievalError::NoCredentialConfigured | CredentialRetrievalError::HelperFailure { .. }) => {
            Ok(RegistryAuth::Anonymous)
        }
        // Without what a helper wrote: it may contain the password.
        Err(error) => Err(anyhow!("{error}").context(format!("the credentials for {registry} in {}", file.display()))),
    }
}

fn config_file() -> Option<PathBuf> {
    let folder = std::env::var_os("DOCKER_CONFIG").map(PathBuf::from);
    let folder = folder.or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".docker")))?;
    Some(folder.join("config.json"))
}
