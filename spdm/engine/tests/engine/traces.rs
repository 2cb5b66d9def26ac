//! Captures of DMTF's emulators with all secrets, to check transcripts, signatures, keys, MACs and records.
use grille_spdm_codec::Version;
use grille_spdm_engine::algorithms::{Bits, NegotiatedAlgorithms};
use grille_spdm_engine::chain::{self, Chain};
use grille_spdm_engine::hash::Digest;
use grille_spdm_engine::key_schedule::{Application, KeySchedule, Origin, Traffic};
use grille_spdm_engine::records::{Layout, RecordKey};
use grille_spdm_engine::signatures::{self, ToBeSigned};
use grille_spdm_engine::transcript::{MeasurementTranscript, Prover, Th, Transcript};
use std::collections::HashMap;

/// Returns the messages of a capture in order, with chunked ones reassembled and without transport headers; `true` for records.
fn messages(pcap: &[u8]) -> Vec<(bool, Vec<u8>)> {
    let (mut at, mut messages, mut large) = (24, Vec::new(), Vec::new());
    while at < pcap.len() {
        let len = u32::from_le_bytes(pcap[at + 8..at + 12].try_into().unwrap()) as usize;
        // the MCTP header and the message type
        let packet = &pcap[at + 16..at + 16 + len];
        let (kind, message) = (packet[4], &packet[5..]);
        at += 16 + len;
        match (kind, message[1]) {
            (6, _) => messages.push((true, message.to_vec())),
            // ERROR LargeResponse, CHUNK_GET
            (_, 0x7F | 0x86) => {}
            (_, 0x06) => {
                let first = u32::from_le_bytes(message[4..8].try_into().unwrap()) == 0;
                large.extend_from_slice(&message[if first { 16 } else { 12 }..]);
                if message[2] & 1 == 1 {
                    messages.push((false, std::mem::take(&mut large)));
                }
            }
            _ => messages.push((false, message.to_vec())),
        }
    }
    messages
}

/// Returns all values of each name, in order.
fn secrets(text: &str) -> HashMap<&str, Vec<Vec<u8>>> {
    let mut secrets: HashMap<_, Vec<_>> = HashMap::new();
    for line in text.lines() {
        let (name, hex) = line.split_once(' ').unwrap();
        let bytes = (0..hex.len()).step_by(2).map(|i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap());
        secrets.entry(name).or_default().push(bytes.collect());
    }
    secrets
}

struct Replay {
    messages: std::vec::IntoIter<(bool, Vec<u8>)>,
    secrets: HashMap<&'static str, Vec<Vec<u8>>>,
    version: u8,
    bits: Bits,
    transcript: Transcript,
    digests: Vec<u8>,
    chains: HashMap<u8, Chain>,
    sessions: usize,
    checked: Vec<&'static str>,
}

impl Replay {
    fn new(pcap: &[u8], text: &'static str, version: u8, bits: Bits) -> Self {
        Self {
            messages: messages(pcap).into_iter(),
            secrets: secrets(text),
            version,
            bits,
            transcript: Transcript::default(),
            digests: Vec::new(),
            chains: HashMap::new(),
            sessions: 0,
            checked: Vec::new(),
        }
    }

    fn algorithms(&self) -> NegotiatedAlgorithms {
        self.bits.algorithms(&self.bits).unwrap()
    }

    fn verify(&mut self, slot: u8, context: &'static str, digest: &Digest, signature: &[u8]) {
        let algorithms = self.algorithms();
        let key = self.chains[&slot].leaf.public_key().unwrap();
        let version = Version::from_byte(self.version).unwrap();
        let message = ToBeSigned::new(version, context, algorithms.hash, digest);
        let asym = algorithms.asym.unwrap();
        signatures::verify(asym, &key, &message, signature).unwrap();
        let mut other = signature.to_vec();
        other[0] ^= 1;
        assert!(signatures::verify(asym, &key, &message, &other).is_err());
        self.checked.push(context);
    }

    fn expect(&mut self, name: &str, actual: &[u8]) {
        assert_eq!(actual, self.secrets.get_mut(name).unwrap().remove(0), "{name}");
    }

    fn run(mut self) -> Vec<&'static str> {
        while let Some((_, request)) = self.messages.next() {
            let (_, response) = self.messages.next().unwrap();
            self.pair(&request, &response);
        }
        self.checked
    }

    fn pair(&mut self, request: &[u8], response: &[u8]) {
        let algorithms = self.algorithms();
        let signature_len = algorithms.asym.unwrap().signature_len();
        match request[1] {
            0x84 | 0xE1 | 0xE3 => {
                self.transcript.push_vca(request);
                self.transcript.push_vca(response);
                if request[1] == 0xE3 {
                    self.transcript.begin(algorithms.hash, Version::from_byte(self.version).unwrap());
                }
            }
            0x81 | 0x82 => {
                if request[1] == 0x81 {
                    self.transcript.reset_b(Prover::Responder);
                    self.digests = response.to_vec();
                } else {
                    let header = if request[2] & 0x80 == 0 { 8 } else { 16 };
                    let chain = chain::parse(algorithms.hash, &response[header..]).unwrap();
                    self.chains.insert(request[2] & 0xF, chain);
                }
                self.transcript.push_b(Prover::Responder, &[request, response]);
            }
            0x83 => {
                let (signed, signature) = response.split_at(response.len() - signature_len);
                let m = self.transcript.m1_m2(Prover::Responder, &[request, signed]).unwrap().digest();
                self.transcript.reset_b(Prover::Responder);
                self.verify(request[2], signatures::CHALLENGE_AUTH, &m, signature);
            }
            0xE0 => self.measurements(None, request, response),
            0xE4 => self.session(request, response),
            code => panic!("{code:02X}"),
        }
    }

    fn measurements(&mut self, measured: Option<&MeasurementTranscript>, request: &[u8], response: &[u8]) {
        let signature_len = self.algorithms().asym.unwrap().signature_len();
        let (signed, signature) = response.split_at(response.len() - signature_len);
        let l = self.transcript.l1_l2(measured, &[request, signed]).unwrap().digest();
        self.verify(response[3] & 0xF, signatures::MEASUREMENTS, &l, signature);
    }

    fn session(&mut self, request: &[u8], response: &[u8]) {
        let algorithms = self.algorithms();
        let (hash, version) = (algorithms.hash, self.version);
        self.sessions += 1;
        let slot = request[3];
        let multi_key = (version >= 0x13).then_some(&self.digests[..]);
        let mut th =
            Th::new(self.transcript.vca().unwrap(), multi_key, Some(&self.chains[&slot].digest.clone()));
        let (signed, signature) =
            response.split_at(response.len() - algorithms.asym.unwrap().signature_len());
        th.push(request);
        th.push(signed);
        self.verify(slot, signatures::KEY_EXCHANGE_RSP, &th.digest(), signature);
        th.push(signature);
        let th1 = th.digest();
        self.expect("TH1", th1.as_ref());
        let shared = self.secrets.get_mut("shared_secret").unwrap().remove(0);
        let schedule =
            KeySchedule::new(hash, Version::from_byte(version).unwrap(), Origin::KeyExchange, &shared);
        let handshake = schedule.traffic(&th1);
        let (finish, finish_rsp) = (self.messages.next().unwrap().1, self.messages.next().unwrap().1);
        let (request, mac) = finish.split_at(finish.len() - hash.output_len());
        th.push(request);
        assert_eq!(handshake.request.verify_data(&th.digest()).as_ref(), mac);
        self.expect("verify_data", mac);
        th.push(mac);
        let (response, mac) = finish_rsp.split_at(finish_rsp.len() - hash.output_len());
        th.push(response);
        assert_eq!(handshake.response.verify_data(&th.digest()).as_ref(), mac);
        self.expect("verify_data", mac);
        th.push(mac);
        let th2 = th.digest();
        self.expect("TH2", th2.as_ref());
        let application = schedule.finish();
        self.expect("export_master_secret", application.export(&th2).as_ref());
        self.records(application.traffic(&th2));
    }

    /// Checks the records until END_SESSION_ACK. In the fourth pair the emulator updates the keys.
    fn records(&mut self, mut traffic: Traffic<Application>) {
        let aead = self.algorithms().aead.unwrap();
        let layout = Layout { sequence_len: 2, padding: 32, encrypted: true };
        let mut keys = [traffic.request.record_key(aead), traffic.response.record_key(aead)];
        let measured = MeasurementTranscript::default();
        let mut large: Option<(Vec<u8>, Vec<u8>)> = None;
        loop {
            let request = self.open(&mut keys[0], layout);
            // UpdateAllKeys is answered under the new key
            if request[..2] == [5, self.version] && request[2..4] == [0xE9, 2] {
                traffic.response = traffic.response.update();
                keys[1] = traffic.response.record_key(aead);
            }
            let response = self.open(&mut keys[1], layout);
            if request[0] != 5 {
                continue;
            }
            let (request, response) = (&request[1..], &response[1..]);
            match (request[1], response[1]) {
                (0xE9, 0x69) if request[2] == 2 => {
                    traffic.request = traffic.request.update();
                    keys[0] = traffic.request.record_key(aead);
                    self.checked.push("KEY_UPDATE");
                }
                (0xE0, 0x60) => self.measurements(Some(&measured), request, response),
                (0xE0, 0x7F) => large = Some((request.to_vec(), Vec::new())),
                (0x86, 0x06) => {
                    let (measure, whole) = large.as_mut().unwrap();
                    whole.extend_from_slice(&response[if whole.is_empty() { 16 } else { 12 }..]);
                    if response[2] & 1 == 1 {
                        let (request, response) = (measure.clone(), whole.clone());
                        self.measurements(Some(&measured), &request, &response);
                    }
                }
                (0xEC, 0x6C) => break,
                _ => {}
            }
        }
        self.checked.push("END_SESSION");
    }

    fn open(&mut self, key: &mut RecordKey, layout: Layout) -> Vec<u8> {
        let (secured, record) = self.messages.next().unwrap();
        assert!(secured);
        let mut altered = record.clone();
        *altered.last_mut().unwrap() ^= 1;
        assert!(key.open(layout, &altered).is_err());
        let message = key.open(layout, &record).unwrap();
        assert!(key.open(layout, &record).is_err(), "a replay was opened");
        message.to_vec()
    }
}

const SESSION: [&str; 4] =
    [signatures::KEY_EXCHANGE_RSP, "KEY_UPDATE", signatures::MEASUREMENTS, "END_SESSION"];

fn every_trace() -> Vec<&'static str> {
    [&[signatures::CHALLENGE_AUTH, signatures::MEASUREMENTS][..], &SESSION, &SESSION].concat()
}

#[test]
fn replays_spdm_1_2_with_p384() {
    let bits = Bits { hash: 2, asym: 1 << 7, dhe: 1 << 4, aead: 2, key_schedule: 1, ..Bits::default() };
    let replay = Replay::new(
        include_bytes!("../../../../vectors/spdm/1.2-classical.pcap"),
        include_str!("../../../../vectors/spdm/1.2-classical.secrets"),
        0x12,
        bits,
    );
    assert_eq!(replay.run(), every_trace());
}

#[test]
fn replays_spdm_1_4_with_ml_dsa_87_and_ml_kem_1024() {
    let bits = Bits { hash: 2, pqc_asym: 4, kem: 4, aead: 2, key_schedule: 1, ..Bits::default() };
    let replay = Replay::new(
        include_bytes!("../../../../vectors/spdm/1.4-post-quantum.pcap"),
        include_str!("../../../../vectors/spdm/1.4-post-quantum.secrets"),
        0x14,
        bits,
    );
    assert_eq!(replay.run(), every_trace());
}
