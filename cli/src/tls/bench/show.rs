//! The two output formats of tls_bench: a block for each side, or a table.

use super::result::{CombinationResult, SideLabels, SideResults};
use crate::output::{DIM, Output};
use crate::table::{self, Column};
use grille_tls::codepoints::wolfssl_suite_name;
use std::io::{self, Write};

/// Prints the block of each side in the format of tls_bench.
pub(super) fn write_blocks(result: &CombinationResult, out: &mut Output) -> io::Result<()> {
    let group = &result.wolfssl_group;
    let suite = wolfssl_suite_name(&result.cipher_suite);
    for (role, side) in result.sides() {
        let title = role.title;
        writeln!(out, "wolfSSL {title} Benchmark on {suite} with group {group}:")?;
        write_block(side, out)?;
    }
    writeln!(out)?;
    out.flush()
}

fn write_block(side: &SideResults, out: &mut Output) -> io::Result<()> {
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

/// Prints one line for each side of each combination, without empty columns.
pub(super) fn write_table(results: &[CombinationResult], out: &mut Output) -> io::Result<()> {
    let with_data = results.iter().flat_map(CombinationResult::sides).any(|(_, side)| side.total_bytes > 0);
    let with_certificate = results.iter().any(|result| result.signature.is_some());
    let shown = |(_, part, _): &&(Column, ColumnCondition, Cell)| match part {
        ColumnCondition::Always => true,
        ColumnCondition::Certificate => with_certificate,
        ColumnCondition::Data => with_data,
    };
    let columns: Vec<_> = COLUMNS.iter().filter(shown).collect();
    let row = |result, (role, side)| {
        columns.iter().map(|(_, _, cell)| cell(result, role, side)).collect::<Vec<_>>()
    };
    let rows: Vec<_> =
        results.iter().flat_map(|result| result.sides().map(move |side| row(result, side))).collect();
    table::print(out, &columns.iter().map(|(column, ..)| *column).collect::<Vec<_>>(), &rows)?;
    writeln!(
        out,
        "{DIM}{}AVG MS: mean time of a handshake on that side.{DIM:#}",
        if with_data { "MB: 2²⁰ bytes. " } else { "" }
    )
}

/// The condition for showing a column.
#[derive(Clone, Copy)]
enum ColumnCondition {
    Always,
    /// Only if this process made the certificates.
    Certificate,
    /// Only if data is sent after the handshakes.
    Data,
}

type Cell = fn(&CombinationResult, &SideLabels, &SideResults) -> String;

const COLUMNS: [(Column, ColumnCondition, Cell); 12] = [
    (Column::text("SIDE", 0), ColumnCondition::Always, |_, role, _| role.name.to_owned()),
    (Column::text("CIPHER", 1), ColumnCondition::Always, |result, _, _| {
        wolfssl_suite_name(&result.cipher_suite)
    }),
    (Column::text("GROUP", 0), ColumnCondition::Always, |result, _, _| result.group.to_owned()),
    (Column::text("CERTIFICATE", 5), ColumnCondition::Certificate, |result, _, _| {
        result.signature.unwrap_or("-").to_owned()
    }),
    (Column::number("BYTES", 2), ColumnCondition::Data, |_, _, side| side.total_bytes.to_string()),
    (Column::number("CONNS", 7), ColumnCondition::Always, |_, _, side| side.connections.to_string()),
    (Column::number("RX MS", 3), ColumnCondition::Data, |_, _, side| three_digits(side.receive_milliseconds)),
    (Column::number("TX MS", 3), ColumnCondition::Data, |_, _, side| three_digits(side.send_milliseconds)),
    (Column::number("RX MB/S", 6), ColumnCondition::Data, |_, _, side| {
        three_digits(side.receive_mib_per_second)
    }),
    (Column::number("TX MB/S", 6), ColumnCondition::Data, |_, _, side| {
        three_digits(side.send_mib_per_second)
    }),
    (Column::number("CONNECT MS", 4), ColumnCondition::Always, |_, _, side| {
        three_digits(side.connect_milliseconds)
    }),
    (Column::number("AVG MS", 0), ColumnCondition::Always, |_, _, side| {
        three_digits(side.connect_mean_milliseconds)
    }),
];

fn three_digits(number: f64) -> String {
    format!("{number:.3}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_suites_as_tls_bench_does() {
        assert_eq!(wolfssl_suite_name("TLS_AES_256_GCM_SHA384"), "TLS13-AES256-GCM-SHA384");
        assert_eq!(wolfssl_suite_name("TLS_CHACHA20_POLY1305_SHA256"), "TLS13-CHACHA20-POLY1305-SHA256");
    }
}
