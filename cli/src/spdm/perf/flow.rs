//! One run of the measured flow.

use super::columns::{Stopwatch, Times};
use super::suite::{Parties, Suite};
use crate::error::Error;
use crate::spdm::bench::InMemoryResponder;
use crate::spdm::device::Emulated;
use grille_spdm_engine::config::Config;
use grille_spdm_engine::error::Error as EngineError;
use grille_spdm_engine::identity::PROVISIONED;
use grille_spdm_engine::meter::MeterHandle;
use grille_spdm_engine::operations::{
    ChallengeResponder, Connect, End, FetchCertificate, FetchDigests, OpenSession,
};
use grille_spdm_engine::requester::Requester;
use grille_spdm_engine::responder::Responder;
use grille_spdm_engine::trust::Roots;
use std::sync::Arc;
use std::time::Instant;

/// Connects both sides, runs the flow once, and returns its times.
///
/// # Errors
/// Returns an error if a message is refused, or authentication fails.
pub(super) fn run(suite: &Suite, parties: &Parties) -> Result<Times, Error> {
    let stopwatch = Arc::new(Stopwatch::default());
    let metered = |config| Config { meter: Some(MeterHandle(stopwatch.clone())), ..config };
    let roots = Box::new(Roots::new(parties.root.iter().cloned().collect()));
    let identity = parties.requester.identity.clone();
    let mut requester = Requester::new(metered(suite.requester_config()), identity, roots);
    requester.provision_raw(parties.responder.public.clone());
    let identity = parties.responder.identity.clone();
    let mut responder = Responder::new(metered(suite.responder_config()), identity, Box::new(Emulated));
    responder.provision_raw(parties.requester.public.clone());
    let mut memory = InMemoryResponder::new(responder);
    let start = Instant::now();
    exchange(suite, &mut requester, &mut memory)?;
    let responder = memory.time();
    Ok(Times::new(&stopwatch, start.elapsed().saturating_sub(responder), responder))
}

/// Negotiates, authenticates the responder, and opens and ends a session.
fn exchange(
    suite: &Suite,
    requester: &mut Requester,
    memory: &mut InMemoryResponder,
) -> Result<(), EngineError> {
    requester.run(Connect::new(), memory)?;
    if suite.slot != PROVISIONED {
        requester.run(FetchDigests, memory)?;
        requester.run(FetchCertificate::new(suite.slot), memory)?;
    }
    requester.run(ChallengeResponder::new(suite.slot, suite.summary), memory)?;
    let session = requester.run(OpenSession::new(suite.slot).with_summary(suite.summary), memory)?;
    requester.run(End(session), memory)
}
