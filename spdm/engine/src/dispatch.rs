//! The handler of each request. The table of the requests themselves is `messages.rs`.

use crate::reply::Handler;
use crate::{
    capabilities, certificate, challenge, csr, digests, end_session, endpoint_info, events, finish,
    heartbeat, key_exchange, key_pair_info, key_update, measurements, mel, negotiate, psk, set_certificate,
    slot_management, vendor, version,
};
use grille_spdm_codec::Code;

/// Returns the function that answers a request; `None` for an unknown request, and for messages of encapsulated request
/// flows, which the responder answers itself.
pub(crate) fn handler(request: Code) -> Option<Handler> {
    let handler: Handler = match request {
        Code::GET_VERSION => version::respond,
        Code::GET_CAPABILITIES => capabilities::respond,
        Code::NEGOTIATE_ALGORITHMS => negotiate::respond,
        Code::GET_DIGESTS => digests::respond,
        Code::GET_CERTIFICATE => certificate::respond,
        Code::CHALLENGE => challenge::respond,
        Code::GET_MEASUREMENTS => measurements::respond,
        Code::KEY_EXCHANGE => key_exchange::respond,
        Code::FINISH => finish::respond,
        Code::PSK_EXCHANGE => psk::respond,
        Code::PSK_FINISH => psk::respond_finish,
        Code::GET_ENDPOINT_INFO => endpoint_info::respond,
        Code::GET_MEASUREMENT_EXTENSION_LOG => mel::respond,
        Code::GET_CSR => csr::respond,
        Code::SET_CERTIFICATE => set_certificate::respond,
        Code::GET_KEY_PAIR_INFO => key_pair_info::respond,
        Code::SET_KEY_PAIR_INFO => key_pair_info::respond_set,
        Code::SLOT_MANAGEMENT => slot_management::respond,
        Code::VENDOR_DEFINED_REQUEST => vendor::respond,
        Code::GET_SUPPORTED_EVENT_TYPES => events::respond,
        Code::SUBSCRIBE_EVENT_TYPES => events::respond_subscribe,
        Code::SEND_EVENT => events::respond_event,
        Code::HEARTBEAT => heartbeat::respond,
        Code::KEY_UPDATE => key_update::respond,
        Code::END_SESSION => end_session::respond,
        _ => return None,
    };
    Some(handler)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messages::REQUESTS;

    #[test]
    fn every_request_has_a_handler() {
        let flow = [Code::GET_ENCAPSULATED_REQUEST, Code::DELIVER_ENCAPSULATED_RESPONSE];
        let mut handled = REQUESTS.iter().filter(|row| !flow.contains(&row.code));
        assert!(handled.all(|row| handler(row.code).is_some()));
    }
}
