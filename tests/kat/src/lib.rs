//! Known answers: the NIST generator, records, and the comparison with the vectors.
