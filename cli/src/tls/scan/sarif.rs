//! Formats findings as SARIF 2.1.0.

use super::document::{
    AMBIGUOUS, CertificateSummary, QUANTUM_SAFE, ScanResult, Signature, Verdict, is_not_standardised,
};
use crate::error::Error;
use serde_json::{Value, json};

/// Rules with identifier and text; a finding refers to its rule by index.
const RULES: [(&str, &str); 10] = [
    ("key-exchange", "Key exchange should be quantum-safe (RFC 10024)"),
    ("preference", "A server should prefer its quantum-safe groups"),
    ("experimental-group", "Groups that are not standardised should be disabled"),
    ("certificate", "Certificates should be quantum-safe before quantum computers exist"),
    (
        "experimental-signature",
        "Signature schemes and certificates that are not standardised should be disabled",
    ),
    ("status", "Status of signature schemes and certificates"),
    ("handshake-signature", "Handshake signatures should be quantum-safe before quantum computers exist"),
    ("ambiguous-number", "A number with several possible meanings should be replaced by an unambiguous one"),
    ("trust", "Certificates should lead to a trusted root"),
    ("scan", "A server should answer"),
];

/// Returns a SARIF document with one run and the findings of all servers. A server without problems has no findings.
///
/// A server that could not be scanned is given as the requested host with the error.
pub(super) fn sarif_document(scanned: &[Result<&ScanResult, (&str, &Error)>]) -> Value {
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
    let of_server = |server: &Result<&ScanResult, (&str, &Error)>| -> Vec<Value> {
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

/// Returns the findings as rule, level and text.
fn findings(scanned: &ScanResult) -> Vec<(usize, &'static str, String)> {
    let mut findings = Vec::new();
    match scanned.verdict {
        Verdict::Ready => (),
        Verdict::ReadyWithoutHybrid => findings.push((0, "note", scanned.verdict.description().to_owned())),
        Verdict::Obsolete | Verdict::Undecided => {
            findings.push((0, "warning", scanned.verdict.description().to_owned()));
        }
        Verdict::PrefersClassical => findings.push((1, "error", scanned.verdict.description().to_owned())),
        Verdict::NotReady | Verdict::NoTls13 => {
            findings.push((0, "error", scanned.verdict.description().to_owned()));
        }
    }
    let order = scanned.order.as_ref().filter(|order| order.preference != QUANTUM_SAFE);
    if let Some(order) = order.filter(|_| scanned.verdict != Verdict::PrefersClassical) {
        findings.push((1, "note", format!("Group preference: {}", order.words)));
    }
    for group in scanned.groups.iter().filter(|group| is_not_standardised(group.status)) {
        findings.push((
            2,
            "warning",
            format!("The server accepts {} (0x{:04X}), {}", group.name, group.code, group.status),
        ));
    }
    for group in scanned.groups.iter().filter(|group| group.status == AMBIGUOUS) {
        let meanings: Vec<_> =
            group.meanings.iter().map(|means| format!("{}, {}", means.name, means.status)).collect();
        findings.push((
            7,
            "note",
            format!("The server accepts 0x{:04X}, which is {}", group.code, meanings.join(", or ")),
        ));
    }
    if scanned.verdict != Verdict::NoTls13 {
        findings.extend(authentication_findings(scanned));
    }
    findings.extend(scanned.signatures.iter().flat_map(status_findings));
    let distrusted = scanned.signatures.iter().filter_map(|signature| signature.distrust.as_ref());
    findings
        .extend(distrusted.map(|reason| (8, "error", format!("The certificate is not trusted: {reason}"))));
    findings
}

/// Returns findings about certificates and handshake signatures that are not, or not known to be, quantum-safe.
fn authentication_findings(scanned: &ScanResult) -> Vec<(usize, &'static str, String)> {
    let answers = [
        (
            3,
            scanned.quantum_safe_certificate,
            "Each certificate chain of the server has a classical signature",
            "certificates are",
        ),
        (
            6,
            scanned.quantum_safe_handshake_signature,
            "The server signs handshakes with classical schemes only",
            "handshake signatures are",
        ),
    ];
    let finding = |(rule, answer, classical, subject): (usize, Option<bool>, &str, &str)| {
        let text = match answer {
            Some(true) => return None,
            Some(false) => classical.to_owned(),
            None => format!(
                "Whether the server's {subject} quantum-safe is unknown: {}",
                scanned.unknown_signatures.join("; ")
            ),
        };
        Some((rule, "note", text))
    };
    answers.into_iter().filter_map(finding).collect()
}

/// Returns findings about the status of a scheme and of its certificates.
fn status_findings(signature: &Signature) -> Vec<(usize, &'static str, String)> {
    let finding = |status: &str, fact: String| match is_not_standardised(status) {
        true => (4, "warning", format!("{fact}, {status}")),
        false => (5, "note", format!("{fact}, {status}")),
    };
    let Signature { scheme, code, status, certificates, .. } = signature;
    let own = finding(status, format!("The server signs with {scheme} (0x{code:04X})"));
    let of_certificates = certificates.iter().flat_map(|certificate| {
        let CertificateSummary { subject, key, key_status, signature, signature_status, .. } = certificate;
        [
            finding(key_status, format!("The certificate of {subject} has a {key} key")),
            finding(signature_status, format!("The certificate of {subject} has a {signature} signature")),
        ]
    });
    [own].into_iter().chain(of_certificates).collect()
}
