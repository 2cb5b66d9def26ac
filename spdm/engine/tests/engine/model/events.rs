//! Events that the requester sends, and the number that the device accepts at once.

use crate::model::fields::Fields;
use crate::model::state::Model;
use crate::random::Random;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::events::Event;
use grille_spdm_engine::operations::EventList;

/// The maximum number of events in one message; the device answers Busy to more.
pub(crate) const MAX_EVENTS: u32 = 9;

/// Returns `count` events of the DMTF, numbered from `first`.
pub(crate) fn events(first: u32, count: usize) -> EventList {
    let event = |at| {
        let (instance, event_type) = (first.wrapping_add(at), Event::CERTIFICATE_CHANGED);
        Event { instance, event_type, detail: &[1], ..Event::default() }
    };
    EventList::new(&(0..count as u32).map(event).collect::<Vec<_>>()).unwrap()
}

/// Returns the part of SEND_EVENT that starts at EventCount. Sometimes an event is missing or repeated.
pub(crate) fn send(random: &mut Random) -> Vec<u8> {
    let first = random.pick(&[0, 7, u32::MAX, u32::MAX - 3]);
    let EventList { count, events } = &events(first, 1 + random.below(12));
    let mut encoded = events.clone();
    if random.percent(10) {
        let at = 15 * random.below(*count as usize);
        encoded[at] ^= 1;
    }
    if random.percent(30) {
        let at = 15 * random.below(*count as usize);
        encoded.rotate_left(at);
    }
    [&count.to_le_bytes(), &encoded[..]].concat()
}

/// Returns the errors that SEND_EVENT may get; `None` if its length does not match its fields. `fields`: the message
/// from EventCount on.
pub(crate) fn send_event_errors(
    responder_subscribed: bool,
    mut fields: Fields<'_>,
) -> Option<Vec<ErrorCode>> {
    let count = fields.number(4)?;
    let (mut instances, mut known) = (Vec::new(), true);
    while fields.expect_end().is_none() {
        let (instance, _, standard) = (fields.number(4)?, fields.take(4)?, fields.number(1)?);
        let (vendor, kind, detail) = (fields.counted(1)?, fields.number(2)?, fields.counted(2)?);
        // the length of EventDetail by event type: 0 is undefined, then EventLost, MeasurementChanged,
        // MeasurementPreUpdate, CertificateChanged
        let lens: [usize; 5] = [usize::MAX, 8, 32, 32, 1];
        let dmtf = lens.get(kind as usize) == Some(&detail.len());
        known &= is_vendor_len(standard, vendor) && (standard != 0 || dmtf);
        instances.push(instance);
    }
    // the instance IDs are consecutive if they are counted from one of them
    let number = |first: u32, at: u32| instances.contains(&first.wrapping_add(at));
    let whole = instances.iter().any(|&first| (0..count).all(|at| number(first, at)));
    let consecutive = count > 0 && instances.len() == count as usize && whole;
    Some(match () {
        () if !known || !consecutive => vec![ErrorCode::INVALID_REQUEST],
        () if !responder_subscribed => vec![ErrorCode::UNEXPECTED_REQUEST],
        () if count > MAX_EVENTS => vec![ErrorCode::BUSY],
        () => Vec::new(),
    })
}

/// Returns whether `list` consists of `count` event groups, each of a registered standard and vendor.
pub(crate) fn are_groups(count: u8, list: &[u8]) -> bool {
    let (mut fields, mut groups) = (Fields(list), 0);
    while fields.expect_end().is_none() {
        let mut group = || {
            let (standard, vendor) = (fields.number(1)?, fields.counted(1)?);
            // EventTypeCount, EventGroupVer, Attributes, and the types
            let types = fields.number(2)? as usize;
            fields.take(2 + 4 + 4 * types)?;
            is_vendor_len(standard, vendor).then_some(())
        };
        if group().is_none() {
            return false;
        }
        groups += 1;
    }
    groups == usize::from(count)
}

/// Returns whether VendorID has a valid length for this standard.
pub(crate) fn is_vendor_len(standard: u32, vendor: &[u8]) -> bool {
    let len = vendor.len();
    match standard {
        0 | 9 => len == 0,
        1..=3 | 6..=8 => matches!(len, 0 | 2),
        4 | 5 => matches!(len, 0 | 4),
        10 => matches!(len, 1 | 2 | 3 | 5 | 9),
        _ => (standard, len) == (11, 2),
    }
}

impl Model {
    /// Checks EVENT_ACK, and expects that the device receives the events.
    pub(crate) fn on_event_ack(&mut self, session: u32, m: &[u8], r: &[u8]) {
        assert_eq!(r[2..], [0, 0]);
        self.device_log.events.push((session, m[4..].to_vec()));
    }
}
