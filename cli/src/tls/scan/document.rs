//! The results of a scan in the form in which they are printed.

use super::trust::Roots;
use crate::error::Error;
use crate::output::{Message, Output, Report};
use grille_registry::{KemRow, Row, SignatureRow, Status};
use grille_tls::report::Chain;
use grille_tls::scan::{self, Meaning, Order, Preference, ScanFindings, meanings_of_scheme};
use serde::Serialize;
use std::io;

/// The verdict on a server: whether a recorded connection stays secret once quantum computers exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Verdict {
    /// The server accepts a hybrid of RFC 10024.
    Ready,
    /// The server accepts ML-KEM, but no hybrid of RFC 10024, although most clients offer those.
    ReadyWithoutHybrid,
    /// The server accepts a group whose number may mean a standard or something else.
    Undecided,
    /// The server accepts quantum-safe groups, but no standard ones.
    Obsolete,
    /// The server accepts only classical groups.
    NotReady,
    /// The server accepts standard quantum-safe groups, but chooses classical ones if a client offers both.
    PrefersClassical,
    /// The server does not support TLS 1.3, which quantum-safe groups require.
    NoTls13,
}

impl Verdict {
    pub(super) const fn description(self) -> &'static str {
        match self {
            Self::Ready => "ready: hybrid key exchange of RFC 10024",
            Self::ReadyWithoutHybrid => "ready, but without the hybrids of RFC 10024 that most clients offer",
            Self::Undecided => "undecided: its quantum-safe group may or may not be a standard one",
            Self::Obsolete => "obsolete: its quantum-safe groups are not standardised",
            Self::NotReady => "not ready: only key exchange that a quantum computer breaks",
            Self::PrefersClassical => {
                "not ready: prefers classical groups, so that clients offering both get no quantum-safe key exchange"
            }
            Self::NoTls13 => "not ready: no TLS 1.3",
        }
    }

    pub(super) const fn is_ready(self) -> bool {
        matches!(self, Self::Ready | Self::ReadyWithoutHybrid)
    }
}

/// The results of one server.
#[derive(Serialize)]
pub(super) struct ScanResult {
    pub(super) address: String,
    pub(super) verdict: Verdict,
    pub(super) ready: bool,
    /// Whether all chains lead to the given roots; absent without roots or without chains.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) trusted: Option<bool>,
    /// Whether the group that the server prefers is quantum-safe; absent if the server follows the client's order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) prefers_quantum_safe: Option<bool>,
    /// The rule that decides between a classical and a quantum-safe group; absent unless the server has groups of both
    /// kinds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) order: Option<GroupPreference>,
    /// Whether the server has a certificate chain with only quantum-safe signatures; absent if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) quantum_safe_certificate: Option<bool>,
    /// Whether the server signs handshakes with a quantum-safe scheme; absent if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) quantum_safe_handshake_signature: Option<bool>,
    pub(super) groups: Vec<Group>,
    pub(super) signatures: Vec<Signature>,
    /// The reasons why the server may have signatures or certificates that the scan did not see.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) unknown_signatures: Vec<String>,
    pub(super) connections: u32,
}

/// A server's preference between classical and quantum-safe groups.
#[derive(Serialize)]
pub(super) struct GroupPreference {
    pub(super) preference: &'static str,
    #[serde(skip)]
    pub(super) words: &'static str,
    pub(super) trials: Vec<Trial>,
}

/// A trial: the offered groups and key shares, and the server's choice.
#[derive(Serialize)]
pub(super) struct Trial {
    pub(super) groups: Vec<String>,
    pub(super) key_shares: Vec<String>,
    #[serde(rename = "taken")]
    pub(super) selected: Option<String>,
}

/// A possible meaning of a number.
#[derive(Serialize)]
pub(super) struct PossibleMeaning {
    pub(super) name: &'static str,
    /// The registry's status, `experimental` if the registry does not have the algorithm, or `classical`.
    pub(super) status: &'static str,
}

#[derive(Serialize)]
pub(super) struct Group {
    /// All possible names.
    pub(super) name: String,
    pub(super) code: u16,
    /// The status of the meaning; `ambiguous` if possible meanings differ in status.
    pub(super) status: &'static str,
    /// The possible meanings, if there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) meanings: Vec<PossibleMeaning>,
    pub(super) quantum_safe: bool,
    pub(super) hybrid: bool,
    pub(super) preferred: bool,
}

#[derive(Serialize)]
pub(super) struct Signature {
    pub(super) scheme: String,
    pub(super) code: u16,
    /// The status, with the same values as for groups.
    pub(super) status: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) meanings: Vec<PossibleMeaning>,
    /// Whether the scheme of the handshake signature is quantum-safe.
    pub(super) quantum_safe: bool,
    /// Whether all certificates have quantum-safe signatures; absent if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) quantum_safe_certificates: Option<bool>,
    /// Whether the chain leads to one of the given roots; absent without roots.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) trusted: Option<bool>,
    /// The reason why the chain is not trusted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) distrust: Option<String>,
    pub(super) certificates: Vec<CertificateSummary>,
}

/// A certificate of a chain.
#[derive(Serialize)]
pub(super) struct CertificateSummary {
    pub(super) subject: String,
    pub(super) key: String,
    pub(super) key_status: &'static str,
    pub(super) signature: String,
    pub(super) signature_status: &'static str,
    pub(super) bytes: usize,
}

impl ScanResult {
    /// Evaluates a scan. `trust` contains the trusted roots, and the name that certificates should have.
    pub(super) fn new(address: String, found: &ScanFindings, trust: Option<(&Roots, &str)>) -> Self {
        let groups: Vec<Group> =
            found.groups.iter().map(|group| Group::new(group, found.preferred)).collect();
        let signatures: Vec<Signature> =
            found.signatures.iter().map(|(code, chain)| Signature::new(*code, chain, trust)).collect();
        let verdict = verdict(found, &groups);
        let of_any = |is: fn(&Signature) -> Option<bool>| {
            let answers: Vec<_> = signatures.iter().map(is).collect();
            any_yes(&answers, found.failures.is_empty())
        };
        Self {
            address,
            verdict,
            ready: verdict.is_ready(),
            trusted: signatures
                .iter()
                .map(|signature| signature.trusted)
                .reduce(|all, one| Some(all? && one?))
                .flatten(),
            prefers_quantum_safe: groups.iter().find(|group| group.preferred).map(|group| group.quantum_safe),
            order: found.order.as_ref().map(|order| GroupPreference::new(order, &groups)),
            quantum_safe_certificate: of_any(|signature| signature.quantum_safe_certificates),
            quantum_safe_handshake_signature: of_any(|signature| {
                signature.is_known().then_some(signature.quantum_safe)
            }),
            unknown_signatures: unknown_reasons(found, &signatures),
            groups,
            signatures,
            connections: found.connections,
        }
    }

    /// Returns the reason why the server fails the scan; `None` if it passes.
    pub(super) fn failure_reason(&self) -> Option<String> {
        if !self.verdict.is_ready() {
            return Some(self.verdict.description().to_owned());
        }
        let distrust = self.signatures.iter().find_map(|signature| signature.distrust.as_ref());
        distrust.map(|reason| format!("ready, but its certificate is not trusted: {reason}"))
    }
}

/// A server that could not be scanned.
#[derive(Serialize)]
pub(super) struct ScanFailure<'a> {
    address: &'a str,
    error: Message,
}

impl<'a> ScanFailure<'a> {
    pub(super) fn new(address: &'a str, error: Error) -> Self {
        Self { address, error: Message::new(error) }
    }
}

impl Report for ScanFailure<'_> {
    /// Prints nothing: as text, a failure is a warning.
    fn write_text(&self, _: &mut Output) -> io::Result<()> {
        Ok(())
    }
}

/// Returns whether any answer is yes; `None` if no answer is yes, and some are missing.
fn any_yes(answers: &[Option<bool>], complete: bool) -> Option<bool> {
    match () {
        () if answers.contains(&Some(true)) => Some(true),
        () if !complete || answers.is_empty() || answers.contains(&None) => None,
        () => Some(false),
    }
}

/// Returns the reasons why the server may have signatures or certificates that the scan did not see.
fn unknown_reasons(found: &ScanFindings, signatures: &[Signature]) -> Vec<String> {
    let mut reasons: Vec<_> =
        found.failures.iter().map(|failure| format!("a handshake failed {failure}")).collect();
    if found.old_version.is_none() && !found.signatures_requested {
        reasons.push("not scanned, because grille implements none of the server's groups".to_owned());
    } else if found.old_version.is_none() && signatures.is_empty() && reasons.is_empty() {
        reasons.push("the server refuses every signature scheme".to_owned());
    }
    if !signatures.iter().all(Signature::is_known) {
        reasons.push("the server signs with an unknown scheme".to_owned());
    }
    if signatures.iter().any(|signature| signature.quantum_safe_certificates.is_none()) {
        reasons.push("a certificate cannot be read, or has an unknown signature algorithm".to_owned());
    }
    reasons
}

fn verdict(found: &ScanFindings, groups: &[Group]) -> Verdict {
    let standard = |group: &&Group| group.quantum_safe && group.status == Status::Standard.name();
    let may_be_standard = |means: &PossibleMeaning| means.status == Status::Standard.name();
    let prefers_classical = found.order.as_ref().map_or_else(
        || groups.iter().any(|group| group.preferred && !group.quantum_safe),
        |order| order.preference() == Preference::Classical,
    );
    match () {
        () if found.old_version.is_some() => Verdict::NoTls13,
        () if prefers_classical && groups.iter().any(|group| standard(&group)) => Verdict::PrefersClassical,
        () if groups.iter().filter(standard).any(|group| group.hybrid) => Verdict::Ready,
        () if groups.iter().any(|group| standard(&group)) => Verdict::ReadyWithoutHybrid,
        () if groups.iter().any(|group| group.meanings.iter().any(may_be_standard)) => Verdict::Undecided,
        () if groups.iter().any(|group| group.quantum_safe) => Verdict::Obsolete,
        () => Verdict::NotReady,
    }
}

/// The preference that a server should have.
pub(super) const QUANTUM_SAFE: &str = "quantum-safe";
const EXPERIMENTAL: &str = "experimental";
const CLASSICAL: &str = "classical";
/// The status of a number whose possible meanings differ in status.
pub(super) const AMBIGUOUS: &str = "ambiguous";

/// Returns the registry's status, `experimental` if the registry does not have the algorithm, or `classical`.
fn status(row: Option<&dyn Row>, is_classical: bool) -> &'static str {
    match row {
        Some(row) if row.category() > 0 => row.status().name(),
        None if !is_classical => EXPERIMENTAL,
        _ => CLASSICAL,
    }
}

/// Returns whether a status means an algorithm that is neither classical, nor a standard, nor a draft of one. Returns
/// `false` for [`AMBIGUOUS`].
pub(super) fn is_not_standardised(status: &str) -> bool {
    ![Status::Standard.name(), Status::Draft.name(), CLASSICAL, AMBIGUOUS].contains(&status)
}

impl PossibleMeaning {
    fn new<R: Row>(meaning: &Meaning<R>) -> Self {
        let row = meaning.known.map(|(row, _)| row as &dyn Row);
        Self { name: meaning.name, status: status(row, meaning.is_classical) }
    }

    /// Combines possible meanings into one name and one status.
    fn join(meanings: &[Self]) -> (String, &'static str) {
        let Some(first) = meanings.first() else { return (UNKNOWN.to_owned(), UNKNOWN) };
        let names: Vec<_> = meanings.iter().map(|means| means.name).collect();
        let is_one = meanings.iter().all(|means| means.status == first.status);
        (names.join(" or "), if is_one { first.status } else { AMBIGUOUS })
    }

    /// Returns whether all possible meanings are quantum-safe.
    fn are_quantum_safe(meanings: &[Self]) -> bool {
        let unsafe_ones = [CLASSICAL, Status::Broken.name()];
        !meanings.is_empty() && meanings.iter().all(|means| !unsafe_ones.contains(&means.status))
    }
}

/// Returns the meanings if there are several, otherwise an empty list: the name and the status alone show a single
/// meaning.
fn if_several(meanings: Vec<PossibleMeaning>) -> Vec<PossibleMeaning> {
    if meanings.len() > 1 { meanings } else { Vec::new() }
}

impl GroupPreference {
    fn new(order: &Order, groups: &[Group]) -> Self {
        let (preference, words) = match (order.preference(), order.avoids_retries()) {
            (Preference::QuantumSafe, _) => {
                (QUANTUM_SAFE, "prefers quantum-safe groups regardless of the client's order")
            }
            (Preference::QuantumSafeIfShared, _) => (
                "quantum-safe-if-shared",
                "prefers quantum-safe groups, but only if the client sent a key share for them",
            ),
            (Preference::ClientOrder, true) => (
                "clients-order",
                "no preference for quantum-safe groups: the client's order decides, except that the server selects the classical group if that is the only one with a key share",
            ),
            (Preference::ClientOrder, false) => {
                ("clients-order", "no preference for quantum-safe groups: the client's order decides")
            }
            (Preference::Classical, _) => {
                ("classical", "prefers classical groups, even if the client prefers others")
            }
        };
        let name = |code: &u16| {
            let group = groups.iter().find(|group| group.code == *code);
            group.map_or_else(|| format!("0x{code:04X}"), |group| group.name.clone())
        };
        let named = |codes: &[u16]| codes.iter().map(name).collect();
        let trials = order.trials.iter().map(|trial| Trial {
            groups: named(&trial.groups),
            key_shares: named(&trial.shares),
            selected: trial.selected.as_ref().map(name),
        });
        Self { preference, words, trials: trials.collect() }
    }
}

impl Group {
    fn new(group: &scan::Group, preferred: Option<u16>) -> Self {
        let meanings: Vec<_> = group.meanings.iter().map(PossibleMeaning::new).collect();
        let (name, status) = PossibleMeaning::join(&meanings);
        let is_hybrid = |meaning: &Meaning<KemRow>| meaning.known.is_some_and(|(row, _)| row.kem.is_hybrid());
        Self {
            name,
            code: group.code,
            status,
            quantum_safe: PossibleMeaning::are_quantum_safe(&meanings),
            hybrid: group.meanings.iter().all(is_hybrid),
            preferred: preferred == Some(group.code),
            meanings: if_several(meanings),
        }
    }
}

impl Signature {
    fn new(code: u16, chain: &Chain, trust: Option<(&Roots, &str)>) -> Self {
        let checked = trust.map(|(roots, name)| roots.check(chain, name));
        let meanings: Vec<_> = meanings_of_scheme(code, chain).iter().map(PossibleMeaning::new).collect();
        let (scheme, status) = PossibleMeaning::join(&meanings);
        let certificates: Vec<_> =
            chain.certificates().map(|certificate| CertificateSummary::new(&certificate)).collect();
        Self {
            scheme,
            code,
            status,
            quantum_safe: PossibleMeaning::are_quantum_safe(&meanings),
            meanings: if_several(meanings),
            trusted: checked.as_ref().map(Result::is_ok),
            distrust: checked.and_then(Result::err),
            quantum_safe_certificates: match () {
                () if certificates.iter().any(|shown| shown.signature_status == CLASSICAL) => Some(false),
                () if certificates.iter().any(|shown| shown.signature_status == UNKNOWN) => None,
                () => (!certificates.is_empty() && certificates.len() == chain.0.len()).then_some(true),
            },
            certificates,
        }
    }

    fn is_known(&self) -> bool {
        self.status != UNKNOWN
    }
}

impl CertificateSummary {
    fn new(certificate: &grille_pki::Certificate) -> Self {
        let key = certificate.public_key().ok().map(|key| key.row());
        let signature = certificate.signature_row();
        let name = |row: Option<&'static SignatureRow>| row.map_or(UNKNOWN, Row::name).to_owned();
        let status = |row: Option<&'static SignatureRow>| row.map_or(UNKNOWN, |row| status(Some(row), false));
        Self {
            subject: certificate.subject(),
            key: name(key),
            key_status: status(key),
            signature: name(signature),
            signature_status: status(signature),
            bytes: certificate.to_der().len(),
        }
    }
}

pub(super) const UNKNOWN: &str = "unknown";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_unseen_signatures_as_unknown() {
        for (answers, complete, all) in [
            (&[Some(false), Some(true), None][..], false, Some(true)),
            (&[Some(false)], true, Some(false)),
            (&[Some(false)], false, None),
            (&[Some(false), None], true, None),
            (&[], true, None),
        ] {
            assert_eq!(any_yes(answers, complete), all, "{answers:?}");
        }
        let unknown_signature = Signature::new(0x1234, &Chain::default(), None);
        assert_eq!((unknown_signature.scheme.as_str(), unknown_signature.is_known()), (UNKNOWN, false));
        assert!(!unknown_signature.quantum_safe && unknown_signature.quantum_safe_certificates.is_none());
    }

    #[test]
    fn bases_the_verdict_on_certain_meanings() {
        let group = |code, meanings: &[&str]| {
            let mut meanings_of = scan::group_meanings(code);
            meanings_of.retain(|meaning| meanings.contains(&meaning.name));
            Group::new(&scan::Group { code, meanings: meanings_of }, None)
        };
        let (own, other) = ("ML-KEM-512", "frodo640aes");
        for (meanings, expected, status) in [
            (&[own, other][..], Verdict::Undecided, AMBIGUOUS),
            (&[own], Verdict::ReadyWithoutHybrid, "standard"),
            (&[other], Verdict::Obsolete, EXPERIMENTAL),
        ] {
            let group = group(0x0200, meanings);
            assert_eq!((group.status, group.name.as_str()), (status, meanings.join(" or ").as_str()));
            assert_eq!(group.meanings.len(), if meanings.len() > 1 { 2 } else { 0 });
            assert_eq!(verdict(&ScanFindings::default(), &[group]), expected);
        }
    }

    #[test]
    fn reports_servers_that_prefer_classical_groups_as_not_ready() {
        let group = |code, preferred| {
            Group::new(&scan::Group { code, meanings: scan::group_meanings(code) }, preferred)
        };
        let trial = |groups, selected| scan::Trial { groups, shares: Vec::new(), selected: Some(selected) };
        let (post_quantum, classical) = (0x11EC, 0x001D);
        for (both_safe_first, expected) in
            [(post_quantum, Verdict::Ready), (classical, Verdict::PrefersClassical)]
        {
            let both = [[post_quantum, classical], [classical, post_quantum]];
            let trials = [
                trial(both[0], both_safe_first),
                trial(both[1], classical),
                trial(both[0], classical),
                trial(both[1], classical),
            ];
            let mut found = ScanFindings::default();
            found.order = Some(Order { post_quantum, trials });
            assert_eq!(verdict(&found, &[group(post_quantum, None), group(classical, None)]), expected);
        }
        // a classical group that is not implemented here has no trials
        let groups = [group(post_quantum, Some(0x001E)), group(0x001E, Some(0x001E))];
        assert_eq!(verdict(&ScanFindings::default(), &groups), Verdict::PrefersClassical);
        assert!(!Verdict::PrefersClassical.is_ready());
    }
}
