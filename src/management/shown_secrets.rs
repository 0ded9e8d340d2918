//! All members of responses to reads that may contain a secret, with the callers who see them. A test compares this
//! list with the OpenAPI description of the routes (`tests/management/secrets_shown.rs`): a new member with such a name
//! needs a line here.

/// The callers who see a member of a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShownTo {
    /// No caller: it is `********` or omitted.
    Nobody,
    /// Callers with this scope; others see `********`.
    Writers(&'static str),
    /// All callers who may read the rest: it is not a secret, for this reason.
    Readers(&'static str),
}

/// Schema and member, as the OpenAPI description names them, and the callers who see it.
pub const SHOWN: &[(&str, &str, ShownTo)] = &[
    ("CaptchaProviderView", "config", ShownTo::Nobody),
    ("ConnectorView", "config", ShownTo::Nobody),
    ("SsoConnectorView", "config", ShownTo::Nobody),
    ("SsoConnectorView", "providerConfig", ShownTo::Readers("what the provider publishes of itself")),
    ("HookView", "config", ShownTo::Writers("hooks:write")),
    ("HookView", "signingKey", ShownTo::Writers("hooks:write")),
    ("HookView", "signingSecret", ShownTo::Writers("hooks:write")),
    ("HookView", "publicKey", ShownTo::Readers("it verifies signatures, and makes none")),
    ("HookConfig", "headers", ShownTo::Writers("hooks:write")),
    ("DeliveryDetails", "headers", ShownTo::Writers("hooks:write")),
    ("ReceivedView", "headers", ShownTo::Writers("hooks:write")),
    ("Customizer", "environmentVariables", ShownTo::Writers("plugins:write")),
    ("KeyedCustomizer", "value", ShownTo::Writers("plugins:write")),
    ("PluginStatus", "environment", ShownTo::Writers("plugins:write")),
    ("PluginStatus", "secrets", ShownTo::Readers("names alone")),
    ("SecretView", "value", ShownTo::Nobody),
    ("TokenView", "value", ShownTo::Nobody),
    ("OneTimeTokenView", "token", ShownTo::Nobody),
    ("ServerSetting", "value", ShownTo::Readers("without those that are secret")),
    ("ServerSetting", "environment", ShownTo::Readers("the name of a variable")),
    ("Choice", "value", ShownTo::Readers("a choice of a profile field")),
    ("CustomProfileFieldView", "config", ShownTo::Readers("the form of a profile field")),
    ("Part", "config", ShownTo::Readers("the form of a profile field")),
];
