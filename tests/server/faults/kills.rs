//! A server that is killed during a change of an uploaded plugin: the plugin is as before or as after, acknowledged
//! changes are durable, and no temporary files remain.

use super::{claims, component, files, text, upload, upload_request};
use crate::BINARY;
use claimsmith_runtime::{Language, Source};
use claimsmith_test_support::{Answer, Home, Process, both};
use reqwest::{Method, RequestBuilder};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

const STAMP: &str = "/api/plugins/stamp";

/// When the server dies.
#[derive(Clone, Copy)]
enum Moment {
    /// The compiler works.
    Compiling,
    /// The compiler has answered, and so have this many requests since.
    Compiled(u32),
    /// The request is on its way, and so many others have been answered since.
    Sent(u32),
    /// It has answered this request.
    Answered,
}

/// From before the request is read to after it is done.
const MOMENTS: [Moment; 5] = [Moment::Sent(1), Moment::Sent(5), Moment::Sent(10), Moment::Sent(20), Moment::Answered];

/// A home whose servers have a cache of their own.
struct Place {
    home: Arc<Home>,
    cache: PathBuf,
}

impl Place {
    async fn start(&self) -> Process {
        let changes = [("CLAIMSMITH_PLUGINS_CACHE_DIR", self.cache.to_str().unwrap())];
        Process::start(BINARY, &self.home, &changes).await.unwrap()
    }

    /// Sends a request, kills the server, and starts another one. The status, where the answer came in time.
    async fn killed(&self, mut server: Process, request: RequestBuilder, moment: Moment) -> (Process, Option<u16>) {
        let mut answer = tokio::spawn(Answer::try_of(request));
        let (mut early, mut compiler) = (None, None);
        match moment {
            Moment::Sent(others) => answer_others(&server, others).await,
            Moment::Answered => early = Some((&mut answer).await),
            Moment::Compiling | Moment::Compiled(_) => tokio::select! {
                found = compiler_of(server.id()) => compiler = Some(found),
                answer = &mut answer => early = Some(answer),
            },
        }
        if let (Moment::Compiled(others), Some(compiler)) = (moment, &compiler) {
            gone(compiler).await;
            answer_others(&server, others).await;
        }
        server.kill().await;
        let answer = match early {
            Some(answer) => answer,
            None => answer.await,
        };
        if let Some(compiler) = &compiler {
            gone(compiler).await;
        }
        (self.start().await, answer.unwrap().ok().map(|answer| answer.status))
    }
}

async fn answer_others(server: &Process, count: u32) {
    for _ in 0..count {
        server.get("/api/status").await.expect(204);
    }
}

/// The folder below `/proc` of the compiler that this server runs.
async fn compiler_of(server: u32) -> PathBuf {
    let parent = |process: &Path| -> Option<u32> {
        let stat = std::fs::read_to_string(process.join("stat")).ok()?;
        stat.rsplit(')').next()?.split_whitespace().nth(1)?.parse().ok()
    };
    loop {
        let processes = std::fs::read_dir("/proc").unwrap().map(|entry| entry.unwrap().path());
        if let Some(process) = processes.into_iter().find(|process| parent(process) == Some(server)) {
            return process;
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

/// A process that ended keeps its entry until it is asked how, but no program.
async fn gone(process: &Path) {
    while std::fs::read_link(process.join("exe")).is_ok() {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

/// The number that the plugin claims; list, versions, digests and tokens must agree on it.
async fn standing(server: &Process) -> Option<u32> {
    let management = server.management().await;
    let list = management.get("/api/plugins").await.expect(200).body;
    let claimed = claims(server).await.get("answer").map(|number| u32::try_from(number.as_u64().unwrap()).unwrap());
    let versions = management.get(&format!("{STAMP}/versions")).await;
    let Some(number) = claimed else {
        assert_eq!(list.as_array().unwrap().len(), 0, "{list:#}");
        assert_eq!(versions.status, 404);
        return None;
    };
    let plugin = &list[0];
    let source = Source::new("stamp", Language::Wasm, component(&text(number)));
    assert_eq!((&plugin["state"], &plugin["lastError"]), (&"active".into(), &serde_json::Value::Null));
    assert_eq!(plugin["digest"], source.digest());
    let versions = versions.expect(200).body;
    let active: Vec<_> = versions.as_array().unwrap().iter().filter(|version| version["active"] == true).collect();
    assert_eq!(active.len(), 1, "{versions:#}");
    assert_eq!((&active[0]["id"], &active[0]["digest"]), (&plugin["deployment"]["activeVersion"], &plugin["digest"]));
    assert_eq!(versions[0]["id"], plugin["deployment"]["latestVersion"]);
    Some(number)
}

both!(a_plugin_is_as_before_or_as_after_and_nothing_is_left_behind, async |home: Arc<Home>| {
    let place = Place { cache: home.folder().join("cache"), home };
    let mut server = place.start().await;
    upload(&server, "stamp", &text(1000)).await.expect(201);
    let at_first = files(&place.home.data_dir());

    // Its start keeps the compiler busy for as long as it may.
    let busy = text(9999).replace("(func $deep", "(func $forever (loop (br 0))) (start $forever) (func $deep");
    let request = upload_request(&server.management().await, "stamp", component(&busy));
    let (next, status) = place.killed(server, request, Moment::Compiling).await;
    server = next;
    assert_eq!((status, standing(&server).await), (None, Some(1000)));

    let mut before = 1000;
    let moments =
        [Moment::Compiling, Moment::Compiled(0), Moment::Compiled(10), Moment::Compiled(30), Moment::Answered];
    for (number, moment) in (1001..).zip(moments) {
        let request = upload_request(&server.management().await, "stamp", component(&text(number)));
        let (next, status) = place.killed(server, request, moment).await;
        server = next;
        let now = standing(&server).await.unwrap();
        assert!(now == number || now == before && status.is_none(), "{before} -> {now}: {status:?}");
        before = now;
    }

    upload(&server, "stamp", &text(1100)).await.expect(201);
    for moment in MOMENTS {
        let before = standing(&server).await.unwrap();
        let versions = server.management().await.get(&format!("{STAMP}/versions")).await.expect(200).body;
        let (version, wanted) =
            if before == 1000 { (&versions[0], 1100) } else { (versions.as_array().unwrap().last().unwrap(), 1000) };
        let path = format!("{STAMP}/versions/{}/activate", version["id"].as_str().unwrap());
        let request = server.management().await.request(Method::POST, &path);
        let (next, status) = place.killed(server, request, moment).await;
        server = next;
        let now = standing(&server).await.unwrap();
        assert!(now == wanted || now == before && status.is_none(), "{before} -> {now}: {status:?}");
    }

    for moment in MOMENTS {
        let before = standing(&server).await;
        let request = server.management().await.request(Method::DELETE, STAMP);
        let (next, status) = place.killed(server, request, moment).await;
        server = next;
        let now = standing(&server).await;
        assert!(now.is_none() || now == before && status.is_none(), "{before:?} -> {now:?}: {status:?}");
        if now.is_none() {
            upload(&server, "stamp", &text(1200)).await.expect(201);
            assert_eq!(standing(&server).await, Some(1200));
        }
    }

    assert_eq!(files(&place.home.data_dir()), at_first);
    // Of all the processes that worked in the cache, only the server's own folder is left, and maybe that of the
    // compiler that came last: whoever starts removes those of the dead.
    let work = std::fs::read_dir(place.cache.join("work")).unwrap().map(|entry| entry.unwrap().path());
    assert!(work.filter(|path| path.is_dir()).count() <= 2);
    let parts = files(&place.cache).into_iter().filter(|path| path.extension().is_some_and(|ending| ending == "part"));
    assert_eq!(parts.count(), 0);
});
