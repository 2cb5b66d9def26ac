//! Messages of the dialect that are altered in transit.

use super::*;

/// Changes one byte of the first response with this code.
struct Tamper<'w> {
    wire: &'w mut Wire,
    code: u8,
    at: usize,
    done: bool,
}

impl Carrier for Tamper<'_> {
    type Error = Error;

    fn exchange(&mut self, packet: Packet) -> Result<Packet, Error> {
        let mut answer = self.wire.exchange(packet)?;
        if let Packet::Message(bytes) = &mut answer
            && !self.done
            && bytes[1] == self.code
            && self.at < bytes.len()
        {
            bytes[self.at] ^= 0x10;
            self.done = true;
        }
        Ok(answer)
    }

    fn wait(&mut self, _time: std::time::Duration) {}
}

/// Appends bytes to KEY_EXCHANGE_RSP, which is one fragment.
struct Surplus<'w> {
    wire: &'w mut Wire,
    bytes: Vec<u8>,
}

impl Carrier for Surplus<'_> {
    type Error = Error;

    fn exchange(&mut self, packet: Packet) -> Result<Packet, Error> {
        let mut answer = self.wire.exchange(packet)?;
        if let Packet::Message(response) = &mut answer
            && response.get(17) == Some(&Code::KEY_EXCHANGE_RSP.0)
        {
            response.extend_from_slice(&self.bytes);
            let len = (response.len() - 16) as u32;
            response[12..16].copy_from_slice(&len.to_le_bytes());
        }
        Ok(answer)
    }

    fn wait(&mut self, _time: std::time::Duration) {}
}

/// With KEM authentication the prototype appends zeros to its response, as many as a ciphertext has bytes.
#[test]
fn accepts_only_the_prototypes_surplus_zeros() {
    let mut other = vec![0; 768];
    other[767] = 1;
    for (suite, bytes, accepted) in [
        (KEM_AUTH, vec![0; 768], true),
        (KEM_AUTH, vec![0; 767], false),
        (KEM_AUTH, other, false),
        (PURE, vec![0; 768], false),
    ] {
        let (mut requester, mut wire) = suite.connect();
        let mut surplus = Surplus { wire: &mut wire, bytes };
        let opened = requester.run(OpenSession::new(PROVISIONED), &mut surplus);
        assert_eq!(opened.is_ok(), accepted, "{suite:?}");
        if let Ok(session) = opened {
            use_session(&mut requester, &mut wire, session);
        }
    }
}

#[test]
fn rejects_changed_responses() {
    for suite in [PURE, KEM_AUTH, HYBRID] {
        let slot = suite.slot();
        let (mut requester, mut wire) = suite.connect();
        for at in (2..4200).step_by(61) {
            let mut tamper = Tamper { wire: &mut wire, code: 0x7C, at, done: false };
            let challenged = requester.run(ChallengeResponder::new(slot, 0), &mut tamper).map(drop);
            // reserved bits, and an identifier that only the request for the next fragment repeats
            let ignored = at < 4;
            assert!(challenged.is_err() || !tamper.done || ignored, "{suite:?}: {at}");
            let mut tamper = Tamper { wire: &mut wire, code: 0x7C, at, done: false };
            let opened = requester.run(OpenSession::new(slot), &mut tamper).map(drop);
            assert!(opened.is_err() || !tamper.done || ignored, "{suite:?}: {at}");
            assert!(requester.sessions().count() == 0 || !tamper.done || ignored);
            let sessions: Vec<_> = requester.sessions().collect();
            sessions.into_iter().for_each(|session| requester.forget_session(session));
            requester.run(Connect::new(), &mut wire).unwrap();
            if slot == 0 {
                requester.run(FetchCertificate::new(0), &mut wire).unwrap();
            }
        }
    }
}

#[test]
fn refuses_changed_requests() {
    for suite in [PURE, KEM_AUTH, HYBRID] {
        let (mut requester, mut wire) = suite.connect();
        let (_, packet) = requester.start(ChallengeResponder::new(suite.slot(), 0)).unwrap();
        let Packet::Message(challenge) = packet else { panic!() };
        // an ERROR to these requests is in a fragment
        let code = |response: &[u8]| match response[1] {
            0x7C => Code(response[17]),
            code => Code(code),
        };
        for len in 4..challenge.len() {
            assert_eq!(code(&wire.plain(&challenge[..len])), Code::ERROR, "{len}");
        }
        let (_, packet) = requester.start(OpenSession::new(suite.slot())).unwrap();
        let Packet::Message(exchange) = packet else { panic!() };
        for len in (4..exchange.len()).step_by(13) {
            assert_eq!(code(&wire.plain(&exchange[..len])), Code::ERROR, "{len}");
        }
        for (at, value) in [(2, 0), (2, 2), (4, 1), (8, 1), (12, 0)] {
            let mut changed = exchange.clone();
            changed[at] = value;
            let answer = code(&wire.plain(&changed));
            // without END the fragment is acknowledged
            assert!(answer == Code::ERROR || answer == Code(0x7D), "{at}: {answer}");
        }
        assert_eq!(wire.responder.sessions().count(), 0);
    }
}
