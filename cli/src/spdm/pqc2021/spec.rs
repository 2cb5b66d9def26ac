//! `--spec`, and the options that depend on it.

use super::algorithm_options::AlgorithmOptions;
use crate::error::Error;
use clap::ValueEnum;
use std::path::PathBuf;

/// The specification of a connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Spec {
    /// SPDM 1.0 to 1.4 (DSP0274).
    #[default]
    Standard,
    /// The dialect of openspdm-pqc (2021), on top of SPDM 1.1.
    Pqc2021,
    /// The dialect, except that the transcripts also contain the public keys without certificates.
    Pqc2021Strict,
    /// The standard, and in SPDM 1.4 also hybrids: `docs/guide/src/26-spdm-hybrids.md`.
    #[value(name = "1.4-hybrid")]
    Hybrid,
}

impl Spec {
    /// Returns whether connections speak the dialect.
    pub(crate) fn is_dialect(self) -> bool {
        matches!(self, Self::Pqc2021 | Self::Pqc2021Strict)
    }
}

/// The options of the dialect of openspdm-pqc.
#[derive(Clone, clap::Args)]
pub(crate) struct SpecOptions {
    /// Speak the standard, or the post-quantum dialect of openspdm-pqc (2021). In pqc2021, provisioned keys are bound
    /// into no transcript; pqc2021-strict binds them, and both sides must use it. 1.4-hybrid also offers a classical and
    /// a post-quantum algorithm together in SPDM 1.4 (docs/guide/src/26-spdm-hybrids.md).
    #[arg(long, value_name = "SPEC", value_enum, default_value = "standard")]
    spec: Spec,
    #[command(flatten)]
    pub(super) algorithms: AlgorithmOptions,
    /// Dialect: authenticate with the private keys in this folder, such as Dilithium3_sk.bin; repeatable. `grille spdm
    /// raw-keys` generates keys in a folder.
    #[arg(long = "raw-keys", alias = "raw_keys", value_name = "DIR")]
    pub(super) raw_keys: Vec<PathBuf>,
    /// Dialect: trust the other side's public keys in this folder, such as Dilithium3_pk.bin; repeatable.
    /// Certificate chains then also need --ca.
    #[arg(long = "peer-raw-keys", alias = "peer_raw_keys", value_name = "DIR")]
    pub(super) peer_raw_keys: Vec<PathBuf>,
}

impl SpecOptions {
    /// Returns whether the connection speaks the dialect.
    pub(crate) fn is_dialect(&self) -> bool {
        self.spec.is_dialect()
    }

    /// Returns whether the connection may use hybrids.
    pub(crate) fn has_hybrids(&self) -> bool {
        self.spec == Spec::Hybrid
    }

    /// Returns whether the transcripts must contain the public keys without certificates.
    pub(super) fn is_strict(&self) -> bool {
        self.spec == Spec::Pqc2021Strict
    }

    /// Returns whether an option names this side's keys without certificates.
    pub(crate) const fn has_own_keys(&self) -> bool {
        !self.raw_keys.is_empty()
    }

    /// Returns whether an option names the other side's public keys without certificates.
    pub(crate) const fn has_peer_keys(&self) -> bool {
        !self.peer_raw_keys.is_empty()
    }

    /// Checks that --peer-key is not given in the dialect, which does not use it. `is_given`: whether --peer-key is
    /// given.
    ///
    /// # Errors
    /// Returns an error that names the option.
    pub(crate) fn check_peer_key(&self, is_given: bool) -> Result<(), Error> {
        if !is_given || !self.is_dialect() {
            return Ok(());
        }
        let problem = "in the dialect of openspdm-pqc, slot 0xFF uses raw keys instead of this key";
        Err(Error::usage(problem).with_place("--peer-key").advise("use --peer-raw-keys"))
    }

    /// Checks that no option of the dialect is given for the standard.
    ///
    /// # Errors
    /// Returns an error that names the option.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let folders = [(self.has_own_keys(), "--raw-keys"), (self.has_peer_keys(), "--peer-raw-keys")];
        let folder = folders.into_iter().find_map(|(given, option)| given.then_some(option));
        match self.algorithms.named_option().or(folder).filter(|_| !self.is_dialect()) {
            None => Ok(()),
            Some(option) => Err(Error::usage("this option belongs to the dialect of openspdm-pqc")
                .with_place(option)
                .advise("add --spec pqc2021 or --spec pqc2021-strict")),
        }
    }
}
