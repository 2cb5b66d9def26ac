//! The options of spdm_perf_emu that choose a configuration.

use super::suite::{Suite, level, suite_name};
use super::unsupported::UnsupportedOptions;
use crate::error::Error;
use crate::spdm::algorithms::Table;
use crate::spdm::pqc2021::algorithm_options::AlgorithmOptions;
use clap::Parser;
use grille_spdm_codec::Version;
use grille_spdm_codec::capabilities::CapabilityFlags;
use grille_spdm_codec::version::VersionNumber;
use grille_spdm_engine::algorithms::Bits;
use grille_spdm_engine::config::Binding;
use grille_spdm_engine::identity::PROVISIONED;

/// The options of one configuration. A list of algorithms is separated by commas; NONE is the empty list.
#[derive(Clone, clap::Args)]
#[group(id = "configuration", multiple = true)]
pub(super) struct Configuration {
    /// Use this SPDM version [default: 1.1].
    #[arg(long, value_name = "VERSION", value_parser = ["1.0", "1.1"], hide_possible_values = true)]
    ver: Option<String>,
    /// Use the records of this transport: MCTP or PCI_DOE [default: MCTP].
    #[arg(long, value_name = "TRANSPORT", value_parser = ["MCTP", "PCI_DOE"], hide_possible_values = true)]
    trans: Option<String>,
    /// Use this version of secured messages: 1.0 or 1.1 [default: both].
    #[arg(long = "sec-ver", alias = "sec_ver", value_name = "VERSION", value_parser = ["0", "1.0", "1.1"], hide_possible_values = true)]
    sec_ver: Option<String>,
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
    #[arg(long = "req-asym", alias = "req_asym", value_name = "LIST")]
    req_asym: Option<String>,
    /// Use these Diffie-Hellman groups [default: NONE].
    #[arg(long, value_name = "LIST")]
    dhe: Option<String>,
    /// Use these ciphers in the session [default: AES_256_GCM,CHACHA20_POLY1305].
    #[arg(long, value_name = "LIST")]
    aead: Option<String>,
    /// Use this key schedule [default: HMAC_HASH].
    #[arg(long = "key-schedule", alias = "key_schedule", value_name = "NAME", value_parser = ["HMAC_HASH"])]
    key_schedule: Option<String>,
    #[command(flatten)]
    dialect: AlgorithmOptions,
    /// Authenticate the requester in the session with its provisioned key (WO_ENCAP) [default: NO].
    #[arg(long = "mut-auth", alias = "mut_auth", value_name = "POLICY", value_parser = ["NO", "WO_ENCAP", "W_ENCAP", "DIGESTS"], hide_possible_values = true)]
    mut_auth: Option<String>,
    /// Authenticate the requester with CHALLENGE: only NO.
    #[arg(long = "basic-mut-auth", alias = "basic_mut_auth", value_name = "POLICY", value_parser = ["NO", "BASIC"], hide = true)]
    basic_mut_auth: Option<String>,
    /// Use this measurement specification [default: DMTF].
    #[arg(long = "meas-spec", alias = "meas_spec", value_name = "NAME", value_parser = ["DMTF"])]
    meas_spec: Option<String>,
    /// Use the strongest of these measurement hashes [default: the responder's choice].
    #[arg(long = "meas-hash", alias = "meas_hash", value_name = "LIST")]
    meas_hash: Option<String>,
    /// Request this summary of measurements [default: ALL].
    #[arg(long = "meas-sum", alias = "meas_sum", value_name = "KIND", value_parser = ["NO", "TCB", "ALL"])]
    meas_sum: Option<String>,
    /// Use this slot of the responder; 0xFF is the provisioned public key [default: 0].
    #[arg(long = "slot-id", alias = "slot_id", value_name = "SLOT", value_parser = SLOTS)]
    slot_id: Option<String>,
    /// Fill this many slots of the responder with the same chain [default: 1].
    #[arg(long = "slot-count", alias = "slot_count", value_name = "N", value_parser = clap::value_parser!(u8).range(1..=8))]
    slot_count: Option<u8>,
    #[command(flatten)]
    unsupported: UnsupportedOptions,
}

/// The versions of secured messages of openspdm-pqc.
const SECURED: [VersionNumber; 2] = [VersionNumber(0x1000), VersionNumber(0x1100)];

const SLOTS: [&str; 9] = ["0", "1", "2", "3", "4", "5", "6", "7", "0xFF"];

/// A command line of spdm_perf_emu without the program's name.
#[derive(Parser)]
#[command(no_binary_name = true)]
struct CommandLine {
    #[command(flatten)]
    configuration: Configuration,
}

impl Configuration {
    /// Parses a command line of spdm_perf_emu without the program's name.
    ///
    /// # Errors
    /// Returns an error if an option or a value of an enumeration is unknown.
    pub(super) fn parse(line: &str) -> Result<Self, Error> {
        let parsed = CommandLine::try_parse_from(line.split_whitespace());
        parsed.map(|line| line.configuration).map_err(|error| Error::usage(error).with_subject(line))
    }

    /// Returns whether the options name KEM authentication of the responder or of the requester.
    pub(super) const fn has_kem_auth(&self) -> bool {
        self.dialect.has_kem_auth()
    }

    /// Returns whether the flow negotiates the seven tables of openspdm-pqc.
    pub(super) fn has_seven_tables(&self) -> bool {
        self.dialect.has_seven_tables()
    }

    /// Returns whether the flow uses slot 0xFF, in which the responder's keys have no certificates.
    pub(super) fn uses_provisioned_slot(&self) -> bool {
        self.slot_id.as_deref() == Some("0xFF")
    }

    /// Converts the options to a configuration of both sides.
    ///
    /// # Errors
    /// Returns an error if a name is unknown, an algorithm is broken and `--allow-broken` is missing, or options
    /// contradict each other.
    pub(super) fn suite(&self) -> Result<Suite, Error> {
        self.unsupported.check()?;
        self.check_values()?;
        let bits = self.bits()?;
        let dialect = self.dialect.with(self.dialect.named()?.algorithms());
        let suite = Suite {
            level: level(&bits, &dialect.algorithms),
            name: suite_name(&bits, &dialect.algorithms, dialect.sphincs_round3),
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
            slot_count: self.slot_count.unwrap_or(1),
            binding: if self.trans.as_deref() == Some("PCI_DOE") { Binding::PciDoe } else { Binding::Mctp },
            secured: match self.sec_ver.as_deref() {
                Some("1.0") => vec![SECURED[0]],
                Some(_) => vec![SECURED[1]],
                None => SECURED.to_vec(),
            },
        };
        suite.check()?;
        Ok(suite)
    }

    /// Refuses values that spdm_perf_emu accepts, but that are impossible here.
    ///
    /// # Errors
    /// Returns an error that gives the reason and a possible value.
    fn check_values(&self) -> Result<(), Error> {
        let encapsulated = "the requester has no certificates here, only provisioned keys";
        let (ver, mut_auth) = (self.ver.as_deref(), self.mut_auth.as_deref());
        let is_basic = self.basic_mut_auth.as_deref() == Some("BASIC");
        [
            (
                ver == Some("1.0"),
                "--ver",
                "SPDM 1.0 has no sessions, and the dialect exists only in SPDM 1.1",
                "use 1.1",
            ),
            (
                self.sec_ver.as_deref() == Some("0"),
                "--sec-ver",
                "a session needs a version",
                "use 1.0 or 1.1",
            ),
            (matches!(mut_auth, Some("W_ENCAP" | "DIGESTS")), "--mut-auth", encapsulated, "use WO_ENCAP"),
            (is_basic, "--basic-mut-auth", encapsulated, "use --mut-auth WO_ENCAP"),
        ]
        .into_iter()
        .find(|(is_impossible, ..)| *is_impossible)
        .map_or(Ok(()), |(_, option, why, advice)| Err(Error::usage(why).with_place(option).advise(advice)))
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
            measurement_hash: of(Table::MeasurementHash, &self.meas_hash, "NONE")?
                .checked_ilog2()
                .map_or(0, |bit| 1 << bit),
            aead: of(Table::Aead, &self.aead, "AES_256_GCM,CHACHA20_POLY1305")? as u16,
            pqc_asym: 0,
            req_pqc_asym: 0,
            kem: 0,
            ..Bits::all()
        })
    }
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
            message.starts_with("--pqc-kem: unknown algorithm KYBER_513; choose from BIKE1_L1_CPA, "),
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
