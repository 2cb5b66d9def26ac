//! Tests of results files of `grille spdm attest --fleet`, and of resumed runs.

use crate::sandbox::Sandbox;
use crate::sandbox::device::Device;
use crate::sandbox::peer::CLOSED;
use crate::spdm_verdicts::lines;
use serde_json::Value;
use std::fs;
use std::time::Duration;

#[test]
fn continues_after_damaged_results() {
    let sandbox = Sandbox::new();
    let device = Device::start(&sandbox, "--asym ECDSA_P256 --pqc-asym NONE --root root.pem");
    sandbox.put("list", format!("127.0.0.1:{}\n", device.port));
    let words = "spdm attest --fleet list --results found.jsonl --resume --ca root.pem";
    sandbox.ok(words);
    let line = sandbox.get("found.jsonl");
    let is_known = |done: &crate::sandbox::RunResult| {
        String::from_utf8_lossy(&done.stdout).contains(": 0 trusted, 1 known: 0 trusted, 1 authentic; ")
    };
    // The first line is truncated in the middle, as older releases left it.
    sandbox.put("found.jsonl", [&line[..30], b"\n", &line[..]].concat());
    let done = sandbox.run(words);
    assert!(done.code == 0 && is_known(&done), "{}", done.stderr);
    assert!(done.stderr.contains("found.jsonl: ignoring line 1, which holds no result"), "{}", done.stderr);
    // The file is complete except for its last newline, or is empty, or contains empty lines.
    sandbox.put("found.jsonl", &line[..line.len() - 1]);
    let done = sandbox.run(words);
    assert!(done.stderr.is_empty() && is_known(&done), "{}", done.stderr);
    assert_eq!(sandbox.get("found.jsonl"), line);
    sandbox.put("found.jsonl", [&line[..], b"\n"].concat());
    assert!(is_known(&sandbox.run(words)));
    sandbox.put("found.jsonl", "");
    assert!(!is_known(&sandbox.run(words)));
    // The file contains results of unreachable devices only.
    sandbox.put("away", format!("127.0.0.1:{CLOSED}\n"));
    for lines in 1..3 {
        let done = sandbox.run("spdm attest --fleet away --results away.jsonl --ca root.pem");
        done.check(3, "attest", &["1 device could not be attested"]);
        assert_eq!(sandbox.get("away.jsonl").split(|byte| *byte == b'\n').count(), lines + 1);
    }
    // A file that starts like a result, but is foreign or ambiguous, stays unchanged.
    for foreign in [
        &line[..5],
        &line[..line.len() - 2],
        b"{\"endpoint\":\"https://example.org\",\"token\":\"precious\"}",
        b"{\"endpoint\":\"https://example.org\",\"trusted\":\"yes\"}",
        b"{\"endpoint\":\"https://example.org\"}\n{\"endpoint\":\"https://exam",
    ] {
        sandbox.put("foreign.jsonl", foreign);
        let words = words.replace("found", "foreign");
        sandbox.refuses(2, &words, &["foreign.jsonl", "not a results file", "a new file"]);
        assert_eq!(sandbox.get("foreign.jsonl"), foreign);
    }
    sandbox.refuses(
        3,
        &words.replace("found", "no/such"),
        &["cannot read or write", "; make the directory first"],
    );
    // Another run holds the lock.
    let held = fs::File::open(sandbox.path("found.jsonl")).unwrap();
    held.lock().unwrap();
    sandbox.refuses(3, words, &["found.jsonl", "another run is writing to this file"]);
}

#[test]
fn reuses_only_fresh_verdicts_and_only_with_resume() {
    let sandbox = Sandbox::new();
    let device = Device::start(&sandbox, "--asym ECDSA_P256 --pqc-asym NONE --root root.pem");
    sandbox.put("list", format!("127.0.0.1:{}\n", device.port));
    let run = |words: &str| {
        let done = sandbox
            .run(&format!("spdm attest --fleet list --ca root.pem --results found.jsonl --json {words}"));
        (done.code, lines(&done.stdout).pop().unwrap())
    };
    assert_eq!(run("").0, 0);
    drop(device);
    // The device is off: every run contacts it.
    let (code, summary) = run("");
    assert_eq!((code, &summary["failed"], &summary["known"]), (3, &1.into(), &0.into()), "{summary}");
    // The last line holds no verdict, so nothing is resumed.
    let (code, summary) = run("--resume");
    assert_eq!((code, &summary["failed"]), (3, &1.into()), "{summary}");
    // Keep only the first line, as if the run had been interrupted.
    let first = sandbox.get("found.jsonl");
    let first = first.split_inclusive(|byte| *byte == b'\n').next().unwrap();
    sandbox.put("found.jsonl", first);
    let (code, summary) = run("--resume");
    assert_eq!(
        (code, &summary["known"], &summary["known_authentic"]),
        (0, &1.into(), &1.into()),
        "{summary}"
    );
    sandbox.put("found.jsonl", first);
    assert_eq!(run("").0, 3);
    // By default, a verdict that is older than a day is too old.
    let mut old: Value = serde_json::from_slice(first).unwrap();
    let yesterday = grille_pki::format_time(grille_pki::now() - Duration::from_hours(25));
    old["time"] = yesterday.into();
    let endpoint = old.as_object_mut().unwrap().remove("endpoint").unwrap();
    let old = format!("{{\"endpoint\":{endpoint},{}\n", &old.to_string()[1..]);
    sandbox.put("found.jsonl", &old);
    let (code, summary) = run("--resume");
    assert_eq!((code, &summary["again"], &summary["failed"]), (3, &1.into(), &1.into()), "{summary}");
    sandbox.put("found.jsonl", &old);
    assert_eq!(run("--resume --max-age 7d").0, 0);
    for age in ["8d", "604801", "40000d", "99999999999999999999d"] {
        let words =
            format!("spdm attest --fleet list --ca root.pem --results found.jsonl --resume --max-age {age}");
        sandbox.refuses(2, &words, &["--max-age"]);
    }
    sandbox.refuses(2, "spdm attest --fleet list --ca root.pem --resume", &["--results"]);
    let aged = "spdm attest --fleet list --ca root.pem --results found.jsonl --max-age 1h";
    sandbox.refuses(2, aged, &["--resume"]);
}

#[test]
fn reuses_verdict_only_under_its_policy() {
    let sandbox = Sandbox::new();
    let classical = Device::start(&sandbox, "--asym ECDSA_P256 --pqc-asym NONE --root root.pem");
    let quantum_safe = Device::start(&sandbox, "--asym NONE --pqc-asym ML_DSA_44 --root other.pem");
    let host = |device: &Device| format!("127.0.0.1:{}", device.port);
    sandbox.put("list", format!("{}\n{}\n", host(&classical), host(&quantum_safe)));
    sandbox.ok(&format!("spdm attest {} --ca root.pem --save good.json", host(&classical)));
    // the counts of authentic, not trusted, known, again and forgeable devices
    let summary = |words: &str| {
        let done =
            sandbox.run(&format!("spdm attest --fleet list --results found.jsonl --resume --json {words}"));
        let output = String::from_utf8(done.stdout).unwrap();
        let mut documents = output.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let summary = documents.find(|document| document.get("devices").is_some()).unwrap();
        ["authentic", "not_trusted", "known", "again", "forgeable"]
            .map(|what| summary[what].as_u64().unwrap())
    };
    let both = "--ca root.pem --ca other.pem";
    assert_eq!(summary(both), [2, 0, 0, 0, 1]);
    assert_eq!(summary("--ca other.pem --ca root.pem"), [0, 0, 2, 0, 1]);
    // A device that the new roots do not cover is no longer trusted.
    assert_eq!(summary("--ca root.pem"), [1, 1, 0, 2, 1]);
    assert_eq!(summary(&format!("{both} --session KEY_EX")), [2, 0, 0, 2, 1]);
    assert_eq!(summary(&format!("{both} --asym NONE")), [1, 0, 0, 2, 0]);
    // The unreachable device has no verdict.
    assert_eq!(summary(both), [2, 0, 0, 1, 1]);
    let output = sandbox
        .ok(&format!("spdm attest --fleet list --results found.jsonl --resume {both} --reference good.json"));
    assert!(
        output.contains("2 attested again: the earlier verdict was too old, or under another policy"),
        "{output}"
    );
    assert!(output.contains("1 forgeable: a quantum computer could forge"), "{output}");
    // The file has the format of older releases.
    sandbox.put("old.jsonl", format!("{{\"endpoint\":\"{}\",\"trusted\":true}}\n", host(&classical)));
    let done = sandbox.run(&format!("spdm attest --fleet list --results old.jsonl --resume {both}"));
    assert!(String::from_utf8(done.stdout).unwrap().starts_with("2 devices: 0 trusted, 2 authentic;"));
}
