//! Writes the seeds of the targets into `corpus/`, such as a valid input of every row of the registry.

use etherparse::PacketBuilder;
use grille_core::SystemRng;
use grille_fuzz::spdm::OPERATIONS;
use grille_fuzz::spdm::kind::Kind;
use grille_fuzz::spdm::recorded::recorded;
use grille_fuzz::spdm::records::MESSAGE;
use grille_fuzz::{ChosenSignature, SIGNATURES};
use grille_pki::issue::{self, Template, self_signed};
use grille_pki::{Crl, CrlValidity, KemPrivateKey, PrivateKey, PrivateKeyForm, Request};
use grille_proxy::proxy_protocol::{self, Endpoints};
use grille_registry::{KEMS, Numbers, Profile, Row, signature_by_name};
use grille_spdm_codec::algorithms::{BaseHash, MeasurementSpecification, PqcAsym};
use grille_spdm_codec::capabilities::{CapabilityFlags, GetCapabilities, Limits};
use grille_spdm_codec::certificate::GetCertificate;
use grille_spdm_codec::challenge::Challenge;
use grille_spdm_codec::chunk::ChunkGet;
use grille_spdm_codec::digests::GetDigests;
use grille_spdm_codec::measurements::GetMeasurements;
use grille_spdm_codec::negotiate::NegotiateAlgorithms;
use grille_spdm_codec::{Code, Message, Sizes, Version};
use grille_spdm_transport::frame::Frame;
use grille_spdm_transport::pcap::{Header, LinkType, Record};
use grille_tls::tickets::rotate;
use grille_tls::{Check, ClientOptions};
use rustls::ClientConnection;
use sha2::{Digest, Sha256};
use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::Duration;

type Outcome = Result<(), Box<dyn Error>>;

fn main() -> Outcome {
    spdm()?;
    network()?;
    revocation()?;
    for (number, row) in (0_u8..).zip(KEMS.iter()) {
        let key = row.kem.generate(&mut SystemRng);
        let public = key.encaps_key_bytes();
        let ciphertext = row.kem.encaps_key(&public)?.encapsulate(&mut SystemRng).ciphertext;
        write("kem_private_key", row.name(), &prefix_row(number, key.to_bytes().as_ref()))?;
        write("kem_public_key", row.name(), &prefix_row(number, &public))?;
        write("kem_ciphertext", row.name(), &prefix_row(number, &ciphertext))?;
    }
    for (number, ChosenSignature { signature, .. }) in (0_u8..).zip(SIGNATURES.iter()) {
        let (name, key) = (signature.info().name, signature.generate(&mut SystemRng));
        write("signature_private_key", name, &prefix_row(number, key.to_bytes().as_ref()))?;
        write("signature_public_key", name, &prefix_row(number, &key.verifying_key_bytes()))?;
        write("signature", name, &prefix_row(number, &key.sign(b"other", b"", &mut SystemRng)?))?;
    }
    for (number, profile) in (0_u8..).zip(Profile::ALL) {
        files(number, Numbers::for_profile(profile))?;
    }
    Ok(())
}

/// Writes keys, certificates and requests with the numbers of an era. `number`: the index of the era.
fn files(number: u8, numbers: Numbers) -> Outcome {
    let write = |target: &str, row: &str, der: &[u8]| {
        write(target, &format!("{number}-{row}"), &prefix_row(number, der))?;
        write("document", &format!("{target}-{number}-{row}"), der)
    };
    for row in numbers.kems().into_iter().filter(|row| numbers.kem_oid(row).is_some()) {
        let key = KemPrivateKey::generate(row, &mut SystemRng)?.in_era(numbers);
        write("private_key_file", row.name(), key.to_pkcs8_der(PrivateKeyForm::DEFAULT_FOR_KEM)?.as_ref())?;
        write("public_key_file", row.name(), &key.public_key().to_spki_der()?)?;
    }
    let template = Template::new("CN=seed", issue::Profile::end_entity(&["localhost", "192.0.2.1"])?)?;
    for row in numbers.signatures().into_iter().filter(|row| numbers.signature_oid(row).is_some()) {
        let key = PrivateKey::generate(row, &mut SystemRng)?.in_era(numbers);
        let form = PrivateKeyForm::default_for(row);
        write("private_key_file", row.name(), key.to_pkcs8_der(form)?.as_ref())?;
        write("public_key_file", row.name(), &key.public_key().to_spki_der()?)?;
        write("certificate", row.name(), &self_signed(&template, &key, &mut SystemRng)?.to_der())?;
        let request = Request::new("CN=seed", &["localhost"], &key, &mut SystemRng)?;
        write("request", row.name(), &request.to_der())?;
    }
    Ok(())
}

/// Writes a revocation list with one certificate.
fn revocation() -> Outcome {
    let key = PrivateKey::generate(signature_by_name("ECDSA-P256-SHA256")?, &mut SystemRng)?;
    let root = self_signed(&Template::new("CN=root", issue::Profile::Root)?, &key, &mut SystemRng)?;
    let template = Template::new("CN=revoked", issue::Profile::end_entity(&["localhost"])?)?;
    let revoked = issue::issue(&template, key.public_key(), &root, &key, &mut SystemRng)?;
    let day = Duration::from_hours(24);
    let validity = CrlValidity { this_update: day, next_update: 2 * day, number: 1 };
    write("crl", "one", Crl::issue(&[&revoked], &validity, &root, &key, &mut SystemRng)?.as_der())
}

/// Writes the first message of grille's client, alone and captured, a header of the PROXY protocol, and a file of
/// ticket keys.
fn network() -> Outcome {
    let options = ClientOptions { check: Check::DangerousAcceptAny, ..ClientOptions::default() };
    let mut client = ClientConnection::new(options.into_config()?, "localhost".try_into()?)?;
    let mut record = Vec::new();
    client.write_tls(&mut record)?;
    write("tls_hello", "client", &record[5..])?;
    write("tls_hello", "encrypted_extensions", &[8, 0, 0, 6, 0, 4, 0, 42, 0, 0])?;
    write("tls_hello", "compressed_certificate", &[25, 0, 0, 6, 0, 1, 0, 1, 0, 9])?;
    write("tls_answer", "retry", &retry())?;
    write("tls_answer", "alert", &[21, 3, 3, 0, 2, 2, 40])?;
    write("ticket_keys", "one", rotate("", 1)?.as_bytes())?;
    let ends = Endpoints { source: "192.0.2.1:50000".parse()?, destination: "192.0.2.2:443".parse()? };
    write("proxy_header", "ipv4", &proxy_protocol::write(ends, None))?;
    let client = packet([([192, 0, 2, 1], 50_000), ([192, 0, 2, 2], 443)], &record)?;
    let server = packet([([192, 0, 2, 2], 443), ([192, 0, 2, 1], 50_000)], &retry())?;
    let mut capture = vec![0; client.len() + server.len() + 100];
    let mut len = Header { snapshot: 1 << 18, link: LinkType(101) }.encode(&mut capture)?;
    let mut pcapng = [
        block(0x0A0D_0D0A, &[&0x1A2B_3C4D_u32.to_le_bytes()[..], &[1, 0, 0, 0], &[0xFF; 8]].concat()),
        block(1, &[101, 0, 0, 0, 0, 0, 4, 0]),
    ]
    .concat();
    for bytes in [&client, &server] {
        let sent = u32::try_from(bytes.len())?;
        len += Record { sent, bytes, ..Record::default() }.encode(&mut capture[len..])?;
        pcapng.extend(block(6, &[&[0; 12][..], &[sent.to_le_bytes(); 2].concat(), bytes].concat()));
        pcapng.extend(block(3, &[&sent.to_le_bytes()[..], bytes].concat()));
    }
    write("network_capture", "pcapng", &pcapng)?;
    write("network_capture", "raw", &capture[..len])
}

/// Makes a packet from one end to the other.
fn packet([from, to]: [([u8; 4], u16); 2], payload: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut packet = Vec::new();
    PacketBuilder::ipv4(from.0, to.0, 64).tcp(from.1, to.1, 0, 1024).write(&mut packet, payload)?;
    Ok(packet)
}

/// Makes a block of pcapng.
fn block(kind: u32, body: &[u8]) -> Vec<u8> {
    let padding = body.len().next_multiple_of(4) - body.len();
    let len = (12 + body.len() + padding) as u32;
    [&kind.to_le_bytes()[..], &len.to_le_bytes(), body, &[0; 3][..padding], &len.to_le_bytes()].concat()
}

/// Makes a record with a HelloRetryRequest for TLS 1.3 and X25519MLKEM768.
fn retry() -> Vec<u8> {
    let random = Sha256::digest(b"HelloRetryRequest");
    let extensions = [0, 43, 0, 2, 3, 4, 0, 51, 0, 2, 0x11, 0xEC];
    [&[22, 3, 3, 0, 56, 2, 0, 0, 52, 3, 3][..], &random, &[0, 0x13, 1, 0, 0, 12], &extensions].concat()
}

/// Writes seeds of the SPDM targets: messages that DMTF's emulators sent in sessions, the captures of these sessions,
/// and conversations between grille's requester and responder.
fn spdm() -> Outcome {
    for (kind, choice) in KINDS.iter().flat_map(|kind| (0..OPERATIONS).map(|choice| (*kind, choice))) {
        let (requests, answers) = recorded(Kind(kind), choice);
        let name = format!("{kind}-{choice}");
        let kind = kind.to_le_bytes();
        write("spdm_requester", &name, &[&kind[..], &[choice], &answers].concat())?;
        write("spdm_responder", &name, &[&kind[..], &requests].concat())?;
    }
    // This input has more records than one key may protect.
    let (requests, _) = recorded(Kind(0x8000), 7);
    write("spdm_responder", "tired", &[&[0, 0x80], &requests.repeat(70)[..]].concat())?;
    write("spdm_device", "attestation", &prefix_row(120, &attestation()))?;
    for name in ["1.1-mutual-psk", "1.2-classical", "1.4-post-quantum"] {
        let vectors = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors/spdm");
        let plain = fs::read_to_string(vectors.join(name).with_added_extension("plain"))?;
        for (number, line) in plain.lines().enumerate() {
            let bytes: Result<Vec<u8>, _> = (0..line.len() / 2)
                .map(|index| u8::from_str_radix(&line[2 * index..2 * index + 2], 16))
                .collect();
            let message = bytes?;
            write("spdm_message", &format!("{name}-{number}"), &prefix_row(0xff, &message))?;
            // The message is preceded by MCTP's message type, and the target encrypts both.
            let len = u16::try_from(message.len() + 1)?.to_le_bytes();
            let sealed = [&[0, 0, MESSAGE, len[0], len[1], 5], &message[..]].concat();
            write("spdm_responder", &format!("{name}-{number}"), &sealed)?;
        }
        let capture = fs::read(vectors.join(name).with_added_extension("pcap"))?;
        let secrets = fs::read(vectors.join(name).with_added_extension("secrets"))?;
        write("spdm_frame", name, &capture)?;
        write("spdm_dump", name, &[&capture, &b"\nkeys\n"[..], &secrets].concat())?;
    }
    Ok(())
}

/// Each bit of [`Kind`] alone, and combinations: a handshake in the clear with KEY_EXCHANGE, with or without mutual
/// authentication, finished or not, and with or without certificates; and chunks and delayed signatures together with
/// operations whose messages are long or signed. The last seven are the dialect of openspdm-pqc: with certificates or
/// without, and with KEM authentication.
const KINDS: [u16; 38] = [
    0,
    1,
    2,
    3,
    0b1000,
    0b1_0000,
    0b10_0000,
    0b10_0100,
    0b11_0000,
    0b110_0001,
    0b111_0010,
    0b1000_0000,
    0b1010_0100,
    0b1110_0100,
    0b1110_0011,
    0b1111_1110,
    0x100,
    0x200,
    0x400,
    0x800,
    0x1000,
    0x1800,
    0x2000,
    0x4000,
    0x8000,
    0x3E0,
    0x3E4,
    0x7E1,
    0x161,
    0x3FA,
    0x4368,
    0x6000,
    0x6020,
    0x6030,
    0x6031,
    0x6074,
    0x60F1,
    0x60E4,
];

/// Makes the requests of an attestation with SPDM 1.4 and ML-DSA-87. CHUNK_GET requests the first chunk of each long
/// response.
fn attestation() -> Vec<u8> {
    let limits = Limits {
        flags: CapabilityFlags::CERT | CapabilityFlags::CHAL | CapabilityFlags::CHUNK,
        data_transfer_size: 1024,
        max_message_size: 9000,
        ..Limits::default()
    };
    let algorithms = NegotiateAlgorithms {
        measurement_specification: MeasurementSpecification::DMTF,
        base_hash: BaseHash::SHA_384,
        pqc_asym: PqcAsym::ML_DSA_87,
        ..NegotiateAlgorithms::default()
    };
    let certificate = GetCertificate { length: 2000, ..GetCertificate::default() };
    let measurements = GetMeasurements { attributes: 1, operation: 0xFF, ..GetMeasurements::default() };
    [
        vec![0x10, Code::GET_VERSION.0, 0, 0],
        encode(&GetCapabilities { wants_algorithms: true, limits }),
        encode(&algorithms),
        encode(&GetDigests),
        encode(&certificate),
        encode(&ChunkGet { handle: 1, sequence: 0 }),
        encode(&Challenge { summary_type: 0xFF, ..Challenge::default() }),
        encode(&ChunkGet { handle: 2, sequence: 0 }),
        encode(&measurements),
        encode(&ChunkGet { handle: 3, sequence: 0 }),
    ]
    .iter()
    .flat_map(|request| [&[0, request.len() as u8, 0], &request[..]].concat())
    .collect()
}

fn encode<'a>(message: &impl Message<'a>) -> Vec<u8> {
    let mut bytes = vec![0; 0xFF];
    let len = message.encode(Version::V1_4, &Sizes::default(), &mut bytes).expect("a short request");
    bytes.truncate(len);
    bytes
}

/// Makes an input for a target whose first byte chooses the row.
fn prefix_row(row: u8, bytes: &[u8]) -> Vec<u8> {
    [&[row], bytes].concat()
}

fn write(target: &str, name: &str, bytes: &[u8]) -> Outcome {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
    fs::create_dir_all(&folder)?;
    fs::write(folder.join(name), bytes)?;
    Ok(())
}
