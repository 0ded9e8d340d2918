//! The source of a plugin as it was uploaded: its bytes and its language.

use sha2::{Digest, Sha256};

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
}

/// One plugin as it was handed in.
#[derive(Clone, Debug)]
pub struct Source {
    /// The plugin's name, used in messages and stack traces.
    pub name: String,
    /// How to read `bytes`.
    pub language: Language,
    /// The text or the binary.
    pub bytes: Vec<u8>,
}

impl Kind {
    /// The likely kind of a plugin that did not load, by the names in its source; none when these do not show it.
    #[must_use]
    pub fn likely(source: &[u8]) -> Option<Self> {
        let holds = |word: &str| source.windows(word.len()).any(|window| window == word.as_bytes());
        let claims = holds("getCustomJwtClaims") || holds("get-custom-jwt-claims");
        let transform = holds("transformWebhook") || holds("webhook-transform");
        match (claims, transform) {
            (true, false) => Some(Self::Claims),
            (false, true) => Some(Self::WebhookTransform),
            (true, true) | (false, false) => None,
        }
    }

    /// The WIT world of such plugins, without its version.
    #[must_use]
    pub fn world(self) -> &'static str {
        match self {
            Self::Claims => "claimsmith:plugin/claims",
            Self::WebhookTransform => "claimsmith:plugin/webhook-transform",
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
    /// `sha256:` and the hexadecimal digest of the bytes.
    #[must_use]
    pub fn digest(&self) -> String {
        format!("sha256:{}", hex::encode(Sha256::digest(&self.bytes)))
    }
}
