//! Running operations, from the first packet to the result.

use crate::config::Packet;
use crate::context::Context;
use crate::error::{Error, Usage};
use crate::exchange::RequestExchange;
use crate::operation::{AnyOperation, Operation, Parsed, Request, Step};
use crate::requester::{Carrier, Requester};
use crate::session::SessionId;

/// A running operation.
pub struct ActiveOperation<O> {
    operation: O,
    exchange: RequestExchange,
}

/// An operation whose output is stored together with it, so that [`AnyOperation`] needs no type for outputs.
struct WithOutput<'o, O: Operation> {
    operation: &'o mut O,
    output: Option<O::Output>,
}

impl<O: Operation> AnyOperation for WithOutput<'_, O> {
    fn next_request(&mut self, cx: &mut Context) -> Result<Request, Error> {
        self.operation.next_request(cx)
    }

    fn parse(&mut self, cx: &mut Context, request: &[u8], response: &[u8]) -> Result<Parsed<()>, Error> {
        let Parsed { len, proof, change, effect, encapsulated, output } =
            self.operation.parse(cx, request, response)?;
        let done = output.is_some().then_some(());
        self.output = output;
        Ok(Parsed { len, proof, change, effect, encapsulated, output: done })
    }

    fn opened_session(&self) -> Option<SessionId> {
        self.operation.opened_session()
    }
}

impl<O: Operation> ActiveOperation<O> {
    pub(crate) fn start(requester: &mut Requester, mut operation: O) -> Result<(Self, Packet), Error> {
        let (exchange, packet) =
            RequestExchange::start(requester, &mut WithOutput { operation: &mut operation, output: None })?;
        Ok((Self { operation, exchange }, packet))
    }

    pub(crate) fn receive(
        &mut self,
        requester: &mut Requester,
        packet: Packet,
    ) -> Result<Step<O::Output>, Error> {
        self.advance(|exchange, operation| exchange.receive(requester, packet, operation))
    }

    pub(crate) fn resume(&mut self, requester: &mut Requester) -> Result<Step<O::Output>, Error> {
        self.advance(|exchange, operation| exchange.resume(requester, operation))
    }

    /// Gives up the operation because no response arrived.
    pub(crate) fn abandon(mut self, requester: &mut Requester) {
        self.exchange.abandon(requester, self.operation.opened_session());
    }

    fn advance(
        &mut self,
        go: impl FnOnce(&mut RequestExchange, &mut dyn AnyOperation) -> Result<Step<()>, Error>,
    ) -> Result<Step<O::Output>, Error> {
        let mut with_output = WithOutput { operation: &mut self.operation, output: None };
        Ok(match go(&mut self.exchange, &mut with_output)? {
            Step::Send(packet) => Step::Send(packet),
            Step::Wait(time, packet) => Step::Wait(time, packet),
            Step::Sign(time) => Step::Sign(time),
            Step::Done(()) => Step::Done(with_output.output.ok_or(Usage::NoResponseExpected)?),
        })
    }
}

/// Methods that run operations.
impl Requester {
    /// Starts an operation and returns its first packet. Pass the response to [`Requester::receive`]. If none arrives, pass the
    /// operation to [`Requester::abandon`].
    ///
    /// Several operations may run at once, each in its own session or outside sessions. Only one packet may be unanswered at a time
    /// (DSP0274): transcripts follow the order of responses, and records are numbered when they are sealed.
    ///
    /// # Errors
    /// Returns [`Error::Usage`] if the operation is not allowed now.
    pub fn start<O: Operation>(&mut self, operation: O) -> Result<(ActiveOperation<O>, Packet), Error> {
        ActiveOperation::start(self, operation)
    }

    /// Continues an operation with a response.
    ///
    /// # Errors
    /// Returns any [`Error`]. The operation then ends, and so does the session that it was opening. Transcripts that
    /// the answered request ended remain ended. Neither the request nor the response is appended to a transcript. Two
    /// errors change nothing: [`Usage::OperationEnded`] if the operation has already ended, and
    /// [`Usage::NoResponseExpected`] after [`Step::Sign`].
    pub fn receive<O: Operation>(
        &mut self,
        active: &mut ActiveOperation<O>,
        packet: Packet,
    ) -> Result<Step<O::Output>, Error> {
        active.receive(self, packet)
    }

    /// Continues an operation after [`Step::Sign`].
    ///
    /// # Errors
    /// Returns any [`Error`]; the operation then ends. Two errors change nothing: [`Usage::OperationEnded`] if the
    /// operation has already ended, and [`Usage::NoSignaturePending`] after any step but [`Step::Sign`].
    pub fn resume<O: Operation>(
        &mut self,
        active: &mut ActiveOperation<O>,
    ) -> Result<Step<O::Output>, Error> {
        active.resume(self)
    }

    /// Gives up an operation without a response. The session that it was opening ends, and its keys are erased.
    ///
    /// The responder may have appended the request to its transcripts; the requester did not. The next signature over
    /// L1/L2 (measurements) or B (certificates) is then invalid, and [`Error::Signature`] says that a response was
    /// missed. The invalid signature ends the transcript on both sides, so the signature after it is valid. An answered
    /// [`crate::operations::FetchDigests`] ends L1/L2 and B earlier, and [`crate::operations::Connect`] restarts all
    /// transcripts.
    ///
    /// In a session the responder accepts no other record until the requester has received the answer to the abandoned
    /// request. Repeat the operation: it sends the same record, unless its request has random fields (as that of
    /// [`crate::operations::Measure`] has). If its request has random fields, use [`Requester::forget_session`].
    pub fn abandon<O: Operation>(&mut self, operation: ActiveOperation<O>) {
        operation.abandon(self);
    }

    /// Runs an operation to completion.
    ///
    /// # Errors
    /// Returns the errors of [`Requester::receive`] and of the carrier.
    pub fn run<O: Operation, C: Carrier>(
        &mut self,
        operation: O,
        carrier: &mut C,
    ) -> Result<O::Output, C::Error> {
        let (mut active, mut packet) = self.start(operation)?;
        loop {
            let answer = match carrier.exchange(packet) {
                Ok(answer) => answer,
                Err(error) => {
                    self.abandon(active);
                    return Err(error);
                }
            };
            let mut step = self.receive(&mut active, answer)?;
            packet = loop {
                match step {
                    Step::Send(packet) => break packet,
                    Step::Wait(time, packet) => {
                        carrier.wait(time);
                        break packet;
                    }
                    Step::Sign(time) => {
                        carrier.wait(time);
                        step = self.resume(&mut active)?;
                    }
                    Step::Done(output) => return Ok(output),
                }
            };
        }
    }
}
