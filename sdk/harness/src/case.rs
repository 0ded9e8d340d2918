//! Golden cases as they are written.

use crate::delivery::{HookInput, Sent};
use crate::http::{self, CannedAnswer};
use claimsmith_runtime::{ClaimsRequest, Context, Grant, Manifest, ReadError, Secrets, TransformRequest, read_file};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    path::Path,
    sync::Arc,
};

/// The largest file of cases that is read, in bytes.
const MAX_CASES: usize = 16 << 20;

/// One question and the answer that is expected.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// What it shows; unique in its file.
    pub name: String,
    /// What the plugin is asked.
    pub input: Input,
    /// What other servers answer it.
    #[serde(default)]
    pub http: Vec<CannedAnswer>,
    /// What it must answer.
    pub expected: Answer,
}

/// What the plugin is asked: about a token, or, if it is a webhook transform, about a delivery.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// The id of the delivery.
    pub id: Option<String>,
    /// What would be sent: the body of the delivery.
    #[serde(default, deserialize_with = "some")]
    pub event: Option<Value>,
    /// The hook that it goes to.
    pub hook: Option<HookInput>,
    /// The token as far as it is known.
    #[serde(default)]
    pub token: Map<String, Value>,
    /// Who and what it is about.
    #[serde(default)]
    pub context: CaseContext,
    /// Variables over those of the manifest.
    #[serde(default, rename = "environmentVariables")]
    pub environment_variables: BTreeMap<String, String>,
}

/// Also null is an event.
fn some<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// Who and what the token is about; what does not apply is absent.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CaseContext {
    /// Present for the token-exchange grant alone.
    pub grant: Option<CaseGrant>,
    /// The user whom the token represents.
    pub user: Option<Map<String, Value>>,
    /// The application that asked.
    pub application: Option<Map<String, Value>>,
    /// The organization that the token is for.
    pub organization: Option<Map<String, Value>>,
    /// The sign-in that led to the token.
    pub interaction: Option<Map<String, Value>>,
}

/// How the token came to be asked for.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseGrant {
    /// The grant type as sent.
    #[serde(rename = "type")]
    pub grant_type: String,
    /// The `context` of the subject token request.
    #[serde(rename = "subjectTokenContext")]
    pub subject_token_context: Option<Map<String, Value>>,
}

/// What a plugin must answer, and what it did answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// Claims; expected are exactly these.
    Claims(Map<String, Value>),
    /// A denial; expected is exactly this message.
    Denied(String),
    /// A delivery that is sent; expected is exactly this.
    Sent(Sent),
    /// A delivery that is not sent; expected is exactly this reason.
    Dropped(String),
    /// A failure; expected is one whose text contains this.
    Failed(String),
}

/// Why cases were not run.
#[derive(Debug, thiserror::Error)]
pub enum CasesError {
    /// The file cannot be read.
    #[error("{file} {source}")]
    Unreadable {
        /// Its name.
        file: String,
        /// Why.
        source: ReadError,
    },
    /// The file holds something else than cases.
    #[error("{file}, `{path}`: {source}")]
    Malformed {
        /// Its name.
        file: String,
        /// Where in the document.
        path: String,
        /// What was expected, with line and column.
        source: serde_json::Error,
    },
    /// Two cases share a name.
    #[error("{file}: two cases are called `{name}`")]
    Repeated {
        /// The file's name.
        file: String,
        /// The cases' name.
        name: String,
    },
}

/// The cases of a file; none when there is no such file.
pub fn load_cases(path: &Path) -> Result<Option<Vec<Case>>, CasesError> {
    let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let bytes = match read_file(path, MAX_CASES) {
        Ok(bytes) => bytes,
        Err(ReadError::Io(error)) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(CasesError::Unreadable { file, source }),
    };
    parse_cases(&file, &bytes).map(Some)
}

/// The cases in a text; `file` is its name for errors.
pub fn parse_cases(file: &str, text: &[u8]) -> Result<Vec<Case>, CasesError> {
    let file = file.to_owned();
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    let parsed = serde_path_to_error::deserialize(&mut deserializer);
    let cases: Vec<Case> = parsed.map_err(|error| {
        let path = error.path().to_string();
        CasesError::Malformed { file: file.clone(), path, source: error.into_inner() }
    })?;
    deserializer.end().map_err(|source| CasesError::Malformed {
        file: file.clone(),
        path: "end".to_owned(),
        source,
    })?;
    let mut names = BTreeSet::new();
    match cases.iter().find(|case| !names.insert(case.name.as_str())) {
        Some(case) => Err(CasesError::Repeated { file, name: case.name.clone() }),
        None => Ok(cases),
    }
}

impl CasesError {
    /// Line and column of the text, from 1, where one place is at fault.
    #[must_use]
    pub fn place(&self) -> Option<(usize, usize)> {
        match self {
            Self::Malformed { source, .. } => Some((source.line(), source.column())),
            Self::Unreadable { .. } | Self::Repeated { .. } => None,
        }
    }
}

impl Case {
    /// What the server would ask a plugin with this manifest, which may ask the case's servers.
    pub(crate) fn request(&self, manifest: &Manifest) -> ClaimsRequest {
        ClaimsRequest {
            http: http::access(manifest, &self.http),
            ..self.input.request(manifest, &placeholders(manifest))
        }
    }

    /// The same of a webhook transform.
    pub(crate) fn delivery(&self, manifest: &Manifest) -> TransformRequest {
        self.input.delivery(manifest, &placeholders(manifest))
    }
}

impl Input {
    /// What the server would ask a plugin with this manifest and these secrets.
    #[must_use]
    pub fn request(&self, manifest: &Manifest, secrets: &Secrets) -> ClaimsRequest {
        ClaimsRequest {
            token: text(&self.token),
            context: self.context.shared(),
            environment: environment(self, manifest, secrets),
            http: None,
        }
    }
}

/// The variables of the manifest and the secrets, and over them the input's own.
pub(crate) fn environment(input: &Input, manifest: &Manifest, secrets: &Secrets) -> Arc<[(String, String)]> {
    let own = &input.environment_variables;
    let settings = manifest.variables(secrets);
    let under = settings.iter().filter(|(name, _)| !own.contains_key(name)).cloned();
    under.chain(own.iter().map(|(name, value)| (name.clone(), value.clone()))).collect()
}

/// What stands for the secrets of a manifest: nothing at a desk can read them.
fn placeholders(manifest: &Manifest) -> Secrets {
    Secrets::from_pairs(manifest.secrets.keys().map(|name| (name.clone(), format!("secret:{name}"))).collect())
}

impl CaseContext {
    fn shared(&self) -> Context {
        Context {
            grant: self.grant.as_ref().map(|grant| Grant {
                grant_type: grant.grant_type.as_str().into(),
                subject_token_context: grant.subject_token_context.as_ref().map(text),
            }),
            user: self.user.as_ref().map(text),
            application: self.application.as_ref().map(text),
            organization: self.organization.as_ref().map(text),
            interaction: self.interaction.as_ref().map(text),
        }
    }
}

fn text(object: &Map<String, Value>) -> Arc<str> {
    Value::Object(object.clone()).to_string().into()
}
