//! Tests of `grille spdm attest` with fleets.

use crate::sandbox::Sandbox;
use crate::sandbox::background::Background;
use crate::sandbox::device::Device;
use crate::sandbox::peer::{CLOSED, start_peer};
use serde_json::Value;
use std::collections::HashSet;
use std::fs;
use std::io::Write;
use std::net::TcpListener;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

/// Starts this many devices, each at its own address: all of 127.0.0.0/8 is local.
#[cfg(target_os = "linux")]
fn start_devices(sandbox: &Sandbox, devices: usize) -> (Device, Vec<String>) {
    let words = "--bind 0.0.0.0 --jobs 8 --asym ECDSA_P256 --pqc-asym NONE --root root.pem";
    let device = Device::start(sandbox, &format!("{words} --devices {devices}"));
    let host = |i: usize| format!("127.0.{}.{}:{}", 1 + i / 200, 1 + i % 200, device.port);
    let hosts = (0..devices).map(host).collect();
    (device, hosts)
}

#[cfg(target_os = "linux")]
#[test]
fn attests_fleet_in_parallel_and_resumes() {
    const DEVICES: usize = 300;
    let sandbox = Sandbox::new();
    let (device, hosts) = start_devices(&sandbox, DEVICES);
    let list = |hosts: &[String]| format!("# the fleet\n\n{}\n", hosts.join("\n"));
    sandbox.put("some.txt", list(&hosts[..100]));
    let words = "--results found.jsonl --resume --ca root.pem --jobs 16";
    let (output, peak) = run_measured(&sandbox, &format!("spdm attest --fleet some.txt {words}"));
    assert!(output.starts_with("100 devices: 0 trusted, 100 authentic"), "{output}");
    assert!((1..48 * 1024).contains(&peak), "{peak} KiB");

    // Truncate the results file, as a crash would.
    let found = sandbox.get("found.jsonl");
    sandbox.put("found.jsonl", &found[..found.len() - 20]);
    let cut =
        found.len() - 20 - found[..found.len() - 1].iter().rposition(|byte| *byte == b'\n').unwrap() - 1;
    let mut all = hosts.clone();
    all.push(format!("127.0.0.1:{CLOSED}"));
    sandbox.put("all.txt", list(&all));
    let done = sandbox.run(&format!("spdm attest --fleet all.txt {words}"));
    let warning =
        format!("found.jsonl: removed an unfinished last line of {cut} bytes, which held no verdict\n");
    assert!(done.code == 3 && done.stderr.contains(&warning), "{}", done.stderr);
    assert!(done.stderr.contains("all.txt: 1 device could not be attested"), "{}", done.stderr);
    let output = String::from_utf8(done.stdout).unwrap();
    assert!(
        output
            .contains("301 devices: 0 trusted, 201 authentic, 1 failed, 99 known: 0 trusted, 99 authentic; "),
        "{output}"
    );
    assert!(output.contains("? 127.0.0.1:"), "{output}");

    let lines = String::from_utf8(sandbox.get("found.jsonl")).unwrap();
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let authentic = |host: &String| {
        let is_result = |line: &&Value| line["endpoint"] == host.as_str() && line["verdict"] == "authentic";
        lines.iter().filter(is_result).count()
    };
    assert!(hosts.iter().all(|host| authentic(host) == 1));
    assert_eq!(lines.len(), DEVICES + 1);
    assert_eq!(count_identities(&lines), DEVICES);
    let devices = peak_memory(device.id()).unwrap();
    assert!((1..48 * 1024).contains(&devices), "{devices} KiB");
    assert!(lines.iter().all(|line| line["schema"] == "grille-spdm-attest-3"));
    assert!(
        lines
            .iter()
            .all(|line| line["time"].as_str().is_some_and(|time| time.ends_with('Z') && time.len() == 20))
    );
}

#[cfg(target_os = "linux")]
#[test]
fn attests_repeated_device_once() {
    let sandbox = Sandbox::new();
    let (_device, hosts) = start_devices(&sandbox, 2);
    sandbox.put("twice.txt", format!("{0}\n{0}\n{1}\n{0}\n", hosts[0], hosts[1]));
    let done = sandbox.run("spdm attest --fleet twice.txt --ca root.pem");
    assert!(
        String::from_utf8(done.stdout).unwrap().starts_with("2 devices: 0 trusted, 2 authentic"),
        "{}",
        done.stderr
    );
    assert!(done.stderr.contains("twice.txt: 2 lines repeat an earlier device"), "{}", done.stderr);
}

/// Counts the authentic devices. Checks that all chains have one root, and that the leaf of each names the address of
/// its device.
#[cfg(target_os = "linux")]
fn count_identities(lines: &[Value]) -> usize {
    let mut leaves = HashSet::new();
    for line in lines.iter().filter(|line| line["verdict"] == "authentic") {
        let host = line["endpoint"].as_str().unwrap().split(':').next().unwrap();
        let leaf = format!("CN=emulated device at {host}");
        let root = "CN=emulated device root ECDSA-P256";
        assert_eq!(line["chain"], serde_json::json!([root, leaf]));
        leaves.insert(leaf);
    }
    leaves.len()
}

#[cfg(target_os = "linux")]
#[test]
fn limits_number_of_emulated_devices() {
    let sandbox = Sandbox::new();
    let words = "spdm responder --port 0 --bind 0.0.0.0 --devices 2 --pqc-asym NONE --root root.pem";
    let mut device = Background::start(sandbox.command(words));
    let port = device.port();
    let chain =
        |host: &str| sandbox.json(&format!("spdm attest {host}:{port} --ca root.pem"))["chain"].clone();
    for host in ["127.0.0.1", "127.0.0.2", "127.0.0.1"] {
        assert_eq!(chain(host)[1], format!("CN=emulated device at {host}"));
    }
    let words = format!("spdm attest 127.0.0.3:{port} --ca root.pem");
    sandbox.run(&words).check(3, &words, &["closed the connection"]);
    // The warning is complete when the responder has ended.
    sandbox.ok(&format!("spdm requester --port {port} --exe-conn VCA --exe-session NONE"));
    assert_eq!(device.code(), 0);
    let warned = device.warnings();
    assert!(
        warned.contains(
            "no device at 127.0.0.3: all 2 devices use other addresses; allow more devices with --devices"
        ),
        "{warned}"
    );
    sandbox.refuses(2, "spdm responder --devices 2 --slot-id 0xFF --key k", &["--devices", "--key"]);
    // The command line is checked before the port.
    let occupied = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = occupied.local_addr().unwrap().port();
    let words = format!("spdm responder --port {port} --devices 2 --slot-id 0xFF");
    sandbox.refuses(2, &words, &["--devices: slot 0xFF has one key"]);
    sandbox.refuses(2, "spdm responder --devices 0", &["--devices", "0 is not in 1..=1000000"]);
}

#[test]
fn warns_of_unreachable_devices() {
    let sandbox = Sandbox::new();
    let words = "spdm responder --port 0 --asym ECDSA_P256 --pqc-asym NONE";
    let warned = |words: &str| {
        let mut device = Background::start(sandbox.command(words));
        sandbox.ok(&format!("spdm requester --port {} --exe-conn VCA --exe-session NONE", device.port()));
        assert_eq!(device.code(), 0);
        device.warnings()
    };
    let only = "warning: --devices: only the device at 127.0.0.1 is reachable; listen on all addresses with --bind 0.0.0.0";
    assert!(warned(&format!("{words} --devices 2")).contains(only));
    for reached in ["--devices 2 --bind 0.0.0.0", "--devices 1"] {
        assert!(!warned(&format!("{words} {reached}")).contains("--devices"), "{reached}");
    }
    sandbox.refuses(2, "spdm responder --devices 2 --once", &["--devices", "--once"]);
    let connects = "spdm responder --devices 2 --trans TCP --tcp-sub RI --port 1";
    sandbox.refuses(2, connects, &["--devices: only one device can connect with --tcp-sub RI"]);
}

#[cfg(target_os = "linux")]
#[test]
fn resumes_after_kill() {
    const DEVICES: usize = 900;
    let sandbox = Sandbox::new();
    let (_device, hosts) = start_devices(&sandbox, DEVICES);
    sandbox.put("hosts.txt", hosts.join("\n"));
    let words = "spdm attest --fleet hosts.txt --results found.jsonl --resume --ca root.pem --jobs 2";
    let mut killed = sandbox.command(words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let results = sandbox.path("found.jsonl");
    while fs::metadata(&results).map_or(0, |file| file.len()) < 2000 {
        thread::sleep(Duration::from_millis(1));
    }
    killed.kill().unwrap();
    killed.wait().unwrap();
    let complete = |bytes: &[u8]| bytes.iter().filter(|byte| **byte == b'\n').count();
    let known = complete(&sandbox.get("found.jsonl"));
    assert!((1..DEVICES).contains(&known), "{known}");
    let output = sandbox.ok(words);
    let expected = format!(
        "{DEVICES} devices: 0 trusted, {} authentic, {known} known: 0 trusted, {known} authentic; ",
        DEVICES - known
    );
    assert!(output.starts_with(&expected), "{output}");
    let output = sandbox.ok(words);
    assert!(output.starts_with("900 devices: 0 trusted, 900 known: 0 trusted, 900 authentic; "), "{output}");
    assert!(output.contains("\n900 known: not attested again because of --resume\n"), "{output}");
    let all = sandbox.json(words);
    assert_eq!(["authentic", "known", "known_authentic"].map(|what| &all[what]), [0, 900, 900]);
}

#[cfg(target_os = "linux")]
#[test]
fn distrusts_fleet_with_untrusted_device() {
    let sandbox = Sandbox::new();
    let device = Device::start(&sandbox, "--asym ECDSA_P256 --pqc-asym NONE --root root.pem");
    let other = Device::start(&sandbox, "--asym ECDSA_P256 --pqc-asym NONE");
    sandbox.put("list", format!("127.0.0.1:{}\n127.0.0.1:{}\n", device.port, other.port));
    let done = sandbox.run("spdm attest --fleet list --ca root.pem --json");
    done.check(1, "attest", &["1 device is not trusted"]);
    let lines: Vec<Value> = std::str::from_utf8(&done.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let verdict = |device: &Device| {
        let endpoint = format!("127.0.0.1:{}", device.port);
        lines.iter().find(|line| line["endpoint"] == endpoint.as_str()).unwrap()["verdict"].clone()
    };
    assert_eq!((verdict(&device), verdict(&other)), ("authentic".into(), "not_trusted".into()));
    let summary = &lines[2];
    assert_eq!((&summary["authentic"], &summary["not_trusted"]), (&1.into(), &1.into()));
    // The summary holds the verdict on all devices, and no further document follows.
    assert_eq!((lines.len(), &summary["error"]["kind"]), (3, &"mismatch".into()), "{summary}");
    assert_eq!(format!("error: {}\n", summary["error"]["message"].as_str().unwrap()), done.stderr);
    // A distrusted device stays distrusted when the run is resumed.
    let mut first = Value::Null;
    for known in [0, 2] {
        let done =
            sandbox.run("spdm attest --fleet list --ca root.pem --results found.jsonl --resume --json");
        done.check(1, "attest", &["1 device is not trusted"]);
        let output = String::from_utf8(done.stdout).unwrap();
        let mut output: Vec<Value> = output.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(output.pop().unwrap()["known"], Value::from(known));
        let distrusted = output.iter().find(|line| line["trusted"] == false).unwrap();
        assert_eq!(distrusted["endpoint"], format!("127.0.0.1:{}", other.port));
        if known == 0 {
            first = distrusted.clone();
            assert_eq!((output.len(), first.get("known")), (2, None));
            continue;
        }
        assert_eq!((output.len(), &distrusted["known"]), (1, &true.into()));
        assert_eq!(
            ["time", "policy", "schema"].map(|part| &distrusted[part]),
            ["time", "policy", "schema"].map(|part| &first[part])
        );
        let message = distrusted["error"]["message"].as_str().unwrap();
        assert!(message.contains("not trusted in an earlier run"), "{message}");
    }
    assert_eq!(sandbox.get("found.jsonl").iter().filter(|byte| **byte == b'\n').count(), 2);
    sandbox.refuses(2, "spdm attest --ca root.pem", &["HOST[:PORT]"]);
}

#[test]
fn summary_has_the_same_counts_for_people_and_programs() {
    let sandbox = Sandbox::new();
    let device = |words: &str| Device::start(&sandbox, &format!("--asym ECDSA_P256 --pqc-asym NONE {words}"));
    let (good, strangers) = (device("--root root.pem"), [device(""), device("")]);
    let host = |device: &Device| format!("127.0.0.1:{}", device.port);
    let [one, other] = [0, 1].map(|at| host(&strangers[at]));
    let good = [host(&good), host(&good).replace("127.0.0.1", "localhost")];
    let away = format!("127.0.0.1:{CLOSED}");
    let attest = |words: &str| {
        sandbox.run(&format!(
            "spdm attest --fleet list --ca root.pem --results found --resume --allow-shared-key {words}"
        ))
    };
    sandbox.put("list", [&good[0][..], &one].join("\n"));
    assert_eq!(attest("").code, 1);
    let known = sandbox.get("found");
    sandbox.put("list", [&good[0][..], &good[1], &one, &other, &away].join("\n"));
    for (words, again) in [("", None), ("--session KEY_EX", Some("2 attested again: "))] {
        let [text, json] = ["", "--json"].map(|form| {
            sandbox.put("found", &known);
            String::from_utf8(attest(&format!("{words} {form}")).stdout).unwrap()
        });
        let json: Value = serde_json::from_str(json.lines().last().unwrap()).unwrap();
        let number = |name: &str| json[name].as_u64().unwrap();
        let line = |from: &[&str]| {
            from.iter().map(|name| format!("{} {}", number(name), name.replace('_', " "))).collect::<Vec<_>>()
        };
        let now = line(&["trusted", "authentic", "not_trusted", "failed"]).join(", ");
        let before =
            line(&["known_trusted", "known_authentic", "known_not_trusted"]).join(", ").replace("known ", "");
        let before = if number("known") > 0 {
            format!(", {} known: {before}", number("known"))
        } else {
            String::new()
        };
        let expected = format!("{} devices: {now}{before}; ", number("devices"));
        assert!(text.contains(&expected), "{expected}: {text}");
        assert!(again.map_or_else(|| !text.contains(" again: "), |again| text.contains(again)), "{text}");
        assert!(text.contains(&format!("{} forgeable: ", number("forgeable"))), "{text}");
    }
}

#[test]
fn advises_how_to_get_missing_verdicts() {
    let sandbox = Sandbox::new();
    let device = Device::start(&sandbox, "--asym ECDSA_P256 --pqc-asym NONE --root root.pem");
    let other_device = Device::start(&sandbox, "--asym ECDSA_P256 --pqc-asym NONE");
    let [known, other] = [&device, &other_device].map(|device| format!("127.0.0.1:{}\n", device.port));
    let away = format!("127.0.0.1:{CLOSED}\n");
    sandbox.ok(&format!("spdm attest {} --ca root.pem --save good.json", known.trim()));
    for (list, code, words, parts) in [
        (&[&away, &known][..], 3, "", "1 device could not be attested; use --results and --resume"),
        (
            &[&away, &known],
            3,
            "--results found",
            "1 device could not be attested; repeat the command with --resume",
        ),
        (
            &[&away, &known],
            3,
            "--results found --resume",
            "1 device could not be attested; repeat the command to attest only these devices again",
        ),
        (
            &[&other, &away],
            1,
            "",
            "1 device is not trusted, and 1 device could not be attested; use --results",
        ),
        (&[&other, &known], 1, "", "1 device is not trusted\n"),
        (
            &[&known],
            3,
            "--reference good.json --hash SHA_256",
            "1 device could not be attested; save a manifest of a known good device",
        ),
    ] {
        sandbox.put("list", list.iter().map(|line| line.as_str()).collect::<String>());
        let words = format!("spdm attest --fleet list --ca root.pem {words}");
        sandbox.run(&words).check(code, &words, &["list: ", parts]);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn rejects_bad_lists_and_keeps_foreign_files() {
    let sandbox = Sandbox::new();
    let device = Device::start(&sandbox, "--asym ECDSA_P256 --pqc-asym NONE --root root.pem");
    sandbox.put("list", "127.0.0.1:1\n127.0.0.1:2\n");
    sandbox.refuses(
        3,
        "spdm attest --fleet none --ca root.pem",
        &["none: cannot read: No such file", "check the file name"],
    );
    for list in ["-", "/dev/zero", "."] {
        sandbox.refuses(2, &format!("spdm attest --fleet {list} --ca root.pem"), &["--fleet", "read twice"]);
    }
    sandbox.refuses(2, "spdm attest --fleet list --ca root.pem --pcap one", &["--fleet", "--pcap"]);
    for words in ["--fleet list --results -", "localhost --save -"] {
        let parts = ["standard output", "name a file"];
        sandbox.refuses(2, &format!("spdm attest {words} --ca root.pem"), &parts);
    }
    assert!(!sandbox.path("-").exists());
    // A file that is not a results file stays unchanged.
    for other in ["list", "/dev/full"] {
        let words = format!("spdm attest --fleet list --ca root.pem --results {other}");
        sandbox.refuses(2, &words, &[other, "not a results file"]);
    }
    assert_eq!(sandbox.get("list").iter().filter(|byte| **byte == b'\n').count(), 2);
    for (line, parts) in [
        ("host:70000", "port 70000 is too large"),
        ("[::1]:0", "ports begin at 1"),
        ("two words", "invalid identity"),
        (":2323", "no host in"),
    ] {
        sandbox.put("wrong", format!("# first\n127.0.0.1:1\n{line}\n"));
        sandbox.refuses(
            3,
            "spdm attest --fleet wrong --ca root.pem",
            &["wrong: line 3", parts, "HOST or HOST:PORT"],
        );
    }
    // A comment may follow a device.
    sandbox.put("commented", format!("127.0.0.1:{} \t# the first\n\n  # the second is away\n", device.port));
    assert!(
        sandbox
            .ok("spdm attest --fleet commented --ca root.pem")
            .starts_with("1 device: 0 trusted, 1 authentic")
    );
    sandbox.put("wrong", "127.0.0.1:1#2\n");
    sandbox.refuses(3, "spdm attest --fleet wrong --ca root.pem", &["wrong: line 1", "HOST or HOST:PORT"]);
    sandbox.put("empty", "# no device\n");
    sandbox.refuses(3, "spdm attest --fleet empty --ca root.pem", &["empty", "the list names no device"]);
}

/// Prints the time and memory. To run it:
/// `cargo test --release -p grille-cli --test cli -- --ignored --nocapture thousand`.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "ten thousand devices: ten seconds or more"]
fn attests_ten_thousand_devices_in_little_memory() {
    const DEVICES: usize = 10_000;
    let sandbox = Sandbox::new();
    let (device, hosts) = start_devices(&sandbox, DEVICES);
    sandbox.put("hosts.txt", hosts.join("\n"));
    let words = "spdm attest --fleet hosts.txt --results found.jsonl --ca root.pem";
    let start = Instant::now();
    let (output, peak) = run_measured(&sandbox, words);
    let seconds = start.elapsed().as_secs_f64();
    assert!(output.starts_with("10000 devices: 0 trusted, 10000 authentic;"), "{output}");
    let found = String::from_utf8(sandbox.get("found.jsonl")).unwrap();
    let lines: Vec<Value> = found.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((lines.len(), count_identities(&lines)), (DEVICES, DEVICES));
    let devices = peak_memory(device.id()).unwrap();
    println!("{seconds:.1} s, {} MiB at most, devices {} MiB", peak / 1024, devices / 1024);
    assert!((1..64 * 1024).contains(&peak), "{peak} KiB");
    assert!((1..256 * 1024).contains(&devices), "{devices} KiB");
}

/// Runs a command, and returns its output and its peak memory in KiB.
#[cfg(target_os = "linux")]
fn run_measured(sandbox: &Sandbox, words: &str) -> (String, u64) {
    let mut run = sandbox.command(words).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut peak = 0;
    while run.try_wait().unwrap().is_none() {
        peak = peak.max(peak_memory(run.id()).unwrap_or_default());
        thread::sleep(Duration::from_millis(20));
    }
    (String::from_utf8(run.wait_with_output().unwrap().stdout).unwrap(), peak)
}

/// Returns the peak memory of a process (VmHWM) in KiB.
#[cfg(target_os = "linux")]
fn peak_memory(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}

/// The device always sends a few bytes before --timeout expires, but never a whole message.
#[test]
fn deadline_stops_trickling_device() {
    let sandbox = Sandbox::new();
    let device = Device::start(&sandbox, "--asym ECDSA_P256 --pqc-asym NONE --root root.pem");
    let slow_peer = start_peer(|mut socket| {
        while socket.write_all(&[0]).is_ok() {
            thread::sleep(Duration::from_millis(300));
        }
    });
    sandbox.put("list", format!("127.0.0.1:{slow_peer}\n127.0.0.1:{}\n", device.port));
    let done = sandbox.run("spdm attest --fleet list --ca root.pem --jobs 1 --deadline 2");
    done.check(3, "attest", &["1 device could not be attested"]);
    let output = String::from_utf8(done.stdout).unwrap();
    assert!(output.contains("2 devices: 0 trusted, 1 authentic, 1 failed; "), "{output}");
    assert!(output.contains(&format!("{slow_peer}: exceeded the deadline")), "{output}");
}
