//! The forms in which PKCS#8 documents contain private keys.

use grille_registry::{KeyFormat, SignatureRow};

/// Form of a private key inside its PKCS#8 document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrivateKeyForm {
    /// [`PrivateKeyForm::Seed`] if the key has its seed, otherwise [`PrivateKeyForm::Expanded`].
    SeedIfKnown,
    /// The alternative `seed` of RFC 9881 and RFC 9935, with the tag `[0]`.
    Seed,
    /// The alternative `expandedKey` of RFC 9881 and RFC 9935: the expanded key in an OCTET STRING.
    Expanded,
    /// The alternative `both` of RFC 9881 and RFC 9935: the seed and the expanded key.
    Both,
    /// The expanded key without a tag, RFC 9909.
    Bare,
    /// Private ‖ public, as OQS-OpenSSL and oqs-provider write a private key.
    Oqs,
    /// The complete PKCS#8 document of a classical algorithm.
    Native,
}

impl PrivateKeyForm {
    /// Returns the form of keys of this algorithm that other implementations support best.
    #[must_use]
    pub fn default_for(row: &SignatureRow) -> Self {
        match row.key_format {
            KeyFormat::SeedOrExpanded => Self::SeedIfKnown,
            KeyFormat::Raw => Self::Bare,
            KeyFormat::OqsConcatenated => Self::Oqs,
            KeyFormat::Native { .. } => Self::Native,
        }
    }

    /// The form that other implementations support best for every KEM.
    pub const DEFAULT_FOR_KEM: Self = Self::SeedIfKnown;
}

/// Layout of a private key in the document that it was read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// The alternative `seed` of RFC 9881 and RFC 9935, with the tag `[0]`.
    Seed,
    /// The alternative `expandedKey` of RFC 9881 and RFC 9935: the expanded key in an OCTET STRING.
    Expanded,
    /// The alternative `both` of RFC 9881 and RFC 9935: the seed and the expanded key.
    Both,
    /// Private ‖ public in an OCTET STRING.
    OqsPair,
    /// The seed in an OCTET STRING.
    OctetSeed,
    /// The seed without a tag.
    BareSeed,
    /// The expanded key without a tag.
    BareExpanded,
    /// Private ‖ public without a tag.
    BarePair,
    /// f, g and F of Falcon in separate OCTET STRINGs.
    Parts,
    /// The complete PKCS#8 document of a classical algorithm.
    Native,
}

impl Layout {
    /// Returns the name of the layout.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Seed => "seed",
            Self::Expanded => "expanded",
            Self::Both => "both",
            Self::OqsPair => "oqs",
            Self::OctetSeed => "octet-seed",
            Self::BareSeed => "bare-seed",
            Self::BareExpanded => "bare",
            Self::BarePair => "bare-pair",
            Self::Parts => "parts",
            Self::Native => "native",
        }
    }

    /// Returns OpenSSL 3.5's name of the layout in `output_formats`, if there is one.
    #[must_use]
    pub const fn openssl_name(self) -> Option<&'static str> {
        match self {
            Self::Seed => Some("seed-only"),
            Self::Expanded => Some("priv-only"),
            Self::Both => Some("seed-priv"),
            Self::OqsPair => Some("oqskeypair"),
            Self::BareSeed => Some("bare-seed"),
            Self::BareExpanded => Some("bare-priv"),
            Self::OctetSeed | Self::BarePair | Self::Parts | Self::Native => None,
        }
    }

    /// Returns a description of the layout, with its origin.
    #[must_use]
    pub const fn description(self) -> &'static str {
        match self {
            Self::Seed => "the seed, as recommended by RFC 9881 and RFC 9935",
            Self::Expanded => "the expanded key, as in RFC 9881 and RFC 9935",
            Self::Both => "seed and expanded key, as written by OpenSSL 3.5",
            Self::OqsPair => "private ‖ public key, as written by OQS",
            Self::OctetSeed => "the seed, as in drafts of RFC 9881 and RFC 9935",
            Self::BareSeed => "the seed without a tag, as in early drafts",
            Self::BareExpanded => {
                "the expanded key without a tag, as in RFC 9909 (SLH-DSA) and in early drafts for other algorithms"
            }
            Self::BarePair => "private ‖ public key, without a tag",
            Self::Parts => "f, g and F in separate elements, as Bouncy Castle writes Falcon keys",
            Self::Native => "the PKCS#8 document of the classical algorithm",
        }
    }

    /// Returns the layout that results from putting a key in this layout into an OCTET STRING.
    pub(crate) const fn in_an_octet_string(self) -> Self {
        match self {
            Self::BareSeed => Self::OctetSeed,
            Self::BareExpanded => Self::Expanded,
            Self::BarePair => Self::OqsPair,
            other => other,
        }
    }
}
