//! Timed transfers in both directions of a connection, for `bench` and for `--throughput`.

use grille_tls::Connection;
use std::io::{self, Read, Write};
use std::time::{Duration, Instant};

/// Maximum number of bytes sent at a time: the capacity of a TLS record.
pub(super) const RECORD_LEN: usize = 1 << 14;

/// Returns the lengths of the packets that carry `bytes`.
pub(super) fn packets(bytes: u64, packet: usize) -> impl Iterator<Item = usize> {
    let whole = bytes / packet as u64;
    let last = (bytes % packet as u64) as usize;
    (0..whole).map(move |_| packet).chain((last > 0).then_some(last))
}

/// Receives packets of these lengths and sends each back; returns the time of receiving and the time of sending.
///
/// # Errors
/// Returns an error if the connection fails, or a packet takes longer than the connection's timeout in both directions
/// together.
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

/// Runs `work` and returns its time.
pub(super) fn timed(work: impl FnOnce() -> io::Result<()>) -> io::Result<Duration> {
    let start = Instant::now();
    work().map(|()| start.elapsed())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_bytes_into_packets() {
        let cases = [(16, 64, 4), (16, 65, 5), (16, 0, 0), (16, 3, 1)];
        let records = [
            (RECORD_LEN, 1, 1),
            (RECORD_LEN, 1 << 14, 1),
            (RECORD_LEN, (1 << 14) + 1, 2),
            (RECORD_LEN, 1 << 20, 64),
        ];
        for (packet, bytes, count) in cases.into_iter().chain(records) {
            let packets: Vec<_> = packets(bytes, packet).collect();
            assert_eq!((packets.len(), packets.iter().sum::<usize>() as u64), (count, bytes));
        }
    }
}
