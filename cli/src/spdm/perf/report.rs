//! The tables of results, as text and JSON.

use super::columns::{Requester, Responder, Times};
use super::options::Configuration;
use super::suite::Suite;
use crate::output::{BOLD, DIM, Output, Report, format_count};
use crate::table::{self, Column};
use serde::Serialize;
use std::io::{self, Write};

/// The results of all configurations.
#[derive(Serialize)]
pub(super) struct Measured {
    pub(super) runs: u32,
    pub(super) rows: Vec<Row>,
}

/// The table that lists a configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Table {
    /// The first table of openspdm-pqc: the responder has a certificate chain, and signs.
    Signatures,
    /// The second table of openspdm-pqc: KEM authentication, or keys without certificates.
    KemAuthentication,
    /// The table of SPDM 1.4, which openspdm-pqc does not have.
    Standard,
}

/// The medians of one configuration, in microseconds.
#[derive(Serialize)]
pub(super) struct Row {
    number: u32,
    table: Table,
    level: u8,
    configuration: String,
    #[serde(flatten)]
    times: Times,
}

impl Table {
    const ALL: [Self; 3] = [Self::Signatures, Self::KemAuthentication, Self::Standard];

    /// Returns the table of openspdm-pqc to which this configuration belongs. With --pqc-tables 7, it is the first one.
    pub(super) fn for_configuration(configuration: &Configuration) -> Self {
        let has_kem_auth = configuration.has_kem_auth() || configuration.uses_provisioned_slot();
        if has_kem_auth && !configuration.has_seven_tables() {
            Self::KemAuthentication
        } else {
            Self::Signatures
        }
    }

    const fn title(self) -> &'static str {
        match self {
            Self::Signatures => "SPDM 1.1 of openspdm-pqc",
            Self::KemAuthentication => "SPDM 1.1 of openspdm-pqc, with KEM authentication",
            Self::Standard => "SPDM 1.4",
        }
    }
}

impl Row {
    /// Creates the row of a configuration with the medians of these runs; there must be at least one. `number` counts
    /// the rows of all tables, starting at 1.
    pub(super) fn new(number: u32, table: Table, suite: &Suite, runs: &[Times]) -> Self {
        let (level, configuration) = (suite.level, suite.name.clone());
        Self { number, table, level, configuration, times: Times::median(runs) }
    }

    /// Returns the name of the configuration, which lists its algorithms.
    pub(super) fn configuration(&self) -> &str {
        &self.configuration
    }

    /// Returns the requester's times.
    pub(super) const fn requester(&self) -> &Requester {
        &self.times.requester
    }

    /// Returns the responder's times.
    pub(super) const fn responder(&self) -> &Responder {
        &self.times.responder
    }

    fn cells(&self) -> Vec<String> {
        let times = self.times.values().map(|time| format!("{time:.0}"));
        [self.level.to_string(), self.configuration.clone()].into_iter().chain(times).collect()
    }
}

/// All columns, in the order of [`Row::cells`]. The number after each title is the rank of the column: a narrow
/// terminal drops the columns with the lowest ranks first, but never a column of rank 0.
const COLUMNS: &[Column] = &[
    Column::number("LEVEL", 4),
    Column::text("CONFIGURATION", 0),
    Column::number("REQ TOTAL", 5),
    Column::number("CERT_VERIFY", 3),
    Column::number("CHAL_VERIFY", 3),
    Column::number(KEM_AUTH_COLUMNS[0], 2),
    Column::number("KEY_EX_KEM_GEN", 3),
    Column::number("KEY_EX_KEM_DECAP", 3),
    Column::number("KEY_EX_VERIFY", 3),
    Column::number(KEM_AUTH_COLUMNS[1], 2),
    Column::number("REQ OTHER", 1),
    Column::number("RSP TOTAL", 5),
    Column::number("CHAL_SIGN", 3),
    Column::number(KEM_AUTH_COLUMNS[2], 2),
    Column::number("KEY_EX_KEM_ENCAP", 3),
    Column::number("KEY_EX_SIGN", 3),
    Column::number(KEM_AUTH_COLUMNS[3], 2),
    Column::number("RSP OTHER", 1),
];

/// The columns of KEM authentication, which only [`Table::KemAuthentication`] shows.
const KEM_AUTH_COLUMNS: [&str; 4] =
    ["CHAL_KEM_AUTH_ENCAP", "KEY_EX_KEM_AUTH_ENCAP", "CHAL_KEM_AUTH_DECAP", "KEY_EX_KEM_AUTH_DECAP"];

impl Report for Measured {
    fn write_text(&self, out: &mut Output) -> io::Result<()> {
        for table in Table::ALL {
            let rows: Vec<&Row> = self.rows.iter().filter(|row| row.table == table).collect();
            if !rows.is_empty() {
                print(table, &rows, out)?;
            }
        }
        let runs = format_count(self.runs, "run");
        writeln!(out, "{DIM}Microseconds: medians of {runs}, in memory, on one thread.{DIM:#}")
    }
}

fn print(table: Table, rows: &[&Row], out: &mut Output) -> io::Result<()> {
    let is_shown =
        |column: &Column| table == Table::KemAuthentication || !KEM_AUTH_COLUMNS.contains(&column.title);
    let columns: Vec<Column> = COLUMNS.iter().copied().filter(is_shown).collect();
    let cells = |row: &&Row| {
        let all = COLUMNS.iter().zip(row.cells());
        all.filter(|(column, _)| is_shown(column)).map(|(_, cell)| cell).collect()
    };
    writeln!(out, "{BOLD}{}{BOLD:#}", table.title())?;
    table::print(out, &columns, &rows.iter().map(cells).collect::<Vec<_>>())?;
    writeln!(out)
}
