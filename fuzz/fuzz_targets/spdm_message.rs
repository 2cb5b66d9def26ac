//! SPDM messages and the lists inside them: a value that was read can be written and read again. The first byte of the
//! input chooses the negotiated parameters.
#![no_main]

use grille_spdm_codec::bank::{
    BankDetails, BankElements, BankInfo, Document, GetCsr, ManageBank, SetCertificate, SlotElements,
    SupportedSubCodes,
};
use grille_spdm_codec::certificate::CertificateChain;
use grille_spdm_codec::endpoint_info::{DeviceClass, Identifiers, SubordinateIds};
use grille_spdm_codec::error::{NotReady, VendorError};
use grille_spdm_codec::events::{EventGroups, Events};
use grille_spdm_codec::measurements::Blocks;
use grille_spdm_codec::mel::{Mel, MelEntries};
use grille_spdm_codec::negotiate::{Algorithms, NegotiateAlgorithms};
use grille_spdm_codec::opaque::OpaqueData;
use grille_spdm_codec::pqc2021::certificate::{Certificate, GetCertificate};
use grille_spdm_codec::pqc2021::challenge::Challenge;
use grille_spdm_codec::pqc2021::fragment::{
    FragmentRequest, FragmentRequestAck, FragmentResponse, FragmentRspRequest,
};
use grille_spdm_codec::pqc2021::{ExchangeData, ExchangeLens, SignatureField, SignatureLens, Tables};
use grille_spdm_codec::{Message, Sizes, Version, list, messages};

/// Writes each structure that can be read and checks that it is read as the same value.
macro_rules! structs {
    ($bytes:expr, $($item:ty),*) => {$(
        if let Ok(item) = list::decode::<$item>($bytes) {
            let mut again = vec![0; $bytes.len()];
            assert_eq!(list::encode(item, &mut again), Ok($bytes.len()));
            assert_eq!(list::decode::<$item>(&again), Ok(item));
        }
    )*};
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((&choice, bytes)) = data.split_first() else { return };
    message(bytes, &sizes(choice));
    pqc2021(bytes, &sizes(choice));
    lists(bytes);
    structs!(bytes, BankDetails<'_>, BankInfo<'_>, Document<'_>, GetCsr<'_>, ManageBank<'_>);
    structs!(bytes, SetCertificate<'_>, SupportedSubCodes, DeviceClass<'_>, VendorError<'_>, Mel<'_>);
});

/// Returns lengths of fields. A bit of `choice` decides for each field whether its length is that of SHA-256 or 256-bit
/// curves, or zero. Another bit decides `multi_key`.
fn sizes(choice: u8) -> Sizes {
    let bit = |bit: u8, len: usize| if choice >> bit & 1 == 1 { len } else { 0 };
    Sizes {
        hash: bit(0, 32),
        signature: bit(1, 64),
        exchange_data: bit(2, 64),
        summary_hash: bit(3, 32),
        verify_data: bit(4, 32),
        multi_key: bit(5, 1) == 1,
    }
}

fn message(bytes: &[u8], sizes: &Sizes) {
    let (mut first, mut second) = (vec![0; bytes.len()], vec![0; bytes.len()]);
    let Ok((read, len)) = messages::transcode(bytes, sizes, &mut first) else { return };
    assert!(read <= bytes.len(), "read past the end");
    let again =
        messages::transcode(&first[..len], sizes, &mut second).expect("a written message can be read");
    assert_eq!((again, &first[..len]), ((len, len), &second[..len]));
}

/// Writes each message of the dialect of openspdm-pqc (2021) that can be read and checks that it is read as the same
/// value.
macro_rules! messages {
    ($bytes:expr, $sizes:expr, $($message:ty),*) => {$(
        if let Ok((message, len)) = <$message>::decode_prefix($bytes, $sizes) {
            let mut again = vec![0; len];
            assert_eq!(message.encode(Version::V1_1, $sizes, &mut again), Ok(len));
            assert_eq!(<$message>::decode(&again, $sizes), Ok(message));
        }
    )*};
}

fn pqc2021(bytes: &[u8], sizes: &Sizes) {
    messages!(bytes, sizes, Challenge<'_>, GetCertificate, Certificate<'_>, FragmentRequest<'_>);
    messages!(bytes, sizes, FragmentResponse<'_>, FragmentRequestAck, FragmentRspRequest);
    let mut again = vec![0; bytes.len()];
    let lens = SignatureLens {
        classical: sizes.signature,
        post_quantum: sizes.exchange_data,
        mac: sizes.verify_data,
    };
    if let Ok(field) = SignatureField::decode(bytes, lens) {
        assert_eq!((field.encode(lens, &mut again), &again[..]), (Ok(bytes.len()), bytes));
    }
    let lens = ExchangeLens { dhe: sizes.exchange_data, kem: sizes.signature, kem_auth: sizes.summary_hash };
    if let Ok(data) = ExchangeData::decode(bytes, lens) {
        assert_eq!((data.encode(lens, &mut again), &again[..]), (Ok(bytes.len()), bytes));
    }
    let tables = [
        NegotiateAlgorithms::decode_prefix(bytes, sizes).map(|(message, _)| message.tables),
        Algorithms::decode_prefix(bytes, sizes).map(|(message, _)| message.tables),
    ];
    for structs in tables.into_iter().flatten() {
        let Ok(tables) = Tables::read(&structs) else { continue };
        let written = tables.write(&mut again).expect("tables that were read can be written");
        assert_eq!(Tables::read(&written), Ok(tables));
    }
}

fn lists(bytes: &[u8]) {
    let _ = (Blocks::new(bytes).count(), Events::new(bytes).count(), EventGroups::new(bytes).count());
    let _ =
        (MelEntries::new(bytes).count(), BankElements::new(bytes).count(), SlotElements::new(bytes).count());
    let _ = (Identifiers::new(bytes).count(), SubordinateIds::new(bytes).count(), NotReady::decode(bytes));
    for version in Version::ALL {
        let opaque = OpaqueData::decode(bytes, version);
        let _ = opaque.and_then(|opaque| opaque.secured());
        let Ok(chain) = CertificateChain::decode(bytes, version, 32) else { continue };
        let mut again = vec![0; bytes.len()];
        assert_eq!(chain.encode(version, 32, &mut again), Ok(bytes.len()));
        assert_eq!(CertificateChain::decode(&again, version, 32), Ok(chain));
    }
}
