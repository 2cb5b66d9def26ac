//! Steps that query a device's keys and log, and change its slots.

use super::{Client, StepRunner};
use crate::error::Error;
use crate::files::{self, NewFile};
use crate::hex;
use crate::output::format_count;
use crate::spdm::algorithms::spdm_key_name;
use crate::spdm::link::ExchangeError;
use crate::spdm::measured::{kind_name, value_text};
use crate::spdm::names;
use crate::spdm::tree::Node;
use grille_pki::Request;
use grille_spdm_codec::bank::{
    BankDetails, BankElements, BankInfo, SlotAddress, SlotElement, SlotElements, pqc_bits,
};
use grille_spdm_codec::bits::Bits;
use grille_spdm_codec::key_pair_info::{KeyPairAsym, KeyPairCapabilities, KeyUsage};
use grille_spdm_codec::list::{decode_prefix, encode};
use grille_spdm_codec::measurements::Block;
use grille_spdm_codec::mel::{Mel, MelEntries, MelEntry};
use grille_spdm_codec::slot_management::SubCode;
use grille_spdm_codec::{Code, CodecError};
use grille_spdm_engine::chain;
use grille_spdm_engine::error::{Error as EngineError, Usage};
use grille_spdm_engine::operations::{FetchCsr, FetchKeyPair, FetchLog, ManageSlots, SetChain, SetKeyPair};

impl StepRunner<'_> {
    /// Shows the measurement extension log entry by entry. A log that cannot be decoded is shown as it is.
    pub(super) fn log(&self, party: &mut Client<'_>) -> Result<Node, ExchangeError> {
        let log = party.run(FetchLog::default(), self.session)?;
        let node = Node::new("MEASUREMENT_EXTENSION_LOG", format!("{} bytes", log.len()));
        let entries =
            Mel::decode(&log).and_then(|log| MelEntries::new(log.entries).collect::<Result<Vec<_>, _>>());
        Ok(match entries {
            Ok(entries) => node.with_all(entries.iter().map(show_entry)),
            Err(error) => node.bad().with(Node::new(error.to_string(), hex::encode(&log).to_string())),
        })
    }

    /// Fetches a certificate request for the slot's key.
    pub(super) fn fetch_csr(&self, party: &mut Client<'_>) -> Result<Node, ExchangeError> {
        let about = self.digests.iter().find(|known| known.slot == self.slot);
        let (key_pair_id, attributes) = about.map_or((0, 0), |slot| (slot.key_pair_id, slot.model));
        let fetch = FetchCsr { key_pair_id, attributes, ..FetchCsr::default() };
        let csr = party.run(fetch, self.session)?;
        let read = Request::from_pem_or_der(&csr);
        let request = read.and_then(|request| request.verify().map(|()| request)).map_err(Error::from)?;
        let key = request.public_key().map_err(Error::from)?;
        let about = format!("{}, an {} key", format_count(csr.len(), "byte"), spdm_key_name(key.row()));
        // A device with one key returns the same certificate request for every slot.
        let empty = self.empty_slot_text(self.slot).map(|empty| Node::new("--slot-id", empty).skipped());
        let node = Node::new("CSR", request.subject()).good().with_all(empty);
        let Some(path) = &self.how.csr else {
            return Ok(node.with(Node::new("PKCS #10", format!("{about}; save the request with --csr"))));
        };
        // An earlier check made sure that the file may be replaced.
        let pem = request.to_pem().map_err(Error::from)?;
        files::write(&[NewFile::public(path, pem.as_bytes())], true)?;
        Ok(node.with(Node::new("PKCS #10", format!("{about}, in {}", path.display()))))
    }

    /// Writes the chain of --new-chain to the slot, or its current chain again.
    pub(super) fn set_certificate(&self, party: &mut Client<'_>) -> Result<Node, ExchangeError> {
        let slot = self.slot;
        let (chain, which) = match &self.new_chain {
            Some(chain) => {
                let negotiated = party.0.connection().negotiated().ok_or(Usage::NotConnected);
                let hash = negotiated.map_err(EngineError::from)?.algorithms.hash;
                (chain::write(hash, chain), "the chain of --new-chain")
            }
            None if self.chain.is_empty() => {
                let missing = Error::usage("the chain to install is missing").with_place("SET_CERT");
                let advice = "name its file with --new-chain, or put CERT before SET_CERT to reinstall the current chain";
                return Err(missing.advise(advice).into());
            }
            None => (self.chain.clone(), "the current chain"),
        };
        let about = self.digests.iter().find(|known| known.slot == slot);
        let set = SetChain::new(slot, chain);
        let set = about.map_or(set.clone(), |slot| set.for_key_pair(slot.key_pair_id, slot.model));
        party.run(set, self.session)?;
        Ok(Node::new("SET_CERTIFICATE_RSP", format!("slot {slot}: {which}")))
    }

    pub(super) fn key_pairs(&self, party: &mut Client<'_>) -> Result<Node, ExchangeError> {
        let mut node = Node::new("KEY_PAIR_INFO", "");
        let (mut id, mut total) = (1, 1);
        while id <= total {
            let (all, pair) = party.run(FetchKeyPair(id), self.session)?;
            let algorithm = key_algorithm(pair.asym, &pair.pqc);
            let text =
                format!("{algorithm}, usage {}, slots {:#010b}", names::bit_names(pair.usage), pair.slots);
            node.children.push(Node::new(format!("key pair {id}"), text));
            (id, total) = (id.saturating_add(1), all.min(u8::MAX - 1));
        }
        Ok(node)
    }

    /// Sets the usage, algorithm and slots of the first key pair to their current values.
    pub(super) fn set_key_pair(&self, party: &mut Client<'_>) -> Result<Node, ExchangeError> {
        let (_, mut desired) = party.run(FetchKeyPair(1), self.session)?;
        // Omit fields that the key pair does not let requesters choose.
        let can = |capability| desired.capabilities.contains(capability);
        let (usage, algorithm) = (can(KeyPairCapabilities::KEY_USAGE), can(KeyPairCapabilities::ASYM_ALGO));
        if !usage {
            desired.usage = KeyUsage::NONE;
        }
        if !algorithm {
            (desired.asym, desired.pqc) = (KeyPairAsym::NONE, Vec::new());
        }
        party.run(SetKeyPair { operation: 0, key_pair_id: 1, desired }, self.session)?;
        Ok(Node::new("SET_KEY_PAIR_INFO_ACK", "key pair 1"))
    }
}

impl StepRunner<'_> {
    /// Shows every bank of slots, and its contents.
    pub(super) fn banks(&self, party: &mut Client<'_>) -> Result<Node, ExchangeError> {
        let mut send = |sub_code, structure: &[u8]| {
            party.run(ManageSlots { sub_code, structure: structure.to_vec() }, self.session)
        };
        let answer = send(SubCode::GET_BANK_INFO, &[])?;
        let (info, _) = decode_prefix::<BankInfo<'_>>(&answer).map_err(malformed)?;
        let mut node = Node::new("SLOT_MANAGEMENT_RESP", format_count(info.count, "bank"));
        for bank in BankElements::new(info.elements) {
            let (bank, mut address) = (bank.map_err(malformed)?.bank, [0; 8]);
            encode(SlotAddress { bank, slot: 0 }, &mut address).map_err(malformed)?;
            let answer = send(SubCode::GET_BANK_DETAILS, &address)?;
            let (details, _) = decode_prefix::<BankDetails<'_>>(&answer).map_err(malformed)?;
            node = node.with(show_bank(&details)?);
        }
        Ok(node)
    }
}

/// Names the algorithm of a key pair or a bank.
fn key_algorithm(asym: impl Bits, pqc: &[u8]) -> String {
    let pqc = pqc_bits(pqc);
    if pqc.is_empty() { names::bit_names(asym) } else { names::bit_names(pqc) }
}

fn show_bank(bank: &BankDetails<'_>) -> Result<Node, ExchangeError> {
    let algorithm = key_algorithm(bank.asym, bank.pqc);
    let slots = SlotElements::new(bank.elements).collect::<Result<Vec<_>, _>>().map_err(malformed)?;
    Ok(Node::new(format!("bank {}", bank.bank), algorithm).with_all(slots.iter().map(show_slot)))
}

fn show_slot(slot: &SlotElement<'_>) -> Node {
    let SlotElement { key_pair_id, key_usage, size, .. } = slot;
    let text = format!("key pair {key_pair_id}, {}, {size} bytes", names::bit_names(*key_usage));
    Node::new(format!("slot {}", slot.slot), text)
        .with(Node::new("digest", hex::encode(slot.digest).to_string()))
}

fn malformed(error: CodecError) -> ExchangeError {
    EngineError::Malformed { request: Code::SLOT_MANAGEMENT, error }.into()
}

fn show_entry(entry: &MelEntry<'_>) -> Node {
    let kind = entry.value_type & !Block::RAW;
    let name = format!("{} of measurement {}: {}", entry.index, entry.measurement, kind_name(kind));
    Node::new(name, value_text(kind, entry.value))
}
