//! The table of all configuration keys: section and name, environment variable, flag, accepted values, description.

use toml::Value;

use ValueType::{Choice, List, Number, Secret, Secrets, Switch, Tables, Text};

/// A configuration key.
#[derive(Debug)]
pub(super) struct ConfigKey {
    /// Dotted path in the file: the section, if any, and the name within it. A section may be within another one.
    pub(super) path: &'static str,
    pub(super) env: &'static str,
    /// The flag without the leading dashes. Encryption keys have none: other users of the machine can read command
    /// lines.
    pub(super) flag: Option<&'static str>,
    pub(super) kind: ValueType,
    pub(super) about: &'static str,
    /// The default in words, if it is not a constant.
    pub(super) default: Option<&'static str>,
}

/// What a key accepts, before the field's type validates it.
#[derive(Debug)]
pub(super) enum ValueType {
    /// A string, described in words.
    Text(&'static str),
    /// A string that errors must never quote.
    Secret(&'static str),
    /// Several secrets.
    Secrets(&'static str),
    /// One of these words.
    Choice(&'static [&'static str]),
    /// An integer in `unit`, from `min` to `max` inclusive.
    Number { min: i64, max: i64, unit: &'static str },
    /// Strings; separated by commas outside the file.
    List(&'static str),
    /// Tables, or strings that say the same; strings separated by commas outside the file.
    Tables(&'static str),
    /// A boolean; `off` is the flag that sets it to false.
    Switch { off: &'static str },
}

const ADDRESS: ValueType = Text("an IP address with a port, such as 127.0.0.1:3001 or [::1]:3001");
const FOLDER: ValueType = Text("a path");
const TRUST: ValueType = Choice(&["off", "warn", "require"]);

#[rustfmt::skip] // reads as a table
pub(super) const KEYS: &[ConfigKey] = &[
    key("data_dir", "CLAIMSMITH_DATA_DIR", "data-dir", FOLDER,
        "folder of the embedded database, generated keys and caches"),

    key("server.listen", "CLAIMSMITH_LISTEN", "listen", ADDRESS,
        "address to serve on; port 0 takes a free one"),
    key("server.metrics_listen", "CLAIMSMITH_METRICS_LISTEN", "metrics-listen", ADDRESS,
        "address of the Prometheus metrics; its port follows when the port of server.listen is 0"),
    key("server.base_url", "CLAIMSMITH_BASE_URL", "base-url",
        Text("an absolute http or https URL without user, query and fragment"),
        "address under which clients reach the server; the issuer is this plus /oidc"),
    key("server.trusted_proxies", "CLAIMSMITH_TRUSTED_PROXIES", "trusted-proxies",
        List("IP addresses or networks, such as 10.0.0.0/8"),
        "trusted proxies: the client address that they forward is believed"),
    key("server.country_header", "CLAIMSMITH_COUNTRY_HEADER", "country-header",
        Text("the name of a header, such as cf-ipcountry"),
        "header in which trusted proxies send the client's country (two letters), for adaptive MFA"),
    key("server.request_timeout", "CLAIMSMITH_REQUEST_TIMEOUT", "request-timeout", number(1, 600, "seconds"),
        "time that a request may take"),
    key("server.header_timeout", "CLAIMSMITH_HEADER_TIMEOUT", "header-timeout", number(1, 600, "seconds"),
        "time that the head of a request may take"),
    key("server.body_timeout", "CLAIMSMITH_BODY_TIMEOUT", "body-timeout", number(1, 3600, "seconds"),
        "time that the body of a request may take, an upload's too"),
    key("server.body_idle_timeout", "CLAIMSMITH_BODY_IDLE_TIMEOUT", "body-idle-timeout", number(1, 600, "seconds"),
        "time that the body of a request may take without a byte of it coming"),
    key("server.idle_timeout", "CLAIMSMITH_IDLE_TIMEOUT", "idle-timeout", number(1, 3600, "seconds"),
        "time that a connection is kept open between two requests"),
    key("server.max_connections", "CLAIMSMITH_MAX_CONNECTIONS", "max-connections", number(1, 1_000_000, "connections"),
        "connections that are open at once").defaults_to("three quarters of the file descriptors, at most 10,000"),
    key("server.max_connections_per_address", "CLAIMSMITH_MAX_CONNECTIONS_PER_ADDRESS", "max-connections-per-address",
        number(1, 1_000_000, "connections"),
        "connections of one client address, and its requests in progress")
        .defaults_to("a third of server.max_connections, at most 256"),
    key("server.max_in_flight_mib", "CLAIMSMITH_MAX_IN_FLIGHT_MIB", "max-in-flight-mib", number(1, 65_536, "MiB"),
        "memory of request bodies being read and of responses not read yet; one address gets a quarter, one connection \
         an eighth"),
    key("server.shutdown_grace", "CLAIMSMITH_SHUTDOWN_GRACE", "shutdown-grace", number(0, 600, "seconds"),
        "time that requests and deliveries in flight get to finish at shutdown"),

    key("database.url", "CLAIMSMITH_DATABASE_URL", "database-url",
        Secret("sqlite://PATH or postgres://USER:PASSWORD@HOST/NAME"),
        "database of the server").defaults_to("sqlite://{data_dir}/claimsmith.db"),
    key("database.max_connections", "CLAIMSMITH_DATABASE_MAX_CONNECTIONS", "database-max-connections",
        number(1, 1000, "connections"),
        "most connections that one server keeps to its database"),

    secret("encryption.key", "CLAIMSMITH_ENCRYPTION_KEY", Secret("the base64 of exactly 32 bytes"),
        "key that encrypts secrets at rest; generated into data_dir for an embedded database"),
    secret("encryption.previous_keys", "CLAIMSMITH_ENCRYPTION_PREVIOUS_KEYS", Secrets("the base64 of 32 bytes each"),
        "earlier encryption keys, which still decrypt what they encrypted"),

    key("tokens.subject_token_ttl", "CLAIMSMITH_SUBJECT_TOKEN_TTL", "subject-token-ttl", number(10, 3600, "seconds"),
        "lifetime of a subject token"),
    key("tokens.access_token_ttl", "CLAIMSMITH_ACCESS_TOKEN_TTL", "access-token-ttl", number(60, 86_400, "seconds"),
        "lifetime of an access token whose resource names none"),
    key("tokens.signing_algorithm", "CLAIMSMITH_SIGNING_ALGORITHM", "signing-algorithm",
        Choice(&["ES256", "ES384", "EdDSA", "RS256"]),
        "algorithm that signs access tokens"),
    key("tokens.key_publish_delay", "CLAIMSMITH_KEY_PUBLISH_DELAY", "key-publish-delay", number(0, 86_400, "seconds"),
        "time for which the next signing key is published before it signs"),
    key("tokens.management_resource", "CLAIMSMITH_MANAGEMENT_RESOURCE", "management-resource",
        Text("an absolute URI without fragment"),
        "resource indicator of the Management API").defaults_to("{server.base_url}/api"),

    key("passwords.digest_ms", "CLAIMSMITH_PASSWORDS_DIGEST_MS", "passwords-digest-ms",
        number(0, 1000, "milliseconds"),
        "time that hashing a password should take on this machine; two passes over 19 MiB at least, 32 at most"),
    key("passwords.breached_file", "CLAIMSMITH_PASSWORDS_BREACHED_FILE", "passwords-breached-file", FOLDER,
        "breached passwords, which nobody may choose: a file of `claimsmith breached-passwords build`"),

    key("emails.disposable_domains_file", "CLAIMSMITH_EMAILS_DISPOSABLE_DOMAINS_FILE", "emails-disposable-domains-file",
        FOLDER,
        "domains of throw-away addresses, one on each line, for emailBlocklistPolicy.blockDisposableAddresses"),

    key("avatars.max_kib", "CLAIMSMITH_AVATARS_MAX_KIB", "avatars-max-kib", number(16, 10_240, "KiB"),
        "size of a picture that people upload of themselves"),

    key("plugins.dir", "CLAIMSMITH_PLUGINS_DIR", "plugins-dir", FOLDER,
        "folder that is watched for plugins"),
    key("plugins.cache_dir", "CLAIMSMITH_PLUGINS_CACHE_DIR", "plugins-cache-dir", FOLDER,
        "folder of compiled plugins; servers of one machine may share it").defaults_to("{data_dir}/cache"),
    key("plugins.deadline_ms", "CLAIMSMITH_PLUGINS_DEADLINE_MS", "plugins-deadline-ms",
        number(10, 60_000, "milliseconds"),
        "time that one call of a plugin may take"),
    key("plugins.memory_mib", "CLAIMSMITH_PLUGINS_MEMORY_MIB", "plugins-memory-mib", number(1, 1024, "MiB"),
        "memory that one call of a plugin may use"),
    key("plugins.output_kib", "CLAIMSMITH_PLUGINS_OUTPUT_KIB", "plugins-output-kib", number(1, 1024, "KiB"),
        "size of the answer of one call of a plugin"),
    key("plugins.budget_ms", "CLAIMSMITH_PLUGINS_BUDGET_MS", "plugins-budget-ms", number(10, 60_000, "milliseconds"),
        "time that all plugins of one token or delivery share"),
    key("plugins.claims_kib", "CLAIMSMITH_PLUGINS_CLAIMS_KIB", "plugins-claims-kib", number(1, 1024, "KiB"),
        "size of all custom claims of one token together"),
    key("plugins.concurrency", "CLAIMSMITH_PLUGINS_CONCURRENCY", "plugins-concurrency", number(1, 4096, "calls"),
        "calls of plugins that run at once; one plugin has at most half of them").defaults_to("8 per core, at least 16"),
    key("plugins.queue", "CLAIMSMITH_PLUGINS_QUEUE", "plugins-queue", number(0, 65_536, "calls"),
        "calls that may wait in queues; further ones are refused"),
    key("plugins.poll_ms", "CLAIMSMITH_PLUGINS_POLL_MS", "plugins-poll-ms", number(100, 3_600_000, "milliseconds"),
        "polling interval of plugin folder and database, for changes without an event"),
    key("plugins.max_source_mib", "CLAIMSMITH_PLUGINS_MAX_SOURCE_MIB", "plugins-max-source-mib",
        number(1, 512, "MiB"),
        "size of one plugin file"),
    key("plugins.compile_memory", "CLAIMSMITH_PLUGINS_COMPILE_MEMORY", "plugins-compile-memory",
        number(128, 65_536, "MiB"),
        "memory of all processes that compile plugins, together"),
    key("plugins.compile_timeout", "CLAIMSMITH_PLUGINS_COMPILE_TIMEOUT", "plugins-compile-timeout",
        number(1, 600, "seconds"),
        "time that compiling and testing an uploaded plugin may take"),
    key("plugins.compile_queue", "CLAIMSMITH_PLUGINS_COMPILE_QUEUE", "plugins-compile-queue",
        number(0, 1000, "uploads"),
        "uploaded plugins that arrive or wait to be compiled, one at a time; further ones are refused"),
    key("plugins.require_second_person", "CLAIMSMITH_PLUGINS_REQUIRE_SECOND_PERSON", "plugins-require-second-person",
        Switch { off: "no-plugins-require-second-person" },
        "whether a version of a plugin is promoted or activated only by another principal than the one that uploaded it"),

    key("plugins.trust.mode", "CLAIMSMITH_PLUGINS_TRUST_MODE", "plugins-trust-mode", TRUST,
        "what it means that no trusted key signed a plugin: nothing, a warning, or that it is refused"),
    key("plugins.trust.folder", "CLAIMSMITH_PLUGINS_TRUST_FOLDER", "plugins-trust-folder", TRUST,
        "the same for files of the plugin folder").defaults_to("plugins.trust.mode"),
    key("plugins.trust.upload", "CLAIMSMITH_PLUGINS_TRUST_UPLOAD", "plugins-trust-upload", TRUST,
        "the same for uploads").defaults_to("plugins.trust.mode"),
    key("plugins.trust.keys", "CLAIMSMITH_PLUGINS_TRUST_KEYS", "plugins-trust-keys",
        Tables("tables of name, pem and perhaps expires; or texts NAME=KEY or NAME@EXPIRY=KEY with the base64 of a PEM"),
        "public keys that plugins may be signed with: Ed25519 or ECDSA P-256, at most 16"),

    key("egress.allowed_networks", "CLAIMSMITH_EGRESS_ALLOWED_NETWORKS", "egress-allowed-networks",
        List("IP addresses or networks, such as 10.0.0.0/8"),
        "private networks that requests to other servers may enter (exceptions of the SSRF guard)"),

    key("webhooks.allow_private_targets", "CLAIMSMITH_WEBHOOKS_ALLOW_PRIVATE_TARGETS", "webhooks-allow-private-targets",
        Switch { off: "no-webhooks-allow-private-targets" },
        "whether receivers of webhooks and logouts may have private addresses")
        .defaults_to("only where the database holds demo data"),
    key("webhooks.concurrency", "CLAIMSMITH_WEBHOOKS_CONCURRENCY", "webhooks-concurrency",
        number(1, 10_000, "deliveries"),
        "deliveries of webhooks that this server attempts at once, and as many logouts"),
    key("webhooks.poll_ms", "CLAIMSMITH_WEBHOOKS_POLL_MS", "webhooks-poll-ms", number(10, 60_000, "milliseconds"),
        "polling interval for due deliveries and logouts of other servers"),
    key("webhooks.timeout_ms", "CLAIMSMITH_WEBHOOKS_TIMEOUT_MS", "webhooks-timeout-ms",
        number(100, 10_000, "milliseconds"),
        "time that a receiver of webhooks or logouts may take to answer"),
    key("webhooks.key_overlap", "CLAIMSMITH_WEBHOOKS_KEY_OVERLAP", "webhooks-key-overlap",
        number(0, 2_592_000, "seconds"),
        "how long the previous signing key of a hook also signs after a rotation"),
    key("webhooks.retention_days", "CLAIMSMITH_WEBHOOKS_RETENTION_DAYS", "webhooks-retention-days",
        number(1, 3650, "days"),
        "retention of finished deliveries and logouts"),

    key("sessions.ttl", "CLAIMSMITH_SESSION_TTL", "session-ttl", number(300, 31_536_000, "seconds"),
        "lifetime of a session, however much it is used, unless PATCH /api/configs/oidc/session has set another"),
    key("sessions.idle_ttl", "CLAIMSMITH_SESSION_IDLE_TTL", "session-idle-ttl", number(300, 31_536_000, "seconds"),
        "time after which a session that is not used ends"),
    key("sessions.interaction_ttl", "CLAIMSMITH_INTERACTION_TTL", "interaction-ttl", number(60, 86_400, "seconds"),
        "time that a person has to sign in"),
    key("sessions.max_failed_sign_ins_per_minute", "CLAIMSMITH_MAX_FAILED_SIGN_INS_PER_MINUTE", "max-failed-sign-ins-per-minute",
        number(10, 1_000_000, "failures"),
        "failed sign-ins of a minute in all; beyond them only browsers that people have used before and addresses without failures may try"),
    key("sessions.max_texts_per_hour", "CLAIMSMITH_MAX_TEXTS_PER_HOUR", "max-texts-per-hour",
        number(1, 1_000_000, "messages"),
        "text messages of an hour in all, counted when they are written; a quarter is for second factors and known browsers"),
    key("audit.retention_days", "CLAIMSMITH_AUDIT_RETENTION_DAYS", "audit-retention-days", number(0, 36_500, "days"),
        "retention of the audit log; 0 keeps entries for ever"),

    key("log.format", "CLAIMSMITH_LOG_FORMAT", "log-format", Choice(&["text", "json"]),
        "how log lines are written"),
    key("log.filter", "CLAIMSMITH_LOG_FILTER", "log-filter",
        Text("levels and targets, such as info or info,claimsmith=debug"),
        "what is logged"),

    key("bootstrap.demo", "CLAIMSMITH_DEMO", "demo", Switch { off: "no-demo" },
        "demo data in an empty database")
        .defaults_to("only with loopback addresses and an embedded database"),
];

const fn key(
    path: &'static str,
    env: &'static str,
    flag: &'static str,
    kind: ValueType,
    about: &'static str,
) -> ConfigKey {
    ConfigKey { path, env, flag: Some(flag), kind, about, default: None }
}

const fn secret(path: &'static str, env: &'static str, kind: ValueType, about: &'static str) -> ConfigKey {
    ConfigKey { path, env, flag: None, kind, about, default: None }
}

const fn number(min: i64, max: i64, unit: &'static str) -> ValueType {
    Number { min, max, unit }
}

impl ConfigKey {
    const fn defaults_to(mut self, words: &'static str) -> Self {
        self.default = Some(words);
        self
    }

    /// The section in the file, if any, and the name within it.
    pub(super) fn place(&self) -> (Option<&'static str>, &'static str) {
        match self.path.rsplit_once('.') {
            Some((section, name)) => (Some(section), name),
            None => (None, self.path),
        }
    }
}

impl ValueType {
    /// Parses text from the environment or a flag; `None` if it is not valid.
    pub(super) fn read(&self, text: &str) -> Option<Value> {
        match self {
            Text(_) | Secret(_) | Choice(_) => Some(Value::String(text.to_owned())),
            Number { .. } => text.parse().ok().map(Value::Integer),
            Switch { .. } => match text {
                "true" | "1" => Some(Value::Boolean(true)),
                "false" | "0" => Some(Value::Boolean(false)),
                _ => None,
            },
            List(_) | Secrets(_) | Tables(_) => {
                let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
                Some(Value::Array(items.map(|item| Value::String(item.to_owned())).collect()))
            }
        }
    }

    /// Whether `value` has the type and range of this kind.
    pub(super) fn accepts(&self, value: &Value) -> bool {
        match (self, value) {
            (Text(_) | Secret(_), Value::String(text)) => !text.is_empty(),
            (Choice(words), Value::String(text)) => words.contains(&text.as_str()),
            (Number { min, max, .. }, Value::Integer(number)) => (min..=max).contains(&number),
            (Switch { .. }, Value::Boolean(_)) => true,
            (List(_) | Secrets(_), Value::Array(items)) => items.iter().all(Value::is_str),
            (Tables(_), Value::Array(items)) => items.iter().all(|item| item.is_str() || item.is_table()),
            _ => false,
        }
    }

    /// The accepted values, in words.
    pub(super) fn accepted(&self) -> String {
        match self {
            Text(words) | Secret(words) | Secrets(words) | List(words) | Tables(words) => (*words).to_owned(),
            Choice(words) => words.join(", "),
            Number { min, max, unit } => format!("{min} to {max} {unit}"),
            Switch { .. } => "true or false".to_owned(),
        }
    }

    /// Whether errors may quote the value. In place of a public key there may be a private one by mistake.
    pub(super) fn may_be_quoted(&self) -> bool {
        !self.is_secret() && !matches!(self, Tables(_))
    }

    /// Whether it is a secret.
    pub(super) fn is_secret(&self) -> bool {
        matches!(self, Secret(_) | Secrets(_))
    }
}
