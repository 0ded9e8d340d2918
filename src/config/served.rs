//! What a server was last started with: commands on its data follow it, since their own configuration may be another.

use super::error::ConfigProblem;
use super::{BaseUrl, Config, ConfigError, SigningAlgorithm, ValueSource};

/// The settings of a server that its data depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServedSettings {
    /// `server.base_url`.
    pub base_url: BaseUrl,
    /// `tokens.management_resource`; `None` if it is not known.
    pub management_resource: Option<String>,
    /// `tokens.signing_algorithm`; `None` if it is not known.
    pub signing_algorithm: Option<SigningAlgorithm>,
}

impl Config {
    /// Takes over the settings of the server of this data.
    ///
    /// # Errors
    /// `server.base_url` or `tokens.management_resource` is set here and differs from the server's.
    pub fn follow_server(&mut self, served: &ServedSettings) -> Result<(), ConfigError> {
        let mut problems = Vec::new();
        let base_url = (self.server.base_url.to_string(), served.base_url.to_string());
        problems.extend(self.differs("server.base_url", base_url));
        if let Some(resource) = &served.management_resource {
            let resources = (self.tokens.management_resource.clone(), resource.clone());
            problems.extend(self.differs("tokens.management_resource", resources));
        }
        if !problems.is_empty() {
            return Err(ConfigError { problems });
        }
        self.server.base_url = served.base_url.clone();
        match &served.management_resource {
            Some(resource) => self.tokens.management_resource.clone_from(resource),
            None if !self.is_given("tokens.management_resource") => {
                self.tokens.management_resource = format!("{}/api", served.base_url);
            }
            None => {}
        }
        if let Some(algorithm) = served.signing_algorithm.filter(|_| !self.is_given("tokens.signing_algorithm")) {
            self.tokens.signing_algorithm = algorithm;
        }
        Ok(())
    }

    /// Whether a layer sets this key, rather than its default or another key.
    fn is_given(&self, key: &str) -> bool {
        !matches!(self.source(key), ValueSource::Default | ValueSource::Follows(_))
    }

    fn differs(&self, key: &'static str, (own, server): (String, String)) -> Option<ConfigProblem> {
        (self.is_given(key) && own != server).then(|| ConfigProblem::OtherServer {
            key,
            from: self.source(key),
            own,
            server,
        })
    }
}
