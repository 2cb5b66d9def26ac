//! The table of requests and responses (DSP0274 tables 4 and 5).

use core::fmt;

/// RequestResponseCode. Bit 7 is set in requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(
    /// The byte on the wire.
    pub u8,
);

/// A request with its response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeRow {
    /// Code and name of the request; `None` for [`Code::ERROR`], which answers any request.
    pub request: Option<(Code, &'static str)>,
    /// Code and name of the response; `None` for RESPOND_IF_READY, whose response has the original request's response
    /// code.
    pub response: Option<(Code, &'static str)>,
    /// SPDMVersion of the first version that has the pair.
    pub since: u8,
}

impl Code {
    /// Returns whether the code is that of a request.
    #[must_use]
    pub const fn is_request(self) -> bool {
        self.0 & 0x80 != 0
    }

    /// Returns the name in DSP0274; `None` if the code is unknown.
    #[must_use]
    pub fn name(self) -> Option<&'static str> {
        let pairs = CODES.iter().flat_map(|row| [row.request, row.response]);
        pairs.flatten().find(|&(code, _)| code == self).map(|(_, name)| name)
    }

    /// Returns the row of [`CODES`] that contains this request or response; `None` if the code is unknown.
    #[must_use]
    pub fn row(self) -> Option<&'static CodeRow> {
        let is_self = |half: Option<(Self, _)>| half.is_some_and(|(code, _)| code == self);
        CODES.iter().find(|row| is_self(row.request) || is_self(row.response))
    }

    /// Returns the code of the regular response to this request; `None` for RESPOND_IF_READY, responses and unknown
    /// codes.
    #[must_use]
    pub fn response(self) -> Option<Self> {
        let row = self.row().filter(|_| self.is_request())?;
        row.response.map(|(code, _)| code)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "{:#04x}", self.0),
        }
    }
}

macro_rules! codes {
    ($($request:ident = $request_code:literal, $response:ident = $response_code:literal, $since:literal;)*) => {
        /// All requests with their responses, and the first version that has each pair.
        pub const CODES: &[CodeRow] = &[
            $(CodeRow {
                request: Some((Code::$request, stringify!($request))),
                response: Some((Code::$response, stringify!($response))),
                since: $since,
            },)*
            CodeRow { request: Some((Code::RESPOND_IF_READY, "RESPOND_IF_READY")), response: None, since: 0x10 },
            CodeRow { request: None, response: Some((Code::ERROR, "ERROR")), since: 0x10 },
        ];

        impl Code {
            $(
                #[doc = concat!(stringify!($request), ", a request.")]
                pub const $request: Self = Self($request_code);
                #[doc = concat!(stringify!($response), ", a response.")]
                pub const $response: Self = Self($response_code);
            )*
            /// RESPOND_IF_READY, a request. Its response is that of the original request.
            pub const RESPOND_IF_READY: Self = Self(0xff);
            /// ERROR, a response to any request.
            pub const ERROR: Self = Self(0x7f);
        }
    };
}

codes! {
    GET_DIGESTS = 0x81, DIGESTS = 0x01, 0x10;
    GET_CERTIFICATE = 0x82, CERTIFICATE = 0x02, 0x10;
    CHALLENGE = 0x83, CHALLENGE_AUTH = 0x03, 0x10;
    GET_VERSION = 0x84, VERSION = 0x04, 0x10;
    CHUNK_SEND = 0x85, CHUNK_SEND_ACK = 0x05, 0x12;
    CHUNK_GET = 0x86, CHUNK_RESPONSE = 0x06, 0x12;
    GET_ENDPOINT_INFO = 0x87, ENDPOINT_INFO = 0x07, 0x13;
    SLOT_MANAGEMENT = 0x88, SLOT_MANAGEMENT_RESP = 0x08, 0x14;
    GET_MEASUREMENTS = 0xe0, MEASUREMENTS = 0x60, 0x10;
    GET_CAPABILITIES = 0xe1, CAPABILITIES = 0x61, 0x10;
    GET_SUPPORTED_EVENT_TYPES = 0xe2, SUPPORTED_EVENT_TYPES = 0x62, 0x13;
    NEGOTIATE_ALGORITHMS = 0xe3, ALGORITHMS = 0x63, 0x10;
    KEY_EXCHANGE = 0xe4, KEY_EXCHANGE_RSP = 0x64, 0x11;
    FINISH = 0xe5, FINISH_RSP = 0x65, 0x11;
    PSK_EXCHANGE = 0xe6, PSK_EXCHANGE_RSP = 0x66, 0x11;
    PSK_FINISH = 0xe7, PSK_FINISH_RSP = 0x67, 0x11;
    HEARTBEAT = 0xe8, HEARTBEAT_ACK = 0x68, 0x11;
    KEY_UPDATE = 0xe9, KEY_UPDATE_ACK = 0x69, 0x11;
    GET_ENCAPSULATED_REQUEST = 0xea, ENCAPSULATED_REQUEST = 0x6a, 0x11;
    DELIVER_ENCAPSULATED_RESPONSE = 0xeb, ENCAPSULATED_RESPONSE_ACK = 0x6b, 0x11;
    END_SESSION = 0xec, END_SESSION_ACK = 0x6c, 0x11;
    GET_CSR = 0xed, CSR = 0x6d, 0x12;
    SET_CERTIFICATE = 0xee, SET_CERTIFICATE_RSP = 0x6e, 0x12;
    GET_MEASUREMENT_EXTENSION_LOG = 0xef, MEASUREMENT_EXTENSION_LOG = 0x6f, 0x13;
    SUBSCRIBE_EVENT_TYPES = 0xf0, SUBSCRIBE_EVENT_TYPES_ACK = 0x70, 0x13;
    SEND_EVENT = 0xf1, EVENT_ACK = 0x71, 0x13;
    GET_KEY_PAIR_INFO = 0xfc, KEY_PAIR_INFO = 0x7c, 0x13;
    SET_KEY_PAIR_INFO = 0xfd, SET_KEY_PAIR_INFO_ACK = 0x7d, 0x13;
    VENDOR_DEFINED_REQUEST = 0xfe, VENDOR_DEFINED_RESPONSE = 0x7e, 0x10;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn response_codes_are_request_codes_without_bit_7() {
        for row in CODES {
            if let (Some((request, _)), Some((response, _))) = (row.request, row.response) {
                assert_eq!(request.0, response.0 | 0x80, "{request}");
                assert!(request.is_request() && !response.is_request());
                assert_eq!(request.response(), Some(response));
            }
        }
    }

    #[test]
    fn codes_are_unique() {
        for value in 0..=u8::MAX {
            let halves = CODES.iter().flat_map(|row| [row.request, row.response]).flatten();
            assert!(halves.filter(|&(code, _)| code.0 == value).count() <= 1, "{value:#x}");
        }
    }
}
