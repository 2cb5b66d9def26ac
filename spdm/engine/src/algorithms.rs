//! The algorithms that SPDM can negotiate, and how the responder selects from them.
//!
//! Classical algorithms are tables in `classical.rs`, because only SPDM encodes them in this form. Post-quantum algorithms are
//! the registry's rows with an SPDM bit. Without the feature `std` only post-quantum algorithms are available.

pub use crate::asym::{Asym, CLASSICAL, post_quantum};
use crate::exchange_algorithms::DHE;
pub use crate::exchange_algorithms::{KeyExchange, dhe, kem};
use crate::hash::{HASHES, Hash};
use crate::hybrid::{HYBRID_SIGNATURES, all_exchanges, all_signatures, hybrid_exchange};
use crate::pqc2021::Selected;
use crate::records::{AEADS, Aead};
pub use crate::scheme::Classical;
use grille_registry::KEMS;
use grille_spdm_codec::Code;

/// Returns the bits of every supported DHE group.
#[must_use]
pub fn all_dhe() -> u16 {
    DHE.iter().fold(0, |bits, (bit, ..)| bits | 1 << bit)
}

/// Algorithms as bits: the algorithms that one side offers, or the selection in ALGORITHMS.
///
/// The sets in [`grille_spdm_codec::algorithms`] name the bits. For `req_asym` and `req_pqc_asym`, cast the sets
/// `BaseAsym` and `PqcAsym` to 16 bits. To exclude an algorithm, leave its bit out on one of the two sides.
///
/// By default the responder selects the highest bit that both sides offer. Bit order is not an order of strength:
/// ChaCha20-Poly1305 wins over AES-256-GCM. SLH-DSA wins over ML-DSA if the responder has keys of both kinds. To select another
/// algorithm, leave the higher bits out, or set [`crate::config::Config::preferred`] on the responder.
///
/// ```
/// use grille_spdm_codec::algorithms::{Aead, BaseHash, PqcAsym};
/// use grille_spdm_engine::algorithms::Bits;
/// use grille_spdm_engine::config::Config;
///
/// let ml_dsa = PqcAsym::ML_DSA_65 | PqcAsym::ML_DSA_87;
/// // only ML-DSA signatures and AES-256-GCM; every hash, but SHA-384 first if the peer has it
/// let algorithms = Bits {
///     pqc_asym: ml_dsa.0,
///     req_pqc_asym: ml_dsa.0 as u16,
///     asym: 0,
///     req_asym: 0,
///     aead: Aead::AES_256_GCM.0,
///     ..Bits::all()
/// };
/// let preferred = Bits { hash: BaseHash::SHA_384.0, ..Bits::default() };
/// let config = Config { algorithms, preferred, ..Config::default() };
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bits {
    /// BaseHashAlgo.
    pub hash: u32,
    /// BaseAsymAlgo.
    pub asym: u32,
    /// PqcAsymAlgo, since 1.4.
    pub pqc_asym: u32,
    /// DHE.
    pub dhe: u16,
    /// AEAD.
    pub aead: u16,
    /// ReqBaseAsymAlg.
    pub req_asym: u16,
    /// KeySchedule.
    pub key_schedule: u16,
    /// ReqPqcAsymAlg, since 1.4.
    pub req_pqc_asym: u16,
    /// KEM, since 1.4.
    pub kem: u16,
    /// MeasurementHashAlgo. Only the responder selects it.
    pub measurement_hash: u32,
    /// Hybrid signature algorithms of ExtAsym in 1.4: see [`crate::hybrid`].
    pub hybrid_asym: u16,
    /// Hybrid signature algorithms of the requester, in ReqBaseAsymAlg.
    pub req_hybrid_asym: u16,
    /// Hybrid key exchanges, in the table KEM.
    pub hybrid_kem: u16,
}

impl Bits {
    /// Returns every algorithm of DSP0274 that this crate supports; no hybrids.
    #[must_use]
    pub fn all() -> Self {
        let classical = CLASSICAL.iter().fold(0, |bits, row| bits | 1 << row.bit);
        let pqc = post_quantum().fold(0, |bits, (bit, _)| bits | 1 << bit);
        Self {
            hash: HASHES.iter().fold(0, |bits, hash| bits | 1 << hash.bit),
            asym: classical,
            pqc_asym: pqc,
            dhe: all_dhe(),
            aead: AEADS.iter().fold(0, |bits, aead| bits | 1 << aead.bit),
            req_asym: classical as u16,
            key_schedule: 1,
            req_pqc_asym: pqc as u16,
            kem: KEMS.iter().filter_map(|row| row.spdm_bit).fold(0, |bits, bit| bits | 1 << bit),
            ..Self::default()
        }
    }

    /// Returns these algorithms with all hybrids, which are off by default.
    #[must_use]
    pub fn with_hybrids(self) -> Self {
        let signatures = all_signatures();
        Self { hybrid_asym: signatures, req_hybrid_asym: signatures, hybrid_kem: all_exchanges(), ..self }
    }

    /// Returns these algorithms without hybrids.
    #[must_use]
    pub const fn without_hybrids(self) -> Self {
        Self { hybrid_asym: 0, req_hybrid_asym: 0, hybrid_kem: 0, ..self }
    }

    /// Returns the responder's selection. `self` is its offer, `theirs` the requester's.
    ///
    /// In each table the highest common bit is selected. Common bits in `preferred` go first. A hybrid goes before other
    /// algorithms for the same purpose. `pqc_first` decides between a post-quantum and a classical algorithm. Every
    /// signature algorithm works with every hash. MeasurementHashAlgo follows the base hash unless `self` sets one.
    #[must_use]
    pub fn choose(&self, theirs: &Self, preferred: &Self, pqc_first: bool) -> Self {
        let best = |both: u32, preferred: u32| match highest(both & preferred) {
            0 => highest(both),
            first => first,
        };
        let best_of = |both: u16, preferred: u16| best(both.into(), preferred.into());
        let mut chosen = Self {
            hash: best(self.hash & theirs.hash, preferred.hash),
            aead: best_of(self.aead & theirs.aead, preferred.aead) as u16,
            key_schedule: self.key_schedule & theirs.key_schedule & 1,
            measurement_hash: self.measurement_hash,
            ..Self::default()
        };
        if chosen.measurement_hash == 0 {
            // bit 0 is RAW_BIT_STREAM, so the hashes are shifted by one
            chosen.measurement_hash = chosen.hash << 1;
        }
        let hybrid = |ours: u16, theirs: u16, preferred: u16| best_of(ours & theirs, preferred) as u16;
        chosen.hybrid_asym = hybrid(self.hybrid_asym, theirs.hybrid_asym, preferred.hybrid_asym);
        chosen.req_hybrid_asym =
            hybrid(self.req_hybrid_asym, theirs.req_hybrid_asym, preferred.req_hybrid_asym);
        chosen.hybrid_kem = hybrid(self.hybrid_kem, theirs.hybrid_kem, preferred.hybrid_kem);
        let one = |hybrid: u16, classical: u32, pqc: u32| match hybrid {
            0 if pqc != 0 && (pqc_first || classical == 0) => (0, pqc),
            0 => (classical, 0),
            _ => (0, 0),
        };
        (chosen.asym, chosen.pqc_asym) = one(
            chosen.hybrid_asym,
            best(self.asym & theirs.asym, preferred.asym),
            best(self.pqc_asym & theirs.pqc_asym, preferred.pqc_asym),
        );
        let (asym, pqc) = one(
            chosen.req_hybrid_asym,
            best_of(self.req_asym & theirs.req_asym, preferred.req_asym),
            best_of(self.req_pqc_asym & theirs.req_pqc_asym, preferred.req_pqc_asym),
        );
        (chosen.req_asym, chosen.req_pqc_asym) = (asym as u16, pqc as u16);
        let (dhe, kem) = one(
            chosen.hybrid_kem,
            best_of(self.dhe & theirs.dhe, preferred.dhe),
            best_of(self.kem & theirs.kem, preferred.kem),
        );
        (chosen.dhe, chosen.kem) = (dhe as u16, kem as u16);
        chosen
    }

    /// Returns the selected algorithms. Returns `None` if a table has several bits, if several of a classical, a
    /// post-quantum and a hybrid algorithm are selected for the same purpose, if `offered` lacks a selected bit, or if
    /// this crate lacks the hash or the responder's signature algorithm.
    #[must_use]
    pub fn algorithms(&self, offered: &Self) -> Option<NegotiatedAlgorithms> {
        let within = |chosen: u32, offered: u32| chosen & !offered == 0 && chosen.count_ones() <= 1;
        let pairs = [
            (self.hash, offered.hash),
            (self.asym, offered.asym),
            (self.pqc_asym, offered.pqc_asym),
            (self.dhe.into(), offered.dhe.into()),
            (self.aead.into(), offered.aead.into()),
            (self.req_asym.into(), offered.req_asym.into()),
            (self.req_pqc_asym.into(), offered.req_pqc_asym.into()),
            (self.kem.into(), offered.kem.into()),
            (self.key_schedule.into(), offered.key_schedule.into()),
            (self.hybrid_asym.into(), offered.hybrid_asym.into()),
            (self.req_hybrid_asym.into(), offered.req_hybrid_asym.into()),
            (self.hybrid_kem.into(), offered.hybrid_kem.into()),
        ];
        if self.has_rivals() || !pairs.iter().all(|(chosen, offered)| within(*chosen, *offered)) {
            return None;
        }
        let hash = hash(self.hash)?;
        let asym = asym(self.asym, self.pqc_asym, self.hybrid_asym);
        if asym.is_none() && (self.asym | self.pqc_asym | u32::from(self.hybrid_asym)) != 0 {
            return None;
        }
        let hybrid = only_bit(self.hybrid_kem.into()).and_then(hybrid_exchange);
        Some(NegotiatedAlgorithms {
            hash,
            asym,
            req_asym: self::asym(self.req_asym.into(), self.req_pqc_asym.into(), self.req_hybrid_asym),
            key_exchange: only_bit(self.dhe.into())
                .and_then(dhe)
                .or_else(|| only_bit(self.kem.into()).and_then(kem))
                .or(hybrid.map(|[group, _]| group)),
            hybrid_kem: hybrid.map(|[_, kem]| kem),
            aead: only_bit(self.aead.into()).and_then(|bit| AEADS.iter().find(|aead| aead.bit == bit)),
            measurement_hash: self.measurement_hash,
            key_schedule: self.key_schedule != 0,
            pqc2021: None,
        })
    }

    /// Returns whether several of a classical, a post-quantum and a hybrid algorithm are selected for the same purpose.
    const fn has_rivals(&self) -> bool {
        const fn several(classical: u32, post_quantum: u32, hybrid: u16) -> bool {
            (classical != 0) as u8 + (post_quantum != 0) as u8 + (hybrid != 0) as u8 > 1
        }
        several(self.asym, self.pqc_asym, self.hybrid_asym)
            || several(self.dhe as u32, self.kem as u32, self.hybrid_kem)
            || several(self.req_asym as u32, self.req_pqc_asym as u32, self.req_hybrid_asym)
    }
}

/// The negotiated algorithms.
#[derive(Clone, Copy, Debug)]
pub struct NegotiatedAlgorithms {
    /// The base hash.
    pub hash: &'static Hash,
    /// The responder's signature algorithm.
    pub asym: Option<Asym>,
    /// The requester's signature algorithm.
    pub req_asym: Option<Asym>,
    /// The DHE group or KEM; with a hybrid key exchange its classical group.
    pub key_exchange: Option<KeyExchange>,
    /// The KEM of a hybrid key exchange: see [`crate::hybrid`].
    pub hybrid_kem: Option<KeyExchange>,
    /// The AEAD that protects records.
    pub aead: Option<&'static Aead>,
    /// MeasurementHashAlgo, a single bit.
    pub measurement_hash: u32,
    /// Whether SPDM's key schedule was selected. Sessions need it.
    pub key_schedule: bool,
    /// The algorithms of the tables 11 to 15; only in the dialect [`crate::pqc2021`].
    pub pqc2021: Option<Selected>,
}

impl NegotiatedAlgorithms {
    /// Returns the kind of algorithm that `request` needs but ALGORITHMS did not select, such as `"AEAD"`. Returns
    /// `None` if `request` lacks no algorithm.
    ///
    /// DSP0274 "ALGORITHMS": if the two sides have no algorithm of a kind in common, ALGORITHMS selects zero for this
    /// kind. The responder may still answer requests that do not need it. Signatures in MEASUREMENTS and ENDPOINT_INFO
    /// are optional, so this method does not check for them: see [`Self::missing_signature`].
    #[must_use]
    pub fn missing_for(&self, request: Code) -> Option<&'static str> {
        let exchange =
            || self.key_exchange.is_none().then_some(KEY_EXCHANGE_KIND).filter(|_| !self.has_kem());
        match request {
            Code::GET_DIGESTS | Code::GET_CERTIFICATE | Code::GET_CSR | Code::SET_CERTIFICATE => {
                self.asym.is_none().then_some(SIGNATURE_KIND)
            }
            Code::CHALLENGE => self.missing_authentication(),
            Code::KEY_EXCHANGE => {
                self.missing_authentication().or_else(exchange).or_else(|| self.missing_for_records())
            }
            Code::PSK_EXCHANGE => self.missing_for_records(),
            _ => None,
        }
    }

    /// Returns `"signature algorithm for the responder"` if no signature algorithm was selected for the responder.
    #[must_use]
    pub fn missing_signature(&self) -> Option<&'static str> {
        let signs = self.pqc2021.map_or(self.asym.is_some(), |selected| selected.responder.can_sign());
        (!signs).then_some(SIGNATURE_KIND)
    }

    /// Returns the kind of algorithm that the responder lacks to authenticate itself. KEM authentication needs no
    /// signature algorithm.
    pub(crate) fn missing_authentication(&self) -> Option<&'static str> {
        match self.pqc2021 {
            Some(selected) if selected.responder.kem.is_some() => None,
            _ => self.missing_signature(),
        }
    }

    fn has_kem(&self) -> bool {
        self.pqc2021.is_some_and(|selected| selected.kem().is_some())
    }

    fn missing_for_records(&self) -> Option<&'static str> {
        let key_schedule = || (!self.key_schedule).then_some("key schedule");
        self.aead.is_none().then_some("AEAD").or_else(key_schedule)
    }
}

/// The name of the base hash in error messages.
pub(crate) const HASH_KIND: &str = "hash algorithm";
/// The name of the responder's signature algorithm in error messages.
pub(crate) const SIGNATURE_KIND: &str = "signature algorithm for the responder";
/// The name of the key exchange in error messages.
const KEY_EXCHANGE_KIND: &str = "key exchange (DHE or KEM)";

fn asym(classical: u32, post_quantum_bits: u32, hybrid: u16) -> Option<Asym> {
    let hybrid = only_bit(hybrid.into()).and_then(|bit| HYBRID_SIGNATURES.iter().find(|row| row.bit == bit));
    let classical = only_bit(classical).and_then(|bit| CLASSICAL.iter().find(|row| row.bit == bit));
    let wanted = only_bit(post_quantum_bits);
    let row = || post_quantum().find(|(bit, _)| Some(*bit) == wanted).map(|(_, row)| row);
    classical.map(Asym::Classical).or_else(|| row().map(Asym::PostQuantum)).or(hybrid.map(Asym::Hybrid))
}

fn hash(bits: u32) -> Option<&'static Hash> {
    let bit = only_bit(bits)?;
    HASHES.iter().find(|hash| hash.bit == bit)
}

/// Returns the number of the bit if exactly one is set.
fn only_bit(bits: u32) -> Option<u8> {
    (bits.count_ones() == 1).then(|| bits.trailing_zeros() as u8)
}

fn highest(bits: u32) -> u32 {
    bits.checked_ilog2().map_or(0, |bit| 1 << bit)
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;
    use grille_spdm_codec::algorithms::{Aead, BaseHash, Dhe, Kem, PqcAsym};
    use grille_spdm_codec::bits::{Bits as _, Row};

    #[test]
    fn selects_preferred_common_algorithms_first() {
        let all = Bits::all();
        let preferred = Bits {
            hash: BaseHash::SHA_256.0 | BaseHash::SHA_384.0,
            aead: Aead::AES_128_GCM.0,
            pqc_asym: PqcAsym::ML_DSA_65.0,
            req_pqc_asym: PqcAsym::ML_DSA_44.0 as u16,
            kem: Kem::ML_KEM_512.0,
            ..Bits::default()
        };
        let chosen = all.choose(&all, &preferred, true);
        let expected = Bits { hash: BaseHash::SHA_384.0, key_schedule: 1, ..preferred };
        assert_eq!(chosen, Bits { measurement_hash: expected.hash << 1, ..expected });
        // a preference for an algorithm that one side lacks has no effect
        let theirs = Bits { hash: BaseHash::SHA_512.0, aead: 6, ..all };
        let chosen = all.choose(&theirs, &preferred, true);
        assert_eq!((chosen.hash, chosen.aead), (BaseHash::SHA_512.0, Aead::CHACHA20_POLY1305.0));
        // `pqc_first` decides between post-quantum and classical, not the preference
        let classical = Bits { asym: 1 << 7, dhe: 1 << 4, ..Bits::default() };
        let chosen = all.choose(&all, &classical, true);
        assert_eq!((chosen.asym, chosen.dhe, chosen.kem), (0, 0, Kem::ML_KEM_1024.0));
        let chosen = all.choose(&all, &classical, false);
        assert_eq!((chosen.asym, chosen.dhe), (classical.asym, classical.dhe));
    }

    /// Hash and AEAD names are not tested, because this crate reads them from the codec's tables.
    #[test]
    fn algorithm_names_match_the_codec() {
        let named = |rows: &[Row], bit: u8, name: &str| {
            let row = rows.iter().find(|row| row.bit == bit).map(|row| row.name);
            assert_eq!(row, Some(name), "bit {bit}");
        };
        let groups = (0..16).filter_map(|bit| Some((bit, dhe(bit)?)));
        groups.for_each(|(bit, group)| named(Dhe::ROWS, bit, group.name()));
        let kems = (0..16).filter_map(|bit| Some((bit, kem(bit)?)));
        kems.for_each(|(bit, kem)| named(Kem::ROWS, bit, kem.name()));
        for (bit, row) in post_quantum() {
            let asym = Asym::PostQuantum(row);
            named(PqcAsym::ROWS, bit, asym.name());
            assert_eq!(Asym::by_name(asym.name()), Some(asym));
        }
        assert_eq!(
            [CLASSICAL[0].name, CLASSICAL[7].name, CLASSICAL[9].name],
            ["RSASSA-2048", "ECDSA-P384", "Ed25519"]
        );
        for row in CLASSICAL {
            assert_eq!(Asym::by_name(row.name), Some(Asym::Classical(row)));
        }
        assert_eq!(Asym::by_name("SM2-P256"), None);
    }
}
