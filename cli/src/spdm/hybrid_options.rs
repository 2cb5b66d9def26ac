//! The options of `--spec 1.4-hybrid`: the offered hybrids, which `docs/guide/src/26-spdm-hybrids.md` defines.

use super::algorithms::Table;
use super::pqc2021::spec::SpecOptions;
use crate::error::Error;
use grille_spdm_codec::Version;
use grille_spdm_engine::algorithms::Bits;

/// The offered hybrids.
#[derive(Clone, Default, clap::Args)]
#[group(id = "hybrid_algorithms", multiple = true)]
pub(super) struct HybridOptions {
    /// Hybrids: offer these signatures, such as ECDSA_P384_ML_DSA_87 [default: all; a responder only offers those it
    /// has keys for].
    #[arg(long = "hybrid-asym", alias = "hybrid_asym", value_name = "NAMES")]
    hybrid_asym: Option<String>,
    /// Hybrids: offer these signatures for authenticating the requester [default: all].
    #[arg(long = "req-hybrid-asym", alias = "req_hybrid_asym", value_name = "NAMES")]
    req_hybrid_asym: Option<String>,
    /// Hybrids: offer these key exchanges, such as X25519_ML_KEM_768 [default: all].
    #[arg(long = "hybrid-kem", alias = "hybrid_kem", value_name = "NAMES")]
    hybrid_kem: Option<String>,
}

impl HybridOptions {
    /// Returns whether the user named signatures of the responder.
    pub(super) const fn names_signatures(&self) -> bool {
        self.hybrid_asym.is_some()
    }

    /// Returns whether the user named signatures of the requester.
    pub(super) const fn names_requester_signatures(&self) -> bool {
        self.req_hybrid_asym.is_some()
    }

    /// Returns the hybrids that the options name; all other fields are 0.
    ///
    /// # Errors
    /// Returns an error if an option has an unknown name.
    pub(super) fn bits(&self) -> Result<Bits, Error> {
        let all = Bits::default().with_hybrids();
        let named = |names: &Option<String>, table: Table, all: u16| match names {
            Some(names) => table.bits(names).map(|bits| bits as u16),
            None => Ok(all),
        };
        Ok(Bits {
            hybrid_asym: named(&self.hybrid_asym, Table::HybridAsym, all.hybrid_asym)?,
            req_hybrid_asym: named(&self.req_hybrid_asym, Table::ReqHybridAsym, all.req_hybrid_asym)?,
            hybrid_kem: named(&self.hybrid_kem, Table::HybridKem, all.hybrid_kem)?,
            ..Bits::default()
        })
    }

    /// Checks that options of hybrids are given only with --spec 1.4-hybrid, and that `versions` then contain 1.4.
    ///
    /// # Errors
    /// Returns an error that names the option.
    pub(super) fn check(&self, spec: &SpecOptions, versions: &[Version]) -> Result<(), Error> {
        if spec.has_hybrids() {
            let problem = || Error::usage("hybrids exist only in SPDM 1.4").with_place("--ver");
            let has_version = versions.contains(&Version::V1_4);
            return if has_version {
                Ok(())
            } else {
                Err(problem().advise("add 1.4, or omit --spec 1.4-hybrid"))
            };
        }
        match self.named_option() {
            None => Ok(()),
            Some(option) => Err(Error::usage("this option belongs to hybrids")
                .with_place(option)
                .advise("add --spec 1.4-hybrid")),
        }
    }

    /// Returns the name of the first option that is given; `None` if no option is given.
    fn named_option(&self) -> Option<&'static str> {
        let options = [
            (self.hybrid_asym.is_some(), Table::HybridAsym),
            (self.req_hybrid_asym.is_some(), Table::ReqHybridAsym),
            (self.hybrid_kem.is_some(), Table::HybridKem),
        ];
        options.into_iter().find_map(|(given, table)| given.then_some(table.option()))
    }
}

/// Returns `bits` with the requester's signature algorithms in the fields of the responder's.
pub(crate) const fn requester_algorithms(bits: &Bits) -> Bits {
    Bits {
        asym: bits.req_asym as u32,
        pqc_asym: bits.req_pqc_asym as u32,
        hybrid_asym: bits.req_hybrid_asym,
        ..*bits
    }
}
