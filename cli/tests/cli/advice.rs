//! Advice for wrong files, names and numbers.

use crate::sandbox::Sandbox;
use serde_json::{Value, json};

const OPENSSH: &str = "-----BEGIN OPENSSH PRIVATE KEY-----\n\
                       b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW\n\
                       -----END OPENSSH PRIVATE KEY-----\n";

/// Makes a sandbox with a key and a root of this algorithm.
fn sandbox(algorithm: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.ok(&format!("keygen --quiet --alg {algorithm} --out key --pub pub"));
    sandbox.ok("cert root --key key --subject CN=root --out root.crt");
    sandbox.put("letter", "dear friend");
    sandbox
}

#[test]
fn explains_rsa_by_size_and_identifiers() {
    let sandbox = sandbox("RSA-2048");
    for (file, oid, of) in [
        ("key", "1.2.840.113549.1.1.1", "keys"),
        ("pub", "1.2.840.113549.1.1.1", "keys"),
        ("root.crt", "1.2.840.113549.1.1.11", "signatures"),
    ] {
        let document = sandbox.json(&format!("explain {file}"));
        let named = &document["documents"][0]["algorithms"][0];
        assert_eq!(named["oid"], oid, "{file}");
        let meanings = named["meanings"].as_array().unwrap();
        assert_eq!(meanings.len(), 1, "{file}: {named}");
        assert_eq!(meanings[0]["name"], "RSA-2048", "{file}");
        let identifiers = meanings[0]["identifiers"].as_array().unwrap();
        let own = identifiers.iter().find(|identifier| identifier["oid"] == oid).unwrap();
        assert_eq!(own["of"], of, "{file}");
    }
    let printed = sandbox.json("key inspect key");
    assert_eq!(printed["oid"], "1.2.840.113549.1.1.1");
    assert!(sandbox.ok("key inspect key").contains("1.2.840.113549.1.1.1 in every profile"));
    // an identifier without a key does not determine the size, so all sizes are listed
    assert_eq!(sandbox.json("explain 1.2.840.113549.1.1.1")["meanings"].as_array().unwrap().len(), 3);
}

#[test]
fn explains_elliptic_keys_by_curve() {
    let sandbox = sandbox("ECDSA-P384-SHA384");
    let document = sandbox.json("explain pub");
    let named = document["documents"][0]["algorithms"].as_array().unwrap();
    let names: Vec<_> = named.iter().map(|named| [&named["oid"], &named["meanings"][0]["name"]]).collect();
    let algorithm = json!("ECDSA-P384-SHA384");
    assert_eq!(names, [[&json!("1.2.840.10045.2.1"), &algorithm], [&json!("1.3.132.0.34"), &algorithm]]);
}

#[test]
fn explains_how_to_convert_pkcs1_files() {
    let sandbox = Sandbox::new();
    // like a PKCS #1 key, this sequence of one number names no algorithm
    sandbox.put("rsa.pem", "-----BEGIN RSA PRIVATE KEY-----\nMAMCAQU=\n-----END RSA PRIVATE KEY-----\n");
    let parts = ["rsa.pem: ", "names no known algorithm", "openssl pkcs8 -topk8 -nocrypt"];
    sandbox.refuses(1, "explain rsa.pem", &parts);
}

#[test]
fn lists_profiles_of_identifiers() {
    let sandbox = Sandbox::new();
    sandbox.ok("keygen --quiet --alg p256_falcon512 --profile provider-0.5 --out key");
    let printed = sandbox.json("key inspect key --profile provider-0.5");
    assert_eq!((&printed["oid"], &printed["profiles"]), (&json!("1.3.9999.3.7"), &json!(["provider-0.5"])));
    let text = sandbox.ok("key inspect key --profile provider-0.5");
    assert!(text.contains("1.3.9999.3.7 in the profiles provider-0.5"), "{text}");
    let document = sandbox.json("explain p256_falcon512");
    let profiles_of = |oid: &str| -> Value {
        let meanings = document["meanings"].as_array().unwrap().iter();
        let mut identifiers = meanings.flat_map(|meaning| meaning["identifiers"].as_array().unwrap());
        identifiers.find(|identifier| identifier["oid"] == oid).unwrap()["profiles"].clone()
    };
    assert_eq!(profiles_of("1.3.9999.3.7"), json!(["provider-0.5"]));
    assert!(profiles_of("1.3.9999.3.12").as_array().unwrap().contains(&json!("provider-0.6")));
}

#[test]
fn reports_raw_output_files() {
    let sandbox = Sandbox::new();
    let printed = sandbox.ok("keygen --alg X25519MLKEM768 --out key --pub pub");
    assert!(printed.contains("the files are raw") && printed.contains("--alg X25519MLKEM768"), "{printed}");
    assert_eq!(sandbox.json("keygen --alg X25519MLKEM768 --out key --force")["form"], "raw");
    assert!(!sandbox.ok("keygen --alg ML-KEM-768 --out key --force").contains("raw"));
    assert_eq!(sandbox.json("keygen --alg ML-KEM-768 --out key --force")["form"], "seed");
    let printed = sandbox.ok("key convert --in key --form both --out other");
    assert!(printed.contains("private key converted from key (form seed) to other (form both)"), "{printed}");
}

#[test]
fn recognises_openssh_keys() {
    let sandbox = sandbox("ML-DSA-44");
    sandbox.put("id", OPENSSH);
    sandbox.put("id.pub", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKuP somebody@somewhere\n");
    let private: &[&str] =
        &["id: ", "\"OPENSSH PRIVATE KEY\"", "OpenSSH's own format", "ssh-keygen -p -m PKCS8"];
    for words in ["sign --key id --in letter --out sig", "key inspect id", "explain id"] {
        sandbox.refuses(1, words, private);
    }
    let public: &[&str] = &["id.pub: ", "public key in OpenSSH's format", "ssh-keygen -e -m PKCS8"];
    for words in ["verify --pub id.pub --sig letter --in letter", "explain id.pub"] {
        sandbox.refuses(1, words, public);
        assert!(!sandbox.run(words).stderr.contains("--alg"), "{words}");
    }
}

#[test]
fn lists_alternatives_for_missing_arguments() {
    let sandbox = Sandbox::new();
    let usage = "run with --help for usage";
    let signing = "`grille keygen --alg ML-DSA-65 --out my.key --pub my.pub`";
    for (words, message, advice) in [
        ("cert chain --out c", "missing: --alg <NAME> or --sig <NAMES>", usage),
        ("cert issue --ca c --ca-key k", "missing: --key <FILE> or --csr <FILE>", signing),
        ("cert request", "missing: --key <FILE> or --show <FILE>", signing),
        ("verify --sig s", "missing: --pub <FILE> or --cert <FILE>", signing),
        ("tls matrix", "missing: --bytes or --time or --memory", usage),
        (
            "tls client",
            "missing: --ca <FILE> or --system-roots or --insecure or --peer-key <FILE> or --list-ciphers",
            "`grille cert chain --alg ML-DSA-65 --out certs`",
        ),
        (
            "encap --ct c",
            "missing: --secret <FILE>, and --pub <FILE> or --cert <FILE>",
            "`grille keygen --alg ML-KEM-768 --out my.key --pub my.pub`",
        ),
    ] {
        let done = sandbox.run(words);
        let sorted = |text: &str| {
            let mut words: Vec<_> = text.split([' ', ',', ';', '\n']).map(str::to_owned).collect();
            words.sort();
            words
        };
        let (problem, shown_advice) = done.stderr.split_once("; ").unwrap();
        let message = format!("error: {message}");
        assert_eq!((done.code, sorted(problem)), (2, sorted(&message)), "{words}: {}", done.stderr);
        assert!(shown_advice.contains(advice), "{words}: {}", done.stderr);
    }
}

#[test]
fn rejects_impossible_ports() {
    let sandbox = Sandbox::new();
    for words in [
        "tls client localhost:99999 --insecure --message x",
        "tls scan localhost:99999",
        "tls server --port 99999 --cert c --key k",
        "tls bench --connect localhost:99999 --ca c",
        "proxy --listen 0.0.0.0:99999 --to host:80 --cert c --key k",
        "proxy --listen 0.0.0.0:0 --to host:99999 --cert c --key k",
    ] {
        sandbox.refuses(2, words, &["port 99999 is too large: ports end at 65535"]);
    }
}

#[test]
fn rejects_alg_for_files_that_name_their_algorithm() {
    let sandbox = sandbox("ML-DSA-65");
    for words in [
        "sign --alg ML-DSA-65 --key key --in letter --out sig",
        "verify --alg ML-DSA-65 --pub pub --sig letter --in letter",
        "key inspect --alg ML-DSA-65 key",
    ] {
        sandbox.refuses(1, words, &["seems to be PEM or DER", "leave out --alg"]);
    }
    // files that would be wrong even without --alg are described by their own kind
    sandbox.ok("keygen --quiet --alg ML-KEM-768 --out kem.key --pub kem.pub");
    let label = "expected PEM of \"PUBLIC KEY\", but this is PEM of \"CERTIFICATE\"";
    for (words, parts) in [
        ("encap --alg ML-KEM-768 --pub root.crt --ct ct --secret s", ["root.crt: ", label]),
        (
            "encap --alg ML-KEM-768 --pub pub --ct ct --secret s",
            ["pub: ", "ML-DSA-65, which is used for signatures"],
        ),
        (
            "verify --alg ML-DSA-65 --pub kem.pub --sig letter --in letter",
            ["kem.pub: ", "ML-KEM-768, which is used for"],
        ),
        (
            "decap --alg ML-KEM-768 --key key --ct letter --secret s",
            ["key: ", "ML-DSA-65, which is used for signatures"],
        ),
        ("key inspect --alg ML-DSA-65 pub", ["pub: ", "give the private key"]),
    ] {
        sandbox.refuses(1, words, &parts);
        assert!(!sandbox.run(words).stderr.contains("--alg"), "{words}");
    }
}

#[test]
fn suggests_algorithms_of_the_other_kind() {
    let sandbox = sandbox("ML-DSA-65");
    sandbox.refuses(
        2,
        "cert chain --alg ML-KEM-768 --out c",
        &["ML-KEM-768 is a KEM, not a signature algorithm", "use ML-DSA-65 or "],
    );
    sandbox.refuses(
        2,
        "encap --alg ML-DSA-87 --pub pub --ct ct --secret s",
        &["ML-DSA-87 is a signature algorithm, not a KEM", "use ML-KEM-1024"],
    );
}

#[test]
fn reports_expected_and_found_signature_lengths() {
    let sandbox = sandbox("ML-DSA-65");
    sandbox.ok("sign --key key --in letter --out sig");
    sandbox.put("cut", &sandbox.get("sig")[..100]);
    let verify = |sig: &str| format!("verify --pub pub --sig {sig} --in letter");
    sandbox.refuses(
        1,
        &verify("cut"),
        &["cut: the signature has 100 bytes", "signatures of ML-DSA-65 have 3309"],
    );
    sandbox.put("long", [sandbox.get("sig"), vec![0]].concat());
    sandbox.refuses(1, &verify("long"), &["has 3310 bytes", "have 3309"]);
    // variable lengths: only lengths outside the range are wrong
    sandbox.ok("keygen --quiet --force --alg Falcon-512 --out key --pub pub");
    sandbox.put("short", [7; 100]);
    sandbox.refuses(1, &verify("short"), &["short: ", "has 100 bytes", "have 617 to 752"]);
    sandbox.put("other", [7; 700]);
    sandbox.refuses(
        1,
        &verify("other"),
        &["other: the signature does not match this message and public key"],
    );
    sandbox.put("long", [7; 5000]);
    sandbox.refuses(1, &verify("long"), &["has 5000 bytes", "have 617 to 752"]);
}

#[test]
fn recognises_signatures_of_other_falcon_variants() {
    let sandbox = Sandbox::new();
    sandbox.put("letter", "text");
    for name in ["Falcon-512", "Falcon-1024", "Falcon-padded-512", "Falcon-padded-1024"] {
        sandbox.ok(&format!("keygen --quiet --alg {name} --out {name}.key --pub {name}.pub"));
        sandbox.ok(&format!("sign --quiet --key {name}.key --in letter --out {name}.sig"));
    }
    let verify = |key: &str, sig: &str| format!("verify --pub {key}.pub --sig {sig}.sig --in letter");
    let of_512 = "the file may be a signature of Falcon-512";
    sandbox.refuses(
        1,
        &verify("Falcon-padded-512", "Falcon-512"),
        &[of_512, "the key is of Falcon-padded-512"],
    );
    sandbox.refuses(1, &verify("Falcon-512", "Falcon-1024"), &["the file may be a signature of Falcon-1024"]);
    // all padded signatures have the same length, which an unpadded signature may have, too
    let padded = "by its length the file may be a signature of Falcon-padded-";
    let key_of =
        |name: &str| format!("but the key is of {name}; otherwise check the file and the {name} key");
    for (degree, len) in [(512, 666), (1024, 1280)] {
        let (plain, other) = (format!("Falcon-{degree}"), format!("Falcon-padded-{degree}"));
        assert_eq!(sandbox.get(&format!("{other}.sig")).len(), len);
        sandbox.refuses(1, &verify(&plain, &other), &[&format!("{padded}{degree}"), &key_of(&plain)]);
        let own = format!("verify --pub {other}.pub --sig {other}.sig --in {other}.key");
        assert!(!sandbox.run(&own).stderr.contains("by its length"), "{own}");
    }
    // The signature is shorter than the longest one of its own algorithm, and has the length of another algorithm's
    // signatures.
    sandbox.ok("keygen --quiet --alg ECDSA-P256-SHA256 --out ec.key --pub ec.pub");
    sandbox.put("ec.sig", [0x30; 64]);
    sandbox.refuses(
        1,
        "verify --pub ec.pub --sig ec.sig --in letter",
        &["check the file and the ECDSA-P256"],
    );
    let printed = sandbox.ok("explain Falcon-512.sig");
    assert!(printed.contains("a signature of Falcon-512") && !printed.contains("padded"), "{printed}");
    assert!(sandbox.ok("explain Falcon-padded-512.sig").contains("Falcon-padded-512"));
}

#[test]
fn accepts_names_of_object_identifiers() {
    let sandbox = Sandbox::new();
    for (name, algorithm) in [
        ("id-ml-dsa-65", "ML-DSA-65"),
        ("id-alg-ml-kem-768", "ML-KEM-768"),
        ("id-slh-dsa-sha2-128s", "SLH-DSA-SHA2-128s"),
        ("id-hash-slh-dsa-shake-256f-with-shake256", "HashSLH-DSA-SHAKE-256f-with-SHAKE256"),
    ] {
        assert_eq!(sandbox.json(&format!("explain {name}"))["meanings"][0]["name"], algorithm, "{name}");
    }
    sandbox.refuses(2, "explain id-ml-dsa-66", &["did you mean ML-DSA-65"]);
}

#[test]
fn explains_cipher_suites() {
    let sandbox = Sandbox::new();
    for argument in ["0x1301", "4865", "TLS_AES_128_GCM_SHA256", "tls13-aes128-gcm-sha256"] {
        let suite = &sandbox.json(&format!("explain {argument}"))["cipher_suite"];
        let parts = [&suite["name"], &suite["tls_code"], &suite["key_bits"], &suite["implemented"]];
        assert_eq!(parts, [&json!("TLS_AES_128_GCM_SHA256"), &json!("0x1301"), &json!(128), &json!(true)]);
    }
    assert!(sandbox.ok("explain TLS_AES_128_CCM_SHA256").contains("not implemented in grille"));
    assert!(sandbox.ok("explain 0x1302").contains("security category 5"));
}

#[test]
fn prints_help_and_version_as_json() {
    let sandbox = Sandbox::new();
    let version = sandbox.json("--version");
    assert_eq!(version, json!({ "schema": 2, "version": env!("CARGO_PKG_VERSION") }));
    for words in ["--help", "sign --help"] {
        let help = sandbox.json(words);
        assert!(help["help"].as_str().unwrap().contains("Usage: grille"), "{words}");
    }
}

#[test]
fn gives_advice_that_works() {
    let sandbox = sandbox("ML-DSA-65");
    let groups = |list: &str| format!("tls client --insecure --quiet --groups {list}");
    let number = ["--groups: ", "no known group has the number "];
    for (list, advice) in [
        ("531", "`grille list kem --all`"),
        ("0x0211", "give --profile oqs111-2021-02, where it means Kyber1024"),
        ("0x0204", "`grille explain 0x0204`"),
    ] {
        sandbox.refuses(2, &groups(list), &[number[0], number[1], advice]);
    }
    sandbox.ok("explain 0x0204");
    sandbox.refuses(
        1,
        "keygen --quiet --alg Saber-KEM --form bare --out k",
        &["raw files: no profile assigns one"],
    );
    let kyber = "keygen --quiet --alg Kyber512 --form bare --out k";
    sandbox.refuses(1, kyber, &["use raw files, or the profile provider-0.", "which assigns one"]);
    for subcommand in ["bench", "speed", "tls bench"] {
        sandbox.refuses(2, &format!("{subcommand} --seconds -1"), &["--seconds", "from 0 to 3600"]);
    }
    sandbox.refuses(2, "kat --count -1", &["-1 is not in 1..=100"]);
    sandbox.ok("cert request --key key --out csr");
    let issue = |key: &str| format!("cert issue --key {key} --ca root.crt --ca-key key --out crt");
    sandbox.refuses(1, &issue("root.crt"), &["root.crt: ", "expected a public or private key"]);
    sandbox.refuses(1, &issue("csr"), &["csr: ", "give the request with --csr"]);
}

#[test]
fn suggests_key_convert_for_raw_keys() {
    let sandbox = sandbox("ML-DSA-44");
    sandbox.ok("keygen --quiet --alg Falcon-512 --form raw --out raw");
    let convert = "convert it with `grille key convert --alg NAME --in raw --out FILE`";
    for words in [
        "cert root --key raw --out crt",
        "cert request --key raw --out csr",
        "cert issue --key pub --ca root.crt --ca-key raw --out crt",
        "tls server --port 0 --cert root.crt --key raw",
        "tls client --quiet --insecure --raw-public-key --key raw",
    ] {
        sandbox.refuses(1, words, &["raw: ", "if it is a raw private key of Falcon-512", convert]);
    }
    sandbox.ok("key convert --alg Falcon-512 --in raw --out named");
    sandbox.ok("cert root --key named --out crt");
}

#[test]
fn rejects_every_spelling_of_fn_dsa() {
    let sandbox = Sandbox::new();
    for name in ["FN-DSA", "FNDSA", "id-fn-dsa-512", "FN-DSA-padded-512", "FN-DSA-512"] {
        let why = [
            "FIPS 206, which is not published",
            "Falcon-512 is the predecessor and will not interoperate with it",
        ];
        sandbox.refuses(2, &format!("keygen --alg {name} --out key"), &why);
        sandbox.refuses(2, &format!("explain {name}"), &why);
    }
}
