//! Message fields for `grille spdm dump`; lists and structs are shown part by part.

use super::algorithms::version_name;
use super::dialect_fields;
use super::measured::kind_name;
use super::names;
use super::tree::Node;
use crate::hex;
use grille_spdm_codec::algorithms::{Aead, BaseAsym, Dhe, Kem, KeySchedule, PqcAsym};
use grille_spdm_codec::bank::{
    BankDetails, BankElement, BankInfo, Document, GetCsr, ManageBank, ManageSlot, SetCertificate,
    SlotAddress, SlotElement, SupportedSubCodes, pqc_bits,
};
use grille_spdm_codec::bits::Bits;
use grille_spdm_codec::challenge::ChallengeAuth;
use grille_spdm_codec::endpoint_info::{DeviceClass, GetEndpointInfo, Identifier, SubordinateId};
use grille_spdm_codec::error::{ErrorCode, VendorError};
use grille_spdm_codec::events::{Event, EventGroup};
use grille_spdm_codec::key_exchange::KeyExchangeRsp;
use grille_spdm_codec::key_update::KeyOperation;
use grille_spdm_codec::list::{self, Item, Items};
use grille_spdm_codec::measurements::{Block, GetMeasurements};
use grille_spdm_codec::negotiate::{AlgStruct, AlgType};
use grille_spdm_codec::opaque::OpaqueData;
use grille_spdm_codec::slot_management::SubCode;
use grille_spdm_codec::version::VersionNumber;
use grille_spdm_codec::wire::{Field, Observer, Value};
use grille_spdm_codec::{Code, CodecError, Header, Sizes, Version, messages};
use grille_spdm_dump::pqc2021::{self, Layout};
use grille_spdm_engine::session::policy;

/// Returns the fields up to the first invalid one, and the decoding error. `dialect`: the layout in the dialect of
/// openspdm-pqc; `None` in the standard.
pub(super) fn fields(bytes: &[u8], sizes: &Sizes, dialect: Option<&Layout>) -> (Vec<Node>, Option<String>) {
    let header = Header::decode(bytes).ok();
    let mut fields =
        Fields { header, digest_len: sizes.hash, dialect: dialect.copied(), ..Fields::default() };
    let read = match dialect {
        Some(_) => pqc2021::observe(bytes, sizes, &mut fields),
        None => messages::observe(bytes, sizes, &mut fields),
    };
    (fields.nodes, read.err().map(|error| error.to_string()))
}

/// Returns the device classes in ENDPOINT_INFO.
pub(super) fn device_class(bytes: &[u8]) -> Vec<Node> {
    struct_nodes::<DeviceClass<'_>>(None, bytes)
}

/// Collects the fields of a message, or of a part of it.
#[derive(Default)]
struct Fields {
    /// The header of the message.
    header: Option<Header>,
    /// The length of a digest in bytes.
    digest_len: usize,
    /// The slots that DIGESTS covers.
    slots: u8,
    /// The layout in the dialect of openspdm-pqc.
    dialect: Option<Layout>,
    nodes: Vec<Node>,
}

impl Fields {
    /// Splits the field with all digests into one digest per slot.
    fn digests(&self, bytes: &[u8]) -> Node {
        let slots = (0..8_u8).filter(|slot| self.slots & 1 << slot != 0);
        let digests = slots.zip(bytes.chunks(self.digest_len.max(1)));
        let digests =
            digests.map(|(slot, digest)| Node::new(format!("slot {slot}"), hex::encode(digest).to_string()));
        Node::new("Digest", "").with_all(digests)
    }
}

impl<'a> Observer<'a> for Fields {
    fn field(&mut self, field: Field<'a>) {
        if let (Value::Number(mask), "ProvisionedSlotMask") = (&field.value, field.name) {
            self.slots = *mask as u8;
        }
        if let (Value::Bytes, "Digest") = (&field.value, field.name) {
            return self.nodes.push(self.digests(field.bytes));
        }
        let value = match field.value {
            Value::Number(number) => match meaning(self.header, field.name, number as u8) {
                Some(meaning) => format!("{meaning} ({number:#x})"),
                None => format!("{number} ({number:#x})"),
            },
            Value::Bits(bits, rows) => format!("{} ({bits:#x})", names::row_names(bits, rows)),
            Value::Bytes => {
                let dialect = self.dialect.as_ref().and_then(|layout| dialect_fields::parts(&field, layout));
                let node = dialect.or_else(|| parts(self.header, &field));
                return self.nodes.push(node.unwrap_or_else(|| raw(&field)));
            }
            Value::Reserved => return,
        };
        self.nodes.push(Node::new(field.name, value));
    }
}

/// Explains the number in a field if DSP0274 gives it a meaning: attributes, operations, policies.
fn meaning(header: Option<Header>, field: &str, number: u8) -> Option<String> {
    let code = header?.code;
    Some(match (field, code) {
        ("attributes", Code::GET_MEASUREMENTS) => bits(
            number,
            &[
                (GetMeasurements::SIGNATURE, "SignatureRequested"),
                (GetMeasurements::RAW, "RawBitStreamRequested"),
                (GetMeasurements::NEW, "NewMeasurementRequested"),
            ],
        ),
        ("attributes", Code::GET_CERTIFICATE) => bits(number, &[(1, "SlotSizeRequested")]),
        ("attributes", Code::END_SESSION) => bits(number, &[(1, "negotiated state is cleared")]),
        ("RequestAttributes", Code::GET_ENDPOINT_INFO) => {
            bits(number, &[(GetEndpointInfo::SIGNATURE, "SignatureRequested")])
        }
        ("MeasurementOperation", _) => measurement_operation(number),
        ("MeasurementSummaryHashType", _) => summary_type(number).to_owned(),
        ("SessionPolicy", _) => session_policy(number),
        ("MutAuthRequested", _) => mutual_auth_name(number).to_owned(),
        ("ResponseAttribute", _) => {
            let mutual_request =
                if number & ChallengeAuth::BASIC_MUT_AUTH == 0 { "" } else { ", BasicMutAuthReq" };
            format!("slot {}{mutual_request}", number & 0xF)
        }
        ("KeyOperation", _) => key_operation(number),
        ("ProvisionedSlotMask" | "SupportedSlotMask" | "SlotMask", _) => slots(number),
        ("DMTFSpecMeasurementValueType", _) => {
            let raw = if number & Block::RAW == 0 { "digest" } else { "raw" };
            format!("{}, {raw}", kind_name(number & !Block::RAW))
        }
        _ => return None,
    })
}

/// Names the set bits.
fn bits(number: u8, names: &[(u8, &str)]) -> String {
    let set: Vec<&str> = names.iter().filter(|(bit, _)| number & bit != 0).map(|(_, name)| *name).collect();
    if set.is_empty() { "none".to_owned() } else { set.join(", ") }
}

/// Lists the slots in a mask.
pub(super) fn slots(mask: u8) -> String {
    let slots = (0..8_u8).filter(|slot| mask & 1 << slot != 0).map(|slot| slot.to_string());
    let slots: Vec<String> = slots.collect();
    if slots.is_empty() { "none".to_owned() } else { format!("slot {}", slots.join(", ")) }
}

/// Formats MeasurementOperation.
pub(super) fn measurement_operation(operation: u8) -> String {
    match operation {
        GetMeasurements::COUNT => "number of measurements".to_owned(),
        GetMeasurements::ALL => "all".to_owned(),
        index => format!("index {index}"),
    }
}

/// Names a MeasurementSummaryHashType.
pub(super) const fn summary_type(kind: u8) -> &'static str {
    match kind {
        0 => "no measurement summary",
        1 => "summary of the TCB",
        GetMeasurements::ALL => "summary of all measurements",
        _ => "reserved summary type",
    }
}

/// Formats SessionPolicy.
pub(super) fn session_policy(number: u8) -> String {
    let names = [
        (policy::SURVIVES_UPDATES, "TerminationPolicy: session survives firmware updates"),
        (policy::ALL_EVENTS, "EventAllPolicy"),
    ];
    bits(number, &names)
}

/// Names a value of MutAuthRequested.
pub(super) const fn mutual_auth_name(number: u8) -> &'static str {
    match number & 7 {
        0 => "no mutual authentication",
        KeyExchangeRsp::MUT_AUTH_WITHOUT_ENCAP => "mutual authentication with the named slot",
        KeyExchangeRsp::MUT_AUTH_WITH_ENCAP => "mutual authentication with encapsulated requests",
        KeyExchangeRsp::MUT_AUTH_WITH_DIGESTS => "mutual authentication that starts with DIGESTS",
        _ => "reserved",
    }
}

/// Names a KeyOperation.
pub(super) fn key_operation(operation: u8) -> String {
    match KeyOperation(operation) {
        KeyOperation::UPDATE_KEY => "UpdateKey".to_owned(),
        KeyOperation::UPDATE_ALL_KEYS => "UpdateAllKeys".to_owned(),
        KeyOperation::VERIFY_NEW_KEY => "VerifyNewKey".to_owned(),
        KeyOperation(other) => format!("operation {other:#04x}"),
    }
}

fn raw(field: &Field<'_>) -> Node {
    Node::new(field.name, hex::encode(field.bytes).to_string())
}

/// Returns the parts of a field; `None` if the field has no parts.
fn parts(header: Option<Header>, field: &Field<'_>) -> Option<Node> {
    let Field { name, bytes, .. } = *field;
    let below = |nodes: Vec<Node>| Some(Node::new(name, "").with_all(nodes));
    match name {
        "VersionNumberEntry" => {
            let entries =
                bytes.as_chunks().0.iter().map(|entry| Node::new("version", version_number(*entry)));
            below(entries.collect())
        }
        "AlgStruct" => below(tables(bytes)),
        "MgmtStruct" => below(management(header, bytes)),
        "BankElement" => below(list_nodes::<BankElement>(header, "bank", bytes)),
        "SlotElement" => below(list_nodes::<SlotElement<'_>>(header, "slot", bytes)),
        "MeasurementRecord" => below(list_nodes::<Block<'_>>(header, "block", bytes)),
        "SupportedEventGroupsList" | "SubscribeList" => {
            below(list_nodes::<EventGroup<'_>>(header, "event group", bytes))
        }
        "EventList" => below(list_nodes::<Event<'_>>(header, "event", bytes)),
        "EPInfo" => below(struct_nodes::<DeviceClass<'_>>(header, bytes)),
        "IdentifierElements" => below(list_nodes::<Identifier<'_>>(header, "identifier", bytes)),
        "ExtendedErrorData"
            if header.is_some_and(|header| ErrorCode(header.param1) == ErrorCode::VENDOR_DEFINED) =>
        {
            below(struct_nodes::<VendorError<'_>>(header, bytes))
        }
        "SubordinateID" => below(list_nodes::<SubordinateId<'_>>(header, "subordinate", bytes)),
        "OpaqueData" => opaque(header, bytes).map(|nodes| Node::new(name, "").with_all(nodes)),
        _ if name.contains("PqcAsymAlgo") => Some(Node::new(name, names::bit_names(pqc_bits(bytes)))),
        _ => None,
    }
}

/// Returns each list element with its fields. An element that cannot be decoded ends the list.
fn list_nodes<'a, T: Item<'a>>(header: Option<Header>, name: &str, mut bytes: &'a [u8]) -> Vec<Node> {
    let mut nodes = Vec::new();
    while !bytes.is_empty() {
        let (part, read) = struct_part::<T>(header, bytes);
        let node = Node::new(format!("{name} {}", nodes.len() + 1), "").with_all(part);
        match read {
            Ok(len) if len > 0 => {
                bytes = bytes.get(len..).unwrap_or_default();
                nodes.push(node);
            }
            _ => {
                nodes.push(node.with(undecodable(bytes)));
                break;
            }
        }
    }
    nodes
}

/// Returns the fields of a single struct. PCI DOE may append padding.
fn struct_nodes<'a, T: Item<'a>>(header: Option<Header>, bytes: &'a [u8]) -> Vec<Node> {
    let (mut nodes, read) = struct_part::<T>(header, bytes);
    if read.is_err() {
        nodes.push(undecodable(bytes));
    }
    nodes
}

/// Returns the fields of a struct up to the first invalid one, and its length.
fn struct_part<'a, T: Item<'a>>(
    header: Option<Header>,
    bytes: &'a [u8],
) -> (Vec<Node>, Result<usize, CodecError>) {
    let mut fields = Fields { header, ..Fields::default() };
    let read = list::observe::<T>(bytes, &mut fields);
    (fields.nodes, read)
}

/// Shows bytes that cannot be decoded.
fn undecodable(bytes: &[u8]) -> Node {
    Node::new("cannot be read", hex::encode(bytes).to_string()).bad()
}

/// Formats a version number such as `1.2`, with update and alpha numbers if they are not 0.
pub(super) fn version_number(bytes: [u8; 2]) -> String {
    let number = VersionNumber::from_bytes(bytes);
    let name = match Version::from_byte(number.byte()) {
        Ok(version) => version_name(version),
        Err(_) => format!("{}.{}", number.byte() >> 4, number.byte() & 0xF),
    };
    match (number.update(), number.alpha()) {
        (0, 0) => name,
        (update, 0) => format!("{name}, update {update}"),
        (update, alpha) => format!("{name}, update {update}, alpha {alpha}"),
    }
}

/// Returns the tables at the end of ALGORITHMS, with the names of their bits.
fn tables(bytes: &[u8]) -> Vec<Node> {
    let table = |table: AlgStruct<'_>| {
        let bits = u64::from(table.bits());
        let (name, rows) = match table.alg_type {
            AlgType::DHE => ("DHE", Dhe::ROWS),
            AlgType::AEAD => ("AEADCipherSuite", Aead::ROWS),
            AlgType::REQ_BASE_ASYM => ("ReqBaseAsymAlg", BaseAsym::ROWS),
            AlgType::KEY_SCHEDULE => ("KeySchedule", KeySchedule::ROWS),
            AlgType::REQ_PQC_ASYM => ("ReqPqcAsymAlg", PqcAsym::ROWS),
            AlgType::KEM => ("KEMAlg", Kem::ROWS),
            AlgType(11..=15) => return dialect_fields::table(&table),
            AlgType(other) => return Node::new(format!("AlgType {other}"), names::row_names(bits, &[])),
        };
        Node::new(name, names::row_names(bits, rows))
    };
    let read = Items::<AlgStruct<'_>>::new(bytes);
    read.map(|item| item.map_or_else(|_| undecodable(bytes), table)).collect()
}

/// Returns the SubCode-specific struct of SLOT_MANAGEMENT and its response.
fn management(header: Option<Header>, bytes: &[u8]) -> Vec<Node> {
    let (Some(code), sub_code) = (header.map(|header| header.code), header.map(|header| header.param1))
    else {
        return vec![undecodable(bytes)];
    };
    let request = code == Code::SLOT_MANAGEMENT;
    match (request, SubCode(sub_code.unwrap_or_default())) {
        (true, SubCode::GET_BANK_DETAILS | SubCode::GET_CERTIFICATE_CHAIN) => {
            struct_nodes::<SlotAddress>(header, bytes)
        }
        (true, SubCode::GET_CSR) => struct_nodes::<GetCsr<'_>>(header, bytes),
        (true, SubCode::MANAGE_BANK) => struct_nodes::<ManageBank<'_>>(header, bytes),
        (true, SubCode::MANAGE_SLOT) => struct_nodes::<ManageSlot>(header, bytes),
        (true, SubCode::SET_CERTIFICATE) => struct_nodes::<SetCertificate<'_>>(header, bytes),
        (false, SubCode::SUPPORTED_SUB_CODES) => struct_nodes::<SupportedSubCodes>(header, bytes),
        (false, SubCode::GET_BANK_INFO) => struct_nodes::<BankInfo<'_>>(header, bytes),
        (false, SubCode::GET_BANK_DETAILS) => struct_nodes::<BankDetails<'_>>(header, bytes),
        (false, SubCode::GET_CERTIFICATE_CHAIN | SubCode::GET_CSR) => {
            struct_nodes::<Document<'_>>(header, bytes)
        }
        _ => vec![undecodable(bytes)],
    }
}

/// Returns the elements of opaque data in the general format; `None` for another format.
fn opaque(header: Option<Header>, bytes: &[u8]) -> Option<Vec<Node>> {
    let version = Version::from_byte(header?.version).ok()?;
    let elements = OpaqueData::decode(bytes, version).ok()?.elements().collect::<Result<Vec<_>, _>>().ok()?;
    let shown = |element: &grille_spdm_codec::opaque::Element<'_>| {
        Node::new(format!("element of standard {}", element.registry), hex::encode(element.data).to_string())
    };
    (!elements.is_empty()).then(|| elements.iter().map(shown).collect())
}
