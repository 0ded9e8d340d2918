//! Every hostile plugin, one after the other, on one server: uploaded for one application, called for a token of that
//! application, deleted. Applications beside it get their tokens with the plugin in place and after it.

use crate::latency::Latency;
use crate::report::{Growth, Report, ms};
use crate::request::{files, is_whole};
use crate::world::World;
use claimsmith_test_support::{Answer, Home, both};
use reqwest::Method;
use reqwest::multipart::Part;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Bytes by which the server may have grown in the end.
const GROWTH: u64 = 128 << 20;

/// A plugin, and what is to become of a token that it is asked for.
struct Hostile {
    file: PathBuf,
    name: String,
    expect: String,
    slow: bool,
}

impl Hostile {
    fn all() -> Vec<Self> {
        ["js", "ts", "wat"]
            .iter()
            .flat_map(|extension| files("plugins", extension))
            .map(|file| Self::read(&file))
            .collect()
    }

    /// The first line says `expect: denied|failed|issued|refused`, and `slow` where it is left to the long run.
    fn read(file: &Path) -> Self {
        let text = fs::read_to_string(file).unwrap();
        let first = text.lines().next().unwrap();
        let (_, told) = first.split_once("expect: ").unwrap_or_else(|| panic!("{}: {first}", file.display()));
        let expect = told.split([' ', ':', ',']).next().unwrap().to_owned();
        let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
        Self { file: file.to_owned(), name, expect, slow: told.contains("slow") }
    }

    /// Its bytes as they are uploaded, and their type.
    fn source(&self) -> (Vec<u8>, &'static str) {
        let bytes = fs::read(&self.file).unwrap();
        match self.file.extension().unwrap().to_str().unwrap() {
            "js" => (bytes, "text/javascript"),
            "ts" => (bytes, "application/typescript"),
            _ => (wat::parse_bytes(&bytes).unwrap().into_owned(), "application/wasm"),
        }
    }
}

/// What becomes of a token of the application that this plugin has a say in.
async fn ask(world: &World) -> String {
    let token = world.server.customer_token().await;
    let answer = world.server.exchange(&token).as_web().send().await;
    match (answer.status, answer["error"].as_str()) {
        (200, _) => "issued".to_owned(),
        (400, Some("access_denied")) => "denied".to_owned(),
        (500, Some("server_error")) => "failed".to_owned(),
        _ => format!("{} {}", answer.status, answer.body),
    }
}

both!(after_every_plugin_the_server_is_as_it_was, async |home: Arc<Home>| {
    let home_kind = home.kind();
    let plugins = Hostile::all();
    assert!(plugins.len() >= 20, "the corpus has {} plugins", plugins.len());
    let whole = is_whole(plugins.iter().filter(|plugin| plugin.slow).count());
    let mut world = World::new(home).await;
    let before = Latency::of(&world).await;
    let management = world.server.management().await;
    let mut growth = Growth::from(world.memory());
    let mut report = Report::new(&["plugin", "expected", "its token", "memory"]);
    let mut surprises = Vec::new();
    for plugin in plugins.iter().filter(|plugin| whole || !plugin.slow) {
        let name = &plugin.name;
        let path = format!("/api/plugins/{name}");
        let (bytes, content_type) = plugin.source();
        let source = Part::bytes(bytes).file_name(name.clone()).mime_str(content_type).unwrap();
        // Its neighbours are all other applications.
        let own = format!("applications = [\"{}\"]\n", world.server.demo().web_client_id);
        let manifest = own + &fs::read_to_string(plugin.file.with_extension("toml")).unwrap_or_default();
        let form = reqwest::multipart::Form::new().part("source", source);
        let form = form.part("manifest", Part::text(manifest).file_name("manifest.toml"));
        let uploaded = Answer::of(management.request(Method::PUT, &path).multipart(form)).await;
        let mut asked = Duration::ZERO;
        let found = match uploaded.status {
            422 => "refused".to_owned(),
            201 => {
                let started = Instant::now();
                let found = ask(&world).await;
                asked = started.elapsed();
                world.look(&format!("{name}, in place")).await;
                management.delete(&path).await.expect(204);
                found
            }
            status => format!("{status} {}", uploaded.body),
        };
        if found != plugin.expect {
            surprises.push(format!("{name}: {found}, not {}", plugin.expect));
        }
        report.row(&[name.clone(), plugin.expect.clone(), ms(asked), growth.after(name, world.memory())]);
        world.look(name).await;
    }
    report.write("plugins", home_kind);
    before.compare(&world, "plugins", home_kind).await;
    assert!(surprises.is_empty(), "{surprises:#?}");
    growth.check(GROWTH);
    world.restart().await;
});
