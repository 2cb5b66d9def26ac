//! A connection with a peer: DMTF's emulators, or SPDM over TCP as DSP0287 has it.

use crate::binding::{Binding, Kind};
use crate::doe::{self, DiscoveryRequest, DiscoveryResponse};
use crate::emulator::{self, Command};
use crate::frame::{Delimited, Frame};
use crate::stream::{Stream, StreamError};
use crate::tcp;
use std::boxed::Box;
use std::io::{self, Read, Write};
use std::vec::Vec;

/// Frames that are taken: the largest data object of PCI DOE, and what the emulators put before it.
const MAX: usize = (1 << 20) + 12;

const ROLE_INQUIRY: tcp::Message<'_> =
    tcp::Message { message_type: tcp::MessageType::ROLE_INQUIRY, payload: &[] };

/// A connection.
pub struct Connection<S> {
    stream: Stream<S>,
    binding: Binding,
    carrier: Carrier,
    frame: Vec<u8>,
    tap: Option<Tap>,
}

/// Sees every frame of the transport that is sent or received, without what emulators put around it; an error of its
/// own ends the connection.
pub type Tap = Box<dyn FnMut(&[u8]) -> io::Result<()> + Send>;

/// What is put around the frames of the binding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Carrier {
    /// The twelve bytes of DMTF's emulators.
    Emulator,
    /// Nothing: DSP0287 says itself where a frame ends.
    Tcp,
}

/// What came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Received<'a> {
    /// A frame of the transport.
    Message(Kind, &'a [u8]),
    /// A command of an emulator other than [`Command::NORMAL`].
    Command(Command, &'a [u8]),
    /// The peer has closed the connection.
    Closed,
}

impl<S: Read + Write> Connection<S> {
    /// To an emulator, or from one; `binding` is the transport that both were told of.
    pub fn emulator(stream: S, binding: Binding) -> Self {
        Self::new(stream, binding, Carrier::Emulator)
    }

    /// SPDM over TCP (DSP0287).
    pub fn tcp(stream: S) -> Self {
        Self::new(stream, Binding::Tcp, Carrier::Tcp)
    }

    fn new(stream: S, binding: Binding, carrier: Carrier) -> Self {
        Self { stream: Stream::new(stream, MAX), binding, carrier, frame: Vec::new(), tap: None }
    }

    /// With somebody who sees all frames: for captures.
    #[must_use]
    pub fn tapped(self, tap: Tap) -> Self {
        Self { tap: Some(tap), ..self }
    }

    /// The transport.
    pub fn binding(&self) -> Binding {
        self.binding
    }

    /// Whether the peer takes the commands of DMTF's emulators.
    pub fn is_emulator(&self) -> bool {
        self.carrier == Carrier::Emulator
    }

    /// The stream, to set its timeouts.
    pub fn get_ref(&self) -> &S {
        self.stream.get_ref()
    }

    /// Sends a message.
    ///
    /// # Errors
    /// A failure of the stream, or a message that the transport cannot carry.
    pub fn send(&mut self, kind: Kind, message: &[u8]) -> Result<(), StreamError> {
        // the longest header of a transport, and padding to four bytes
        self.frame.resize(message.len() + 12, 0);
        let len = self.binding.encode(kind, message, &mut self.frame)?;
        let frame = self.frame.get(..len).unwrap_or_default();
        see(&mut self.tap, frame)?;
        match self.carrier {
            Carrier::Emulator => {
                let (command, binding) = (Command::NORMAL, self.binding);
                self.stream.send(&emulator::Packet { command, binding, payload: frame }, len)
            }
            Carrier::Tcp => self.stream.send(&tcp::Message::decode(frame)?, len),
        }
    }

    /// Sends a command to an emulator; one that DSP0287 does not have is not sent.
    ///
    /// # Errors
    /// A failure of the stream.
    pub fn command(&mut self, command: Command, payload: &[u8]) -> Result<(), StreamError> {
        let binding = self.binding;
        match self.carrier {
            Carrier::Emulator => {
                self.stream.send(&emulator::Packet { command, binding, payload }, payload.len())
            }
            Carrier::Tcp => Ok(()),
        }
    }

    /// Waits for what comes next.
    ///
    /// # Errors
    /// A failure of the stream, its end within a frame, or what is no frame of this transport.
    pub fn receive(&mut self) -> Result<Received<'_>, StreamError> {
        let binding = self.binding;
        match self.carrier {
            Carrier::Tcp => match self.stream.receive::<tcp::Message<'_>>()? {
                None => Ok(Received::Closed),
                Some(message) => {
                    if self.tap.is_some() {
                        self.frame.resize(message.payload.len() + tcp::Message::HEADER, 0);
                        let len = message.encode(&mut self.frame)?;
                        see(&mut self.tap, self.frame.get(..len).unwrap_or_default())?;
                    }
                    Ok(Received::Message(binding.kind_of(message.message_type.0), message.payload))
                }
            },
            Carrier::Emulator => match self.stream.receive::<emulator::Packet<'_>>()? {
                None => Ok(Received::Closed),
                Some(packet) if packet.binding != binding => {
                    Err(StreamError::Unexpected { expected: "a frame of the transport that was agreed on" })
                }
                Some(emulator::Packet { command: Command::NORMAL, payload, .. }) => {
                    see(&mut self.tap, payload)?;
                    let (kind, message) = binding.decode(payload)?;
                    Ok(Received::Message(kind, message))
                }
                Some(packet) => Ok(Received::Command(packet.command, packet.payload)),
            },
        }
    }

    /// Tells who was connected to that it is to be the requester, before all else: Role-Inquiry of DSP0287.
    ///
    /// # Errors
    /// A failure of the stream.
    pub fn inquire_role(&mut self) -> Result<(), StreamError> {
        self.stream.send(&ROLE_INQUIRY, 0)
    }

    /// Waits to be told by who has connected that this side is to be the requester.
    ///
    /// # Errors
    /// A failure of the stream, or anything else than Role-Inquiry.
    pub fn await_role(&mut self) -> Result<(), StreamError> {
        match self.stream.receive::<tcp::Message<'_>>()? {
            Some(ROLE_INQUIRY) => Ok(()),
            Some(_) => Err(StreamError::Unexpected { expected: "a Role-Inquiry" }),
            None => Err(StreamError::Cut { arrived: 0 }),
        }
    }

    /// The requester's greeting, and on PCI DOE discovery. Emulators without a transport are not greeted.
    ///
    /// # Errors
    /// A failure of the stream, another greeting, or a mailbox without SPDM.
    pub fn greet(&mut self) -> Result<(), StreamError> {
        if self.carrier == Carrier::Tcp || self.binding == Binding::Bare {
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

    /// Asks the mailbox for all its data objects.
    fn discover(&mut self) -> Result<(), StreamError> {
        let (mut index, mut found) = (0, [false; 256]);
        // an index leads to another at most 256 times
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

    /// The responder's side: waits for a request or a command, and answers what comes before it, greetings and
    /// discovery. What it carries is put into `message`. Commands are said back before they are returned.
    ///
    /// # Errors
    /// As [`Connection::receive`] and [`Connection::send`].
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

fn see(tap: &mut Option<Tap>, frame: &[u8]) -> io::Result<()> {
    tap.as_mut().map_or(Ok(()), |tap| tap(frame))
}

/// What a responder has to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// A request, or a message that carries one.
    Message(Kind),
    /// A command of the emulator, which has been said back.
    Command(Command),
    /// Nothing more: the peer has closed the connection.
    Closed,
}
