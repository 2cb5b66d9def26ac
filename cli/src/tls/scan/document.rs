//! What a scan found, as it is printed.

use super::trust::Roots;
use crate::error::Error;
use crate::output::{Message, Output, Report};
use grille_registry::{KemRow, Row, SignatureRow, Status};
use grille_tls::report::Chain;
use grille_tls::scan::{self, Found, Meaning, Order, Preference, meanings_of_scheme};
use serde::Serialize;
use std::io;

/// Whether a recorded connection stays secret when there are quantum computers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Verdict {
    /// It takes a hybrid of RFC 10024.
    Ready,
    /// It takes ML-KEM, but no hybrid of RFC 10024, which is what most clients offer.
    ReadyWithoutHybrid,
    /// It takes a group whose number is that of a standard and of something else, and which of the two it means is unknown.
    Undecided,
    /// It takes quantum-safe groups, but only such as no standard has.
    Obsolete,
    /// It takes classical groups only.
    NotReady,
    /// It takes standard quantum-safe groups, but classical ones from clients that offer both.
    PrefersClassical,
    /// It does not speak TLS 1.3, without which there is nothing quantum-safe.
    NoTls13,
}

impl Verdict {
    pub(super) const fn words(self) -> &'static str {
        match self {
            Self::Ready => "ready: hybrid key exchange of RFC 10024",
            Self::ReadyWithoutHybrid => "ready, but without the hybrids of RFC 10024 that most clients offer",
            Self::Undecided => "undecided: its quantum-safe group may be of a standard or of none",
            Self::Obsolete => "obsolete: its quantum-safe groups are of no standard",
            Self::NotReady => "not ready: key exchange that a quantum computer breaks",
            Self::PrefersClassical => {
                "not ready: it prefers classical groups, so that clients which offer both get no quantum-safe key exchange"
            }
            Self::NoTls13 => "not ready: no TLS 1.3",
        }
    }

    pub(super) const fn is_ready(self) -> bool {
        matches!(self, Self::Ready | Self::ReadyWithoutHybrid)
    }
}

/// What is known of one server.
#[derive(Serialize)]
pub(super) struct Scanned {
    pub(super) address: String,
    pub(super) verdict: Verdict,
    pub(super) ready: bool,
    /// Whether all chains lead to the given roots; absent without roots, and if no chain was seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) trusted: Option<bool>,
    /// Whether the group that the server prefers is quantum-safe; absent if it follows the client's order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) prefers_quantum_safe: Option<bool>,
    /// Whose order decides between a classical and a quantum-safe group; absent if it has not both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) order: Option<Decides>,
    /// Whether it has a chain of certificates that all have quantum-safe signatures; absent if that is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) quantum_safe_certificate: Option<bool>,
    /// Whether it signs handshakes with a quantum-safe scheme, which is that of a certificate's key; absent if that is
    /// unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) quantum_safe_handshake_signature: Option<bool>,
    pub(super) groups: Vec<Group>,
    pub(super) signatures: Vec<Signature>,
    /// Why there may be signatures or certificates that were not seen.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) unknown_signatures: Vec<String>,
    pub(super) connections: u32,
}

/// Whether it prefers quantum-safe groups.
#[derive(Serialize)]
pub(super) struct Decides {
    pub(super) preference: &'static str,
    #[serde(skip)]
    pub(super) words: &'static str,
    pub(super) trials: Vec<Tried>,
}

/// What it took of what was offered.
#[derive(Serialize)]
pub(super) struct Tried {
    pub(super) groups: Vec<String>,
    pub(super) key_shares: Vec<String>,
    pub(super) taken: Option<String>,
}

/// What a number may stand for.
#[derive(Serialize)]
pub(super) struct Means {
    pub(super) name: &'static str,
    /// The word of the registry, `experimental` for what it does not have, or `classical`.
    pub(super) status: &'static str,
}

#[derive(Serialize)]
pub(super) struct Group {
    /// All names that it may have.
    pub(super) name: String,
    pub(super) code: u16,
    /// As of its meaning; `ambiguous` if it may have several of other statuses.
    pub(super) status: &'static str,
    /// If nothing tells which of several it is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) meanings: Vec<Means>,
    pub(super) quantum_safe: bool,
    pub(super) hybrid: bool,
    pub(super) preferred: bool,
}

#[derive(Serialize)]
pub(super) struct Signature {
    pub(super) scheme: String,
    pub(super) code: u16,
    /// As of groups.
    pub(super) status: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) meanings: Vec<Means>,
    /// Whether the scheme is, which signs the handshake.
    pub(super) quantum_safe: bool,
    /// Whether all certificates have quantum-safe signatures; absent if that is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) quantum_safe_certificates: Option<bool>,
    /// Whether the chain leads to one of the given roots; absent without roots.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) trusted: Option<bool>,
    /// Why it does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) distrust: Option<String>,
    pub(super) certificates: Vec<Shown>,
}

/// A certificate of a chain.
#[derive(Serialize)]
pub(super) struct Shown {
    pub(super) subject: String,
    pub(super) key: String,
    pub(super) key_status: &'static str,
    pub(super) signature: String,
    pub(super) signature_status: &'static str,
    pub(super) bytes: usize,
}

impl Scanned {
    /// `trust`: the roots that the chains should lead to, and the name that they should be for.
    pub(super) fn new(address: String, found: &Found, trust: Option<(&Roots, &str)>) -> Self {
        let groups: Vec<Group> =
            found.groups.iter().map(|group| Group::new(group, found.preferred)).collect();
        let signatures: Vec<Signature> =
            found.signatures.iter().map(|(code, chain)| Signature::new(*code, chain, trust)).collect();
        let verdict = verdict(found, &groups);
        let of_any = |is: fn(&Signature) -> Option<bool>| {
            let answers: Vec<_> = signatures.iter().map(is).collect();
            any(&answers, found.failures.is_empty())
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
            order: found.order.as_ref().map(|order| Decides::of(order, &groups)),
            quantum_safe_certificate: of_any(|signature| signature.quantum_safe_certificates),
            quantum_safe_handshake_signature: of_any(|signature| {
                signature.is_known().then_some(signature.quantum_safe)
            }),
            unknown_signatures: unknown(found, &signatures),
            groups,
            signatures,
            connections: found.connections,
        }
    }

    /// Why the scan is not passed; `None` if it is.
    pub(super) fn fault(&self) -> Option<String> {
        if !self.verdict.is_ready() {
            return Some(self.verdict.words().to_owned());
        }
        let distrust = self.signatures.iter().find_map(|signature| signature.distrust.as_ref());
        distrust.map(|reason| format!("ready, but its certificate is not trusted: {reason}"))
    }
}

/// A server that could not be scanned.
#[derive(Serialize)]
pub(super) struct Failed<'a> {
    address: &'a str,
    error: Message,
}

impl<'a> Failed<'a> {
    pub(super) fn new(address: &'a str, error: Error) -> Self {
        Self { address, error: Message::of(error) }
    }
}

impl Report for Failed<'_> {
    /// Texts have a warning instead.
    fn human(&self, _: &mut Output) -> io::Result<()> {
        Ok(())
    }
}

/// Whether any answer is yes; `None` if none is, and some are missing.
fn any(answers: &[Option<bool>], complete: bool) -> Option<bool> {
    match () {
        () if answers.contains(&Some(true)) => Some(true),
        () if !complete || answers.is_empty() || answers.contains(&None) => None,
        () => Some(false),
    }
}

/// Why there may be more signatures, or other certificates.
fn unknown(found: &Found, signatures: &[Signature]) -> Vec<String> {
    let mut reasons: Vec<_> =
        found.failures.iter().map(|failure| format!("a handshake failed {failure}")).collect();
    if found.old_version.is_none() && !found.signatures_asked {
        reasons.push("they were not asked for: none of these groups is implemented here".to_owned());
    } else if found.old_version.is_none() && signatures.is_empty() && reasons.is_empty() {
        reasons.push("it refuses every signature scheme".to_owned());
    }
    if !signatures.iter().all(Signature::is_known) {
        reasons.push("it signs with a scheme that is unknown here".to_owned());
    }
    if signatures.iter().any(|signature| signature.quantum_safe_certificates.is_none()) {
        reasons.push("a certificate cannot be read, or its signature is of an unknown algorithm".to_owned());
    }
    reasons
}

fn verdict(found: &Found, groups: &[Group]) -> Verdict {
    let standard = |group: &&Group| group.quantum_safe && group.status == Status::Standard.name();
    let may_be_standard = |means: &Means| means.status == Status::Standard.name();
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
/// What has several statuses, because it may be one thing or another.
pub(super) const AMBIGUOUS: &str = "ambiguous";

/// The word of the registry, `experimental` for what it does not have, or `classical`.
fn status(row: Option<&dyn Row>, is_classical: bool) -> &'static str {
    match row {
        Some(row) if row.category() > 0 => row.status().name(),
        None if !is_classical => EXPERIMENTAL,
        _ => CLASSICAL,
    }
}

/// Neither a standard nor its draft, and nothing that came before quantum computers were feared.
pub(super) fn is_of_no_standard(status: &str) -> bool {
    ![Status::Standard.name(), Status::Draft.name(), CLASSICAL, AMBIGUOUS].contains(&status)
}

impl Means {
    fn of<R: Row>(meaning: &Meaning<R>) -> Self {
        let row = meaning.known.map(|(row, _)| row as &dyn Row);
        Self { name: meaning.name, status: status(row, meaning.is_classical) }
    }

    /// The names and the status of what is one of these.
    fn joined(meanings: &[Self]) -> (String, &'static str) {
        let Some(first) = meanings.first() else { return (UNKNOWN.to_owned(), UNKNOWN) };
        let names: Vec<_> = meanings.iter().map(|means| means.name).collect();
        let is_one = meanings.iter().all(|means| means.status == first.status);
        (names.join(" or "), if is_one { first.status } else { AMBIGUOUS })
    }

    /// Whether what is one of these is quantum-safe, whichever it is.
    fn are_quantum_safe(meanings: &[Self]) -> bool {
        let unsafe_ones = [CLASSICAL, Status::Broken.name()];
        !meanings.is_empty() && meanings.iter().all(|means| !unsafe_ones.contains(&means.status))
    }
}

/// These if there are several: what is certain has a name and a status.
fn if_several(meanings: Vec<Means>) -> Vec<Means> {
    if meanings.len() > 1 { meanings } else { Vec::new() }
}

impl Decides {
    fn of(order: &Order, groups: &[Group]) -> Self {
        let (preference, words) = match (order.preference(), order.spares_retries()) {
            (Preference::QuantumSafe, _) => {
                (QUANTUM_SAFE, "it prefers quantum-safe groups, whatever the client's order")
            }
            (Preference::QuantumSafeIfShared, _) => (
                "quantum-safe-if-shared",
                "it prefers quantum-safe groups, but only where the client has sent their key share",
            ),
            (Preference::ClientsOrder, true) => (
                "clients-order",
                "no preference for quantum-safe groups: the client's order decides, and a classical key share without another",
            ),
            (Preference::ClientsOrder, false) => {
                ("clients-order", "no preference for quantum-safe groups: the client's order decides")
            }
            (Preference::Classical, _) => {
                ("classical", "it prefers classical groups, even to the client's first")
            }
        };
        let name = |code: &u16| {
            let group = groups.iter().find(|group| group.code == *code);
            group.map_or_else(|| format!("0x{code:04X}"), |group| group.name.clone())
        };
        let named = |codes: &[u16]| codes.iter().map(name).collect();
        let tried = order.trials.iter().map(|trial| Tried {
            groups: named(&trial.groups),
            key_shares: named(&trial.shares),
            taken: trial.taken.as_ref().map(name),
        });
        Self { preference, words, trials: tried.collect() }
    }
}

impl Group {
    fn new(group: &scan::Group, preferred: Option<u16>) -> Self {
        let meanings: Vec<_> = group.meanings.iter().map(Means::of).collect();
        let (name, status) = Means::joined(&meanings);
        let is_hybrid = |meaning: &Meaning<KemRow>| meaning.known.is_some_and(|(row, _)| row.kem.is_hybrid());
        Self {
            name,
            code: group.code,
            status,
            quantum_safe: Means::are_quantum_safe(&meanings),
            hybrid: group.meanings.iter().all(is_hybrid),
            preferred: preferred == Some(group.code),
            meanings: if_several(meanings),
        }
    }
}

impl Signature {
    fn new(code: u16, chain: &Chain, trust: Option<(&Roots, &str)>) -> Self {
        let checked = trust.map(|(roots, name)| roots.check(chain, name));
        let meanings: Vec<_> = meanings_of_scheme(code, chain).iter().map(Means::of).collect();
        let (scheme, status) = Means::joined(&meanings);
        let certificates: Vec<_> = chain.certificates().map(|certificate| Shown::of(&certificate)).collect();
        Self {
            scheme,
            code,
            status,
            quantum_safe: Means::are_quantum_safe(&meanings),
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

impl Shown {
    fn of(certificate: &grille_pki::Certificate) -> Self {
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
    fn what_was_not_seen_is_unknown() {
        for (answers, complete, all) in [
            (&[Some(false), Some(true), None][..], false, Some(true)),
            (&[Some(false)], true, Some(false)),
            (&[Some(false)], false, None),
            (&[Some(false), None], true, None),
            (&[], true, None),
        ] {
            assert_eq!(any(answers, complete), all, "{answers:?}");
        }
        let strange = Signature::new(0x1234, &Chain::default(), None);
        assert_eq!((strange.scheme.as_str(), strange.is_known()), (UNKNOWN, false));
        assert!(!strange.quantum_safe && strange.quantum_safe_certificates.is_none());
    }

    #[test]
    fn the_verdict_counts_only_what_is_certain() {
        let group = |code, meanings: &[&str]| {
            let mut meanings_of = scan::meanings_of_group(code);
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
            assert_eq!(verdict(&Found::default(), &[group]), expected);
        }
    }

    #[test]
    fn a_server_that_prefers_classical_groups_is_not_ready() {
        let group = |code, preferred| {
            Group::new(&scan::Group { code, meanings: scan::meanings_of_group(code) }, preferred)
        };
        let trial = |groups, taken| scan::Trial { groups, shares: Vec::new(), taken: Some(taken) };
        let (safe, classical) = (0x11EC, 0x001D);
        for (both_safe_first, expected) in [(safe, Verdict::Ready), (classical, Verdict::PrefersClassical)] {
            let both = [[safe, classical], [classical, safe]];
            let trials = [
                trial(both[0], both_safe_first),
                trial(both[1], classical),
                trial(both[0], classical),
                trial(both[1], classical),
            ];
            let mut found = Found::default();
            found.order = Some(Order { safe, trials });
            assert_eq!(verdict(&found, &[group(safe, None), group(classical, None)]), expected);
        }
        // a classical group that is not implemented here has no trials
        let groups = [group(safe, Some(0x001E)), group(0x001E, Some(0x001E))];
        assert_eq!(verdict(&Found::default(), &groups), Verdict::PrefersClassical);
        assert!(!Verdict::PrefersClassical.is_ready());
    }
}
