//! Lists of events and of event groups (1.3), encoded.

use crate::encode::encode_into;
use crate::error::Usage;
use alloc::vec::Vec;
use core::iter;
use grille_spdm_codec::events::{Event, EventGroup, EventGroups, Events};
use grille_spdm_codec::list;
use grille_spdm_codec::vendor::is_registered;
use zeroize::Zeroize;

/// Events in the order of transmission. Their EventInstanceID shows the order of occurrence.
/// [`grille_spdm_codec::events::Events`] parses them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventList {
    /// The number of events.
    pub count: u32,
    /// The encoded events.
    pub events: Vec<u8>,
}

impl EventList {
    /// Encodes these events. Their order is arbitrary, but the instance IDs must be consecutive.
    ///
    /// # Errors
    /// Returns [`Usage::Events`] if there are none or they are invalid; [`Usage::Value`] if a part is too long.
    pub fn new(events: &[Event<'_>]) -> Result<Self, Usage> {
        let list = Self { count: events.len() as u32, events: encode_list(events, Event::encoded_len)? };
        if list.is_possible() { Ok(list) } else { Err(Usage::Events) }
    }

    /// Returns whether the list is valid: not empty, with the stated number of valid events, and with consecutive instance IDs.
    pub(crate) fn is_possible(&self) -> bool {
        let possible = |event: Event<'_>| event.is_possible().then_some(event.instance);
        let instances = Events::new(&self.events).map(|event| event.ok().and_then(possible));
        let Some(mut instances) = instances.collect::<Option<Vec<u32>>>() else { return false };
        instances.sort_unstable();
        // IDs wrap around after the largest one. So in the cyclic order of consecutive IDs, exactly one is not followed
        // by its successor.
        let following = instances.iter().skip(1).chain(instances.first());
        let gaps = iter::zip(&instances, following).filter(|(one, next)| one.wrapping_add(1) != **next);
        u32::try_from(instances.len()) == Ok(self.count) && gaps.count() == 1
    }
}

/// Encodes a list; `len` returns the length of each item.
fn encode_list<'a, T: list::Item<'a>>(items: &[T], len: impl Fn(&T) -> usize) -> Result<Vec<u8>, Usage> {
    encode_into(items.iter().map(len).sum(), |buffer| list::encode_all(items, buffer)).map_err(Usage::Value)
}

/// Erases the events on drop, because events are sent only in sessions.
impl Drop for EventList {
    fn drop(&mut self) {
        self.events.zeroize();
    }
}

/// Event groups; [`grille_spdm_codec::events::EventGroups`] parses them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventTypes {
    /// The number of groups.
    pub count: u8,
    /// The encoded groups.
    pub groups: Vec<u8>,
}

impl EventTypes {
    /// Encodes these groups.
    ///
    /// # Errors
    /// Returns [`Usage::EventTypes`] if a group's standard or vendor is not registered, or there are more than 255
    /// groups; [`Usage::Value`] if a part is too long.
    pub fn new(groups: &[EventGroup<'_>]) -> Result<Self, Usage> {
        let types = Self { count: groups.len() as u8, groups: encode_list(groups, EventGroup::encoded_len)? };
        if types.is_possible() { Ok(types) } else { Err(Usage::EventTypes) }
    }

    /// Returns whether there are as many groups as stated, each of a registered standard or vendor.
    pub(crate) fn is_possible(&self) -> bool {
        let registered = |group: EventGroup<'_>| is_registered(group.standard_id.into(), group.vendor_id);
        let mut possible = EventGroups::new(&self.groups).map(|group| group.is_ok_and(registered));
        possible.try_fold(0, |count, possible| possible.then_some(count + 1)) == Some(usize::from(self.count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    const CHANGED: Event<'_> =
        Event { instance: 0, standard_id: 0, vendor_id: &[], event_type: 4, detail: &[1] };

    /// Returns events of the DMTF with these instance IDs.
    fn events(instances: &[u32]) -> Vec<Event<'static>> {
        instances.iter().map(|&instance| Event { instance, ..CHANGED }).collect()
    }

    /// Returns a list that states `count` events, with these instance IDs.
    fn list(count: u32, instances: &[u32]) -> EventList {
        let one = |event| EventList::new(&[event]).unwrap().events.clone();
        EventList { count, events: events(instances).into_iter().flat_map(one).collect() }
    }

    #[test]
    fn accepts_consecutive_instance_ids_in_any_order() {
        let last = u32::MAX;
        for fine in [&[0][..], &[7], &[7, 8, 9], &[9, 7, 8], &[last - 1, last, 0, 1], &[0, last]] {
            let count = fine.len() as u32;
            assert!(list(count, fine).is_possible(), "{fine:?}");
            assert_eq!(EventList::new(&events(fine)), Ok(list(count, fine)));
            assert!(!list(count + 1, fine).is_possible() && !list(count - 1, fine).is_possible());
        }
        for wrong in [&[][..], &[7, 7], &[7, 9], &[7, 8, 8], &[7, 8, 10], &[0, 1, last - 1], &[7, 7, 7]] {
            assert!(!list(wrong.len() as u32, wrong).is_possible(), "{wrong:?}");
            assert_eq!(EventList::new(&events(wrong)), Err(Usage::Events));
        }
    }

    #[test]
    fn rejects_lists_with_an_invalid_event() {
        let fine = list(2, &[1, 2]);
        let cut = EventList { count: 2, events: fine.events[..fine.events.len() - 1].to_vec() };
        let mut reserved = fine.clone();
        reserved.events[10] = 5;
        assert!(fine.is_possible() && !cut.is_possible() && !reserved.is_possible());
    }

    #[test]
    fn rejects_oversized_events_and_groups() {
        let long = [0; 0x1_0000];
        let event = Event { standard_id: 3, vendor_id: &[1, 0], detail: &long, ..CHANGED };
        let list = EventList::new(&[Event { detail: &long[1..], ..event }]).unwrap();
        assert_eq!((list.count, list.events.len()), (1, 16 + 0xFFFF));
        assert!(
            matches!(EventList::new(&[event]), Err(Usage::Value(error)) if error.name == "EventDetailLen")
        );
        let masks = Event { detail: &[1, 1], ..CHANGED };
        assert_eq!(EventList::new(&[masks]), Err(Usage::Events));

        let types = [EventGroup::element(4)];
        let group = EventGroup { version: 1, list: &types, ..EventGroup::default() };
        let made = EventTypes { count: 1, groups: vec![0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 0, 0, 0] };
        assert_eq!(EventTypes::new(&[group]), Ok(made));
        assert_eq!(EventTypes::new(&[]), Ok(EventTypes::default()));
        assert_eq!(EventTypes::new(&[group; 255]).map(|types| types.count), Ok(255));
        let nobodys = EventGroup { standard_id: 12, ..group };
        for wrong in [&[group; 256][..], &[group, nobodys]] {
            assert_eq!(EventTypes::new(wrong), Err(Usage::EventTypes));
        }
        let long = [0; 256];
        let group = EventGroup { standard_id: 3, vendor_id: &long, ..group };
        assert!(
            matches!(EventTypes::new(&[group]), Err(Usage::Value(error)) if error.name == "VendorIDLength")
        );
    }
}
