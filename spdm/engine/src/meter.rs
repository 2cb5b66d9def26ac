//! Measurement of cryptographic operations. Each operation is a column of the openspdm-pqc performance tables.
//!
//! The engine has no clock. It calls a [`Meter`] when an operation starts and when it finishes; without a meter it calls nothing.

use alloc::sync::Arc;
use core::fmt;

/// A cryptographic operation that a [`Meter`] can measure. Operations of one side are never nested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MeteredOperation {
    /// The requester verifies a certificate chain.
    CertVerify,
    /// The requester verifies the signature of CHALLENGE_AUTH.
    ChalVerify,
    /// The requester encapsulates to the responder's long-term KEM key for CHALLENGE.
    ChalKemAuthEncap,
    /// The requester generates the ephemeral keys of KEY_EXCHANGE.
    KeyExKemGen,
    /// The requester derives the shared secret from KEY_EXCHANGE_RSP.
    KeyExKemDecap,
    /// The requester verifies the signature of KEY_EXCHANGE_RSP.
    KeyExVerify,
    /// The requester encapsulates to the responder's long-term KEM key for KEY_EXCHANGE.
    KeyExKemAuthEncap,
    /// The responder signs CHALLENGE_AUTH.
    ChalSign,
    /// The responder decapsulates with its long-term KEM key for CHALLENGE_AUTH.
    ChalKemAuthDecap,
    /// The responder derives the shared secret from KEY_EXCHANGE.
    KeyExKemEncap,
    /// The responder signs KEY_EXCHANGE_RSP.
    KeyExSign,
    /// The responder decapsulates with its long-term KEM key for KEY_EXCHANGE_RSP.
    KeyExKemAuthDecap,
}

impl MeteredOperation {
    /// Every operation, in the order of the columns: first the requester's, then the responder's.
    pub const ALL: [Self; 12] = [
        Self::CertVerify,
        Self::ChalVerify,
        Self::ChalKemAuthEncap,
        Self::KeyExKemGen,
        Self::KeyExKemDecap,
        Self::KeyExVerify,
        Self::KeyExKemAuthEncap,
        Self::ChalSign,
        Self::ChalKemAuthDecap,
        Self::KeyExKemEncap,
        Self::KeyExSign,
        Self::KeyExKemAuthDecap,
    ];

    /// Returns the name of the column in the tables of openspdm-pqc.
    #[must_use]
    pub const fn column(self) -> &'static str {
        match self {
            Self::CertVerify => "CERT_VERIFY",
            Self::ChalVerify => "CHAL_VERIFY",
            Self::ChalKemAuthEncap => "CHAL_KEM_AUTH_ENCAP",
            Self::KeyExKemGen => "KEY_EX_KEM_GEN",
            Self::KeyExKemDecap => "KEY_EX_KEM_DECAP",
            Self::KeyExVerify => "KEY_EX_VERIFY",
            Self::KeyExKemAuthEncap => "KEY_EX_KEM_AUTH_ENCAP",
            Self::ChalSign => "CHAL_SIGN",
            Self::ChalKemAuthDecap => "CHAL_KEM_AUTH_DECAP",
            Self::KeyExKemEncap => "KEY_EX_KEM_ENCAP",
            Self::KeyExSign => "KEY_EX_SIGN",
            Self::KeyExKemAuthDecap => "KEY_EX_KEM_AUTH_DECAP",
        }
    }
}

/// Receives the start and end of operations. The default methods ignore them.
pub trait Meter: Send + Sync {
    /// Called when an operation starts.
    fn started(&self, operation: MeteredOperation) {
        let _ = operation;
    }

    /// Called when the operation has ended, with or without success.
    fn finished(&self, operation: MeteredOperation) {
        let _ = operation;
    }
}

/// A shared meter, for [`Config::meter`](crate::config::Config::meter).
#[derive(Clone)]
pub struct MeterHandle(
    /// The meter.
    pub Arc<dyn Meter>,
);

impl fmt::Debug for MeterHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MeterHandle")
    }
}

/// Runs `operation`, and reports its start and end to the meter, if there is one.
pub(crate) fn measure<T>(
    meter: Option<&MeterHandle>,
    column: Option<MeteredOperation>,
    operation: impl FnOnce() -> T,
) -> T {
    let Some((MeterHandle(meter), column)) = meter.zip(column) else { return operation() };
    meter.started(column);
    let result = operation();
    meter.finished(column);
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;
    use std::vec::Vec;

    struct Recorder(Mutex<Vec<(MeteredOperation, bool)>>);

    impl Meter for Recorder {
        fn started(&self, operation: MeteredOperation) {
            self.0.lock().unwrap().push((operation, true));
        }

        fn finished(&self, operation: MeteredOperation) {
            self.0.lock().unwrap().push((operation, false));
        }
    }

    #[test]
    fn reports_start_and_end() {
        let recorder = Arc::new(Recorder(Mutex::default()));
        let handle = MeterHandle(recorder.clone());
        assert_eq!(measure(Some(&handle), Some(MeteredOperation::ChalSign), || 7), 7);
        assert_eq!(measure(Some(&handle), None, || 8), 8);
        assert_eq!(measure(None, Some(MeteredOperation::ChalSign), || 9), 9);
        let expected = [(MeteredOperation::ChalSign, true), (MeteredOperation::ChalSign, false)];
        assert_eq!(*recorder.0.lock().unwrap(), expected);
    }

    #[test]
    fn columns_are_unique() {
        let mut columns = MeteredOperation::ALL.map(MeteredOperation::column);
        columns.sort_unstable();
        assert!(columns.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
