//! The source of a plugin as it was uploaded: its bytes and its language.

use bytes::Bytes;
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use std::sync::{Arc, OnceLock};

/// How the bytes of a [`Source`] are to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// One ECMAScript module or script, UTF-8.
    JavaScript,
    /// The same with types, which are stripped, not checked.
    TypeScript,
    /// A WebAssembly component, or a core module that carries its WIT.
    Wasm,
}

/// What a plugin is for, read from its exports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// World `claims`: computes claims of tokens.
    Claims,
    /// World `webhook-transform`: changes, directs or drops webhook deliveries.
    WebhookTransform,
    /// World `message`: turns messages to people into requests to a provider.
    Message,
}

/// One plugin as it was handed in. Clones share the bytes, and digest them once.
#[derive(Clone, Debug)]
pub struct Source {
    /// The plugin's name, used in messages and stack traces.
    pub name: String,
    /// How to read the bytes.
    pub language: Language,
    bytes: Bytes,
    digest: Arc<OnceLock<String>>,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Claims, Self::WebhookTransform, Self::Message];

    /// The likely kind of a plugin that did not load, by the names in its source; none when these do not show it.
    #[must_use]
    pub fn likely(source: &[u8]) -> Option<Self> {
        let holds = |word: &str| source.windows(word.len()).any(|window| window == word.as_bytes());
        let names = [
            (Self::Claims, ["getCustomJwtClaims", "get-custom-jwt-claims"]),
            (Self::WebhookTransform, ["transformWebhook", "webhook-transform"]),
            (Self::Message, ["composeMessage", "outgoing-message"]),
        ];
        let mut found = names.into_iter().filter(|(_, words)| words.iter().any(|word| holds(word)));
        match (found.next(), found.next()) {
            (Some((kind, _)), None) => Some(kind),
            _ => None,
        }
    }

    /// The function that such plugins export, as WIT has it.
    #[must_use]
    pub fn export(self) -> &'static str {
        match self {
            Self::Claims => "get-custom-jwt-claims",
            Self::WebhookTransform => "transform",
            Self::Message => "compose",
        }
    }

    /// The WIT world of such plugins, without its version.
    #[must_use]
    pub fn world(self) -> &'static str {
        match self {
            Self::Claims => "claimsmith:plugin/claims",
            Self::WebhookTransform => "claimsmith:plugin/webhook-transform",
            Self::Message => "claimsmith:plugin/message",
        }
    }
}

impl Language {
    /// The language that a file's extension stands for: `js`, `mjs`, `ts`, `mts` or `wasm`.
    #[must_use]
    pub fn from_extension(extension: &str) -> Option<Self> {
        match extension {
            "js" | "mjs" => Some(Self::JavaScript),
            "ts" | "mts" => Some(Self::TypeScript),
            "wasm" => Some(Self::Wasm),
            _ => None,
        }
    }

    /// The extension that stands for it: `js`, `ts` or `wasm`.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            Self::JavaScript => "js",
            Self::TypeScript => "ts",
            Self::Wasm => "wasm",
        }
    }
}

impl Source {
    /// A plugin of this name.
    #[must_use]
    pub fn new(name: impl Into<String>, language: Language, bytes: impl Into<Bytes>) -> Self {
        Self { name: name.into(), language, bytes: bytes.into(), digest: Arc::default() }
    }

    /// The same with the digest that somebody else found out. It must be right: what is made of the source is kept
    /// under it.
    #[must_use]
    pub fn with_digest(self, digest: String) -> Self {
        Self { digest: Arc::new(OnceLock::from(digest)), ..self }
    }

    /// The text or the binary.
    #[must_use]
    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// `sha256:` and the hexadecimal digest of the bytes. The first call takes a while with a large source.
    #[must_use]
    pub fn digest(&self) -> &str {
        self.digest.get_or_init(|| format!("sha256:{}", HEXLOWER.encode(&Sha256::digest(&self.bytes))))
    }
}
