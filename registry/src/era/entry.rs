//! Kinds of codepoints, OQS releases, and the names of codepoints in these releases.

/// Kind of codepoint. The two kinds have separate number spaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A TLS named group.
    Group,
    /// A TLS signature scheme.
    Scheme,
}

/// OQS releases whose codepoints are known, oldest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names are in `name`")]
pub enum Release {
    Oqs111Feb2021,
    Oqs111Aug2021,
    Provider050,
    Provider051,
    Provider052,
    Provider053,
    Provider060,
    Provider061,
    Provider070,
    Provider080,
    Provider090,
    Provider0100,
    Provider0110,
    Provider0120,
}

impl Release {
    /// Returns the name of the release, such as `oqs-provider 0.6.1`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Oqs111Feb2021 => "OQS-OpenSSL 1.1.1 of 2021-02",
            Self::Oqs111Aug2021 => "OQS-OpenSSL 1.1.1 of 2021-08",
            Self::Provider050 => "oqs-provider 0.5.0",
            Self::Provider051 => "oqs-provider 0.5.1",
            Self::Provider052 => "oqs-provider 0.5.2",
            Self::Provider053 => "oqs-provider 0.5.3",
            Self::Provider060 => "oqs-provider 0.6.0",
            Self::Provider061 => "oqs-provider 0.6.1",
            Self::Provider070 => "oqs-provider 0.7.0",
            Self::Provider080 => "oqs-provider 0.8.0",
            Self::Provider090 => "oqs-provider 0.9.0",
            Self::Provider0100 => "oqs-provider 0.10.0",
            Self::Provider0110 => "oqs-provider 0.11.0",
            Self::Provider0120 => "oqs-provider 0.12 (main of 2026-07)",
        }
    }
}

/// The name of a codepoint in a range of releases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Kind of the codepoint: TLS named group or signature scheme.
    pub kind: Kind,
    /// The codepoint.
    pub code: u16,
    /// Name of the algorithm in OQS.
    pub name: &'static str,
    /// The algorithm's object identifier in these releases; empty if it had none.
    pub oid: &'static str,
    /// The first release of the range.
    pub since: Release,
    /// The last release of the range.
    pub until: Release,
    /// The first month, such as `2021-07`, in which the OQS repositories had the codepoint; empty if the month is not
    /// known.
    pub first_month: &'static str,
    /// The last month, such as `2021-07`, in which the OQS repositories had the codepoint; empty if the month is not
    /// known.
    pub last_month: &'static str,
}
