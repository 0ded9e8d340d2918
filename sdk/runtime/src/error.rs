//! The errors of loading and of calling a plugin: closed enumerations, so that callers can decide by variant.

use crate::Finding;
use std::time::Duration;

/// The engine itself could not be set up.
#[derive(Debug, thiserror::Error)]
#[error("the plugin engine could not start: {0}")]
pub struct StartError(pub String);

/// Why a source did not become a plugin. The text is written for the plugin's author.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// Larger than the host accepts, in bytes.
    #[error("the plugin has {size} bytes; at most {limit} are accepted")]
    TooLarge {
        /// Its size.
        size: usize,
        /// What is accepted.
        limit: usize,
    },
    /// The source text has errors; each with line and column where known.
    #[error("{}", lines(.0))]
    Syntax(Vec<Finding>),
    /// Neither a component nor a core module that carries its WIT, or not valid.
    #[error("{0}")]
    NotAComponent(String),
    /// A component of another world: a missing export, or one of another type.
    #[error("{0}")]
    WrongWorld(String),
    /// A component of another world: it imports interfaces that no plugin is given. Their names, without versions.
    #[error("it imports interfaces that no plugin is given: {}", .0.join(", "))]
    UnknownImports(Vec<String>),
    /// Top-level code or the trial instantiation failed, ran too long or used too much memory.
    #[error("{0}")]
    Initialization(String),
    /// The system refused memory that compiling needs.
    #[error("there is not enough memory to compile it: {0}")]
    OutOfMemory(String),
    /// The host failed, through no fault of the source.
    #[error("{0}")]
    Internal(String),
}

/// Why a call has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    /// A claims plugin denied access; the text is for the application.
    #[error("access denied: {0}")]
    Denied(String),
    /// The plugin threw or answered `failed`: message and stack, with the author's file, line and column.
    #[error("{0}")]
    Failed(String),
    /// The guest broke: unreachable code, a stack overflow, a promise that never settles.
    #[error("the plugin trapped: {0}")]
    Trapped(String),
    /// It had not answered by its deadline.
    #[error("the plugin did not answer within {} ms", .0.as_millis())]
    TimedOut(Duration),
    /// It asked for more memory than this many bytes.
    #[error("the plugin exceeded its memory limit of {} MiB", .0 >> 20)]
    OutOfMemory(usize),
    /// Its answer is too large, or not what it must be.
    #[error("bad answer: {0}")]
    BadOutput(String),
    /// Its claims contain the value of this secret, which nobody may read from a token.
    #[error("the claims contain the value of the secret `{0}`")]
    SecretInClaims(String),
    /// The delivery that it answered contains the value of this secret, which no receiver may read.
    #[error("the transformed delivery contains the value of the secret `{0}`")]
    SecretInDelivery(String),
    /// It was not called, since too many calls are waiting or the host is shutting down.
    #[error("the plugin could not be called: {0}")]
    Unavailable(String),
}

impl LoadError {
    /// A short stable word for logs, metrics and records.
    #[must_use]
    pub fn outcome(&self) -> &'static str {
        match self {
            Self::TooLarge { .. } => "too_large",
            Self::Syntax(_) => "syntax",
            Self::NotAComponent(_) => "not_a_component",
            Self::WrongWorld(_) | Self::UnknownImports(_) => "wrong_world",
            Self::Initialization(_) => "initialization",
            Self::OutOfMemory(_) => "out_of_memory",
            Self::Internal(_) => "internal",
        }
    }

    /// The same, one by one, each with the author's own position where it is known.
    #[must_use]
    pub fn findings(&self) -> Vec<Finding> {
        match self {
            Self::Syntax(findings) => findings.clone(),
            Self::UnknownImports(names) => names
                .iter()
                .map(|name| Finding::of(format!("it imports an interface that no plugin is given: {name}")))
                .collect(),
            Self::Initialization(text) => vec![Finding::at_first_position(text)],
            Self::TooLarge { .. }
            | Self::NotAComponent(_)
            | Self::WrongWorld(_)
            | Self::OutOfMemory(_)
            | Self::Internal(_) => vec![Finding::of(self.to_string())],
        }
    }
}

fn lines(findings: &[Finding]) -> String {
    findings.iter().map(Finding::to_string).collect::<Vec<_>>().join("\n")
}

impl CallError {
    /// A short stable word for logs, metrics and records.
    #[must_use]
    pub fn outcome(&self) -> &'static str {
        match self {
            Self::Denied(_) => "denied",
            Self::Failed(_) => "failed",
            Self::Trapped(_) => "trapped",
            Self::TimedOut(_) => "timed_out",
            Self::OutOfMemory(_) => "out_of_memory",
            Self::BadOutput(_) => "bad_output",
            Self::SecretInClaims(_) => "secret_in_claims",
            Self::SecretInDelivery(_) => "secret_in_delivery",
            Self::Unavailable(_) => "unavailable",
        }
    }
}
