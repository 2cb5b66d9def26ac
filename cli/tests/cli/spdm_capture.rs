//! Tests of captures on both sides, and of `grille spdm dump`.

use crate::sandbox::Sandbox;
use crate::sandbox::device::Device;
use serde_json::{Value, json};

#[test]
fn both_sides_capture_the_same_messages() {
    let sandbox = Sandbox::new();
    for (trans, ver) in [("MCTP", "1.4"), ("PCI_DOE", "1.3"), ("TCP", "1.2")] {
        let words = format!("--trans {trans} --pcap theirs.pcap --key-log theirs.keys --force");
        let device = Device::start(&sandbox, &words);
        let words =
            format!("--trans {trans} --ver {ver} --test-psk --pcap ours.pcap --key-log ours.keys --force");
        sandbox.ok(&format!("spdm requester --port {} {words}", device.port));
        device.end();
        let ours = sandbox.json("spdm dump ours.pcap --keys ours.keys --all");
        let theirs = sandbox.json("spdm dump theirs.pcap --keys theirs.keys --all");
        let names = |dump: &Value| {
            let output = dump["said"].as_array().unwrap().iter();
            output.map(|line| (line["name"].clone(), line["fields"].clone())).collect::<Vec<_>>()
        };
        assert_eq!(names(&ours), names(&theirs), "{trans}");
        for name in ["HEARTBEAT_ACK", "KEY_UPDATE_ACK", "END_SESSION_ACK", "PSK_FINISH_RSP"] {
            assert!(names(&ours).iter().any(|(known, _)| known == name), "{trans}: {name}");
        }
        assert!(names(&ours).iter().all(|(name, _)| name != "secured message"), "{trans}");
        // Without secrets, records stay encrypted. With one pre-shared key, its sessions are decrypted.
        let closed = sandbox.ok("spdm dump ours.pcap");
        assert!(closed.contains("the secrets of its session are unknown"));
        assert!(closed.ends_with("\n0 of 2 sessions decrypted\n"), "{closed}");
        assert_eq!(ours["sessions"], json!({ "sealed": 2, "opened": 2, "partly": 0 }));
        sandbox.put("psk", b"TestPskData\0");
        let psk = sandbox.run("spdm dump ours.pcap --psk psk");
        psk.check(0, "--psk", &["ours.pcap: packet ", "1 of 2 sessions stay encrypted: --psk has no secret"]);
        let psk = String::from_utf8(psk.stdout).unwrap();
        assert!(psk.contains("PSK_FINISH_RSP") && psk.contains("the secrets of its session are unknown"));
        assert!(psk.ends_with("\n1 of 2 sessions decrypted\n"), "{psk}");
    }
}

/// Returns the last 16 bytes of the first message with this name.
fn last_bytes(output: &Value, name: &str) -> Vec<u8> {
    let line = output["said"].as_array().unwrap().iter().find(|line| line["name"] == name);
    let digits = line.unwrap_or_else(|| panic!("no {name}"))["bytes"].as_str().unwrap();
    let bytes: Vec<u8> =
        (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap()).collect();
    bytes[bytes.len() - 16..].to_vec()
}

#[test]
fn names_the_signature_with_a_flipped_bit() {
    let sandbox = Sandbox::new();
    for (ver, algorithm) in [
        ("1.0", "ECDSA-P384"),
        ("1.1", "ECDSA-P384"),
        ("1.2", "ECDSA-P384"),
        ("1.3", "ECDSA-P384"),
        ("1.4", "ECDSA-P384"),
        ("1.4", "ML-DSA-87"),
    ] {
        let classical = if algorithm == "ECDSA-P384" { "--pqc-asym NONE" } else { "" };
        let device = Device::start(&sandbox, &format!("--root root.pem --force {classical}"));
        let words = format!("--ver {ver} --pcap said.pcap --force");
        sandbox.ok(&format!("spdm attest 127.0.0.1:{} --ca root.pem {words}", device.port));
        let output = sandbox.json("spdm dump said.pcap --verify --hex");
        // The checks of the chain, and of the signatures in CHALLENGE_AUTH and MEASUREMENTS, succeed.
        assert_eq!(
            output["verified"],
            json!({ "right": 3, "wrong": 0, "unchecked": 0 }),
            "{ver} {algorithm}"
        );
        let capture = sandbox.get("said.pcap");
        for name in ["CHALLENGE_AUTH", "MEASUREMENTS"] {
            let end = last_bytes(&output, name);
            let at = capture.windows(end.len()).position(|bytes| bytes == end).unwrap();
            let mut altered = capture.clone();
            altered[at] ^= 1;
            sandbox.put("altered.pcap", altered);
            let plain = sandbox.run("spdm dump altered.pcap");
            assert_eq!(plain.code, 0, "{}", plain.stderr);
            let words = "spdm dump altered.pcap --verify";
            let wrong = format!(": {name}: the signature of slot 0 ({algorithm}) is wrong: ");
            sandbox.run(words).check(1, words, &["altered.pcap: packet ", &wrong]);
            let shown = String::from_utf8(sandbox.run(words).stdout).unwrap();
            assert!(shown.contains(&format!("signature of slot 0 ({algorithm}) wrong: ")), "{shown}");
            assert!(shown.ends_with("3 checks: 2 right, 1 wrong, 0 not possible\n"), "{shown}");
        }
    }
}

#[test]
fn shows_one_line_per_message() {
    let sandbox = Sandbox::new();
    sandbox.put("said.pcap", include_bytes!("../../../vectors/spdm/1.2-classical.pcap"));
    sandbox.put("log", include_bytes!("../../../vectors/spdm/1.2-classical.secrets"));
    let output = sandbox.ok("spdm dump said.pcap --keys log");
    for line in [
        "ALGORITHMS                       1.2, 52 bytes, SHA-384; ECDSA-P384; secp384r1; AES-256-GCM",
        "GET_CERTIFICATE                  1.2, 8 bytes, slot 0, from byte 0",
        "CHALLENGE                        1.2, 36 bytes, slot 0, ",
        "UpdateAllKeys, tag",
        "VerifyNewKey, tag",
        ", slot 0, ReqSessionID 0xffff, ",
    ] {
        assert!(output.contains(line), "{line}: {output}");
    }
    let digests = output.lines().find(|line| line.contains(" DIGESTS ")).unwrap();
    assert!(digests.contains("slot 0 "), "{digests}");
    let all = sandbox.ok("spdm dump said.pcap --keys log --all");
    for field in ["KeyOperation                 UpdateAllKeys (0x2)", "SignatureRequested (0x", "slot 0    "]
    {
        assert!(all.contains(field), "{field}: {all}");
    }
}

/// The secrets are from the log of DMTF's requester.
#[test]
fn shared_secrets_decrypt_sessions() {
    let sandbox = Sandbox::new();
    sandbox.put("said.pcap", include_bytes!("../../../vectors/spdm/1.2-classical.pcap"));
    let secrets = [
        "c2db4ae5199c205abe296f265aa54678b5d56480c08d2471a50453ba81726aadde224bef73000a231fecb7de02cbe66a",
        "5aa15d20ec0584da4f42904e5a3d922d18ee1849eb2fb413cb51b932eb0e493c03172d2914f6dc5fd01f2da5b6edef5e",
    ];
    let [first, second] = secrets.map(|secret| format!("--dhe_secret {secret}"));
    let dump = sandbox.json(&format!("spdm dump said.pcap {first} {second}"));
    assert_eq!((&dump["sessions"]["opened"], &dump["sessions"]["sealed"]), (&2.into(), &2.into()));
    // One secret decrypts the first session, because its handshake has no MAC that shows whose secret it is.
    let dump = sandbox.json(&format!("spdm dump said.pcap --quiet {first}"));
    assert_eq!(dump["sessions"]["opened"], 1);
    for wrong in ["--dhe-secret 123", "--pqc-secret xy", "--dhe-secret=", "--spec 1.1"] {
        let (option, _) = wrong.split_at("--spec".len());
        sandbox.refuses(2, &format!("spdm dump said.pcap {wrong}"), &[option]);
    }
}

/// Without the pre-shared key, no MAC can be checked, and the capture proves nothing.
#[test]
fn verify_reports_impossible_checks() {
    let sandbox = Sandbox::new();
    let device = Device::start(&sandbox, "--root root.pem");
    let words = "--exe-conn NONE --exe-session PSK --exe-mode CONTINUE --pcap said.pcap --test-psk";
    sandbox.ok(&format!("spdm requester --port {} {words}", device.port));
    let words = "spdm dump said.pcap --verify";
    sandbox.run(words).check(
        1,
        words,
        &[
            "VerifyData",
            "was not checked: the key log lacks the handshake secrets of this session",
            "--keys and --psk",
        ],
    );
    sandbox.put("psk", b"TestPskData\0");
    sandbox.ok("spdm dump said.pcap --verify --psk psk");
    sandbox.refuses(2, "spdm dump said.pcap --peer-key root.pem", &["--verify"]);
}

#[test]
fn rejects_capture_of_parallel_connections() {
    let sandbox = Sandbox::new();
    let words = "spdm responder --port 0 --jobs 2 --pcap said.pcap";
    sandbox.refuses(2, words, &["--pcap: a capture cannot distinguish", "--jobs", "omit --pcap or --jobs"]);
    assert!(sandbox.files().is_empty());
    let help = sandbox.ok("spdm responder --help");
    assert!(help.lines().all(|line| !line.contains("--jobs 64") || !line.contains("--pcap")), "{help}");
    // Sequential connections can be captured.
    let device = Device::start(&sandbox, "--jobs 1 --pcap said.pcap --key-log said.keys");
    let words = "--exe-conn DIGEST,CERT --exe-session KEY_EX --exe-mode CONTINUE";
    for _ in 0..2 {
        sandbox.ok(&format!("spdm requester --port {} {words}", device.port));
    }
    let output = sandbox.json("spdm dump said.pcap --keys said.keys");
    assert_eq!(output["sessions"], json!({ "sealed": 2, "opened": 2, "partly": 0 }));
}

#[test]
fn rejects_capture_without_transport() {
    let sandbox = Sandbox::new();
    sandbox.put("root.pem", "");
    for subcommand in ["responder --port 0", "requester", "attest localhost --ca root.pem"] {
        let words = format!("spdm {subcommand} --trans NONE --pcap said.pcap");
        sandbox.refuses(2, &words, &["--pcap: --trans NONE has no capture format", "--trans NONE"]);
    }
    assert_eq!(sandbox.files(), ["root.pem"]);
}

#[test]
fn warns_of_capture_without_negotiation() {
    let sandbox = Sandbox::new();
    for trans in ["MCTP", "PCI_DOE", "TCP"] {
        let device = Device::start(&sandbox, &format!("--trans {trans}"));
        let words = "--exe-conn DIGEST --exe-session NONE --exe-mode CONTINUE --pcap said.pcap --force";
        sandbox.ok(&format!("spdm requester --port {} --trans {trans} {words}", device.port));
        let done = sandbox.run("spdm dump said.pcap");
        assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{trans}");
        // Remove GET_VERSION and its response.
        let capture = sandbox.get("said.pcap");
        let mut packets = Vec::new();
        let mut at = 24;
        while at < capture.len() {
            let len = u32::from_le_bytes(capture[at + 8..at + 12].try_into().unwrap()) as usize;
            packets.push(&capture[at..at + 16 + len]);
            at += 16 + len;
        }
        let first = packets
            .iter()
            .position(|packet| packet[16..].windows(2).any(|bytes| bytes == [0x10, 0x84]))
            .unwrap();
        packets.drain(first..first + 2);
        sandbox.put("late.pcap", [&capture[..24], &packets.concat()].concat());
        let done = sandbox.run("spdm dump late.pcap");
        done.check(0, trans, &["warning: late.pcap: the capture starts after GET_VERSION"]);
    }
}

#[test]
fn shows_readable_messages_despite_wrong_secrets() {
    let sandbox = Sandbox::new();
    let capture = include_bytes!("../../../vectors/spdm/1.2-classical.pcap");
    let log = include_str!("../../../vectors/spdm/1.2-classical.secrets");
    sandbox.put("whole.pcap", capture);
    sandbox.put("right.keys", log);
    sandbox.ok("spdm dump whole.pcap --keys right.keys");
    let other = format!("session 0x00010001\nrequest_handshake_secret {}\n", "00".repeat(48));
    sandbox.put("other.keys", other);
    let mut altered = capture.to_vec();
    *altered.last_mut().unwrap() ^= 1;
    sandbox.put("altered.pcap", altered);
    for (words, parts) in [
        ("whole.pcap --keys other.keys", "--keys has no secrets for the sessions in this capture"),
        (
            "altered.pcap --keys right.keys",
            "cannot decrypt a record: the secrets of its session do not match",
        ),
    ] {
        let words = format!("spdm dump {words} --json");
        let done = sandbox.run(&words);
        done.check(1, &words, &[".pcap: packet ", parts]);
        let output: Value = serde_json::from_slice(&done.stdout).unwrap();
        assert!(output["error"]["message"].as_str().unwrap().contains(parts), "{output}");
        let output = output["said"].as_array().unwrap();
        for name in ["KEY_EXCHANGE_RSP", "secured message"] {
            assert!(output.iter().any(|line| line["name"] == name), "{name}: {output:?}");
        }
    }
}

#[test]
fn names_missing_and_truncated_secrets() {
    let sandbox = Sandbox::new();
    sandbox.put("said.pcap", include_bytes!("../../../vectors/spdm/1.2-classical.pcap"));
    let log = include_str!("../../../vectors/spdm/1.2-classical.secrets");
    // The line of request_data_secret of the first session.
    let at = 1 + log.lines().position(|line| line.starts_with("request_data_secret")).unwrap();
    let reported = |altered: &dyn Fn(&str) -> String, warns: &[&str]| {
        let lines = (1..).zip(log.lines());
        let altered = lines.map(|(n, line)| if n == at { altered(line) } else { line.to_owned() + "\n" });
        sandbox.put("lacks.keys", altered.collect::<String>());
        let done = sandbox.run("spdm dump said.pcap --keys lacks.keys --json");
        let parts = [" more: the key log lacks request_data_secret of session 0x"];
        assert_eq!(done.code, 1, "{}", done.stderr);
        assert!([&parts, warns].concat().iter().all(|parts| done.stderr.contains(parts)), "{}", done.stderr);
        let output: Value = serde_json::from_slice(&done.stdout).unwrap();
        assert_eq!(output["sessions"], json!({ "sealed": 2, "opened": 1, "partly": 1 }));
        let closed =
            output["said"].as_array().unwrap().iter().filter(|line| line["name"] == "secured message");
        let count = format!("cannot decrypt this record and {} more", closed.count() - 1);
        assert!(output["error"]["message"].as_str().unwrap().contains(&count), "{output}");
        let output = String::from_utf8(sandbox.run("spdm dump said.pcap --keys lacks.keys").stdout).unwrap();
        assert!(output.ends_with("\n1 of 2 sessions decrypted, 1 partly\n"), "{output}");
    };
    reported(&|_| String::new(), &[]);
    let warns = format!("warning: lacks.keys: line {at}: ignoring a secret that is not whole bytes");
    reported(&|line| format!("{}\n", &line[..line.len() - 1]), &[&warns]);
    reported(&|line| format!("{}g\n", &line[..line.len() - 1]), &[&warns]);
}

/// Returns a captured MCTP packet with these flags.
fn packet(flags: u8, payload: &[u8]) -> Vec<u8> {
    let len = (4 + payload.len() as u32).to_le_bytes();
    [&[0; 8][..], &len, &len, &[0, 0, 0, flags], payload].concat()
}

#[test]
fn shows_incomplete_messages() {
    let sandbox = Sandbox::new();
    let capture = include_bytes!("../../../vectors/spdm/1.2-classical.pcap");
    sandbox.put("log", include_bytes!("../../../vectors/spdm/1.2-classical.secrets"));
    sandbox.put("whole.pcap", capture);
    let whole = sandbox.json("spdm dump whole.pcap --keys log")["said"].clone();
    let names = |output: &Value| {
        output.as_array().unwrap().iter().map(|line| line["name"].clone()).collect::<Vec<_>>()
    };
    let (head, rest) = capture.split_at(24);
    // `start` is the first packet of a message, and `midst` a middle packet.
    let (start, midst) = (packet(0x80, &[5, 0x12, 2, 0]), packet(0x10, &[7, 8]));
    let reported = |parts: &str, file: Vec<u8>, at: [usize; 2], text: &str| {
        sandbox.put("lacks.pcap", file);
        let done = sandbox.run("spdm dump lacks.pcap --keys log --json --hex");
        done.check(1, "dump", &["lacks.pcap: packet", parts, "--hex"]);
        let output: Value = serde_json::from_slice(&done.stdout).unwrap();
        let (mut all, [index, packet]) = (output["said"].as_array().unwrap().clone(), at);
        let line = all.remove(index);
        assert_eq!(
            (&line["name"], &line["packet"], &line["text"], &line["bytes"]),
            (&"unfinished CERTIFICATE".into(), &packet.into(), &text.into(), &"051202000708".into())
        );
        assert!(output["error"]["message"].as_str().unwrap().contains(parts), "{output}");
        // Nothing else is missing.
        all.retain(|line| line["name"] != "damaged");
        assert_eq!(names(&all.into()), names(&whole));
    };
    let end = whole.as_array().unwrap().len();
    let last = whole[end - 1]["packet"].as_u64().unwrap() as usize;
    reported(
        "packet 1: the message that starts here is incomplete: another message started before its end",
        [head, &start, &midst, rest].concat(),
        [0, 2],
        "6 bytes since packet 1: another message started before its end",
    );
    reported(
        "packet 1: the message that starts here is incomplete: a packet is missing",
        [head, &start, &midst, &packet(0x40, &[9]), rest].concat(),
        [0, 2],
        "6 bytes since packet 1: a packet is missing or out of order",
    );
    reported(
        &format!("packet {}: the message that starts here is incomplete: the capture ends", last + 1),
        [head, rest, &start, &midst].concat(),
        [end, last + 2],
        &format!("6 bytes since packet {}: the capture ends before the last packet of the message", last + 1),
    );
    let shown = sandbox.run("spdm dump lacks.pcap --keys log").stdout;
    assert!(String::from_utf8(shown).unwrap().contains("unfinished CERTIFICATE"));
}

#[test]
fn shows_all_fields_of_errors() {
    let sandbox = Sandbox::new();
    let capture = include_bytes!("../../../vectors/spdm/1.2-classical.pcap");
    let error = |rest: &[u8]| packet(0xC0, &[&[5, 0x12, 0x7F][..], rest].concat());
    let errors = [error(&[1, 0]), error(&[7, 0xE0]), error(&[0xFF, 3, 2, 0x86, 0x80, 9])].concat();
    sandbox.put("said.pcap", [&capture[..], &errors].concat());
    let output = sandbox.json("spdm dump said.pcap --all")["said"].as_array().unwrap().clone();
    let last: Vec<_> = output[output.len() - 3..].iter().map(|line| [&line["name"], &line["text"]]).collect();
    let shown = |text: &str| [json!("ERROR"), json!(text)];
    for (line, text) in last.iter().zip([
        "1.2, 4 bytes, InvalidRequest (0x00)",
        "1.2, 4 bytes, UnsupportedRequest (0xe0)",
        "1.2, 8 bytes, VendorDefined (0x03, 02868009)",
    ]) {
        assert_eq!(line.map(Clone::clone), shown(text));
    }
    let fields = output.last().unwrap()["fields"].to_string();
    for part in ["VendorID", "8680", "OpaqueErrorData", "09"] {
        assert!(fields.contains(part), "{part}: {fields}");
    }
    // PCI DOE pads messages: LargeResponse with a Handle, and Busy without data.
    let mut file = capture[..24].to_vec();
    file[20..].copy_from_slice(&292_u32.to_le_bytes());
    let object = |payload: [u8; 8]| {
        [&[0; 8][..], &[16, 0, 0, 0, 16, 0, 0, 0, 1, 0, 1, 0, 4, 0, 0, 0], &payload].concat()
    };
    let objects =
        [object([0x12, 0x7F, 0x0F, 0, 7, 0, 0, 0]), object([0x12, 0x7F, 3, 0, 0, 0, 0, 0])].concat();
    sandbox.put("padded.pcap", [file, objects].concat());
    let output = sandbox.json("spdm dump padded.pcap")["said"].clone();
    for (at, text) in
        ["1.2, 8 bytes, LargeResponse (0x00, 07)", "1.2, 8 bytes, Busy (0x00)"].iter().enumerate()
    {
        assert_eq!([&output[at]["name"], &output[at]["text"]].map(Clone::clone), shown(text));
    }
}

#[test]
fn shows_structures_and_reports_truncated_captures() {
    let sandbox = Sandbox::new();
    let capture = include_bytes!("../../../vectors/spdm/1.2-classical.pcap");
    sandbox.put("log", include_bytes!("../../../vectors/spdm/1.2-classical.secrets"));
    sandbox.put("whole.pcap", capture);
    let output = sandbox.ok("spdm dump whole.pcap --keys log");
    assert!(output.contains("0xffffffff") && output.contains("END_SESSION_ACK"), "{output}");
    // Structs and lists are shown part by part.
    let output = sandbox.ok("spdm dump whole.pcap --keys log --all");
    for parts in [
        "VersionNumberEntry           \n                      version                    1.2\n",
        "                      DHE                        secp384r1\n",
        "                      block 1                    \n                        Index                    1 (0x1)\n",
    ] {
        assert!(output.contains(parts), "{parts}: {output}");
    }
    sandbox.put("cut.pcap", &capture[..capture.len() - 1]);
    let done = sandbox.run("spdm dump cut.pcap --keys log");
    done.check(1, "dump", &["cut.pcap: packet 54"]);
    assert!(String::from_utf8(done.stdout).unwrap().contains("damaged"));
}

#[test]
fn reads_either_byte_order_and_refuses_other_files() {
    let sandbox = Sandbox::new();
    let capture = include_bytes!("../../../vectors/spdm/1.2-classical.pcap");
    sandbox.put("log", include_bytes!("../../../vectors/spdm/1.2-classical.secrets"));
    sandbox.put("whole.pcap", capture);
    let mut turned = capture.to_vec();
    for field in [0..4, 4..6, 6..8, 16..20, 20..24] {
        turned[field].reverse();
    }
    let (mut at, mut last) = (24, 24);
    while at < turned.len() {
        last = at;
        let len = u32::from_le_bytes(turned[at + 8..at + 12].try_into().unwrap()) as usize;
        turned[at..at + 16].chunks_mut(4).for_each(<[u8]>::reverse);
        at += 16 + len;
    }
    sandbox.put("turned.pcap", turned);
    assert_eq!(sandbox.ok("spdm dump turned.pcap --keys log"), sandbox.ok("spdm dump whole.pcap --keys log"));
    // The snapshot length truncated the last packet.
    let mut short = capture.to_vec();
    short[last + 12] += 1;
    sandbox.put("short.pcap", short);
    let done = sandbox.run("spdm dump short.pcap --keys log");
    done.check(1, "dump", &["short.pcap: packet 54: truncated packet", "snapshot length"]);
    assert!(String::from_utf8(done.stdout).unwrap().contains("KEY_EXCHANGE_RSP"));
    sandbox.refuses(1, "spdm dump log", &["log", "not a capture", "--pcap"]);
    sandbox.put("newer", [0x0A, 0x0D, 0x0D, 0x0A, 0, 0, 0, 0]);
    sandbox.refuses(1, "spdm dump newer", &["newer", "pcapng", "editcap"]);
    sandbox.put("short", &capture[..23]);
    sandbox.refuses(1, "spdm dump short", &["short: the capture is truncated in its header of 24 bytes\n"]);
    sandbox.put("nothing", "");
    sandbox.refuses(1, "spdm dump nothing", &["nothing: the capture is empty"]);
    sandbox.put("net.pcap", [&capture[..20], &[1, 0, 0, 0]].concat());
    sandbox.refuses(1, "spdm dump net.pcap", &["link type", "grille explain"]);
    sandbox.refuses(
        1,
        "spdm dump whole.pcap --keys whole.pcap",
        &["whole.pcap", "not a key log", "--key-log"],
    );
    sandbox.put("empty.keys", "\n");
    sandbox.refuses(
        1,
        "spdm dump whole.pcap --keys empty.keys",
        &["empty.keys: the key log holds no secrets; omit --keys"],
    );
    sandbox.refuses(1, "spdm dump none.pcap", &["none.pcap"]);
    sandbox.refuses(1, "spdm dump whole.pcap --psk none.psk", &["none.psk", "cannot read"]);
}
