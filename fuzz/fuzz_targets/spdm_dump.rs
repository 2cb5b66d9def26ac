//! Captures and key logs: all messages of any input are displayed field by field. A key log may follow the capture
//! after a separator line.
#![no_main]

use grille_spdm_codec::messages;
use grille_spdm_dump::secrets::Secrets;
use grille_spdm_dump::{Content, Dump};

/// Separator between the capture and the key log.
const SEPARATOR: &[u8] = b"\nkeys\n";

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let at = data.windows(SEPARATOR.len()).rposition(|window| window == SEPARATOR);
    let (capture, log) = at.map_or((data, &[][..]), |at| (&data[..at], &data[at + SEPARATOR.len()..]));
    let secrets = Secrets::parse(&String::from_utf8_lossy(log));
    let Ok(dump) = Dump::new(capture, secrets) else { return };
    for record in dump {
        if let Content::Message { bytes, sizes, .. } = record.content {
            let _ = messages::observe(&bytes, &sizes, &mut ());
        }
    }
});
