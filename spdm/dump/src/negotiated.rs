//! The message layout that follows from the negotiation and from the last request.

use crate::pqc2021::{Dialect, Layout};
use crate::types::Side;
use grille_spdm_codec::algorithms::{BaseAsym, Dhe, Kem, OtherParams, PqcAsym};
use grille_spdm_codec::capabilities::{Capabilities, CapabilityFlags as Caps, GetCapabilities};
use grille_spdm_codec::endpoint_info::GetEndpointInfo;
use grille_spdm_codec::hybrid::{self, HybridAsym, HybridKem};
use grille_spdm_codec::negotiate::{AlgType, Algorithms, NegotiateAlgorithms};
use grille_spdm_codec::{Code, Header, Message, Sizes, Version};
use grille_spdm_engine::hash::{HASHES, Hash, Running};
use grille_spdm_engine::records::{AEADS, Aead};
use grille_spdm_engine::rules::Rules;

/// The first SPDMVersion with hybrids.
const HYBRIDS_SINCE: u8 = 0x14;

/// Returns the lengths of ExchangeData in the request and in the response of the only key exchange in this set; `None`
/// unless the set is exactly one known key exchange.
fn exchange_lens(hybrid: HybridKem) -> Option<[usize; 2]> {
    Some([hybrid.row()?.len, hybrid.response_len()?])
}

/// The negotiated parameters so far.
#[derive(Default)]
pub(crate) struct Negotiated {
    /// SPDMVersion.
    pub(crate) version: u8,
    /// VCA: every message up to ALGORITHMS, until the hash is known.
    vca: Vec<u8>,
    /// The hash state of VCA. VCA may be long in a capture, so it is hashed once rather than for each session.
    pub(crate) th: Option<Running>,
    /// VCA itself; `None` if it is longer than [`MAX_SHORT_VCA`].
    pub(crate) short_vca: Option<Vec<u8>>,
    requester: Caps,
    responder: Caps,
    offered: OtherParams,
    selected: OtherParams,
    pub(crate) hash: Option<&'static Hash>,
    pub(crate) aead: Option<&'static Aead>,
    /// Lengths of the requester's and the responder's signatures.
    signatures: [usize; 2],
    /// Lengths of the requester's and the responder's ExchangeData.
    exchange_data: [usize; 2],
    /// The dialect's algorithms that ALGORITHMS selected; `None` if the connection speaks the standard.
    dialect: Option<Dialect>,
    /// Whether a connection without a known negotiation speaks the dialect.
    assumes_dialect: bool,
    /// Whether the last GET_MEASUREMENTS or GET_ENDPOINT_INFO requested a signature.
    signed: bool,
    /// Whether the last request that can ask for a measurement summary did so.
    summary: bool,
}

/// The maximum length of a VCA that is stored for each session, in bytes. Real ones have less than half of it.
const MAX_SHORT_VCA: usize = 4096;

impl Negotiated {
    /// Returns the state before the negotiation. `assumes_dialect`: whether the connection speaks the dialect of
    /// openspdm-pqc unless ALGORITHMS shows otherwise.
    pub(crate) fn new(assumes_dialect: bool) -> Self {
        let dialect = assumes_dialect.then(Dialect::default);
        Self { assumes_dialect, dialect, ..Self::default() }
    }

    /// Returns whether records are encrypted.
    pub(crate) const fn encrypts(&self) -> bool {
        self.requester.intersects(Caps::ENCRYPT) && self.responder.intersects(Caps::ENCRYPT)
    }

    /// Returns whether PSK_FINISH follows PSK_EXCHANGE_RSP.
    pub(crate) const fn psk_has_context(&self) -> bool {
        self.responder.intersects(Caps::PSK_WITH_CONTEXT)
    }

    /// Returns the length of the negotiated hash.
    pub(crate) fn hash_len(&self) -> usize {
        self.hash.map_or(0, Hash::output_len)
    }

    /// Returns the rules of the negotiated version, or those of the dialect of openspdm-pqc.
    pub(crate) fn rules(&self) -> &'static Rules {
        if self.is_dialect() {
            return Rules::pqc2021();
        }
        Rules::for_version(Version::from_byte(self.version).unwrap_or_default())
    }

    /// Returns the length of the side's ExchangeData.
    pub(crate) const fn exchange_data(&self, side: Side) -> usize {
        self.exchange_data[side as usize]
    }

    /// Returns whether the connection speaks the dialect of openspdm-pqc.
    pub(crate) const fn is_dialect(&self) -> bool {
        self.dialect.is_some()
    }

    /// Returns the layout of a message from this side in the dialect of openspdm-pqc; `None` in the standard.
    pub(crate) fn layout(&self, from: Side, bytes: &[u8]) -> Option<Layout> {
        let code = Header::decode(bytes).ok()?.code;
        self.dialect.map(|dialect| dialect.layout(from, code))
    }

    /// Returns the layout parameters of a message from this side.
    pub(crate) fn sizes(&self, from: Side, bytes: &[u8]) -> Sizes {
        let sizes = self.standard_sizes(from, bytes);
        match (self.dialect, Header::decode(bytes)) {
            (Some(dialect), Ok(header)) => dialect.adapt(from, header.code, sizes),
            _ => sizes,
        }
    }

    fn standard_sizes(&self, from: Side, bytes: &[u8]) -> Sizes {
        let hash = self.hash_len();
        let clear = self.requester.intersects(Caps::HANDSHAKE_IN_THE_CLEAR)
            && self.responder.intersects(Caps::HANDSHAKE_IN_THE_CLEAR);
        let mut sizes = Sizes {
            hash,
            signature: self.signatures[from as usize],
            exchange_data: self.exchange_data[from as usize],
            multi_key: self.is_multi_key(from),
            ..Sizes::default()
        };
        let summary_hash = if self.summary { hash } else { 0 };
        match Header::decode(bytes).map(|header| header.code) {
            Ok(Code::CHALLENGE_AUTH | Code::PSK_EXCHANGE_RSP) => sizes.summary_hash = summary_hash,
            Ok(Code::KEY_EXCHANGE_RSP) => {
                sizes.summary_hash = summary_hash;
                sizes.verify_data = if clear { 0 } else { hash };
            }
            Ok(Code::FINISH_RSP) => sizes.verify_data = if clear { hash } else { 0 },
            Ok(Code::MEASUREMENTS | Code::ENDPOINT_INFO) if !self.signed => sizes.signature = 0,
            _ => {}
        }
        sizes
    }

    /// Returns whether the side uses several keys: MULTI_KEY_CAP decides, or leaves it to the other side's
    /// OtherParams.
    pub(crate) const fn is_multi_key(&self, side: Side) -> bool {
        let (flags, params) = match side {
            Side::Requester => (self.requester, self.selected),
            Side::Responder => (self.responder, self.offered),
        };
        self.version >= 0x13
            && (flags.contains(Caps::MULTI_KEY_ONLY)
                || flags.contains(Caps::MULTI_KEY_CONN_SEL) && params.contains(OtherParams::MULTI_KEY_CONN))
    }

    /// Updates the parameters with a message. Messages that cannot be decoded have no effect.
    pub(crate) fn update(&mut self, from: Side, bytes: &[u8], sizes: &Sizes) {
        let Ok(header) = Header::decode(bytes) else { return };
        match header.code {
            Code::GET_VERSION => *self = Self::new(self.assumes_dialect),
            Code::GET_CAPABILITIES => {
                if let Ok((request, _)) = GetCapabilities::decode_prefix(bytes, sizes) {
                    (self.version, self.requester) = (header.version, request.limits.flags);
                }
            }
            Code::CAPABILITIES => {
                if let Ok((response, _)) = Capabilities::decode_prefix(bytes, sizes) {
                    self.responder = response.limits.flags;
                }
            }
            Code::NEGOTIATE_ALGORITHMS => {
                if let Ok((request, _)) = NegotiateAlgorithms::decode_prefix(bytes, sizes) {
                    self.offered = request.other_params;
                }
            }
            Code::ALGORITHMS => {
                if let Ok((response, _)) = Algorithms::decode_prefix(bytes, sizes) {
                    self.select(&response);
                }
            }
            Code::GET_MEASUREMENTS => self.signed = header.param1 & 1 == 1,
            Code::GET_ENDPOINT_INFO => {
                let request = GetEndpointInfo::decode_prefix(bytes, sizes);
                self.signed =
                    request.is_ok_and(|(request, _)| request.attributes & GetEndpointInfo::SIGNATURE != 0);
            }
            Code::CHALLENGE if from == Side::Requester => self.summary = header.param2 != 0,
            // The responder's CHALLENGE never requests a summary.
            Code::CHALLENGE => self.summary = false,
            Code::KEY_EXCHANGE | Code::PSK_EXCHANGE => self.summary = header.param1 != 0,
            _ => {}
        }
        if matches!(header.code.0 & 0x7F, 0x04 | 0x61 | 0x63) {
            let len = grille_spdm_codec::messages::observe(bytes, sizes, &mut ()).unwrap_or(bytes.len());
            self.append(header.code, bytes.get(..len).unwrap_or(bytes));
        }
    }

    /// Appends a message to VCA. A message after a complete VCA starts a new one.
    fn append(&mut self, code: Code, message: &[u8]) {
        (self.th, self.short_vca) = (None, None);
        self.vca.extend_from_slice(message);
        if let (Code::ALGORITHMS, Some(hash)) = (code, self.hash) {
            let mut vca = hash.start();
            let whole = core::mem::take(&mut self.vca);
            vca.update(&whole);
            self.th = Some(vca);
            self.short_vca = Some(whole).filter(|whole| whole.len() <= MAX_SHORT_VCA);
        }
    }

    fn select(&mut self, algorithms: &Algorithms<'_>) {
        let table = |of| algorithms.tables.bits(of) as u16;
        let classical = |bits: BaseAsym| bits.row().map(|row| row.len);
        let post_quantum = |bits: PqcAsym| bits.row().map(|row| row.len);
        let hybrid = |list: &[[u8; 4]]| hybrid::selected(list).filter(|_| self.version >= HYBRIDS_SINCE);
        let hybrid_asym = |list: &[[u8; 4]]| HybridAsym(hybrid(list)?).row().map(|row| row.len);
        let requester = classical(BaseAsym(table(AlgType::REQ_BASE_ASYM).into()))
            .or_else(|| post_quantum(PqcAsym(table(AlgType::REQ_PQC_ASYM).into())))
            .or_else(|| hybrid_asym(algorithms.tables.external(AlgType::REQ_BASE_ASYM)));
        let responder = classical(algorithms.base_asym)
            .or_else(|| post_quantum(algorithms.pqc_asym))
            .or_else(|| hybrid_asym(algorithms.ext_asym));
        self.signatures = [requester.unwrap_or_default(), responder.unwrap_or_default()];
        let (dhe, kem) = (Dhe(table(AlgType::DHE)), Kem(table(AlgType::KEM)));
        self.exchange_data = match (dhe.row(), kem.row()) {
            (Some(row), _) => [row.len; 2],
            (None, Some(row)) => [row.len, kem.ciphertext_len().unwrap_or_default()],
            (None, None) => {
                let hybrid = hybrid(algorithms.tables.external(AlgType::KEM)).map(HybridKem);
                hybrid.and_then(exchange_lens).unwrap_or_default()
            }
        };
        self.selected = algorithms.other_params;
        self.hash = HASHES.iter().find(|hash| algorithms.base_hash.0 == 1 << hash.bit);
        self.dialect = Dialect::read(algorithms, self.hash_len());
        if self.is_dialect() {
            // A nonzero length only means that the message has a signature; [`Dialect::adapt`] computes the actual
            // length.
            self.signatures = [1; 2];
        }
        self.aead = AEADS.iter().find(|aead| table(AlgType::AEAD) == 1 << aead.bit);
    }
}
