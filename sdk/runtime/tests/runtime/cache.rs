//! What plugins keep between calls: whose it is, its bounds, and what an author is told.

use crate::support::{ample, load, request};
use claimsmith_runtime::{
    CacheCapability, CacheCounts, Call, ClaimsRequest, Context, Language, Level, LoadError, PluginCache,
};
use serde_json::{Value, json};
use std::sync::Arc;

/// Does what its variables say, and tells what came of it.
const KEEPS: &str = r"
export const getCustomJwtClaims = ({ environmentVariables: { STEPS }, api }) => {
  const told = JSON.parse(STEPS).map(([what, ...rest]) => {
    try {
      return api.cache[what](...rest) ?? null;
    } catch (error) {
      return `${error.name}: ${error.message}`;
    }
  });
  return { told };
};
";

fn cache(everybody: bool) -> Arc<PluginCache> {
    Arc::new(PluginCache::new(CacheCapability { everybody, ..CacheCapability::default() }))
}

/// A call of a user by an application.
async fn call(cache: Option<&Arc<PluginCache>>, [user, application]: [&str; 2], steps: Value) -> Call {
    let plugin = load(Language::JavaScript, KEEPS).await.unwrap();
    let object = |id: &str| (!id.is_empty()).then(|| json!({ "name": "N", "id": id }).to_string().into());
    let context = Context { user: object(user), application: object(application), ..Context::default() };
    let request = ClaimsRequest { context, cache: cache.cloned(), ..request(&[("STEPS", &steps.to_string())]) };
    plugin.get_custom_jwt_claims(&request, &ample()).await
}

async fn told(cache: &Arc<PluginCache>, who: [&str; 2], steps: Value) -> Value {
    call(Some(cache), who, steps).await.result.unwrap().remove("told").unwrap()
}

#[tokio::test]
async fn a_value_is_there_in_the_next_call_of_its_owner() {
    let cache = cache(true);
    let value = json!({ "plan": "gold", "größe": [1, null, "💍"] });
    let first = json!([["get", "user", "plan"], ["set", "user", "plan", value, 60], ["get", "user", "plan"]]);
    assert_eq!(told(&cache, ["ada", "shop"], first).await, json!([null, null, value]));
    let get = |owner: &str| json!([["get", owner, "plan"]]);
    assert_eq!(told(&cache, ["ada", "other"], get("user")).await, json!([value]));
    assert_eq!(told(&cache, ["bob", "shop"], get("user")).await, json!([null]));
    // An application may be called as a user is.
    assert_eq!(told(&cache, ["bob", "ada"], get("application")).await, json!([null]));
    let sets = json!([["set", "application", "plan", 1, 60], ["set", "everybody", "plan", 2, 60]]);
    told(&cache, ["ada", "shop"], sets).await;
    assert_eq!(told(&cache, ["", "shop"], get("application")).await, json!([1]));
    assert_eq!(told(&cache, ["", ""], get("everybody")).await, json!([2]));
    assert_eq!(told(&Arc::new(cache.apart()), ["ada", "shop"], get("user")).await, json!([null]));
}

#[tokio::test]
async fn an_author_is_told_why_nothing_is_kept() {
    let steps = json!([
        ["get", "user", "plan"],
        ["set", "application", "plan", 1, 60],
        ["get", "everybody", "plan"],
        ["get", "nobody", "plan"],
        ["set", "user", "plan", 1, 3601],
        ["set", "user", "plan", 1],
        ["get", "user", ""],
        ["set", "user", "plan", "x".repeat(70_000), 60],
    ]);
    let call_of = call(Some(&cache(false)), ["", ""], steps.clone()).await;
    let counts = CacheCounts { refused: 5, ..CacheCounts::default() };
    assert_eq!(call_of.cache, counts);
    let lines: Vec<_> = call_of.logs.iter().map(|line| (line.level, line.message.as_str())).collect();
    assert!(lines.iter().all(|(level, _)| *level == Level::Warn) && lines.len() == 5, "{lines:?}");
    let told = call_of.result.unwrap().remove("told").unwrap();
    for (index, part) in [
        (0, "TypeError: cache failed: there is no user in this call"),
        (1, "there is no application in this call"),
        (2, "entries of everybody were not granted to this plugin (capabilities.cache.everybody)"),
        (3, "an owner is user, application, everybody, not nobody"),
        (4, "RangeError: cache failed: an entry lasts from 1 to 3600 seconds, not 3601"),
        (5, "not undefined"),
        (6, "a key has from 1 to 256 bytes, not 0"),
        (7, "there is no user in this call"),
    ] {
        assert!(told[index].as_str().unwrap().contains(part), "{part}: {}", told[index]);
    }
    let call_of = call(None, ["ada", "shop"], json!([["get", "user", "plan"]])).await;
    let told = call_of.result.unwrap().remove("told").unwrap();
    assert!(told[0].as_str().unwrap().contains("the cache was not granted to this plugin"), "{told}");
    let large = json!([["set", "user", "plan", "x".repeat(70_000), 60]]);
    let call_of = call(Some(&cache(false)), ["ada", "shop"], large).await;
    let told = call_of.result.unwrap().remove("told").unwrap();
    assert!(told[0].as_str().unwrap().contains("a value has at most 65536 bytes, not 70002"), "{told}");
}

#[tokio::test]
async fn top_level_code_and_other_worlds_have_none() {
    let text = "export const getCustomJwtClaims = ({ api }) => ({ keys: Object.keys(api) });";
    let plugin = load(Language::JavaScript, text).await.unwrap();
    let answered = plugin.get_custom_jwt_claims(&request(&[]), &ample()).await.result.unwrap();
    assert_eq!(answered["keys"], json!(["denyAccess", "cache"]));
    assert!(plugin.imports().iter().any(|name| name == "claimsmith:plugin/cache"), "{:?}", plugin.imports());
    let transform = "export const transformWebhook = () => {};";
    let transform = load(Language::JavaScript, transform).await.unwrap();
    assert!(!transform.imports().iter().any(|name| name == "claimsmith:plugin/cache"), "{:?}", transform.imports());
    let foreign = include_str!("../guests/transform.wat").replacen(
        "(component",
        "(component (import \"claimsmith:plugin/cache@1.2.0\" (instance (export \"get\" (func))))",
        1,
    );
    let Err(LoadError::WrongWorld(text)) = load(Language::Wasm, wat::parse_str(foreign).unwrap()).await else {
        panic!("it was loaded")
    };
    assert!(text.contains("claimsmith:plugin/cache"), "{text}");
}
