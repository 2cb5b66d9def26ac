//! An SPDM message, and the lists within some: what is read is written and read again. The first byte chooses what the
//! negotiation has decided.
#![no_main]

use grille_spdm_codec::certificate::CertificateChain;
use grille_spdm_codec::error::NotReady;
use grille_spdm_codec::events::{EventGroups, Events};
use grille_spdm_codec::measurements::Blocks;
use grille_spdm_codec::mel::{Mel, MelEntries};
use grille_spdm_codec::opaque::OpaqueData;
use grille_spdm_codec::{Sizes, Version, messages};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((&choice, bytes)) = data.split_first() else { return };
    message(bytes, &sizes(choice));
    lists(bytes);
});

/// Nothing, or lengths as of SHA-256 and curves of 256 bits, with and without what may be absent.
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
    // CAPABILITIES and MEASUREMENTS have at most 2 and 3 bytes of length, others what is left of the bytes
    let (mut first, mut second) = (vec![0; bytes.len() + 16], vec![0; bytes.len() + 16]);
    let Ok((read, len)) = messages::transcode(bytes, sizes, &mut first) else { return };
    assert!(read <= bytes.len(), "read further than the end");
    let again = messages::transcode(&first[..len], sizes, &mut second).expect("what was written is read");
    assert_eq!((again, &first[..len]), ((len, len), &second[..len]));
}

fn lists(bytes: &[u8]) {
    let _ = (Blocks::new(bytes).count(), Events::new(bytes).count(), EventGroups::new(bytes).count());
    let _ = (MelEntries::new(bytes).count(), Mel::decode(bytes), NotReady::decode(bytes));
    for version in Version::ALL {
        let opaque = OpaqueData::decode(bytes, version);
        let _ = opaque.and_then(|opaque| opaque.secured());
        let Ok(chain) = CertificateChain::decode(bytes, version, 32) else { continue };
        let mut again = vec![0; bytes.len()];
        assert_eq!(chain.encode(version, 32, &mut again), Ok(bytes.len()));
        assert_eq!(CertificateChain::decode(&again, version, 32), Ok(chain));
    }
}
