//! The PROXY protocol's header in front of a connection: what is read is written alike, and read to its end.
#![no_main]

use grille_proxy::header::{self, Ends, HeaderError};
use std::pin::pin;
use std::task::{Context, Poll, Waker};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let mut rest = data;
    if let Ok(Some(ends)) = read(&mut rest) {
        let written = header::write(ends, None);
        let mut again = written.as_slice();
        assert_eq!((read(&mut again).unwrap(), again), (Some(ends), &[][..]));
    }
});

/// Bytes in memory are never waited for.
fn read(from: &mut &[u8]) -> Result<Option<Ends>, HeaderError> {
    match pin!(header::read(from)).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(read) => read,
        Poll::Pending => panic!("it waits"),
    }
}
