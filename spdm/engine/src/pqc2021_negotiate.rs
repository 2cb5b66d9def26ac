//! NEGOTIATE_ALGORITHMS and ALGORITHMS with the tables 11 to 15, in [`crate::pqc2021`].

use crate::algorithms::{Asym, Bits, CLASSICAL, Classical, HASH_KIND, NegotiatedAlgorithms};
use crate::connection::{ConnectionChange, Negotiated};
use crate::context::Context;
use crate::encode::{respond_with, write};
use crate::error::{Error, Refusal, Usage, Violation};
use crate::identity::Identity;
use crate::offer::{MEAS_CAP, measurements_are_consistent, requester_offer, responder_offer};
use crate::pqc2021::{
    Algorithms, Authentication, Form, Kem, KemName, Options, PeerKeys, PublicKeyMode, Selected, Set,
    Signature, has_part, kem_row, signature_row,
};
use crate::reply::{IncomingRequest, Reply};
use crate::role::Role;
use alloc::vec::Vec;
use grille_registry::{KemRow, Row, SignatureRow};
use grille_spdm_codec::algorithms::{
    Aead, BaseAsym, BaseHash, Dhe, KeySchedule, MeasurementHash, MeasurementSpecification, OtherParams,
};
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::negotiate::{Algorithms as AlgorithmsMessage, NegotiateAlgorithms};
use grille_spdm_codec::pqc2021::{KEMS, KemAuthentication, SIGNATURES, Tables};
use grille_spdm_codec::{Code, CodecError, Problem, Sizes};

/// The algorithms that the prototype's responder selects if both sides offer one of them. Otherwise it selects the
/// lowest common bit.
const PREFERRED_SIGNATURES: [&str; 2] = ["Falcon-512", "Falcon-1024"];
const PREFERRED_KEM: &str = "Kyber512";

/// Encodes NEGOTIATE_ALGORITHMS.
pub(crate) fn encode_request(cx: &Context, options: &Options) -> Result<Vec<u8>, Error> {
    let value = |error| Error::Usage(Usage::Value(error));
    let bits = offer(requester_offer(cx), cx, options);
    let sets = requester_sets(cx, options);
    let has_kem_authentication = options.form == Form::KemAuthentication;
    if !has_kem_authentication && (sets.kem_auth, sets.req_kem_auth) != (Set::NONE, Set::NONE) {
        return Err(Usage::SevenTables.into());
    }
    let mut buffer = [0; Tables::MAX_LEN];
    let request = NegotiateAlgorithms {
        measurement_specification: MeasurementSpecification::DMTF,
        base_asym: BaseAsym(bits.asym),
        base_hash: BaseHash(bits.hash),
        tables: tables(&bits, &sets, has_kem_authentication).write(&mut buffer).map_err(value)?,
        ..NegotiateAlgorithms::default()
    };
    write(&request, cx.connection.version(), &Sizes::default()).map_err(value)
}

/// Returns the tables with these algorithms: nine with those of KEM authentication, otherwise seven.
fn tables(bits: &Bits, sets: &Algorithms, has_kem_authentication: bool) -> Tables {
    let kem_authentication = KemAuthentication { responder: sets.kem_auth, requester: sets.req_kem_auth };
    Tables {
        dhe: Dhe(bits.dhe),
        aead: Aead(bits.aead),
        req_base_asym: BaseAsym(bits.req_asym.into()),
        key_schedule: KeySchedule(bits.key_schedule),
        signature: sets.signature,
        req_signature: sets.req_signature,
        kem: sets.kem,
        kem_authentication: has_kem_authentication.then_some(kem_authentication),
    }
}

/// Returns the classical algorithms of received tables.
fn classical_bits(tables: &Tables, asym: BaseAsym, hash: BaseHash) -> Bits {
    Bits {
        hash: hash.0,
        asym: asym.0,
        dhe: tables.dhe.0,
        aead: tables.aead.0,
        req_asym: tables.req_base_asym.0 as u16,
        key_schedule: tables.key_schedule.0,
        ..Bits::default()
    }
}

/// Returns the post-quantum algorithms of received tables.
fn sets(tables: &Tables) -> Algorithms {
    let kem_authentication = tables.kem_authentication.unwrap_or_default();
    Algorithms {
        signature: tables.signature,
        req_signature: tables.req_signature,
        kem: tables.kem,
        kem_auth: kem_authentication.responder,
        req_kem_auth: kem_authentication.requester,
    }
}

/// Returns the classical offer. In CERT mode a composite has the classical part, so the offer does not depend on the
/// signers of classical algorithms.
fn offer(bits: Bits, cx: &Context, options: &Options) -> Bits {
    let configured = cx.config.algorithms;
    match options.public_keys {
        PublicKeyMode::Raw => Bits { pqc_asym: 0, req_pqc_asym: 0, kem: 0, ..bits },
        PublicKeyMode::Certificate => {
            let req_asym = if has_mutual_auth(cx) { configured.req_asym } else { 0 };
            Bits { pqc_asym: 0, req_pqc_asym: 0, kem: 0, asym: configured.asym, req_asym, ..bits }
        }
    }
}

fn has_mutual_auth(cx: &Context) -> bool {
    cx.connection.both_have(Caps::MUT_AUTH)
}

/// Returns the set without the signatures for which `identity` has no key.
fn restrict_signatures(set: Set, identity: &Identity, options: &Options) -> Set {
    filter_signatures(set, options, |row| match options.public_keys {
        PublicKeyMode::Raw => identity.raw_signer(row).is_some(),
        PublicKeyMode::Certificate => certifies(identity, row),
    })
}

/// Returns the signatures of the set that are implemented and have a key according to `has_key`.
fn filter_signatures(set: Set, options: &Options, has_key: impl Fn(&'static SignatureRow) -> bool) -> Set {
    let rows = SIGNATURES.iter().filter(|signature| set.contains(signature.set()));
    rows.filter(|signature| signature_row(signature, options.sphincs_round3).is_some_and(&has_key))
        .map(Signature::set)
        .collect()
}

/// Returns whether a slot has a certificate with a key of this algorithm, alone or in a composite.
fn certifies(identity: &Identity, row: &'static SignatureRow) -> bool {
    identity.algorithms().any(|algorithm| match algorithm {
        Asym::PostQuantum(certified) => certified.name() == row.name() || has_part(certified, row),
        Asym::Classical(_) | Asym::Hybrid(_) => false,
    })
}

/// Returns the set without the KEMs for which `identity` has no key.
fn restrict_kems(set: Set, identity: &Identity) -> Set {
    filter_kems(set, |row| identity.kem_key(row).is_some())
}

/// Returns the KEMs of the set that are implemented and have a key according to `has_key`.
fn filter_kems(set: Set, has_key: impl Fn(&'static KemRow) -> bool) -> Set {
    let rows = KEMS.iter().filter(|kem| set.contains(kem.set()));
    rows.filter(|kem| kem_row(kem).is_some_and(&has_key)).map(Kem::set).collect()
}

/// Returns the requester's offer. Signatures and KEMs that authenticate the requester are limited to those with a key.
fn requester_sets(cx: &Context, options: &Options) -> Algorithms {
    let own = options.algorithms;
    let mutual = |set: Set| if has_mutual_auth(cx) { set } else { Set::NONE };
    Algorithms {
        req_signature: mutual(restrict_signatures(own.req_signature, &cx.identity, options)),
        req_kem_auth: mutual(restrict_kems(own.req_kem_auth, &cx.identity)),
        ..own
    }
}

/// Returns the algorithms that the responder selects from: signatures and KEMs with a key, and the other configured
/// algorithms. `theirs`: the requester's offer.
fn responder_sets(cx: &Context, options: &Options, theirs: &Algorithms) -> Algorithms {
    let own = options.algorithms;
    let kem_auth = restrict_kems(own.kem_auth, &cx.identity);
    let has_kem_auth = !kem_auth.intersection(theirs.kem_auth).is_empty();
    let req_kem_auth = own.req_kem_auth.intersection(theirs.req_kem_auth);
    let common = Algorithms {
        signature: restrict_signatures(own.signature, &cx.identity, options),
        kem_auth,
        req_signature: own.req_signature.intersection(theirs.req_signature),
        // the requester can use KEM authentication only if the responder does
        req_kem_auth: if has_kem_auth { req_kem_auth } else { Set::NONE },
        ..own
    };
    if has_mutual_auth(cx) {
        with_known_keys(common, &cx.peer.raw, options)
    } else {
        Algorithms { req_signature: Set::NONE, req_kem_auth: Set::NONE, ..common }
    }
}

/// Returns the algorithms without signatures and KEMs that authenticate a requester whose key is unknown. If no key is
/// known, returns all of them, and KEY_EXCHANGE fails later: a requester with unknown keys must not become anonymous.
fn with_known_keys(common: Algorithms, peer: &PeerKeys, options: &Options) -> Algorithms {
    let req_signature = known_signatures(common.req_signature, peer, options);
    let req_kem_auth = known_kems(common.req_kem_auth, peer);
    if req_signature.is_empty() && req_kem_auth.is_empty() {
        return common;
    }
    Algorithms { req_signature, req_kem_auth, ..common }
}

/// Returns the set without the signatures for which the peer's key is unknown. With certificates, returns the whole set,
/// because they contain the keys.
fn known_signatures(set: Set, peer: &PeerKeys, options: &Options) -> Set {
    if options.public_keys == PublicKeyMode::Certificate {
        return set;
    }
    filter_signatures(set, options, |row| peer.signature(row).is_some())
}

/// Returns the set without the KEMs for which the peer's key is unknown.
fn known_kems(set: Set, peer: &PeerKeys) -> Set {
    filter_kems(set, |row| peer.kem_bytes(row).is_some())
}

/// The classical (a bit of BaseAsymAlgo or ReqBaseAsymAlg) and the post-quantum signature algorithm of one side.
type SignaturePair = (u32, Set);

/// Returns the first pair for which `usable` returns true: `chosen`, or else a pair of `common` algorithms. Pairs
/// without a classical or without a post-quantum algorithm are tried, too, because a certificate may have only one key.
/// If no pair is usable, returns `chosen`.
fn choose_pair(
    chosen: SignaturePair,
    common: SignaturePair,
    usable: impl Fn(SignaturePair) -> bool,
) -> SignaturePair {
    let rows = CLASSICAL.iter().map(|row| 1 << row.bit).filter(|bit| common.0 & bit != 0);
    let classical: Vec<u32> = core::iter::once(chosen.0).chain(rows).chain([0]).collect();
    let rows = SIGNATURES.iter().map(Signature::set).filter(|set| common.1.contains(*set));
    let signatures = core::iter::once(chosen.1).chain(rows).chain([Set::NONE]);
    let mut pairs = signatures.flat_map(|set| classical.iter().map(move |&bit| (bit, set)));
    pairs.find(|pair| usable(*pair)).unwrap_or(chosen)
}

/// Returns the algorithm of a certificate with this pair of keys; `None` if there is none.
fn pair_certificate((bits, set): SignaturePair, options: &Options) -> Option<Asym> {
    let post_quantum =
        single_row(set, |set| signature_row(Signature::from_set(set)?, options.sphincs_round3))?;
    let side = Authentication { classical: classical(bits)?, post_quantum, kem: None };
    side.certificate(options.public_keys)
}

/// Changes the responder's selection in CERT mode so that certificates can have both keys of each side. The prototype
/// selects classical and post-quantum algorithms independently; such a selection is not changed if a certificate can
/// have both keys.
fn choose_pairs(
    cx: &Context,
    options: &Options,
    [offered, theirs, bits]: [&Bits; 3],
    [ours, their_sets, chosen]: [&Algorithms; 3],
) -> (Bits, Algorithms) {
    let (mut bits, mut chosen) = (*bits, *chosen);
    let certified = |pair: SignaturePair| {
        let certificate = pair_certificate(pair, options);
        certificate.is_some_and(|asym| cx.identity.algorithms().any(|own| own == asym))
    };
    let common = (offered.asym & theirs.asym, ours.signature.intersection(their_sets.signature));
    (bits.asym, chosen.signature) = choose_pair((bits.asym, chosen.signature), common, certified);
    let common = (
        u32::from(offered.req_asym & theirs.req_asym),
        ours.req_signature.intersection(their_sets.req_signature),
    );
    let exists = |pair: SignaturePair| pair_certificate(pair, options).is_some();
    let pair = choose_pair((bits.req_asym.into(), chosen.req_signature), common, exists);
    (bits.req_asym, chosen.req_signature) = (pair.0 as u16, pair.1);
    (bits, chosen)
}

impl Algorithms {
    /// Returns the responder's selection. `self` is its offer, `theirs` the requester's.
    fn choose(&self, theirs: &Self) -> Self {
        Self {
            signature: choose_signature(self.signature.intersection(theirs.signature)),
            req_signature: choose_signature(self.req_signature.intersection(theirs.req_signature)),
            kem: choose_kem(self.kem.intersection(theirs.kem)),
            kem_auth: choose_kem(self.kem_auth.intersection(theirs.kem_auth)),
            req_kem_auth: choose_kem(self.req_kem_auth.intersection(theirs.req_kem_auth)),
        }
    }

    /// Returns the selection without KEM authentication that has no effect: the requester can use it only if the
    /// responder does.
    fn without_useless_kems(mut self) -> Self {
        if self.kem_auth.is_empty() {
            self.req_kem_auth = Set::NONE;
        }
        self
    }

    /// Returns whether each set has at most one algorithm, and all were offered.
    fn is_selected_from(&self, offered: &Self) -> bool {
        let pairs = [
            (self.signature, offered.signature),
            (self.req_signature, offered.req_signature),
            (self.kem, offered.kem),
            (self.kem_auth, offered.kem_auth),
            (self.req_kem_auth, offered.req_kem_auth),
        ];
        pairs.iter().all(|(selected, offered)| selected.count() <= 1 && offered.contains(*selected))
    }
}

fn choose_signature(common: Set) -> Set {
    let preferred = PREFERRED_SIGNATURES.iter().filter_map(|name| Signature::by_name(name));
    let first = preferred.map(Signature::set).find(|set| common.contains(*set));
    let known = SIGNATURES.iter().map(Signature::set).collect();
    first.unwrap_or(common.intersection(known).lowest())
}

fn choose_kem(common: Set) -> Set {
    let preferred = Kem::by_name(PREFERRED_KEM).map(Kem::set).filter(|set| common.contains(*set));
    preferred.unwrap_or(filter_kems(common, |_| true).lowest())
}

/// Returns the selected algorithms; `None` if one has no implementation, or a certificate cannot have both parts.
fn selected(sets: &Algorithms, bits: &Bits, options: &Options) -> Option<Selected> {
    let signature =
        |set: Set| single_row(set, |set| signature_row(Signature::from_set(set)?, options.sphincs_round3));
    let kem = |set: Set| single_row(set, |set| kem_row(Kem::from_set(set)?));
    let side = |asym: u32, set: Set, kem: Option<&'static KemRow>| {
        let side = Authentication { classical: classical(asym)?, post_quantum: signature(set)?, kem };
        let certified = !side.can_sign() || side.certificate(options.public_keys).is_some();
        (options.public_keys == PublicKeyMode::Raw || certified).then_some(side)
    };
    Some(Selected {
        responder: side(bits.asym, sets.signature, kem(sets.kem_auth)?)?,
        requester: side(bits.req_asym.into(), sets.req_signature, kem(sets.req_kem_auth)?)?,
        kem: kem(sets.kem)?.map(KemName),
        public_keys: options.public_keys,
        strict: options.strict,
        numbers: options.numbers(),
    })
}

/// Returns the row of the only algorithm in a set. The outer `None` means that it has no implementation, the inner
/// `None` that the set is empty.
fn single_row<R>(set: Set, find: impl FnOnce(Set) -> Option<R>) -> Option<Option<R>> {
    if set.is_empty() { Some(None) } else { find(set).map(Some) }
}

/// Returns the algorithm with this bit. The outer `None` means that no algorithm has it, the inner `None` that no bit
/// is set.
fn classical(bits: u32) -> Option<Option<&'static Classical>> {
    if bits == 0 {
        return Some(None);
    }
    CLASSICAL.iter().find(|row| 1 << row.bit == bits).map(Some)
}

/// Returns the algorithms of ALGORITHMS; `None` if the selection is impossible. `offered`: the other side's classical
/// algorithms.
fn algorithms(
    bits: &Bits,
    offered: &Bits,
    sets: &Algorithms,
    options: &Options,
) -> Option<NegotiatedAlgorithms> {
    let selected = selected(sets, bits, options)?;
    if *sets != sets.without_useless_kems() {
        return None;
    }
    let certificate =
        |role: Role| -> Option<Asym> { selected.authentication(role).certificate(options.public_keys) };
    let algorithms = bits.algorithms(offered)?;
    Some(NegotiatedAlgorithms {
        asym: certificate(Role::Responder),
        req_asym: certificate(Role::Requester),
        pqc2021: Some(selected),
        ..algorithms
    })
}

/// Checks that a responder with seven tables did not receive nine. openspdm-pqc without KEM authentication refuses the
/// types 14 and 15, too.
fn check_form(form: Form, theirs: &Tables) -> Result<(), CodecError> {
    if form == Form::KemAuthentication || theirs.kem_authentication.is_none() {
        return Ok(());
    }
    let problem = Problem::Value { expected: "7 tables", got: 9 };
    Err(CodecError { name: "number of AlgStruct", offset: 2, problem })
}

/// Selects algorithms. If both sides share none of a kind, the selection is empty.
pub(crate) fn respond(
    cx: &mut Context,
    incoming: &IncomingRequest<'_>,
    options: &Options,
) -> Result<Reply, Refusal> {
    let invalid = Refusal::new(ErrorCode::INVALID_REQUEST);
    let (request, taken): (NegotiateAlgorithms<'_>, _) = cx.read(incoming.bytes, &Sizes::default())?;
    let theirs = Tables::read(&request.tables)?;
    check_form(options.form, &theirs)?;
    let offered = offer(responder_offer(cx), cx, options);
    let their_bits = classical_bits(&theirs, request.base_asym, request.base_hash);
    let bits = offered.choose(&their_bits, &cx.config.preferred, false);
    let their_sets = sets(&theirs);
    let ours = responder_sets(cx, options, &their_sets);
    let chosen = ours.choose(&their_sets).without_useless_kems();
    let (bits, chosen) = match options.public_keys {
        PublicKeyMode::Raw => (bits, chosen),
        PublicKeyMode::Certificate => {
            choose_pairs(cx, options, [&offered, &their_bits, &bits], [&ours, &their_sets, &chosen])
        }
    };
    let algorithms = match bits.hash {
        0 => None,
        _ => Some(algorithms(&bits, &bits, &chosen, options).ok_or(invalid)?),
    };
    let measures = cx.connection.responder_has(MEAS_CAP)
        && algorithms.is_some()
        && request.measurement_specification.contains(MeasurementSpecification::DMTF);
    let mut buffer = [0; Tables::MAX_LEN];
    let selection = tables(&bits, &chosen, theirs.kem_authentication.is_some());
    let response = AlgorithmsMessage {
        measurement_specification: MeasurementSpecification(u8::from(measures)),
        measurement_hash: MeasurementHash(if measures { bits.measurement_hash } else { 0 }),
        base_asym: BaseAsym(bits.asym),
        base_hash: BaseHash(bits.hash),
        tables: selection.write(&mut buffer).map_err(Refusal::unencodable)?,
        ..AlgorithmsMessage::default()
    };
    let body = respond_with(&response, cx.connection.version(), &Sizes::default())?;
    let change = algorithms.map_or(ConnectionChange::Unusable, |algorithms| {
        ConnectionChange::Negotiated(negotiated(algorithms, measures))
    });
    Ok(Reply { change, ..Reply::plain(body, taken) })
}

const fn negotiated(algorithms: NegotiatedAlgorithms, measures: bool) -> Negotiated {
    Negotiated {
        algorithms,
        measures,
        logs: false,
        opaque_format: OtherParams::NONE,
        responder_multi_key: false,
        requester_multi_key: false,
    }
}

/// Parses ALGORITHMS.
pub(crate) fn parse_response(
    cx: &Context,
    response: &[u8],
    options: &Options,
) -> Result<(ConnectionChange, usize), Error> {
    let request = Code::NEGOTIATE_ALGORITHMS;
    let wrong = || Error::Violation { request, violation: Violation::Algorithms };
    let malformed = |error: CodecError| Error::Malformed { request, error };
    let (message, len): (AlgorithmsMessage<'_>, _) =
        cx.read_response(request, response, &Sizes::default())?;
    let theirs = Tables::read(&message.tables).map_err(malformed)?;
    let mut bits = classical_bits(&theirs, message.base_asym, message.base_hash);
    bits.measurement_hash = message.measurement_hash.0;
    if bits.hash == 0 {
        return Err(Error::NothingInCommon { kind: HASH_KIND });
    }
    let chosen = sets(&theirs);
    let offered = requester_sets(cx, options);
    let external = !message.ext_asym.is_empty() || !message.ext_hash.is_empty();
    let unexpected = options.form == Form::Plain && theirs.kem_authentication.is_some();
    if external
        || unexpected
        || !chosen.is_selected_from(&offered)
        || !measurements_are_consistent(cx, &message)
    {
        return Err(wrong());
    }
    let ours = offer(requester_offer(cx), cx, options);
    let algorithms = algorithms(&bits, &ours, &chosen, options).ok_or_else(wrong)?;
    let measures = message.measurement_specification.contains(MeasurementSpecification::DMTF);
    Ok((ConnectionChange::Negotiated(negotiated(algorithms, measures)), len))
}
