//! Bytes there and back on a connection, timed: for `bench` and for `--throughput`.

use grille_tls::Connection;
use std::io::{self, Read, Write};
use std::time::{Duration, Instant};

/// The most that is sent at a time: as much as a record holds.
pub(super) const RECORD: usize = 1 << 14;

/// The lengths of the packets that carry so many bytes.
pub(super) fn packets(bytes: u64, packet: usize) -> impl Iterator<Item = usize> {
    let whole = bytes / packet as u64;
    let last = (bytes % packet as u64) as usize;
    (0..whole).map(move |_| packet).chain((last > 0).then_some(last))
}

/// Sends packets of these lengths back, each when it has come: how long receiving took, and how long sending.
///
/// # Errors
/// Those of the connection; it ends if a packet takes longer there and back than the connection's timeout.
pub(super) fn echo(
    connection: &mut Connection,
    packets: impl Iterator<Item = usize>,
    buffer: &mut [u8],
) -> io::Result<[Duration; 2]> {
    let [mut receive, mut send] = [Duration::ZERO; 2];
    for len in packets {
        connection.restart_deadline();
        receive += timed(|| connection.read_exact(&mut buffer[..len]))?;
        send += timed(|| connection.write_all(&buffer[..len]))?;
    }
    Ok([receive, send])
}

/// How long the work took.
pub(super) fn timed(work: impl FnOnce() -> io::Result<()>) -> io::Result<Duration> {
    let start = Instant::now();
    work().map(|()| start.elapsed())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_make_up_the_bytes() {
        let cases = [(16, 64, 4), (16, 65, 5), (16, 0, 0), (16, 3, 1)];
        let records =
            [(RECORD, 1, 1), (RECORD, 1 << 14, 1), (RECORD, (1 << 14) + 1, 2), (RECORD, 1 << 20, 64)];
        for (packet, bytes, count) in cases.into_iter().chain(records) {
            let packets: Vec<_> = packets(bytes, packet).collect();
            assert_eq!((packets.len(), packets.iter().sum::<usize>() as u64), (count, bytes));
        }
    }
}
