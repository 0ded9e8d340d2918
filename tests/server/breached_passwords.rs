//! `claimsmith breached-passwords`, and starting with the file that it makes.

use crate::BINARY;
use claimsmith_test_support::{CommandOutput, Home, Process, TestServer, both, breached_file};
use std::fs;
use std::sync::Arc;

async fn run(home: &Home, arguments: &[&str]) -> CommandOutput {
    let arguments = [&["breached-passwords"][..], arguments].concat();
    Process::run(BINARY, home, &[], &arguments).await.into()
}

both!(a_file_is_made_checked_and_used, async |home: Arc<Home>| {
    let file = breached_file(BINARY, &home).await;
    let text = run(&home, &["check", &file]).await.ok();
    assert!(text.ends_with("breached: 2 passwords, each seen 1 times or more, in 8 bytes.\n"), "{text}");
    // It takes the place of the one before.
    let often = ["build", "--from", "ranges", "--to", "breached", "--min-count", "2"];
    let text = run(&home, &often).await.ok();
    assert_eq!(text, "breached: 1 passwords, each seen 2 times or more, in 2 bytes.\n");
    TestServer::start(&home, &[("CLAIMSMITH_PASSWORDS_BREACHED_FILE", &file)]).await.unwrap();
});

both!(what_is_malformed_makes_no_file, async |home: Arc<Home>| {
    let ranges = home.folder().join("ranges");
    fs::create_dir(&ranges).unwrap();
    let build = ["build", "--from", "ranges", "--to", "breached"];
    let error = run(&home, &build).await.fails(1);
    assert!(error.contains("there are no digests"), "{error}");
    for (name, lines, part) in [
        ("5BAA6", "1E4C9B93F3F0682250B6CF8331B7EE68FD8\n", "5BAA6, line 1: expected 35 hexadecimal digits"),
        ("5BAA6", "1E4C9B93F3F0682250B6CF8331B7EE68FD8:3\nx:1\n", "5BAA6, line 2: expected 35 hexadecimal digits"),
        ("NTLM.txt", "", "NTLM.txt: the name of a range file is five hexadecimal digits"),
    ] {
        fs::write(ranges.join(name), lines).unwrap();
        let error = run(&home, &build).await.fails(1);
        assert!(error.contains(part), "{error}");
        fs::remove_file(ranges.join(name)).unwrap();
    }
    let error = run(&home, &["build", "--from", "nowhere", "--to", "breached"]).await.fails(1);
    assert!(error.contains("nowhere"), "{error}");
    for wrong in [["--min-count", "0"], ["--bits-per-entry", "3"], ["--bits-per-entry", "33"]] {
        run(&home, &[&build[..], &wrong].concat()).await.fails(2);
    }
    let left: Vec<_> = fs::read_dir(home.folder()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().contains("breached")), "{left:?}");
});

both!(a_server_does_not_start_with_a_file_that_is_not_whole, async |home: Arc<Home>| {
    let file = breached_file(BINARY, &home).await;
    let variable = [("CLAIMSMITH_PASSWORDS_BREACHED_FILE", &*file)];
    let whole = fs::read(&file).unwrap();
    let mut changed = whole.clone();
    *changed.last_mut().unwrap() ^= 1;
    let foreign = b"5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8:3 and so on, which is no filter at all";
    for (bytes, part) in [
        (&whole[..whole.len() - 1], "damaged or not whole"),
        (&changed[..], "damaged or not whole"),
        (&foreign[..], "claimsmith breached-passwords build"),
    ] {
        fs::write(&file, bytes).unwrap();
        let error = Process::start(BINARY, &home, &variable).await.err().unwrap();
        assert!(error.contains("passwords.breached_file") && error.contains(part), "{error}");
        assert!(run(&home, &["check", &file]).await.fails(1).contains(part));
    }
    fs::remove_file(&file).unwrap();
    let error = Process::start(BINARY, &home, &variable).await.err().unwrap();
    assert!(error.contains("passwords.breached_file") && error.contains("No such file"), "{error}");
    assert!(home.report(&home.data_dir()).is_none(), "nothing was set up");
});
