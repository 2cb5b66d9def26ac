//! A connection to a peer: DMTF's emulators, or SPDM over TCP (DSP0287).

use crate::binding::{Binding, Kind};
use crate::doe::{self, DiscoveryRequest, DiscoveryResponse};
use crate::emulator::{self, Command};
use crate::frame::{Delimited, Frame};
use crate::stream::{Stream, StreamError};
use crate::tcp;
use std::boxed::Box;
use std::io::{self, Read, Write};
use std::vec::Vec;

/// The maximum frame length: the largest PCI DOE data object plus the emulators' header.
const MAX_FRAME_LEN: usize = (1 << 20) + 12;

const ROLE_INQUIRY: tcp::Message<'_> =
    tcp::Message { message_type: tcp::MessageType::ROLE_INQUIRY, payload: &[] };

/// A connection to a peer that exchanges frames of one transport.
pub struct Connection<S> {
    stream: Stream<S>,
    binding: Binding,
    framing: OuterFraming,
    frame: Vec<u8>,
    tap: Option<Tap>,
}

/// A callback for every sent or received frame of the transport, without the emulators' header. Its error ends the
/// connection.
pub type Tap = Box<dyn FnMut(&[u8]) -> io::Result<()> + Send>;

/// The outer framing of the transport's frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OuterFraming {
    /// The 12-byte header of DMTF's emulators.
    Emulator,
    /// No outer framing, because DSP0287 frames contain their own length.
    Tcp,
}

/// A received frame or command, or the end of the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Received<'a> {
    /// A frame of the transport.
    Message(Kind, &'a [u8]),
    /// An emulator command other than [`Command::NORMAL`].
    Command(Command, &'a [u8]),
    /// The peer closed the connection.
    Closed,
}

impl<S: Read + Write> Connection<S> {
    /// Creates a connection to or from an emulator. Both sides must use the same `binding`.
    pub fn emulator(stream: S, binding: Binding) -> Self {
        Self::new(stream, binding, OuterFraming::Emulator)
    }

    /// Creates a connection for SPDM over TCP (DSP0287).
    pub fn tcp(stream: S) -> Self {
        Self::new(stream, Binding::Tcp, OuterFraming::Tcp)
    }

    fn new(stream: S, binding: Binding, carrier: OuterFraming) -> Self {
        Self {
            stream: Stream::new(stream, MAX_FRAME_LEN),
            binding,
            framing: carrier,
            frame: Vec::new(),
            tap: None,
        }
    }

    /// Adds a callback that receives all frames, for captures.
    #[must_use]
    pub fn with_tap(self, tap: Tap) -> Self {
        Self { tap: Some(tap), ..self }
    }

    /// Returns the transport.
    pub fn binding(&self) -> Binding {
        self.binding
    }

    /// Returns whether the peer accepts the commands of DMTF's emulators.
    pub fn is_emulator(&self) -> bool {
        self.framing == OuterFraming::Emulator
    }

    /// Returns the stream, to set its timeouts.
    pub fn get_ref(&self) -> &S {
        self.stream.get_ref()
    }

    /// Sends a message.
    ///
    /// # Errors
    /// Returns an error if the stream fails, or the transport cannot carry the message.
    pub fn send(&mut self, kind: Kind, message: &[u8]) -> Result<(), StreamError> {
        // Room for the longest transport header, and padding to four bytes.
        self.frame.resize(message.len() + 12, 0);
        let len = self.binding.encode(kind, message, &mut self.frame)?;
        let frame = self.frame.get(..len).unwrap_or_default();
        call_tap(&mut self.tap, frame)?;
        match self.framing {
            OuterFraming::Emulator => {
                let (command, binding) = (Command::NORMAL, self.binding);
                self.stream.send(&emulator::Packet { command, binding, payload: frame }, len)
            }
            OuterFraming::Tcp => self.stream.send(&tcp::Message::decode(frame)?, len),
        }
    }

    /// Sends a command to an emulator. Does nothing for SPDM over TCP, which has no commands.
    ///
    /// # Errors
    /// Returns an error if the stream fails.
    pub fn command(&mut self, command: Command, payload: &[u8]) -> Result<(), StreamError> {
        let binding = self.binding;
        match self.framing {
            OuterFraming::Emulator => {
                self.stream.send(&emulator::Packet { command, binding, payload }, payload.len())
            }
            OuterFraming::Tcp => Ok(()),
        }
    }

    /// Waits for the next frame or command.
    ///
    /// # Errors
    /// Returns an error if the stream fails or ends within a frame, or the data is not a frame of this transport.
    pub fn receive(&mut self) -> Result<Received<'_>, StreamError> {
        let binding = self.binding;
        match self.framing {
            OuterFraming::Tcp => match self.stream.receive::<tcp::Message<'_>>()? {
                None => Ok(Received::Closed),
                Some(message) => {
                    if self.tap.is_some() {
                        self.frame.resize(message.payload.len() + tcp::Message::HEADER, 0);
                        let len = message.encode(&mut self.frame)?;
                        call_tap(&mut self.tap, self.frame.get(..len).unwrap_or_default())?;
                    }
                    Ok(Received::Message(binding.kind_from_number(message.message_type.0), message.payload))
                }
            },
            OuterFraming::Emulator => match self.stream.receive::<emulator::Packet<'_>>()? {
                None => Ok(Received::Closed),
                Some(packet) if packet.binding != binding => {
                    Err(StreamError::Unexpected { expected: "a frame of the agreed transport" })
                }
                Some(emulator::Packet { command: Command::NORMAL, payload, .. }) => {
                    call_tap(&mut self.tap, payload)?;
                    let (kind, message) = binding.decode(payload)?;
                    Ok(Received::Message(kind, message))
                }
                Some(packet) => Ok(Received::Command(packet.command, packet.payload)),
            },
        }
    }

    /// Sends Role-Inquiry (DSP0287), which makes the accepting side the requester. It must be sent before any other
    /// message.
    ///
    /// # Errors
    /// Returns an error if the stream fails.
    pub fn inquire_role(&mut self) -> Result<(), StreamError> {
        self.stream.send(&ROLE_INQUIRY, 0)
    }

    /// Waits for a Role-Inquiry. With it, the connecting peer makes this side the requester.
    ///
    /// # Errors
    /// Returns an error if the stream fails, or anything else arrives.
    pub fn await_role(&mut self) -> Result<(), StreamError> {
        match self.stream.receive::<tcp::Message<'_>>()? {
            Some(ROLE_INQUIRY) => Ok(()),
            Some(_) => Err(StreamError::Unexpected { expected: "a Role-Inquiry" }),
            None => Err(StreamError::Cut { arrived: 0 }),
        }
    }

    /// Exchanges hellos with an emulator as the requester, and on PCI DOE discovers the data objects. Does nothing for
    /// SPDM over TCP and for emulators without a transport, which expect no hello.
    ///
    /// # Errors
    /// Returns an error if the stream fails, the hello is wrong, or the mailbox does not support SPDM.
    pub fn say_hello(&mut self) -> Result<(), StreamError> {
        if self.framing == OuterFraming::Tcp || self.binding == Binding::Bare {
            return Ok(());
        }
        self.command(Command::TEST, emulator::CLIENT_HELLO)?;
        match self.receive()? {
            Received::Command(Command::TEST, emulator::SERVER_HELLO) => {}
            Received::Closed => return Err(StreamError::Cut { arrived: 0 }),
            _ => return Err(StreamError::Unexpected { expected: "the emulator's hello" }),
        }
        if self.binding == Binding::PciDoe { self.discover() } else { Ok(()) }
    }

    /// Discovers all data objects of the mailbox, and checks that it supports SPDM and secured messages.
    fn discover(&mut self) -> Result<(), StreamError> {
        let (mut index, mut found) = (0, [false; 256]);
        // Indexes form a chain of at most 256 entries.
        for _ in 0..=u8::MAX {
            let mut request = [0; 4];
            DiscoveryRequest { index, version: 0 }.encode(&mut request)?;
            self.send(Kind::Other(doe::DISCOVERY), &request)?;
            let answer = match self.receive()? {
                Received::Message(Kind::Other(doe::DISCOVERY), answer) => DiscoveryResponse::decode(answer)?,
                Received::Closed => return Err(StreamError::Cut { arrived: 0 }),
                _ => return Err(StreamError::Unexpected { expected: "an answer to discovery" }),
            };
            if answer.vendor == doe::PCI_SIG {
                found[usize::from(answer.object_type)] = true;
            }
            index = answer.next;
            if index == 0 {
                break;
            }
        }
        let has_all = doe::OBJECTS.iter().all(|&object| found[usize::from(object)]);
        let expected = "a mailbox for SPDM and secured messages";
        if has_all { Ok(()) } else { Err(StreamError::Unexpected { expected }) }
    }

    /// Waits as the responder for a request or a command, and stores its payload in `message`. Answers hellos and
    /// discovery requests that arrive before it. Commands are echoed before they are returned.
    ///
    /// # Errors
    /// The errors of [`Connection::receive`] and [`Connection::send`].
    pub fn serve(&mut self, message: &mut Vec<u8>) -> Result<Request, StreamError> {
        loop {
            let is_mailbox = self.binding == Binding::PciDoe;
            match self.receive()? {
                Received::Message(Kind::Other(doe::DISCOVERY), request) if is_mailbox => {
                    let answer = DiscoveryResponse::answer(DiscoveryRequest::decode(request)?);
                    let mut bytes = [0; 4];
                    answer.encode(&mut bytes)?;
                    self.send(Kind::Other(doe::DISCOVERY), &bytes)?;
                }
                Received::Message(kind, request) => {
                    message.clear();
                    message.extend_from_slice(request);
                    return Ok(Request::Message(kind));
                }
                Received::Command(Command::TEST, _) => self.command(Command::TEST, emulator::SERVER_HELLO)?,
                Received::Command(command, payload) if command.is_known() => {
                    message.clear();
                    message.extend_from_slice(payload);
                    self.command(command, &[])?;
                    return Ok(Request::Command(command));
                }
                Received::Command(..) => self.command(Command::UNKNOWN, &[])?,
                Received::Closed => return Ok(Request::Closed),
            }
        }
    }
}

fn call_tap(tap: &mut Option<Tap>, frame: &[u8]) -> io::Result<()> {
    tap.as_mut().map_or(Ok(()), |tap| tap(frame))
}

/// An item for the responder to handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// A request, or a secured message that carries one.
    Message(Kind),
    /// A command of the emulator, which has been echoed.
    Command(Command),
    /// The peer closed the connection.
    Closed,
}
