//! Packet captures (pcap) of sent and received messages, in the format of DMTF's emulators.

use crate::error::Error;
use crate::files::{self, Access};
use grille_spdm_transport::binding::Binding;
use grille_spdm_transport::connection::Tap;
use grille_spdm_transport::frame::Frame;
use grille_spdm_transport::mctp::Packet;
use grille_spdm_transport::pcap::{Header, LinkType, Record};
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

/// A capture file, shared by all connections of this process.
#[derive(Clone)]
pub(crate) struct Capture {
    file: Arc<Mutex<File>>,
    path: Arc<Path>,
    binding: Binding,
}

/// Maximum packet length: the largest accepted frame, plus MCTP's header.
const SNAPSHOT_LEN: u32 = (1 << 20) + 4;

impl Capture {
    /// Creates a capture file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written, or exists and `overwrite` is not set.
    pub(crate) fn create(path: &Path, binding: Binding, overwrite: bool) -> Result<Self, Error> {
        let mut file = files::create(path, Access::Public, overwrite)?;
        let mut header = [0; Header::LEN];
        let encoded =
            Header { snapshot: SNAPSHOT_LEN, link: LinkType::for_binding(binding) }.encode(&mut header);
        let created = encoded.map_err(io::Error::other).and_then(|_| file.write_all(&header));
        created.map_err(|error| write_error(&error, path))?;
        Ok(Self { file: Arc::new(Mutex::new(file)), path: path.into(), binding })
    }

    /// Returns a tap for a connection. Its I/O errors wrap an [`Error`] that names the file.
    pub(crate) fn tap(&self) -> Tap {
        let capture = self.clone();
        Box::new(move |frame| {
            capture.write(frame).map_err(|error| io::Error::other(write_error(&error, &capture.path)))
        })
    }

    /// Writes a packet in one call, so that the capture stays readable if the process is killed.
    fn write(&self, frame: &[u8]) -> io::Result<()> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let mut packet = vec![0; frame.len() + 4];
        let link = Packet { flags: Packet::START | Packet::END, payload: frame, ..Packet::default() };
        let bytes = match self.binding {
            // DMTF's emulators write zeros into all other fields.
            Binding::Mctp => {
                let len = link.encode(&mut packet).map_err(io::Error::other)?;
                &packet[..len]
            }
            _ => frame,
        };
        let record = Record {
            seconds: now.as_secs() as u32,
            fraction: now.subsec_micros(),
            sent: bytes.len() as u32,
            bytes,
        };
        let mut written = vec![0; 16 + bytes.len()];
        record.encode(&mut written).map_err(io::Error::other)?;
        self.file.lock().unwrap_or_else(PoisonError::into_inner).write_all(&written)
    }
}

fn write_error(error: &io::Error, path: &Path) -> Error {
    Error::failure(format_args!("cannot write: {}", files::reason(error))).at(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use grille_spdm_transport::pcap;
    use grille_spdm_transport::stream::StreamError;

    #[test]
    fn round_trips_packets() {
        let folder = tempfile::tempdir().unwrap();
        for binding in [Binding::Mctp, Binding::PciDoe, Binding::Tcp] {
            let path = folder.path().join(binding.name());
            let capture = Capture::create(&path, binding, false).unwrap();
            let frames: [&[u8]; 2] = [&[5, 0x10, 0x84, 0, 0], &[5, 0x10, 4, 0, 0]];
            let mut tap = capture.tap();
            frames.iter().for_each(|frame| tap(frame).unwrap());
            let bytes = std::fs::read(&path).unwrap();
            let read = pcap::Capture::new(&bytes).unwrap();
            assert_eq!(read.header.link.binding(), Some(binding));
            let packets: Vec<_> = read.map(|record| read.frame(&record.unwrap()).unwrap()).collect();
            assert_eq!(packets, frames, "{binding:?}");
        }
    }

    #[test]
    fn write_errors_name_the_capture() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("said.pcap");
        let capture = Capture::create(&path, Binding::Mctp, false).unwrap();
        // Open for reading only, so that writing fails.
        let file = Arc::new(Mutex::new(File::open(&path).unwrap()));
        let refused = (Capture { file, ..capture }.tap())(&[5, 0x10, 0x84, 0, 0]).unwrap_err();
        let message = Error::from(StreamError::from(refused)).or_place("127.0.0.1:2323").to_string();
        assert!(message.starts_with(&format!("{}: cannot write: ", path.display())), "{message}");
    }

    #[test]
    fn rejects_missing_directory() {
        let path = Path::new("not/there.pcap");
        let refused = Capture::create(path, Binding::Mctp, false).map(|_| ()).unwrap_err();
        assert!(refused.to_string().starts_with("not/there.pcap: cannot write"), "{refused}");
    }
}
