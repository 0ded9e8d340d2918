//! Tests of every key: set by each layer, refused outside its range; unknown names, precedence, masking.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod values;

use std::collections::BTreeSet;
use std::net::IpAddr;
use std::path::Path;
use std::time::Duration;

use claimsmith_domain::plugin_signature::TrustMode;
use clap::{Args as _, Command, FromArgMatches as _};

use super::keys::{ConfigKey, KEYS, ValueType};
use super::*;
use values::VALUES;

fn key(path: &str) -> &'static ConfigKey {
    KEYS.iter().find(|key| key.path == path).unwrap()
}

fn args(line: &[&str]) -> ConfigArgs {
    let command = ConfigArgs::augment_args(Command::new("claimsmith").no_binary_name(true));
    ConfigArgs::from_arg_matches(&command.try_get_matches_from(line).unwrap()).unwrap()
}

fn flag(key: &ConfigKey, text: &str) -> ConfigArgs {
    let flag = key.flag.unwrap();
    match key.kind {
        ValueType::Switch { .. } => args(&[&format!("--{flag}")]),
        _ => args(&[&format!("--{flag}={text}")]),
    }
}

fn file(key: &ConfigKey, text: &str) -> String {
    let value = key.kind.read(text).unwrap_or_else(|| text.into());
    match key.place() {
        (Some(section), name) => format!("[{section}]\n{name} = {value}\n"),
        (None, name) => format!("{name} = {value}\n"),
    }
}

fn environment(name: &str, text: &str) -> [(String, String); 1] {
    [(name.to_owned(), text.to_owned())]
}

fn from_file(text: &str) -> Result<Config, ConfigError> {
    Config::assemble(Some(text), [], &ConfigArgs::default())
}

fn from_environment(name: &str, text: &str) -> Result<Config, ConfigError> {
    Config::assemble(None, environment(name, text), &ConfigArgs::default())
}

/// The line of `describe` for a key, without its section.
fn line(config: &Config, key: &ConfigKey) -> String {
    let text = config.describe();
    let (section, name) = key.place();
    let body = match section {
        Some(section) => text.split(&format!("\n[{section}]\n")).nth(1).unwrap().to_owned(),
        None => text,
    };
    body.lines().find(|line| line.starts_with(&format!("{name} = "))).unwrap().to_owned()
}

#[test]
fn the_table_of_this_test_names_every_key_once() {
    let tested: Vec<&str> = VALUES.iter().map(|(path, ..)| *path).collect();
    let known: Vec<&str> = KEYS.iter().map(|key| key.path).collect();
    assert_eq!(tested, known);
    for names in [KEYS.iter().map(|key| key.env).collect::<BTreeSet<_>>(), known.into_iter().collect()] {
        assert_eq!(names.len(), KEYS.len());
    }
}

#[test]
fn every_key_is_obeyed_from_every_layer() {
    for (path, text, _) in VALUES {
        let key = key(path);
        let default = Config::default();
        let mut layers = vec![
            (from_file(&file(key, text)).unwrap(), "file claimsmith.toml".to_owned()),
            (from_environment(key.env, text).unwrap(), format!("environment {}", key.env)),
        ];
        if let Some(name) = key.flag {
            let config = Config::assemble(None, [], &flag(key, text)).unwrap();
            layers.push((config, format!("flag --{name}")));
        }
        let first = line(&layers[0].0, key);
        let (value, _) = first.split_once("  # ").unwrap();
        for (config, source) in &layers {
            assert_eq!(line(config, key), format!("{value}  # {source}"));
        }
        assert!(!default.describe().contains(&format!("{value}  #")), "{path} is tested with its default");
    }
}

#[test]
fn every_key_refuses_what_it_does_not_accept_from_every_layer() {
    for (path, _, bad) in VALUES {
        let key = key(path);
        let mut errors = vec![
            (from_file(&file(key, bad)).unwrap_err(), "file claimsmith.toml".to_owned()),
            (from_environment(key.env, bad).unwrap_err(), format!("environment {}", key.env)),
        ];
        if let (Some(name), false) = (key.flag, matches!(key.kind, ValueType::Switch { .. })) {
            errors.push((Config::assemble(None, [], &flag(key, bad)).unwrap_err(), format!("flag --{name}")));
        }
        for (error, source) in errors {
            let text = error.to_string();
            assert_eq!(error.problems().len(), 1, "{text}");
            assert!(text.contains(&format!("{source}: {path} ")), "{text}");
            assert!(text.ends_with(&format!("accepted: {}", key.kind.accepted())), "{text}");
            assert!(!key.kind.is_secret() || !text.contains(bad), "{text}");
        }
    }
}

#[test]
fn every_number_is_accepted_at_its_ends_and_not_beyond() {
    for key in KEYS {
        let ValueType::Number { min, max, .. } = key.kind else { continue };
        for (number, accepted) in [(min, true), (max, true), (min - 1, false), (max + 1, false)] {
            assert_eq!(from_file(&file(key, &number.to_string())).is_ok(), accepted, "{} = {number}", key.path);
            assert_eq!(from_environment(key.env, &number.to_string()).is_ok(), accepted, "{} = {number}", key.env);
        }
        assert!(from_file(&file(key, "many")).is_err());
    }
}

#[test]
fn every_word_of_a_choice_is_accepted() {
    for key in KEYS {
        let ValueType::Choice(words) = key.kind else { continue };
        for word in words {
            assert!(from_environment(key.env, word).is_ok(), "{} = {word}", key.path);
        }
    }
}

#[test]
fn units_are_those_of_the_names() {
    let text = "[server]\nrequest_timeout = 7\n[plugins]\ndeadline_ms = 250\nmemory_mib = 2\noutput_kib = 3\n";
    let config = from_file(text).unwrap();
    assert_eq!(config.server.request_timeout, Duration::from_secs(7));
    assert_eq!(config.plugins.deadline, Duration::from_millis(250));
    assert_eq!((config.plugins.memory, config.plugins.output), (2 * 1024 * 1024, 3 * 1024));
}

#[test]
fn a_flag_beats_the_environment_and_the_environment_the_file() {
    let text = "[tokens]\nsubject_token_ttl = 11\naccess_token_ttl = 61\nkey_publish_delay = 1\n";
    let variables = [("CLAIMSMITH_SUBJECT_TOKEN_TTL", "12"), ("CLAIMSMITH_ACCESS_TOKEN_TTL", "62")];
    let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let config = Config::assemble(Some(text), variables, &args(&["--subject-token-ttl", "13"])).unwrap();
    assert_eq!(config.tokens.subject_token_ttl, Duration::from_secs(13));
    assert_eq!(config.tokens.access_token_ttl, Duration::from_secs(62));
    assert_eq!(config.tokens.key_publish_delay, Duration::from_secs(1));
    assert_eq!(config.source("tokens.subject_token_ttl"), ValueSource::Flag("subject-token-ttl"));
    assert_eq!(config.source("tokens.access_token_ttl"), ValueSource::Environment("CLAIMSMITH_ACCESS_TOKEN_TTL"));
    assert_eq!(config.source("tokens.key_publish_delay"), ValueSource::File("claimsmith.toml".to_owned()));
    assert_eq!(config.source("tokens.signing_algorithm"), ValueSource::Default);
}

#[test]
fn an_unknown_key_of_the_file_is_refused_with_the_nearest() {
    for (text, unknown, nearest) in [
        ("[tokens]\nsubject_tokn_ttl = 60\n", "tokens.subject_tokn_ttl", "tokens.subject_token_ttl"),
        ("[plugin]\ndir = \"x\"\n", "plugin", "plugins"),
        ("listen = \"127.0.0.1:0\"\n", "listen", "server.listen"),
        ("datadir = \"x\"\n", "datadir", "data_dir"),
        ("[plugins.limits]\nqueue = 1\n", "plugins.limits", "plugins.dir"),
    ] {
        let error = from_file(text).unwrap_err().to_string();
        let expected = format!("file claimsmith.toml: unknown key {unknown}; the nearest known one is {nearest}");
        assert!(error.ends_with(&expected), "{error}");
    }
}

#[test]
fn an_unknown_variable_is_refused_with_the_nearest_and_others_are_left_alone() {
    for (name, nearest) in [
        ("CLAIMSMITH_LISTN", "CLAIMSMITH_LISTEN"),
        ("CLAIMSMITH_PORT", "CLAIMSMITH_CONFIG"),
        ("CLAIMSMITH_PLUGIN_DIR", "CLAIMSMITH_PLUGINS_DIR"),
        ("CLAIMSMITH_CONFIGS", "CLAIMSMITH_CONFIG"),
    ] {
        let error = from_environment(name, "3001").unwrap_err().to_string();
        assert!(error.contains(&format!("environment: unknown key {name}; ")), "{error}");
        assert!(name == "CLAIMSMITH_PORT" || error.ends_with(&format!(" is {nearest}")), "{error}");
    }
    for (name, text) in [
        ("CLAIMSMITH_CONFIG", "other.toml"),
        ("LISTEN", "3001"),
        ("CLAIMSMITH_SERVER", "https://id.example.com"),
        ("CLAIMSMITH_TOKEN", "of a client"),
        ("CLAIMSMITH_SERVICE_HOST", "10.96.0.7"),
        ("CLAIMSMITH_SERVICE_PORT_HTTP", "3001"),
        ("CLAIMSMITH_PORT", "tcp://10.96.0.7:3001"),
        ("CLAIMSMITH_PORT_3001_TCP_ADDR", "10.96.0.7"),
    ] {
        assert!(from_environment(name, text).is_ok(), "{name}");
    }
}

#[test]
fn an_unknown_flag_is_refused_with_the_nearest() {
    let command = ConfigArgs::augment_args(Command::new("claimsmith").no_binary_name(true));
    let error = command.clone().try_get_matches_from(["--lisen", "127.0.0.1:0"]).unwrap_err().to_string();
    assert!(error.contains("--listen"), "{error}");
    let error = command.try_get_matches_from(["--demo", "--no-demo"]).unwrap_err().to_string();
    assert!(error.contains("cannot be used with"), "{error}");
}

#[test]
fn flags_may_stand_on_either_side_of_a_subcommand() {
    let command = ConfigArgs::augment_args(Command::new("claimsmith")).subcommand(Command::new("serve"));
    for line in [["claimsmith", "--no-demo", "serve"], ["claimsmith", "serve", "--no-demo"]] {
        let matches = command.clone().try_get_matches_from(line).unwrap();
        let args = ConfigArgs::from_arg_matches(&matches).unwrap();
        let config = Config::assemble(None, [], &args).unwrap();
        assert_eq!(config.bootstrap.demo, Some(false));
    }
}

#[test]
fn all_problems_are_reported_at_once() {
    let text = "colour = \"blue\"\nlog = \"loud\"\n[server]\nlisten = \"here\"\nbase_url = \"ftp://x\"\n";
    let variables = environment("CLAIMSMITH_SUBJECT_TOKEN_TTL", "9");
    let error = Config::assemble(Some(text), variables, &args(&["--log-filter", "a=b"])).unwrap_err();
    assert_eq!(error.problems().len(), 6, "{error}");
    let lines = error.to_string();
    assert!(
        lines.contains("server.base_url = \"ftp://x\" is refused: its scheme is neither http nor https"),
        "{lines}"
    );
    assert!(lines.contains("log is a section and must be a table"), "{lines}");
}

#[test]
fn a_file_that_is_not_toml_is_refused_by_line_and_not_quoted() {
    let error = from_file("[encryption]\nkey = c2VjcmV0\n").unwrap_err().to_string();
    assert!(error.contains("file claimsmith.toml, line 2: "), "{error}");
    assert!(!error.contains("c2VjcmV0"), "{error}");
}

#[test]
fn a_named_file_must_be_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("absent.toml");
    let error = Config::load(&args(&["--config", path.to_str().unwrap()])).unwrap_err().to_string();
    assert!(error.contains("absent.toml: "), "{error}");

    std::fs::write(&path, "data_dir = \"here\"\n").unwrap();
    let config = Config::load(&args(&["--config", path.to_str().unwrap()])).unwrap();
    assert_eq!(config.source("data_dir"), ValueSource::File(path.display().to_string()));
}

#[test]
fn what_nobody_set_follows_what_was_set() {
    let config = Config::assemble(None, [], &args(&["--data-dir", "/srv/50% #1", "--listen", "127.0.0.1:0"])).unwrap();
    assert_eq!(config.database.url.expose(), "sqlite:///srv/50%25 %231/claimsmith.db");
    assert_eq!(config.source("database.url"), ValueSource::Follows("data_dir"));
    assert_eq!(config.plugins.cache_dir, Path::new("/srv/50% #1/cache"));
    assert_eq!(config.server.metrics_listen.port(), 0);
    assert_eq!(config.tokens.management_resource, "http://localhost:3001/api");

    let config =
        Config::assemble(None, [], &args(&["--listen=127.0.0.1:0", "--metrics-listen=127.0.0.1:9000"])).unwrap();
    assert_eq!(config.server.metrics_listen.port(), 9000);

    let config = from_environment("CLAIMSMITH_BASE_URL", "https://ID.example.com:443/t/").unwrap();
    assert_eq!(config.tokens.management_resource, "https://id.example.com/t/api");
    assert_eq!(config.server.base_url.issuer(), "https://id.example.com/t/oidc");
}

#[test]
fn the_default_is_what_an_empty_configuration_makes() {
    let config = Config::assemble(None, [], &ConfigArgs::default()).unwrap();
    assert_eq!(config.describe(), Config::default().describe());
    assert_eq!(config.database.url.expose(), "sqlite://data/claimsmith.db");
    assert!(config.plugins.concurrency >= 16);
}

#[test]
fn a_description_is_a_file_that_makes_the_same_configuration() {
    let config = Config::assemble(None, [], &args(&["--listen=[::]:80", "--trusted-proxies=10.0.0.0/8,::1"])).unwrap();
    let again = from_file(&config.describe()).unwrap();
    let values = |config: &Config| {
        let text = config.describe();
        text.lines().map(|line| line.split("  # ").next().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(values(&config), values(&again));
}

#[test]
fn no_secret_shows() {
    let (key, password) = ("AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=", "hunter2");
    let text = format!(
        "[encryption]\nkey = {key:?}\nprevious_keys = [{key:?}]\n\
         [database]\nurl = \"postgres://u:{password}@db/x?password={password}&sslmode=require\"\n"
    );
    let config = from_file(&text).unwrap();
    assert_eq!(config.encryption.key.as_ref().unwrap().expose(), &[1; 32]);
    assert_eq!(
        config.database.url.expose(),
        format!("postgres://u:{password}@db/x?password={password}&sslmode=require")
    );
    assert!(!config.database.url.is_embedded());

    let args = args(&["--database-url", &format!("postgres://u:{password}@db/x")]);
    for shown in [config.describe(), format!("{config:?}"), format!("{args:?}")] {
        assert!(!shown.contains(password) && !shown.contains(key) && !shown.contains("1, 1, 1"), "{shown}");
    }
    assert!(config.describe().contains("postgres://u:***@db/x?password=***&sslmode=require"), "{}", config.describe());
}

#[test]
fn base_urls() {
    for (text, loopback) in [
        ("http://localhost:3001", true),
        ("http://app.localhost", true),
        ("http://127.8.9.1:3001", true),
        ("http://[::1]", true),
        ("http://[::ffff:127.0.0.1]", true),
        ("https://id.example.com", false),
        ("http://localhost.example.com", false),
        ("http://0.0.0.0:3001", false),
    ] {
        assert_eq!(text.parse::<BaseUrl>().unwrap().is_loopback(), loopback, "{text}");
    }
    for text in ["", "/", "ftp://x", "http://", "http://u@x", "http://u:p@x", "http://x?", "http://x#", "mailto:a@b"] {
        assert!(text.parse::<BaseUrl>().is_err(), "{text}");
    }
}

#[test]
fn networks() {
    for (network, address, contains) in [
        ("10.0.0.0/8", "10.255.0.1", true),
        ("10.0.0.0/8", "11.0.0.1", false),
        ("10.0.0.0/8", "::ffff:10.1.2.3", true),
        ("192.0.2.7", "192.0.2.7", true),
        ("192.0.2.7", "192.0.2.6", false),
        ("0.0.0.0/0", "203.0.113.9", true),
        ("0.0.0.0/0", "2001:db8::1", false),
        ("2001:db8::/32", "2001:db8:ffff::1", true),
        ("2001:db8::/32", "2001:db9::1", false),
        ("::/0", "2001:db8::1", true),
    ] {
        let parsed: Network = network.parse().unwrap();
        assert_eq!(parsed.contains(address.parse::<IpAddr>().unwrap()), contains, "{address} in {network}");
        assert_eq!(parsed.to_string(), network);
    }
    for text in ["", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "10.0.0.1/8", "2001:db8::1/64", "::/129", "host"] {
        assert!(text.parse::<Network>().is_err(), "{text}");
    }
}

#[test]
fn keys_of_plugins_are_tables_of_the_file_and_no_error_quotes_one() {
    let pem = "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEANyIvNdc1NX5kpWbVWt8MF6iO2ejsoWblslOq5blQ4Sw=\n\
               -----END PUBLIC KEY-----\n";
    let table = |name: &str, rest: &str| format!("[[plugins.trust.keys]]\nname = {name:?}\n{rest}\n");
    let text = format!(
        "[plugins.trust]\nmode = \"require\"\nfolder = \"warn\"\n{}{}",
        table("release", &format!("pem = {pem:?}\nexpires = \"2027-01-01\"")),
        table("ci", &format!("pem = {pem:?}"))
    );
    let config = from_file(&text).unwrap();
    let trust = &config.plugins.trust;
    let names: Vec<_> = trust.keys.iter().map(|key| (key.name(), key.expires())).collect();
    assert_eq!(names, [("release", Some(1_798_761_600_000)), ("ci", None)]);
    assert_eq!((trust.mode, trust.folder, trust.upload), (TrustMode::Require, Some(TrustMode::Warn), None));
    let again = from_file(&config.describe()).unwrap();
    assert_eq!(again.plugins.trust.keys, trust.keys);

    let private = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIHNlY3JldA==\n-----END PRIVATE KEY-----\n";
    for (text, reason) in [
        (table("a", &format!("pem = {private:?}")), "a key is the PEM of one public key"),
        (format!("{}{}", table("a", &format!("pem = {pem:?}")), table("a", &format!("pem = {pem:?}"))), "two keys are"),
        ("[plugins.trust]\nkeys = [7]\n".to_owned(), "tables of name"),
        ("[plugins.trust]\nkey = []\n".to_owned(), "unknown key plugins.trust.key"),
        ("[plugins]\ntrust = \"require\"\n".to_owned(), "plugins.trust is a section and must be a table"),
    ] {
        let error = from_file(&text).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
        assert!(!error.contains("MC4") && !error.contains("MCow"), "{error}");
    }
}
