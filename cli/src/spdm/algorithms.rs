//! Maps algorithms to their registry names and to their names in the options of DMTF's emulators.

use crate::error::Error;
use grille_registry::{KEMS, Row, SignatureRow, signature_by_name};
use grille_spdm_codec::Version;
use grille_spdm_codec::bits::Bits as _;
use grille_spdm_codec::capabilities::CapabilityFlags;
use grille_spdm_codec::hybrid::HybridKem;
use grille_spdm_engine::algorithms::{self, Asym, Bits, CLASSICAL, KeyExchange, post_quantum};
use grille_spdm_engine::hash::HASHES;
use grille_spdm_engine::hybrid::HYBRID_SIGNATURES;
use grille_spdm_engine::records::AEADS;

/// A negotiated table of algorithms, which corresponds to one option of the emulators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Table {
    Hash,
    Asym,
    PqcAsym,
    Dhe,
    Kem,
    Aead,
    ReqAsym,
    ReqPqcAsym,
    KeySchedule,
    MeasurementHash,
    MeasurementSpecification,
    MelSpecification,
    OtherParams,
    Capabilities,
    HybridAsym,
    ReqHybridAsym,
    HybridKem,
}

impl Table {
    /// Returns the name of the option.
    pub(crate) const fn option(self) -> &'static str {
        match self {
            Self::Hash => "--hash",
            Self::Asym => "--asym",
            Self::PqcAsym => "--pqc-asym",
            Self::Dhe => "--dhe",
            Self::Kem => "--kem",
            Self::Aead => "--aead",
            Self::ReqAsym => "--req-asym",
            Self::ReqPqcAsym => "--req-pqc-asym",
            Self::KeySchedule => "--key-schedule",
            Self::MeasurementHash => "--meas-hash",
            Self::MeasurementSpecification => "--meas-spec",
            Self::MelSpecification => "--mel-spec",
            Self::OtherParams => "--other-param",
            Self::Capabilities => "--cap",
            Self::HybridAsym => "--hybrid-asym",
            Self::ReqHybridAsym => "--req-hybrid-asym",
            Self::HybridKem => "--hybrid-kem",
        }
    }

    /// Returns the kind of entry in the table, for error messages.
    const fn kind(self) -> &'static str {
        match self {
            Self::MeasurementSpecification | Self::MelSpecification => "specification",
            Self::OtherParams => "parameter",
            Self::Capabilities => "capability",
            _ => "algorithm",
        }
    }

    /// Returns the name and bit number of every selectable entry.
    pub(crate) fn rows(self) -> Vec<(String, u8)> {
        match self {
            Self::Hash => HASHES.iter().map(|row| with_underscores((row.name.to_owned(), row.bit))).collect(),
            Self::Asym | Self::ReqAsym => {
                CLASSICAL.iter().map(|row| (emulator_name(row.name), row.bit)).collect()
            }
            Self::PqcAsym | Self::ReqPqcAsym => {
                post_quantum().map(|(bit, row)| with_underscores((row.name().to_owned(), bit))).collect()
            }
            Self::Dhe => {
                (0..16).filter_map(|bit| Some((emulator_group(algorithms::dhe(bit)?.name()), bit))).collect()
            }
            Self::Kem => KEMS
                .iter()
                .filter_map(|row| Some(with_underscores((row.name().to_owned(), row.spdm_bit?))))
                .collect(),
            Self::Aead => AEADS.iter().map(|row| with_underscores((row.name.to_owned(), row.bit))).collect(),
            Self::KeySchedule => vec![("HMAC_HASH".to_owned(), 0)],
            Self::MeasurementSpecification | Self::MelSpecification => vec![("DMTF".to_owned(), 0)],
            Self::MeasurementHash => {
                // RAW_BIT_STREAM is bit 0, so each hash is one bit higher.
                let hashes = Self::Hash.rows().into_iter().map(|(name, bit)| (name, bit + 1));
                [("RAW_BIT".to_owned(), 0)].into_iter().chain(hashes).collect()
            }
            Self::OtherParams => vec![("OPAQUE_FMT_1".to_owned(), 1), ("MULTI_KEY_CONN".to_owned(), 4)],
            Self::Capabilities => {
                CapabilityFlags::ROWS.iter().map(|row| (emulator_capability(row.name), row.bit)).collect()
            }
            Self::HybridAsym | Self::ReqHybridAsym => {
                HYBRID_SIGNATURES.iter().map(|row| (hybrid_name(row.name, emulator_name), row.bit)).collect()
            }
            Self::HybridKem => {
                HybridKem::ROWS.iter().map(|row| (hybrid_name(row.name, emulator_group), row.bit)).collect()
            }
        }
    }

    /// Parses comma-separated names, case-insensitively, into their bits. `NONE` stands for no bits. Capabilities may
    /// also be given by the standard's names.
    ///
    /// # Errors
    /// Returns an error if the table lacks a name.
    pub(crate) fn bits(self, names: &str) -> Result<u32, Error> {
        let rows = self.rows();
        names.split(',').filter(|name| !name.eq_ignore_ascii_case("NONE")).try_fold(0, |bits, name| {
            let row = rows.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, bit)| *bit);
            row.or_else(|| self.bit_by_standard_name(name))
                .map(|bit| bits | 1 << bit)
                .ok_or_else(|| self.unknown(name, &rows))
        })
    }

    /// Returns the bit of a capability by the standard's name, which messages show.
    fn bit_by_standard_name(self, name: &str) -> Option<u8> {
        let row = CapabilityFlags::ROWS.iter().find(|row| row.name.eq_ignore_ascii_case(name));
        row.filter(|_| self == Self::Capabilities).map(|row| row.bit)
    }

    /// Explains why an algorithm of DSP0274 is not supported; `None` if the name is not in DSP0274. `name` may be a
    /// part of the standard's name.
    fn unsupported_reason(self, name: &str) -> Option<&'static str> {
        const SM: &str = "classical cryptography comes from aws-lc, which lacks SM2, SM3 and SM4";
        const FORMAT_0: &str = "only opaque data format 1, which sessions require, is supported";
        let name = name.to_ascii_uppercase();
        let is_sm = name.split(['_', '-']).any(|part| ["SM2", "SM3", "SM4"].contains(&part));
        match self {
            Self::OtherParams if name == "OPAQUE_FMT_0" => Some(FORMAT_0),
            _ => is_sm.then_some(SM),
        }
    }

    /// Describes an unknown name and lists the known ones. For an algorithm left out on purpose, the error gives the
    /// reason.
    fn unknown(self, name: &str, rows: &[(String, u8)]) -> Error {
        let known: Vec<&str> = rows.iter().map(|(known, _)| known.as_str()).collect();
        let failure = match self.unsupported_reason(name) {
            Some(why) => Error::usage(format_args!("{name} is not supported: {why}")),
            None => Error::usage(format_args!("unknown {} {name}", self.kind())),
        };
        failure.with_place(self.option()).advise(format_args!("choose from {}, NONE", known.join(", ")))
    }
}

/// Selected names of each table, as in the options of the emulators.
#[derive(Clone, Debug)]
pub(crate) struct Choice<'a> {
    pub(crate) hash: &'a str,
    pub(crate) asym: &'a str,
    pub(crate) pqc_asym: &'a str,
    pub(crate) dhe: &'a str,
    pub(crate) kem: &'a str,
    pub(crate) aead: &'a str,
}

impl Choice<'static> {
    /// ML-KEM-1024 and ML-DSA-87 of SPDM 1.4, with SHA-384 and AES-256-GCM.
    pub(crate) const POST_QUANTUM: Self = Self {
        hash: "SHA_384",
        asym: "NONE",
        pqc_asym: "ML_DSA_87",
        dhe: "NONE",
        kem: "ML_KEM_1024",
        aead: "AES_256_GCM",
    };

    /// The classical equivalent of [`Self::POST_QUANTUM`].
    pub(crate) const CLASSICAL: Self =
        Self { asym: "ECDSA_P384", pqc_asym: "NONE", dhe: "SECP_384_R1", kem: "NONE", ..Self::POST_QUANTUM };
}

impl Choice<'_> {
    /// Converts the names to the engine's bits.
    ///
    /// # Errors
    /// Returns an error if a table lacks a name.
    pub(crate) fn bits(&self) -> Result<Bits, Error> {
        let short = |table: Table, names| table.bits(names).map(|bits| bits as u16);
        Ok(Bits {
            hash: Table::Hash.bits(self.hash)?,
            asym: Table::Asym.bits(self.asym)?,
            pqc_asym: Table::PqcAsym.bits(self.pqc_asym)?,
            dhe: short(Table::Dhe, self.dhe)?,
            kem: short(Table::Kem, self.kem)?,
            aead: short(Table::Aead, self.aead)?,
            ..Bits::all()
        })
    }
}

/// Formats a version, such as `1.4`.
pub(crate) fn version_name(version: Version) -> String {
    format!("{}.{}", version.byte() >> 4, version.byte() & 0xF)
}

/// Returns the registry name of the key type that a signature algorithm uses.
pub(crate) fn key_name(asym: Asym) -> &'static str {
    match asym {
        Asym::PostQuantum(row) => row.name(),
        Asym::Classical(row) => row.key,
        Asym::Hybrid(row) => row.key,
    }
}

/// Returns the SPDM name of a key type that signs with any hash, or the registry name of a key type that SPDM does not
/// use.
pub(crate) fn spdm_key_name(row: &'static SignatureRow) -> &'static str {
    let fits = |name: &&str| signature_by_name(name).is_ok_and(|known| known.name() == row.name());
    signers(&Bits::all().with_hybrids()).into_iter().map(key_name).find(fits).unwrap_or_else(|| row.name())
}

/// Returns the names of all algorithms in `bits`.
pub(crate) fn names(bits: &Bits) -> Vec<&'static str> {
    let set = |all: u32| (0..16).filter(move |bit| all >> bit & 1 == 1);
    let signed = signers(bits).into_iter().map(Asym::name);
    let exchanged = set(bits.dhe.into()).filter_map(algorithms::dhe);
    let exchanged = exchanged.chain(set(bits.kem.into()).filter_map(algorithms::kem)).map(KeyExchange::name);
    let hybrid = HybridKem(bits.hybrid_kem).rows().map(|row| row.name);
    let hashed = HASHES.iter().filter(|hash| bits.hash & 1 << hash.bit != 0).map(|hash| hash.name);
    let sealed = AEADS.iter().filter(|aead| bits.aead & 1 << aead.bit != 0).map(|aead| aead.name);
    signed.chain(exchanged).chain(hybrid).chain(hashed).chain(sealed).collect()
}

/// Returns every signature algorithm in `bits`.
pub(crate) fn signers(bits: &Bits) -> Vec<Asym> {
    let classical = CLASSICAL.iter().filter(|row| bits.asym & 1 << row.bit != 0).map(Asym::Classical);
    let quantum_safe = post_quantum().filter(|(bit, _)| bits.pqc_asym & 1 << bit != 0);
    let hybrid = HYBRID_SIGNATURES.iter().filter(|row| bits.hybrid_asym & 1 << row.bit != 0);
    let quantum_safe = quantum_safe.map(|(_, row)| Asym::PostQuantum(row));
    classical.chain(quantum_safe).chain(hybrid.map(Asym::Hybrid)).collect()
}

/// Removes post-quantum algorithms and hybrids, which do not exist before SPDM 1.4.
pub(super) const fn classical(bits: Bits) -> Bits {
    Bits { pqc_asym: 0, req_pqc_asym: 0, kem: 0, ..bits.without_hybrids() }
}

/// Converts a registry name to the emulators' name: `ECDSA-P384` becomes ECDSA_P384, `Ed25519` becomes EDDSA_25519.
fn emulator_name(name: &str) -> String {
    name.replace("Ed", "EDDSA_").replace('-', "_")
}

/// Converts a capability name to the emulators' name: `MEAS_CAP_SIG` becomes MEAS_SIG.
fn emulator_capability(name: &str) -> String {
    name.replace("_CAP", "").replace("IN_THE_CLEAR", "IN_CLEAR").replace("CONN_SEL", "NEG")
}

/// Converts a group name to the emulators' name: `secp384r1` becomes SECP_384_R1.
fn emulator_group(name: &str) -> String {
    name.replace("secp", "SECP_").replace("r1", "_R1").replace("ffdhe", "FFDHE_")
}

/// Converts the name of a hybrid to one in the style of the emulators: `Ed25519 + ML-DSA-65` becomes
/// EDDSA_25519_ML_DSA_65. `classical`: converts the name of the first part.
fn hybrid_name(name: &str, classical: fn(&str) -> String) -> String {
    let (first, second) = name.split_once(" + ").unwrap_or((name, ""));
    format!("{}_{}", classical(first), second.replace('-', "_"))
}

/// Replaces hyphens by underscores: `ML-DSA-87` becomes ML_DSA_87, `SHA3-384` becomes SHA3_384.
fn with_underscores((name, bit): (String, u8)) -> (String, u8) {
    (name.replace('-', "_").to_uppercase(), bit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use grille_spdm_codec::algorithms::{Aead, BaseAsym, BaseHash, Dhe, Kem, OtherParams, PqcAsym};

    const OPAQUE_AND_KEYS: OtherParams =
        OtherParams(OtherParams::OPAQUE_DATA_FORMAT_1.0 | OtherParams::MULTI_KEY_CONN.0);

    #[test]
    fn names_are_consistent() {
        let sealed = AEADS.iter().map(|aead| aead.name);
        assert!(sealed.eq(["AES-128-GCM", "AES-256-GCM", "ChaCha20-Poly1305"]));
        let rows = [BaseAsym::ROWS, BaseHash::ROWS, Dhe::ROWS, Aead::ROWS, Kem::ROWS, PqcAsym::ROWS];
        for row in rows.concat() {
            assert!(!row.name.contains('_'), "{}", row.name);
        }
    }

    #[test]
    fn the_names_are_those_of_the_emulators() {
        for (table, names, bits) in [
            (Table::Hash, "SHA_256,SHA_384,SHA_512,SHA3_256", 0b1111),
            (
                Table::Asym,
                "RSASSA_2048,RSAPSS_3072,ECDSA_P256,ECDSA_P384,EDDSA_25519,EDDSA_448",
                0b1100_1001_1001,
            ),
            (Table::PqcAsym, "ML_DSA_44,ML_DSA_65,ML_DSA_87", 0b111),
            (Table::Dhe, "SECP_256_R1,SECP_384_R1,SECP_521_R1", 0b11_1000),
            (Table::Kem, "ML_KEM_512,ML_KEM_768,ML_KEM_1024", 0b111),
            (Table::Aead, "AES_128_GCM,AES_256_GCM,CHACHA20_POLY1305", 0b111),
            (Table::Kem, "NONE", 0),
            (Table::Kem, "ml_kem_512,Ml_Kem_768,none", 0b11),
            (Table::MeasurementHash, "RAW_BIT,SHA_256", 0b11),
            (Table::OtherParams, "OPAQUE_FMT_1,MULTI_KEY_CONN", OPAQUE_AND_KEYS.0.into()),
            (Table::Capabilities, "CACHE,CERT,MEAS_SIG,PSK_WITH_CONTEXT,HANDSHAKE_IN_CLEAR", 0x8813),
            (Table::Capabilities, "EVENT_CAP,meas_cap_sig,MULTI_KEY_CAP_CONN_SEL", 0x0A00_0010),
            (Table::Capabilities, "MULTI_KEY_NEG,GET_KEY_PAIR_INFO,LARGE_RESP", 0x9800_0000),
            (Table::HybridAsym, "ECDSA_P256_ML_DSA_44,EDDSA_25519_ML_DSA_65,ECDSA_P384_ML_DSA_87", 0b1011),
            (Table::HybridKem, "X25519_ML_KEM_768,SECP_256_R1_ML_KEM_512,SECP_384_R1_ML_KEM_1024", 0x10A),
        ] {
            assert_eq!(table.bits(names).unwrap(), bits, "{names}");
        }
        let refused = Table::Capabilities.bits("FOO").unwrap_err().to_string();
        assert!(refused.starts_with("--cap: unknown capability FOO; choose from CACHE, CERT"), "{refused}");
        let refused = Table::Kem.bits("ML_KEM_1025").unwrap_err().to_string();
        assert!(refused.starts_with("--kem: unknown algorithm ML_KEM_1025; choose from ML_KEM_512"));
    }

    #[test]
    fn every_signer_has_a_key_in_the_registry() {
        for asym in signers(&Bits::all().with_hybrids()) {
            let row = signature_by_name(key_name(asym)).unwrap();
            assert_eq!(spdm_key_name(row), key_name(asym), "{asym:?}");
        }
    }
}
