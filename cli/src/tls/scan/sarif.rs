//! SARIF 2.1.0: findings, for tools that show them.

use super::document::{AMBIGUOUS, QUANTUM_SAFE, Scanned, Shown, Signature, Verdict, is_of_no_standard};
use crate::error::Error;
use serde_json::{Value, json};

/// Identifiers of rules and what they say; a finding refers to its rule by place.
const RULES: [(&str, &str); 10] = [
    ("key-exchange", "Key exchange should be quantum-safe, by RFC 10024"),
    ("preference", "A server should prefer its quantum-safe groups"),
    ("experimental-group", "Groups that no standard has should be switched off"),
    ("certificate", "Certificates should be quantum-safe before quantum computers exist"),
    (
        "experimental-signature",
        "Signature schemes and certificates that no standard has should be switched off",
    ),
    ("status", "What signature schemes and certificates stand on"),
    ("handshake-signature", "Handshakes should be signed quantum-safely before quantum computers exist"),
    ("ambiguous-number", "What a number means that several algorithms had in turn should be certain"),
    ("trust", "Certificates should lead to a trusted root"),
    ("scan", "A server should answer"),
];

/// One run with the findings of all servers; a server that is as it should be has none. One that could not be scanned comes with
/// the host that was asked for.
pub(super) fn document(scanned: &[Result<&Scanned, (&str, &Error)>]) -> Value {
    let rules = RULES.map(|(id, text)| json!({ "id": id, "shortDescription": { "text": text } }));
    let finding = |address: &str, (rule, level, text): (usize, &str, String)| {
        json!({
            "ruleId": RULES[rule].0,
            "ruleIndex": rule,
            "level": level,
            "message": { "text": text },
            "locations": [{ "physicalLocation": { "artifactLocation": { "uri": format!("tls://{address}") } } }],
        })
    };
    let of_server = |server: &Result<&Scanned, (&str, &Error)>| -> Vec<Value> {
        match server {
            Ok(scanned) => {
                findings(scanned).into_iter().map(|found| finding(&scanned.address, found)).collect()
            }
            Err((host, error)) => vec![finding(host, (9, "error", error.to_string()))],
        }
    };
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "grille", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "results": scanned.iter().flat_map(of_server).collect::<Vec<_>>(),
        }],
    })
}

/// Rule, level, text.
fn findings(scanned: &Scanned) -> Vec<(usize, &'static str, String)> {
    let mut findings = Vec::new();
    match scanned.verdict {
        Verdict::Ready => (),
        Verdict::ReadyWithoutHybrid => findings.push((0, "note", scanned.verdict.words().to_owned())),
        Verdict::Obsolete | Verdict::Undecided => {
            findings.push((0, "warning", scanned.verdict.words().to_owned()));
        }
        Verdict::PrefersClassical => findings.push((1, "error", scanned.verdict.words().to_owned())),
        Verdict::NotReady | Verdict::NoTls13 => {
            findings.push((0, "error", scanned.verdict.words().to_owned()));
        }
    }
    let order = scanned.order.as_ref().filter(|order| order.preference != QUANTUM_SAFE);
    if let Some(order) = order.filter(|_| scanned.verdict != Verdict::PrefersClassical) {
        findings.push((1, "note", format!("Of a classical and a quantum-safe group: {}", order.words)));
    }
    for group in scanned.groups.iter().filter(|group| is_of_no_standard(group.status)) {
        findings.push((
            2,
            "warning",
            format!("It takes {} (0x{:04X}), {}", group.name, group.code, group.status),
        ));
    }
    for group in scanned.groups.iter().filter(|group| group.status == AMBIGUOUS) {
        let meant: Vec<_> =
            group.meanings.iter().map(|means| format!("{}, {}", means.name, means.status)).collect();
        findings.push((
            7,
            "note",
            format!("It takes 0x{:04X}, which is {}", group.code, meant.join(", or ")),
        ));
    }
    if scanned.verdict != Verdict::NoTls13 {
        findings.extend(authentication(scanned));
    }
    findings.extend(scanned.signatures.iter().flat_map(statuses));
    let distrusted = scanned.signatures.iter().filter_map(|signature| signature.distrust.as_ref());
    findings
        .extend(distrusted.map(|reason| (8, "error", format!("Its certificate is not trusted: {reason}"))));
    findings
}

/// What of certificates and handshake signatures is not quantum-safe, or not known to be.
fn authentication(scanned: &Scanned) -> Vec<(usize, &'static str, String)> {
    let answers = [
        (
            3,
            scanned.quantum_safe_certificate,
            "Each of its certificate chains has a classical signature",
            "certificates are",
        ),
        (
            6,
            scanned.quantum_safe_handshake_signature,
            "It signs handshakes with classical schemes only",
            "handshake signatures are",
        ),
    ];
    let finding = |(rule, answer, classical, what): (usize, Option<bool>, &str, &str)| {
        let text = match answer {
            Some(true) => return None,
            Some(false) => classical.to_owned(),
            None => format!(
                "Whether its {what} quantum-safe is unknown: {}",
                scanned.unknown_signatures.join("; ")
            ),
        };
        Some((rule, "note", text))
    };
    answers.into_iter().filter_map(finding).collect()
}

/// A scheme and its certificates: what each stands on.
fn statuses(signature: &Signature) -> Vec<(usize, &'static str, String)> {
    let finding = |status: &str, what: String| match is_of_no_standard(status) {
        true => (4, "warning", format!("{what}, {status}")),
        false => (5, "note", format!("{what}, {status}")),
    };
    let Signature { scheme, code, status, certificates, .. } = signature;
    let own = finding(status, format!("It signs with {scheme} (0x{code:04X})"));
    let of_certificates = certificates.iter().flat_map(|certificate| {
        let Shown { subject, key, key_status, signature, signature_status, .. } = certificate;
        [
            finding(key_status, format!("The certificate of {subject} has a key of {key}")),
            finding(signature_status, format!("The certificate of {subject} has a signature of {signature}")),
        ]
    });
    [own].into_iter().chain(of_certificates).collect()
}
