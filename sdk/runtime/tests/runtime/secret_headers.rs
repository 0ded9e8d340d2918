//! Headers that the host fills in with secrets: where they are sent, and that no guest sees them.

use crate::support::{ample, load, request};
use claimsmith_runtime::{
    Call, ClaimsRequest, HttpAccess, HttpCapability, HttpFuture, HttpRequest, HttpResponse, HttpSender, Language,
    Manifest, SecretHeaders, Secrets,
};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

const SECRET: &str = "s3cr3t/\"key\"";

/// Sends a request with its variables, and tells what came of it.
const ASKS: &str = r#"
export const getCustomJwtClaims = async ({ environmentVariables: { URL, INIT } }) => {
  try {
    const answer = await fetch(URL, JSON.parse(INIT));
    return { status: answer.status, echo: answer.headers.get("x-echo"), text: await answer.text() };
  } catch (error) {
    return { error: error.message };
  }
};
"#;

/// A server that answers with what it was sent, in the form that the path names.
#[derive(Debug, Default)]
struct Echo(Mutex<Vec<String>>);

impl HttpSender for Echo {
    fn send(&self, request: HttpRequest) -> HttpFuture<'_> {
        let sent: Vec<_> = request.filled.iter().map(|header| format!("{}={}", header.name, header.value())).collect();
        assert!(!format!("{:?}", request.filled).contains("s3cr3t"), "{:?}", request.filled);
        self.0.lock().unwrap().push(format!("{} {:?} {sent:?}", request.url, request.headers));
        let value = request.filled.first().map_or("nothing", |header| header.value()).to_owned();
        let body = match request.url.rsplit('/').next().unwrap() {
            "json" => json!({ "authorization": value }).to_string().into_bytes(),
            "base64" => data_encoding::BASE64.encode(value.as_bytes()).into_bytes(),
            "binary" => [b"\xff\xfe", value.as_bytes(), b"\xff"].concat(),
            "escaped" => {
                value.chars().map(|c| format!("\\u{:04x}", u32::from(c))).collect::<Vec<_>>().concat().into_bytes()
            }
            // The beginning of a value, as a guest would guess it.
            "guess" => "s3cr3t…".to_owned().into_bytes(),
            _ => value.clone().into_bytes(),
        };
        let mut headers = vec![("x-echo".to_owned(), value)];
        if request.url.ends_with("/compressed") {
            headers.push(("content-encoding".to_owned(), "gzip".to_owned()));
        }
        Box::pin(async move { Ok(HttpResponse { status: 200, headers, body }) })
    }
}

fn capability() -> HttpCapability {
    let bearer = json!({ "Authorization": "Bearer {secret:API_KEY}" });
    let hosts = ["api.example.com", "other.example.com", "*.example.org"];
    let headers = json!({ "api.example.com": bearer, "*.example.org": { "x-key": "{secret:MISSING}" } });
    serde_json::from_value(json!({ "hosts": hosts, "plain": true, "headers": headers })).unwrap()
}

async fn ask(echo: &Arc<Echo>, url: &str, init: Value) -> (Value, Call) {
    let plugin = load(Language::JavaScript, ASKS).await.unwrap();
    let capability = capability();
    let secrets = Secrets::from_pairs(vec![("API_KEY".to_owned(), SECRET.to_owned())]);
    let headers = SecretHeaders::of(&capability, &secrets).map(Arc::new);
    assert!(!format!("{headers:?}").contains("s3cr3t"), "{headers:?}");
    let http = HttpAccess { capability: Arc::new(capability), sender: echo.clone(), headers, shared: Arc::default() };
    let request = ClaimsRequest { http: Some(http), ..request(&[("URL", url), ("INIT", &init.to_string())]) };
    let mut call = plugin.get_custom_jwt_claims(&request, &ample()).await;
    let claims = Value::Object(std::mem::take(call.result.as_mut().unwrap()));
    assert!(!claims.to_string().contains("s3cr3t/"), "{claims}");
    assert!(!format!("{:?}", call.logs).contains("s3cr3t"), "{:?}", call.logs);
    (claims, call)
}

#[tokio::test]
async fn a_header_is_filled_in_and_its_value_is_masked_in_the_answer() {
    let echo = Arc::new(Echo::default());
    let (answer, _) = ask(&echo, "https://api.example.com/text", json!({})).await;
    assert_eq!(answer, json!({ "status": 200, "echo": "Bearer ***", "text": "Bearer ***" }));
    let sent = format!(
        "https://api.example.com/text [(\"accept-encoding\", \"identity\")] {:?}",
        [format!("authorization=Bearer {SECRET}")]
    );
    assert_eq!(*echo.0.lock().unwrap(), [sent]);
    let (answer, _) = ask(&echo, "https://api.example.com/json", json!({})).await;
    assert_eq!(answer["text"], "{\"authorization\":\"Bearer ***\"}");
    let (answer, _) = ask(&echo, "https://api.example.com/base64", json!({})).await;
    assert!(answer["text"].as_str().unwrap().contains("***"), "{answer}");
    let (answer, _) = ask(&echo, "https://api.example.com/binary", json!({})).await;
    assert!(answer["text"].as_str().unwrap().contains("Bearer ***"), "{answer}");
    // A guess that is masked would tell that it is right.
    let (answer, _) = ask(&echo, "https://api.example.com/guess", json!({})).await;
    assert_eq!(answer["text"], "s3cr3t…");
    // Nothing is filled in elsewhere.
    let (answer, _) = ask(&echo, "https://other.example.com/text", json!({})).await;
    assert_eq!(answer["text"], "nothing");
}

#[tokio::test]
async fn what_would_show_a_secret_is_refused() {
    let echo = Arc::new(Echo::default());
    for (url, init, part) in [
        ("http://api.example.com/text", json!({}), "is filled in by the server, and sent over https only"),
        (
            "https://api.example.com/text",
            json!({ "headers": { "AUTHORIZATION": "Bearer mine" } }),
            "the header `authorization` is filled in by the server: leave it out",
        ),
        ("https://api.example.com/text", json!({ "headers": { "range": "bytes=0-1" } }), "cannot ask for a range"),
        ("https://a.example.org/text", json!({}), "the secret `MISSING` of the header `x-key` is not set"),
    ] {
        let (answer, call) = ask(&echo, url, init).await;
        assert!(answer["error"].as_str().unwrap().contains(part), "{answer}");
        assert_eq!(call.http.refused, 1, "{url}");
    }
    assert!(echo.0.lock().unwrap().is_empty(), "nothing was sent");
    for (path, part) in [("compressed", "compressed"), ("escaped", "in an unusual form")] {
        let (answer, call) = ask(&echo, &format!("https://api.example.com/{path}"), json!({})).await;
        assert!(answer["error"].as_str().unwrap().contains(part), "{answer}");
        assert_eq!(call.http.failed, 1, "{path}");
    }
}

#[test]
fn a_secret_of_a_header_is_no_variable() {
    let text = "[secrets]\nAPI_KEY = { env = \"A\" }\nOTHER = { env = \"B\" }\n[capabilities.http]\n\
                hosts = [\"api.example.com\"]\n[capabilities.http.headers.\"api.example.com\"]\n\
                authorization = \"Bearer {secret:API_KEY}\"\n";
    let manifest = Manifest::parse("a.toml", text).unwrap();
    let pairs = ["API_KEY", "OTHER"].map(|name| (name.to_owned(), "value".to_owned()));
    let variables = manifest.variables(&Secrets::from_pairs(pairs.to_vec()));
    assert_eq!(*variables, [("OTHER".to_owned(), "value".to_owned())]);
    assert_eq!(Manifest::parse("a.toml", &manifest.to_toml().unwrap()).unwrap(), manifest);
}
