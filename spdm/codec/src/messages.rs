//! The table of messages, which maps each code to its type.

use crate::codec_error::{CodecError, Problem};
use crate::message::{Header, Message, Sizes, Version};
use crate::wire::Observer;
use crate::{
    capabilities, certificate, challenge, chunk, csr, digests, encapsulated, end_session, endpoint_info,
    error, events, finish, heartbeat, key_exchange, key_pair_info, key_update, measurements, mel, negotiate,
    psk, respond_if_ready, set_certificate, slot_management, vendor, version,
};

/// Decodes any message, and shows its fields after RequestResponseCode to `observer`. Returns the message's length in
/// bytes.
///
/// # Errors
/// Returns an error if the code does not exist, or the errors of [`Message::decode_prefix`]; `observer` has then seen
/// the fields before the error.
pub fn observe<'a>(
    bytes: &'a [u8],
    sizes: &Sizes,
    observer: &mut impl Observer<'a>,
) -> Result<usize, CodecError> {
    dispatch(bytes, Observe { sizes, observer })
}

/// Decodes any message with [`Message::decode_prefix`], and encodes it again with [`Message::encode`]. Returns the
/// decoded and the encoded length.
///
/// # Errors
/// Returns an error if the code does not exist, or the errors of the two functions.
pub fn transcode(bytes: &[u8], sizes: &Sizes, buffer: &mut [u8]) -> Result<(usize, usize), CodecError> {
    dispatch(bytes, Transcode { sizes, buffer })
}

/// A generic operation on a message of any type.
trait Visit<'a> {
    type Output;
    fn visit<M: Message<'a>>(self, bytes: &'a [u8]) -> Result<Self::Output, CodecError>;
}

struct Observe<'s, 'o, O> {
    sizes: &'s Sizes,
    observer: &'o mut O,
}

impl<'a, O: Observer<'a>> Visit<'a> for Observe<'_, '_, O> {
    type Output = usize;

    fn visit<M: Message<'a>>(self, bytes: &'a [u8]) -> Result<usize, CodecError> {
        M::observe(bytes, self.sizes, self.observer).map(|(_, len)| len)
    }
}

struct Transcode<'s, 'b> {
    sizes: &'s Sizes,
    buffer: &'b mut [u8],
}

impl<'a> Visit<'a> for Transcode<'_, '_> {
    type Output = (usize, usize);

    fn visit<M: Message<'a>>(self, bytes: &'a [u8]) -> Result<(usize, usize), CodecError> {
        let (message, read) = M::decode_prefix(bytes, self.sizes)?;
        let version = Version::from_byte(Header::decode(bytes)?.version)?;
        let written = message.encode(version, self.sizes, self.buffer)?;
        Ok((read, written))
    }
}

macro_rules! messages {
    ($($message:ty,)*) => {
        fn dispatch<'a, V: Visit<'a>>(bytes: &'a [u8], visit: V) -> Result<V::Output, CodecError> {
            let code = Header::decode(bytes)?.code;
            match code {
                $(<$message as Message<'a>>::CODE => visit.visit::<$message>(bytes),)*
                _ => {
                    let problem = Problem::Value { expected: "a code of DSP0274", got: u64::from(code.0) };
                    Err(CodecError { name: "RequestResponseCode", offset: 1, problem })
                }
            }
        }

        /// The codes that have a type.
        #[cfg(test)]
        const TYPED: &[crate::code::Code] = &[$(<$message as Message<'static>>::CODE,)*];
    };
}

messages! {
    digests::GetDigests, digests::Digests<'_>,
    certificate::GetCertificate, certificate::Certificate<'_>,
    challenge::Challenge, challenge::ChallengeAuth<'_>,
    version::GetVersion, version::VersionResponse<'_>,
    chunk::ChunkSend<'_>, chunk::ChunkSendAck<'_>,
    chunk::ChunkGet, chunk::ChunkResponse<'_>,
    endpoint_info::GetEndpointInfo, endpoint_info::EndpointInfo<'_>,
    slot_management::SlotManagement<'_>, slot_management::SlotManagementResp<'_>,
    measurements::GetMeasurements, measurements::Measurements<'_>,
    capabilities::GetCapabilities, capabilities::Capabilities<'_>,
    events::GetSupportedEventTypes, events::SupportedEventTypes<'_>,
    negotiate::NegotiateAlgorithms<'_>, negotiate::Algorithms<'_>,
    key_exchange::KeyExchange<'_>, key_exchange::KeyExchangeRsp<'_>,
    finish::Finish<'_>, finish::FinishRsp<'_>,
    psk::PskExchange<'_>, psk::PskExchangeRsp<'_>,
    psk::PskFinish<'_>, psk::PskFinishRsp<'_>,
    heartbeat::Heartbeat, heartbeat::HeartbeatAck,
    key_update::KeyUpdate, key_update::KeyUpdateAck,
    encapsulated::GetEncapsulatedRequest, encapsulated::EncapsulatedRequest<'_>,
    encapsulated::DeliverEncapsulatedResponse<'_>, encapsulated::EncapsulatedResponseAck<'_>,
    end_session::EndSession, end_session::EndSessionAck,
    csr::GetCsr<'_>, csr::Csr<'_>,
    set_certificate::SetCertificate<'_>, set_certificate::SetCertificateRsp,
    mel::GetMeasurementExtensionLog, mel::MeasurementExtensionLog<'_>,
    events::SubscribeEventTypes<'_>, events::SubscribeEventTypesAck,
    events::SendEvent<'_>, events::EventAck,
    key_pair_info::GetKeyPairInfo, key_pair_info::KeyPairInfo<'_>,
    key_pair_info::SetKeyPairInfo<'_>, key_pair_info::SetKeyPairInfoAck,
    vendor::VendorDefinedRequest<'_>, vendor::VendorDefinedResponse<'_>,
    respond_if_ready::RespondIfReady, error::ErrorResponse<'_>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::CODES;

    #[test]
    fn every_code_has_a_type() {
        let codes = || CODES.iter().flat_map(|row| [row.request, row.response]).flatten();
        for (code, name) in codes() {
            assert_eq!(TYPED.iter().filter(|&&typed| typed == code).count(), 1, "{name}");
        }
        assert_eq!(codes().count(), TYPED.len());
    }
}
