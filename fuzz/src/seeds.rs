//! Writes what the targets start from into `corpus/`: a valid input of every row of the registry for each.

use grille_core::SystemRng;
use grille_pki::issue::{Profile, Template, self_signed};
use grille_pki::{KemPrivateKey, PrivateKey, PrivateKeyForm, Request};
use grille_registry::{KEMS, Row, distinct_signatures};
use std::error::Error;
use std::fs;
use std::path::Path;

type Outcome = Result<(), Box<dyn Error>>;

fn main() -> Outcome {
    for (number, row) in (0_u8..).zip(KEMS.iter()) {
        let key = row.kem.generate(&mut SystemRng);
        let public = key.encaps_key_bytes();
        let ciphertext = row.kem.encaps_key(&public)?.encapsulate(&mut SystemRng).ciphertext;
        write("kem_private_key", row.name(), &numbered(number, key.to_bytes().as_ref()))?;
        write("kem_public_key", row.name(), &numbered(number, &public))?;
        write("kem_ciphertext", row.name(), &numbered(number, &ciphertext))?;
        if row.oid().is_some() {
            let key = KemPrivateKey::generate(row, &mut SystemRng)?;
            let der = key.to_pkcs8_der(PrivateKeyForm::default_for_kem(row))?;
            write("private_key_file", row.name(), der.as_ref())?;
            write("public_key_file", row.name(), &key.public_key().to_spki_der()?)?;
        }
    }
    for (number, row) in (0_u8..).zip(distinct_signatures()) {
        let key = row.signature.generate(&mut SystemRng);
        write("signature_private_key", row.name(), &numbered(number, key.to_bytes().as_ref()))?;
        write("signature_public_key", row.name(), &numbered(number, &key.verifying_key_bytes()))?;
        write("signature", row.name(), &numbered(number, &key.sign(b"other", b"", &mut SystemRng)?))?;
        if row.oid.is_none() {
            continue;
        }
        let key = PrivateKey::generate(row, &mut SystemRng)?;
        write("private_key_file", row.name(), key.to_pkcs8_der(PrivateKeyForm::default_for(row))?.as_ref())?;
        write("public_key_file", row.name(), &key.public_key().to_spki_der()?)?;
        let template = Template::new("CN=seed", Profile::end_entity(&["localhost", "192.0.2.1"])?)?;
        write("certificate", row.name(), &self_signed(&template, &key, &mut SystemRng)?.to_der())?;
        write(
            "request",
            row.name(),
            &Request::new("CN=seed", &["localhost"], &key, &mut SystemRng)?.to_der(),
        )?;
    }
    spdm()
}

/// The messages that DMTF's emulators sent in sessions, and their captures.
fn spdm() -> Outcome {
    for name in ["1.1-mutual-psk", "1.2-classical", "1.4-post-quantum"] {
        let vectors = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors/spdm");
        let plain = fs::read_to_string(vectors.join(name).with_added_extension("plain"))?;
        for (number, line) in plain.lines().enumerate() {
            let bytes: Result<Vec<u8>, _> = (0..line.len() / 2)
                .map(|index| u8::from_str_radix(&line[2 * index..2 * index + 2], 16))
                .collect();
            write("spdm_message", &format!("{name}-{number}"), &numbered(0xff, &bytes?))?;
        }
        let capture = fs::read(vectors.join(name).with_added_extension("pcap"))?;
        let secrets = fs::read(vectors.join(name).with_added_extension("secrets"))?;
        write("spdm_frame", name, &capture)?;
        write("spdm_dump", name, &[&capture, &b"\nkeys\n"[..], &secrets].concat())?;
    }
    Ok(())
}

/// An input of a target whose first byte chooses the row.
fn numbered(row: u8, bytes: &[u8]) -> Vec<u8> {
    [&[row], bytes].concat()
}

fn write(target: &str, name: &str, bytes: &[u8]) -> Outcome {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
    fs::create_dir_all(&folder)?;
    fs::write(folder.join(name), bytes)?;
    Ok(())
}
