//! Every algorithm: names, identifiers, status and implementation, as one table.
