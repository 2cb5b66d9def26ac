//! Events (SPDM 1.3) of the emulated device and of the requester's emulated host. Subscribers are notified in their
//! session when the chain in a slot changes.

use super::device::Emulated;
use super::event_receiver::EventReceiver;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::events::{Event, EventGroup, EventGroups};
use grille_spdm_engine::device::{Device, EventTypes};
use grille_spdm_engine::error::Refusal;
use grille_spdm_engine::operations::{EventList, ResponderRequest};
use grille_spdm_engine::responder::Responder;
use grille_spdm_engine::session::SessionId;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The event state of one connection, shared by the device and the serving loop.
#[derive(Clone, Default)]
pub(super) struct Events {
    /// Subscriptions to this side's events.
    pub(super) outgoing: Subscriptions,
    /// Events received from the requester.
    pub(super) incoming: EventReceiver,
}

/// Subscriptions and undelivered events, shared by the device and the serving loop.
#[derive(Clone, Default)]
pub(super) struct Subscriptions(Arc<Mutex<Outbox>>);

#[derive(Default)]
struct Outbox {
    /// The subscribed sessions, and whether each subscribed to CertificateChanged.
    sessions: BTreeMap<SessionId, bool>,
    queued: Vec<(SessionId, EventList)>,
    /// EventInstanceID of the next event.
    next: u32,
}

/// The supported event types: CertificateChanged, and EventLost, which never occurs because no event is dropped.
const TYPES: [u16; 2] = [Event::EVENT_LOST, Event::CERTIFICATE_CHANGED];

impl Subscriptions {
    fn lock(&self) -> MutexGuard<'_, Outbox> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the supported event types: one group, DMTF's.
    pub(super) fn types() -> EventTypes {
        let list = &TYPES.map(EventGroup::element);
        let group = EventGroup { version: VERSION, list, ..EventGroup::default() };
        EventTypes::new(&[group]).expect("DMTF is registered")
    }

    /// Replaces the session's subscription by these event types.
    ///
    /// # Errors
    /// Returns an error if a group or a type is not supported.
    pub(super) fn subscribe(&self, session: SessionId, types: &EventTypes) -> Result<(), Refusal> {
        let groups = EventGroups::new(&types.groups).collect::<Result<Vec<_>, _>>()?;
        let known = |group: &EventGroup<'_>| {
            (group.standard_id, group.vendor_id, group.version) == (0, &[][..], VERSION)
                && group.types().all(|types| TYPES.contains(&types))
        };
        if groups.len() != usize::from(types.count) || !groups.iter().all(known) {
            return Err(Refusal::new(ErrorCode::INVALID_REQUEST));
        }
        let changes = |group: &EventGroup<'_>| {
            group.attributes & EventGroup::ALL != 0
                || group.types().any(|types| types == Event::CERTIFICATE_CHANGED)
        };
        self.lock().sessions.insert(session, groups.iter().any(changes));
        Ok(())
    }

    /// Subscribes the session to all events.
    pub(super) fn subscribe_all(&self, session: SessionId) {
        self.lock().sessions.insert(session, true);
    }

    /// Removes the subscriptions of a session that ended.
    pub(super) fn forget(&self, session: SessionId) {
        let mut outbox = self.lock();
        outbox.sessions.remove(&session);
        outbox.queued.retain(|(subscriber, _)| *subscriber != session);
    }

    /// Queues CertificateChanged for the slots in this mask.
    pub(super) fn queue_certificate_change(&self, slots: u8) {
        let mut outbox = self.lock();
        let Outbox { sessions, queued, next } = &mut *outbox;
        let event = Event {
            instance: *next,
            event_type: Event::CERTIFICATE_CHANGED,
            detail: &[slots],
            ..Event::default()
        };
        let list = EventList::new(&[event]).expect("an event with one slot mask is short enough");
        let subscribed = sessions.iter().filter(|(_, subscribed_changes)| **subscribed_changes);
        queued.extend(subscribed.map(|(session, _)| (*session, list.clone())));
        *next = next.wrapping_add(1);
    }

    /// Removes and returns the queued events: the lists for the subscribed sessions.
    pub(super) fn take_queued(&self) -> Vec<(SessionId, EventList)> {
        std::mem::take(&mut self.lock().queued)
    }

    /// Hands the queued events to the responder for delivery. If the responder cannot send them in a session, for
    /// example because the requester accepts no encapsulated requests, removes the subscription of the session.
    pub(super) fn deliver(&self, responder: &mut Responder) {
        for (session, list) in self.take_queued() {
            if responder.queue_request(Some(session), ResponderRequest::Events(list)).is_err() {
                self.forget(session);
            }
        }
    }
}

/// The emulated host of a requester: its device class, and its events.
pub(super) struct Host(pub(super) Subscriptions);

impl Device for Host {
    fn endpoint_info(&mut self, sub_code: u8) -> Result<Vec<u8>, Refusal> {
        Emulated.endpoint_info(sub_code)
    }

    fn event_types(&mut self) -> Result<EventTypes, Refusal> {
        Ok(Subscriptions::types())
    }

    fn subscribe(&mut self, session: SessionId, types: &EventTypes) -> Result<(), Refusal> {
        self.0.subscribe(session, types)
    }

    fn session_ended(&mut self, session: SessionId) {
        self.0.forget(session);
    }
}

/// EventGroupVer.
const VERSION: u16 = 1;

#[cfg(test)]
mod tests {
    use super::*;

    fn types(group: EventGroup<'_>) -> EventTypes {
        EventTypes::new(&[group]).unwrap()
    }

    #[test]
    fn rejects_subscription_to_unsupported_events() {
        let subscriptions = Subscriptions::default();
        let group = EventGroup { version: VERSION, ..EventGroup::default() };
        let all = EventGroup { attributes: EventGroup::ALL, ..group };
        let [event_lost, unknown, changed] = [1, 2, 4].map(|event_type| [EventGroup::element(event_type)]);
        for (session, fine) in (0..).zip([
            Subscriptions::types(),
            types(all),
            types(EventGroup { list: &changed, ..group }),
            types(EventGroup { list: &event_lost, ..group }),
            EventTypes::default(),
        ]) {
            subscriptions.subscribe(session, &fine).unwrap();
        }
        subscriptions.queue_certificate_change(1);
        let recipients: Vec<SessionId> =
            subscriptions.lock().queued.iter().map(|(session, _)| *session).collect();
        assert_eq!(recipients, [0, 1, 2]);
        subscriptions.forget(1);
        subscriptions.queue_certificate_change(1);
        let recipients: Vec<SessionId> =
            subscriptions.lock().queued.iter().map(|(session, _)| *session).collect();
        assert_eq!(recipients, [0, 2, 0, 2], "one session has ended");
        for wrong in [
            types(EventGroup { list: &unknown, ..group }),
            types(EventGroup { standard_id: 3, ..all }),
            types(EventGroup { version: 2, ..all }),
            EventTypes { count: 2, ..types(all) },
            EventTypes { groups: vec![0; 5], count: 1 },
        ] {
            assert!(subscriptions.subscribe(9, &wrong).is_err(), "{wrong:?}");
        }
    }
}
