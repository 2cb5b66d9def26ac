//! The options of spdm_perf_emu that choose a configuration.

use super::suite::{Suite, level, suite_name};
use crate::algorithm::refuse_broken;
use crate::error::Error;
use crate::spdm::algorithms::Table;
use clap::Parser;
use grille_spdm_codec::Version;
use grille_spdm_codec::capabilities::CapabilityFlags;
use grille_spdm_engine::algorithms::Bits;
use grille_spdm_engine::identity::PROVISIONED;
use grille_spdm_engine::pqc2021::{
    Algorithms, KEMS, Kem, Options, PublicKeyMode, SIGNATURES, Set, Signature, kem_row, signature_row,
};

/// The options of one configuration. A list of algorithms is separated by commas; NONE is the empty list.
#[derive(Clone, clap::Args)]
#[group(id = "configuration", multiple = true)]
pub(super) struct Configuration {
    /// Use this SPDM version [default: 1.1].
    #[arg(long, value_name = "VERSION", value_parser = ["1.1"])]
    ver: Option<String>,
    /// Use these capabilities on both sides, separated by commas [default: CERT, CHAL, MEAS_SIG, ENCRYPT, MAC, KEY_EX,
    /// HBEAT, KEY_UPD, HANDSHAKE_IN_CLEAR].
    #[arg(long, value_name = "LIST")]
    cap: Option<String>,
    /// Use these hash algorithms [default: SHA_384,SHA_256].
    #[arg(long, value_name = "LIST")]
    hash: Option<String>,
    /// Use these classical signature algorithms of the responder [default: NONE].
    #[arg(long, value_name = "LIST")]
    asym: Option<String>,
    /// Negotiate these classical signature algorithms of the requester [default: NONE].
    #[arg(long = "req_asym", alias = "req-asym", value_name = "LIST")]
    req_asym: Option<String>,
    /// Use these Diffie-Hellman groups [default: NONE].
    #[arg(long, value_name = "LIST")]
    dhe: Option<String>,
    /// Use these ciphers in the session [default: AES_256_GCM,CHACHA20_POLY1305].
    #[arg(long, value_name = "LIST")]
    aead: Option<String>,
    /// Use this key schedule [default: HMAC_HASH].
    #[arg(long = "key_schedule", alias = "key-schedule", value_name = "NAME", value_parser = ["HMAC_HASH"])]
    key_schedule: Option<String>,
    /// Use these post-quantum signature algorithms of the responder [default: NONE].
    #[arg(long = "pqc_sig", alias = "pqc-sig", value_name = "LIST")]
    pqc_sig: Option<String>,
    /// Use these post-quantum signature algorithms of the requester; see --mut_auth [default: NONE].
    #[arg(long = "pqc_req_sig", alias = "pqc-req-sig", value_name = "LIST")]
    pqc_req_sig: Option<String>,
    /// Use these KEMs in the key exchange [default: NONE].
    #[arg(long = "pqc_kem", alias = "pqc-kem", value_name = "LIST")]
    pqc_kem: Option<String>,
    /// Authenticate the responder with these KEMs [default: NONE].
    #[arg(long = "pqc_kem_auth", alias = "pqc-kem-auth", value_name = "LIST")]
    pqc_kem_auth: Option<String>,
    /// Authenticate the requester with these KEMs; see --mut_auth [default: NONE].
    #[arg(long = "pqc_req_kem_auth", alias = "pqc-req-kem-auth", value_name = "LIST")]
    pqc_req_kem_auth: Option<String>,
    /// Provision post-quantum public keys (RAW), or take them from hybrid certificates (CERT) [default: RAW].
    #[arg(long = "pqc_pub_key_mode", alias = "pqc-pub-key-mode", value_name = "MODE", value_parser = ["RAW", "CERT"])]
    pqc_pub_key_mode: Option<String>,
    /// Authenticate the requester in the session with its provisioned key (WO_ENCAP) [default: NO].
    #[arg(long = "mut_auth", alias = "mut-auth", value_name = "POLICY", value_parser = ["NO", "WO_ENCAP"])]
    mut_auth: Option<String>,
    /// Request this summary of measurements [default: ALL].
    #[arg(long = "meas_sum", alias = "meas-sum", value_name = "KIND", value_parser = ["NO", "TCB", "ALL"])]
    meas_sum: Option<String>,
    /// Use this slot of the responder; 0xFF is the provisioned public key [default: 0].
    #[arg(long = "slot_id", alias = "slot-id", value_name = "SLOT", value_parser = SLOTS)]
    slot_id: Option<String>,
}

const SLOTS: [&str; 9] = ["0", "1", "2", "3", "4", "5", "6", "7", "0xFF"];

/// A command line of the emulator without its first word.
#[derive(Parser)]
#[command(no_binary_name = true)]
struct CommandLine {
    #[command(flatten)]
    configuration: Configuration,
}

impl Configuration {
    /// Parses a command line of the emulator.
    ///
    /// # Errors
    /// Returns an error if an option or a value of an enumeration is unknown.
    pub(super) fn parse(line: &str) -> Result<Self, Error> {
        let parsed = CommandLine::try_parse_from(line.split_whitespace());
        parsed.map(|line| line.configuration).map_err(|error| Error::usage(error).with_subject(line))
    }

    /// Returns whether the responder or the requester authenticates with a KEM.
    pub(super) const fn has_kem_auth(&self) -> bool {
        self.pqc_kem_auth.is_some() || self.pqc_req_kem_auth.is_some()
    }

    /// Returns whether the responder's keys have no certificates.
    pub(super) fn is_provisioned(&self) -> bool {
        self.slot_id.as_deref() == Some("0xFF")
    }

    /// Converts the names to a configuration of the engine.
    ///
    /// # Errors
    /// Returns an error if a name is unknown, an algorithm is broken and `--allow-broken` is missing, or parts
    /// contradict each other.
    pub(super) fn suite(&self) -> Result<Suite, Error> {
        let bits = self.bits()?;
        let dialect = Options {
            algorithms: self.algorithms()?,
            public_keys: match self.pqc_pub_key_mode.as_deref() {
                Some("CERT") => PublicKeyMode::Certificate,
                _ => PublicKeyMode::Raw,
            },
            ..Options::default()
        };
        let suite = Suite {
            level: level(&bits, &dialect.algorithms),
            name: suite_name(&bits, &dialect.algorithms),
            version: Version::V1_1,
            bits,
            dialect: Some(dialect),
            slot: self.slot(),
            summary: match self.meas_sum.as_deref() {
                Some("NO") => 0,
                Some("TCB") => 1,
                _ => 0xFF,
            },
            flags: self.flags()?,
            is_mutual: self.mut_auth.as_deref() == Some("WO_ENCAP"),
        };
        suite.check()?;
        Ok(suite)
    }

    fn slot(&self) -> u8 {
        match self.slot_id.as_deref() {
            Some("0xFF") => PROVISIONED,
            Some(digit) => digit.parse().unwrap_or_default(),
            None => 0,
        }
    }

    fn flags(&self) -> Result<Option<CapabilityFlags>, Error> {
        self.cap.as_deref().map(|names| Table::Capabilities.bits(names).map(CapabilityFlags)).transpose()
    }

    fn bits(&self) -> Result<Bits, Error> {
        let of = |table: Table, names: &Option<String>, default: &str| {
            table.bits(names.as_deref().unwrap_or(default))
        };
        Ok(Bits {
            hash: of(Table::Hash, &self.hash, "SHA_384,SHA_256")?,
            asym: of(Table::Asym, &self.asym, "NONE")?,
            req_asym: of(Table::ReqAsym, &self.req_asym, "NONE")? as u16,
            dhe: of(Table::Dhe, &self.dhe, "NONE")? as u16,
            aead: of(Table::Aead, &self.aead, "AES_256_GCM,CHACHA20_POLY1305")? as u16,
            pqc_asym: 0,
            req_pqc_asym: 0,
            kem: 0,
            ..Bits::all()
        })
    }

    fn algorithms(&self) -> Result<Algorithms, Error> {
        Ok(Algorithms {
            signature: set("--pqc_sig", self.pqc_sig.as_deref(), signature)?,
            req_signature: set("--pqc_req_sig", self.pqc_req_sig.as_deref(), signature)?,
            kem: set("--pqc_kem", self.pqc_kem.as_deref(), kem)?,
            kem_auth: set("--pqc_kem_auth", self.pqc_kem_auth.as_deref(), kem)?,
            req_kem_auth: set("--pqc_req_kem_auth", self.pqc_req_kem_auth.as_deref(), kem)?,
        })
    }
}

/// Parses names separated by commas. `option` is the place of errors.
fn set(option: &str, names: Option<&str>, one: fn(&str) -> Result<Set, Error>) -> Result<Set, Error> {
    let names = names.unwrap_or("NONE").split(',').filter(|name| !name.eq_ignore_ascii_case("NONE"));
    names.into_iter().try_fold(Set::NONE, |all, name| {
        let set = one(name).map_err(|error| error.with_place(option))?;
        Ok(all.union(set))
    })
}

fn signature(name: &str) -> Result<Set, Error> {
    let row = Signature::by_name(name)
        .ok_or_else(|| unknown(name, SIGNATURES.iter().map(|row| row.option).collect()))?;
    match signature_row(row, false) {
        Some(_) => Ok(row.set()),
        None => Err(missing(row.name)),
    }
}

fn kem(name: &str) -> Result<Set, Error> {
    let row = Kem::by_name(name).ok_or_else(|| unknown(name, KEMS.iter().map(|row| row.option).collect()))?;
    let known = kem_row(row).ok_or_else(|| missing(row.name))?;
    refuse_broken(known).map_err(Error::usage)?;
    Ok(row.set())
}

fn unknown(name: &str, mut known: Vec<&str>) -> Error {
    known.push("NONE");
    Error::usage(format_args!("unknown algorithm {name}"))
        .advise(format_args!("choose from {}", known.join(", ")))
}

fn missing(name: &str) -> Error {
    Error::usage(format_args!("{name} has no implementation here"))
        .advise("choose another algorithm of the same family")
}

#[cfg(test)]
mod tests {
    use super::super::configurations::PROTOTYPE;
    use super::*;

    fn refused(line: &str) -> String {
        Configuration::parse(line).and_then(|options| options.suite().map(|_| ())).unwrap_err().to_string()
    }

    #[test]
    fn parses_every_command_line_of_the_prototype() {
        let names: Vec<String> = PROTOTYPE
            .iter()
            .map(|(_, line)| Configuration::parse(line).unwrap().suite().unwrap().name)
            .collect();
        assert_eq!(names.len(), 43);
        assert_eq!(names[0], "p256 + rsa3072");
        assert_eq!(names[4], "p256_Kyber512-90s + p256_Dilithium2-AES");
        assert_eq!(names[16], "p384_Kyber768 + p521_Falcon-1024");
        assert_eq!(names[27], "Kyber512 + SPHINCS+-SHA256-128f-robust");
        assert_eq!(names[42], "Kyber1024-90s + Kyber1024-90s");
        let levels: Vec<u8> = PROTOTYPE
            .iter()
            .map(|(_, line)| Configuration::parse(line).unwrap().suite().unwrap().level)
            .collect();
        assert_eq!(levels.iter().filter(|&&level| level == 1).count(), 23);
        assert_eq!((levels[13], levels[17], levels[32], levels[42]), (3, 5, 3, 5));
    }

    #[test]
    fn unknown_names_list_the_known_ones() {
        let message = refused("--pqc_kem KYBER_513 --pqc_sig DILITHIUM_2");
        assert!(
            message.starts_with("--pqc_kem: unknown algorithm KYBER_513; choose from BIKE1_L1_CPA, "),
            "{message}"
        );
        assert!(message.contains("KYBER_1024_90S") && message.ends_with("NONE"), "{message}");
        let message = refused("--pqc_sig DILITHIUM_4 --pqc_kem KYBER_512");
        assert!(message.contains("DILITHIUM_5_AES, FALCON_512"), "{message}");
        let message = refused("--dhe SECP_256_R2");
        assert!(message.contains("choose from ") && message.contains("SECP_256_R1"), "{message}");
    }

    #[test]
    fn broken_algorithms_need_consent() {
        let message = refused("--pqc_kem SIKE_P434 --pqc_sig DILITHIUM_2 --slot_id 0xFF");
        assert!(message.contains("--allow-broken"), "{message}");
    }
}
