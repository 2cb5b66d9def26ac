//! Headers of the PROXY protocol: a header that was read can be written. Reading it again gives the same addresses and
//! consumes every byte.
#![no_main]

use grille_proxy::proxy_protocol::{self, Endpoints, HeaderError};
use std::pin::pin;
use std::task::{Context, Poll, Waker};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let mut rest = data;
    if let Ok(Some(ends)) = read(&mut rest) {
        let written = proxy_protocol::write(ends, None);
        let mut again = written.as_slice();
        assert_eq!((read(&mut again).unwrap(), again), (Some(ends), &[][..]));
    }
});

/// Reads a header from bytes in memory, so the reader never has to wait.
fn read(from: &mut &[u8]) -> Result<Option<Endpoints>, HeaderError> {
    match pin!(proxy_protocol::read(from)).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(read) => read,
        Poll::Pending => panic!("it waits"),
    }
}
