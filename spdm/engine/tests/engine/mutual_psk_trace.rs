//! Replays a capture of DMTF's emulators over PCI DOE in 1.1, with the secrets of its sessions: two sessions with
//! mutual authentication by encapsulated requests, and two with pre-shared keys. The test opens every record, and
//! checks signatures, MACs and derived secrets.
use grille_spdm_codec::{Sizes, Version, messages};
use grille_spdm_engine::algorithms::{Bits, NegotiatedAlgorithms};
use grille_spdm_engine::chain::{self, Chain};
use grille_spdm_engine::hash::Digest;
use grille_spdm_engine::key_schedule::{Application, Handshake, KeySchedule, Origin, Traffic};
use grille_spdm_engine::records::{Layout, RecordKey};
use grille_spdm_engine::signatures::{self, ToBeSigned};
use grille_spdm_engine::transcript::{MeasurementTranscript, Prover, Th, Transcript};
use std::collections::{HashMap, VecDeque};

/// The lengths in bytes of hashes, signatures, exchange data and VerifyData.
const SIZES: Sizes =
    Sizes { hash: 32, signature: 64, exchange_data: 64, summary_hash: 32, verify_data: 32, multi_key: false };
const LAYOUT: Layout = Layout { sequence_len: 0, padding: 0, encrypted: true };

/// Returns the messages and records in order, without DOE's header and padding; `true` for records.
fn captured() -> VecDeque<(bool, Vec<u8>)> {
    let pcap = include_bytes!("../../../../vectors/spdm/1.1-mutual-psk.pcap");
    let (mut at, mut messages) = (24, VecDeque::new());
    while at < pcap.len() {
        let len = u32::from_le_bytes(pcap[at + 8..at + 12].try_into().unwrap()) as usize;
        let packet = &pcap[at + 16..at + 16 + len];
        at += 16 + len;
        match packet {
            [1, 0, 1, _, _, _, _, _, message @ ..] => {
                // without a signature, a message has the same layout for all algorithms
                let len = messages::observe(message, &SIZES, &mut ()).unwrap();
                messages.push_back((false, message[..len].to_vec()));
            }
            [1, 0, 2, _, _, _, _, _, record @ ..] => {
                let len = 6 + usize::from(u16::from_le_bytes([record[4], record[5]]));
                messages.push_back((true, record[..len].to_vec()));
            }
            _ => {}
        }
    }
    messages
}

fn secrets() -> HashMap<&'static str, VecDeque<Vec<u8>>> {
    let mut secrets: HashMap<_, VecDeque<_>> = HashMap::new();
    for line in include_str!("../../../../vectors/spdm/1.1-mutual-psk.secrets").lines() {
        let (name, hex) = line.split_once(' ').unwrap();
        let byte = |i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap();
        secrets.entry(name).or_default().push_back((0..hex.len()).step_by(2).map(byte).collect());
    }
    secrets
}

struct Replay {
    messages: VecDeque<(bool, Vec<u8>)>,
    secrets: HashMap<&'static str, VecDeque<Vec<u8>>>,
    algorithms: NegotiatedAlgorithms,
    transcript: Transcript,
    chains: HashMap<u8, Chain>,
    requester: Option<Chain>,
    /// The open sessions. The newest session is active; when it ends, the session opened before it is active again.
    open: Vec<(Traffic<Application>, [RecordKey; 2])>,
    checked: Vec<&'static str>,
}

impl Replay {
    fn secret(&mut self, name: &str) -> Vec<u8> {
        self.secrets.get_mut(name).unwrap().pop_front().unwrap()
    }

    fn verify(&mut self, chain: &Chain, context: &'static str, digest: &Digest, signature: &[u8]) {
        let key = chain.leaf.public_key().unwrap();
        let message = ToBeSigned::new(Version::V1_1, context, self.algorithms.hash, digest);
        let asym = self.algorithms.asym.unwrap();
        signatures::verify(asym, &key, &message, signature).unwrap();
        let mut other = signature.to_vec();
        other[0] ^= 1;
        assert!(signatures::verify(asym, &key, &message, &other).is_err());
        self.checked.push(context);
    }

    /// Opens the next record of each direction.
    fn records(&mut self, keys: &mut [RecordKey; 2]) -> [Vec<u8>; 2] {
        keys.each_mut().map(|key| self.record(key))
    }

    fn record(&mut self, key: &mut RecordKey) -> Vec<u8> {
        let (secured, record) = self.messages.pop_front().unwrap();
        assert!(secured);
        key.open(LAYOUT, &record).unwrap().to_vec()
    }

    fn run(mut self) -> Vec<&'static str> {
        while let Some((secured, request)) = self.messages.pop_front() {
            assert!(!secured, "the record belongs to an open session");
            let (_, response) = self.messages.pop_front().unwrap();
            self.pair(&request, &response);
        }
        self.checked
    }

    fn pair(&mut self, request: &[u8], response: &[u8]) {
        match request[1] {
            0x84 => {
                self.transcript = Transcript::default();
                [request, response].iter().for_each(|message| self.transcript.push_vca(message));
            }
            0xE1 | 0xE3 => {
                [request, response].iter().for_each(|message| self.transcript.push_vca(message));
                if request[1] == 0xE3 {
                    self.transcript.begin(self.algorithms.hash, Version::V1_1);
                }
            }
            0x81 | 0x82 => {
                if request[1] == 0x81 {
                    self.transcript.reset_b(Prover::Responder);
                } else {
                    let chain = chain::parse(self.algorithms.hash, &response[8..]).unwrap();
                    self.chains.insert(request[2], chain);
                }
                self.transcript.push_b(Prover::Responder, &[request, response]);
            }
            0x83 => {
                let (signed, signature) = response.split_at(response.len() - 64);
                let m = self.transcript.m1_m2(Prover::Responder, &[request, signed]).unwrap().digest();
                self.transcript.reset_b(Prover::Responder);
                let chain = self.chains.remove(&request[2]).unwrap();
                self.verify(&chain, signatures::CHALLENGE_AUTH, &m, signature);
                self.chains.insert(request[2], chain);
            }
            0xE0 => {
                let (signed, signature) = response.split_at(response.len() - 64);
                let l = self.transcript.l1_l2(None, &[request, signed]).unwrap().digest();
                let chain = self.chains.remove(&0).unwrap();
                self.verify(&chain, signatures::MEASUREMENTS, &l, signature);
                self.chains.insert(0, chain);
            }
            0xE4 => self.key_exchange(request, response),
            0xE6 => self.psk_exchange(request, response),
            code => panic!("{code:02X}"),
        }
    }

    /// Checks TH1 and ResponderVerifyData, and derives the handshake keys.
    fn handshake(
        &mut self,
        th: &mut Th,
        origin: Origin,
        mac: &[u8],
    ) -> (KeySchedule<Handshake>, Traffic<Handshake>) {
        assert_eq!(th.digest().as_ref(), self.secret("TH1"));
        let shared = self.secret("shared_secret");
        let schedule = KeySchedule::new(self.algorithms.hash, Version::V1_1, origin, &shared);
        let traffic = schedule.traffic(&th.digest());
        assert_eq!(traffic.response.verify_data(&th.digest()).as_ref(), mac);
        th.push(mac);
        (schedule, traffic)
    }

    fn key_exchange(&mut self, request: &[u8], response: &[u8]) {
        let chain = self.chains.remove(&request[3]).unwrap();
        let mut th = Th::new(self.transcript.vca().unwrap(), None, Some(&chain.digest));
        let (signed, mac) = response.split_at(response.len() - 32);
        let (body, signature) = signed.split_at(signed.len() - 64);
        th.push(request);
        th.push(body);
        self.verify(&chain, signatures::KEY_EXCHANGE_RSP, &th.digest(), signature);
        self.chains.insert(request[3], chain);
        th.push(signature);
        let (schedule, traffic) = self.handshake(&mut th, Origin::KeyExchange, mac);
        let aead = self.algorithms.aead.unwrap();
        let mut keys = [traffic.request.record_key(aead), traffic.response.record_key(aead)];
        loop {
            let [request, response] = self.records(&mut keys);
            match (request[1], request.get(5)) {
                // DELIVER_ENCAPSULATED_RESPONSE with the whole CERTIFICATE
                (0xEB, Some(0x02)) => {
                    self.requester = Some(chain::parse(self.algorithms.hash, &request[12..]).unwrap());
                }
                (0xE5, _) => {
                    self.finish(&mut th, &traffic, &request);
                    th.push(&response);
                    break;
                }
                _ => {}
            }
        }
        self.application(schedule, &th, true);
    }

    /// Checks FINISH with the requester's signature.
    fn finish(&mut self, th: &mut Th, traffic: &Traffic<Handshake>, request: &[u8]) {
        let chain = self.requester.take().unwrap();
        th.push(chain.digest.as_ref());
        let (signed, mac) = request.split_at(request.len() - 32);
        let (body, signature) = signed.split_at(signed.len() - 64);
        th.push(body);
        self.verify(&chain, signatures::FINISH, &th.digest(), signature);
        th.push(signature);
        assert_eq!(traffic.request.verify_data(&th.digest()).as_ref(), mac);
        th.push(mac);
    }

    fn psk_exchange(&mut self, request: &[u8], response: &[u8]) {
        let mut th = Th::new(self.transcript.vca().unwrap(), None, None);
        let (body, mac) = response.split_at(response.len() - 32);
        th.push(request);
        th.push(body);
        let (schedule, traffic) = self.handshake(&mut th, Origin::Psk, mac);
        let aead = self.algorithms.aead.unwrap();
        let mut keys = [traffic.request.record_key(aead), traffic.response.record_key(aead)];
        let [request, response] = self.records(&mut keys);
        assert_eq!([request[1], response[1]], [0xE7, 0x67]);
        let (body, mac) = request.split_at(request.len() - 32);
        th.push(body);
        assert_eq!(traffic.request.verify_data(&th.digest()).as_ref(), mac);
        th.push(mac);
        th.push(&response);
        self.checked.push("PSK_FINISH");
        self.application(schedule, &th, false);
    }

    /// Checks TH2, the Export Master Secret, and all records under the application keys.
    fn application(&mut self, schedule: KeySchedule<Handshake>, th: &Th, exported: bool) {
        let th2 = th.digest();
        assert_eq!(th2.as_ref(), self.secret("TH2"));
        let schedule: KeySchedule<Application> = schedule.finish();
        if exported {
            assert_eq!(schedule.export(&th2).as_ref(), self.secret("export_master_secret"));
        }
        let (traffic, aead) = (schedule.traffic(&th2), self.algorithms.aead.unwrap());
        let keys = [traffic.request.record_key(aead), traffic.response.record_key(aead)];
        self.open.push((traffic, keys));
        self.checked.push("application");
        while self.messages.front().is_some_and(|(secured, _)| *secured) {
            let (traffic, keys) = self.open.pop().unwrap();
            self.exchange(traffic, keys);
        }
    }

    /// Opens a request's record and its response's record in the newest session. UpdateAllKeys is acknowledged under
    /// the new key.
    fn exchange(&mut self, mut traffic: Traffic<Application>, mut keys: [RecordKey; 2]) {
        let aead = self.algorithms.aead.unwrap();
        let request = self.record(&mut keys[0]);
        let all_keys = request[1..3] == [0xE9, 2];
        if all_keys {
            traffic.response = traffic.response.update();
            keys[1] = traffic.response.record_key(aead);
        }
        let response = self.record(&mut keys[1]);
        assert_eq!(response[1], request[1] & 0x7F, "{response:02x?}");
        match request[1] {
            0xE9 if all_keys => {
                traffic.request = traffic.request.update();
                keys[0] = traffic.request.record_key(aead);
                self.checked.push("KEY_UPDATE");
            }
            0xE0 => {
                let (signed, signature) = response.split_at(response.len() - 64);
                let l = self
                    .transcript
                    .l1_l2(Some(&MeasurementTranscript::default()), &[&request, signed])
                    .unwrap()
                    .digest();
                let chain = self.chains.remove(&0).unwrap();
                self.verify(&chain, signatures::MEASUREMENTS, &l, signature);
                self.chains.insert(0, chain);
            }
            0xEC => return self.checked.push("END_SESSION"),
            _ => {}
        }
        self.open.push((traffic, keys));
    }
}

#[test]
fn replays_spdm_1_1_with_mutual_authentication_and_psk_over_doe() {
    let bits = Bits { hash: 1, asym: 1 << 4, dhe: 1 << 3, aead: 1, key_schedule: 1, ..Bits::default() };
    let replay = Replay {
        messages: captured(),
        secrets: secrets(),
        algorithms: bits.algorithms(&bits).unwrap(),
        transcript: Transcript::default(),
        chains: HashMap::new(),
        requester: None,
        open: Vec::new(),
        checked: Vec::new(),
    };
    let mutual = [signatures::KEY_EXCHANGE_RSP, signatures::FINISH, "application"];
    let psk = ["PSK_FINISH", "application"];
    let outside = [signatures::CHALLENGE_AUTH, signatures::MEASUREMENTS];
    let rest = ["KEY_UPDATE", signatures::MEASUREMENTS, "END_SESSION"];
    // the second session is opened inside the first one, and ends before it
    let inner = [&psk[..], &["END_SESSION"]].concat();
    let all = [&outside[..], &mutual, &inner, &rest, &psk, &rest, &mutual, &rest];
    assert_eq!(replay.run(), all.concat());
}
