//! Precedence of flags, environment and local server; the local server's secret is never sent to another server.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use super::{Credentials, ServerArgs, ServerConnection, resolve};
use crate::local_server::{LocalServer, ManagementApplication};
use crate::remote::Usage;

fn local() -> LocalServer {
    LocalServer {
        base_url: "https://id.example.com".to_owned(),
        listen: "0.0.0.0:3001".to_owned(),
        management: Some(ManagementApplication {
            resource: "https://id.example.com/api".to_owned(),
            client_id: "machine".to_owned(),
            client_secret: "own-secret".to_owned(),
        }),
    }
}

fn args() -> ServerArgs {
    ServerArgs { scope: "all".to_owned(), ..ServerArgs::default() }
}

fn at(url: &str) -> ServerArgs {
    ServerArgs { server: Some(url.to_owned()), ..args() }
}

fn with(args: &ServerArgs, variables: &[(&str, &str)], local: Option<LocalServer>) -> anyhow::Result<ServerConnection> {
    let found = |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
    resolve(args, found, local.ok_or("there is none"), None)
}

fn client(target: &ServerConnection) -> (&str, &str) {
    match &target.credentials {
        Credentials::Client { id, secret } => (id, secret.expose()),
        Credentials::Token(_) | Credentials::Login(_) => ("", ""),
    }
}

fn token(target: &ServerConnection) -> &str {
    match &target.credentials {
        Credentials::Client { .. } | Credentials::Login(_) => "",
        Credentials::Token(token) => token.expose(),
    }
}

fn usage(result: anyhow::Result<ServerConnection>) -> String {
    result.err().unwrap().downcast::<Usage>().unwrap().to_string()
}

#[test]
fn the_server_of_this_machine_is_found_and_opened() {
    let target = with(&args(), &[], Some(local())).unwrap();
    assert_eq!(
        (target.server.as_str(), target.resource.as_str()),
        ("http://127.0.0.1:3001", "https://id.example.com/api")
    );
    assert_eq!((client(&target), target.scope.as_str()), (("machine", "own-secret"), "all"));
}

#[test]
fn the_secret_of_a_data_folder_is_for_its_own_server() {
    for own in ["https://id.example.com/", "http://127.0.0.1:3001"] {
        let target = with(&at(own), &[], Some(local())).unwrap();
        assert_eq!((client(&target).0, target.resource.as_str()), ("machine", "https://id.example.com/api"), "{own}");
    }
    for other in ["https://id.example.com.evil.example", "http://id.example.com", "https://id.example.com:444"] {
        let text = usage(with(&at(other), &[], Some(local())));
        assert!(text.starts_with(&format!("no credentials for {other}: ")), "{text}");
    }
}

#[test]
fn flags_win_over_the_environment() {
    let variables = [
        ("CLAIMSMITH_SERVER", "https://other.example.com"),
        ("CLAIMSMITH_TOKEN", "env-token"),
        ("CLAIMSMITH_CLIENT_SECRET", "env-secret"),
        ("CLAIMSMITH_RESOURCE", "urn:api"),
    ];
    let target = with(&args(), &variables, Some(local())).unwrap();
    assert_eq!((target.server.as_str(), token(&target)), ("https://other.example.com", "env-token"));
    assert_eq!(target.resource, "urn:api");

    let by_id = ServerArgs { client_id: Some("mine".to_owned()), ..at("https://id.example.com/x/") };
    let target = with(&by_id, &variables, None).unwrap();
    assert_eq!((target.server.as_str(), client(&target)), ("https://id.example.com/x", ("mine", "env-secret")));

    let by_token = ServerArgs { token: Some("flag-token".to_owned()), ..args() };
    assert_eq!(token(&with(&by_token, &variables, None).unwrap()), "flag-token");
}

#[test]
fn the_resource_follows_the_url_where_nothing_better_is_known() {
    let target = with(&at("https://id.example.com"), &[("CLAIMSMITH_TOKEN", "t")], None).unwrap();
    assert_eq!(target.resource, "https://id.example.com/api");
}

#[test]
fn the_secret_may_stand_in_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("secret");
    std::fs::write(&file, "from-file\n").unwrap();
    let given = ServerArgs {
        client_id: Some("mine".to_owned()),
        client_secret_file: Some(file),
        ..at("https://id.example.com")
    };
    assert_eq!(client(&with(&given, &[], None).unwrap()), ("mine", "from-file"));
}

#[test]
fn half_of_what_is_needed_is_a_mistake() {
    assert!(usage(with(&args(), &[], None)).starts_with("no server was named: "));
    let url = [("CLAIMSMITH_SERVER", "https://id.example.com"), ("CLAIMSMITH_CLIENT_ID", "mine")];
    assert!(usage(with(&args(), &url[..1], None)).starts_with("no credentials"));
    assert!(usage(with(&args(), &url, None)).starts_with("the application has no secret"));
    let secret = [url[0], ("CLAIMSMITH_CLIENT_SECRET", "hidden")];
    let text = usage(with(&args(), &secret, None));
    assert!(text.starts_with("the secret has no application") && !text.contains("hidden"), "{text}");
    assert!(usage(with(&at("id.example.com"), &[], None)).starts_with("the server's URL is not valid"));
}
