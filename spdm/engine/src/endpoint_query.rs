//! The parameters of GET_ENDPOINT_INFO (1.3).

/// Fetches the peer's endpoint information.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FetchEndpointInfo {
    /// SubCode: 1 for DeviceClassIdentifier.
    pub sub_code: u8,
    /// The slot whose key signs; `None` for no signature.
    pub signed: Option<u8>,
}
