//! tls_bench's two forms: a block for each side, or a table.

use super::{Measured, Numbered, Role};
use crate::output::{DIM, Output};
use crate::table::{self, Column};
use grille_tls::codepoints::wolfssl_suite_name;
use std::io::{self, Write};

/// The block of each side, in tls_bench's words.
pub(super) fn blocks(result: &Measured, out: &mut Output) -> io::Result<()> {
    let group = result.wolfssl_group.unwrap_or(result.group);
    let suite = wolfssl_suite_name(&result.cipher_suite);
    for (role, side) in result.sides() {
        let title = role.title;
        writeln!(out, "wolfSSL {title} Benchmark on {suite} with group {group}:")?;
        block(side, out)?;
    }
    writeln!(out)?;
    out.flush()
}

fn block(side: &Numbered, out: &mut Output) -> io::Result<()> {
    writeln!(out, "\tTotal       : {:9} bytes", side.total_bytes)?;
    writeln!(out, "\tNum Conns   : {:9}", side.connections)?;
    let lines = [
        ("Rx Total", side.receive_milliseconds, "ms"),
        ("Tx Total", side.send_milliseconds, "ms"),
        ("Rx", side.receive_mib_per_second, "MB/s"),
        ("Tx", side.send_mib_per_second, "MB/s"),
        ("Connect", side.connect_milliseconds, "ms"),
        ("Connect Avg", side.connect_mean_milliseconds, "ms"),
    ];
    lines.iter().try_for_each(|(title, number, unit)| writeln!(out, "\t{title:<12}: {number:9.3} {unit}"))
}

/// One line for each side of each combination.
pub(super) fn table(results: &[Measured], out: &mut Output) -> io::Result<()> {
    let columns = [
        Column::text("SIDE", 0),
        Column::text("CIPHER", 1),
        Column::text("GROUP", 0),
        Column::text("CERTIFICATE", 5),
        Column::number("BYTES", 2),
        Column::number("CONNS", 7),
        Column::number("RX MS", 3),
        Column::number("TX MS", 3),
        Column::number("RX MB/S", 6),
        Column::number("TX MB/S", 6),
        Column::number("CONNECT MS", 4),
        Column::number("AVG MS", 0),
    ];
    let rows: Vec<_> = results
        .iter()
        .flat_map(|result| result.sides().map(move |(role, side)| cells(role, result, side)))
        .collect();
    table::print(out, &columns, &rows)?;
    writeln!(out, "{DIM}MB are 2²⁰ bytes. AVG MS is the mean time of a handshake on that side.{DIM:#}")
}

fn cells(role: &Role, result: &Measured, side: &Numbered) -> Vec<String> {
    let mut cells = vec![
        role.name.to_owned(),
        wolfssl_suite_name(&result.cipher_suite),
        result.group.to_owned(),
        result.signature.unwrap_or("-").to_owned(),
        side.total_bytes.to_string(),
        side.connections.to_string(),
    ];
    let numbers = [
        side.receive_milliseconds,
        side.send_milliseconds,
        side.receive_mib_per_second,
        side.send_mib_per_second,
        side.connect_milliseconds,
        side.connect_mean_milliseconds,
    ];
    cells.extend(numbers.map(|number| format!("{number:.3}")));
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suites_have_the_names_of_tls_bench() {
        assert_eq!(wolfssl_suite_name("TLS_AES_256_GCM_SHA384"), "TLS13-AES256-GCM-SHA384");
        assert_eq!(wolfssl_suite_name("TLS_CHACHA20_POLY1305_SHA256"), "TLS13-CHACHA20-POLY1305-SHA256");
    }
}
