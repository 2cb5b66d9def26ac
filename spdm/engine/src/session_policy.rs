//! SessionPolicy, DSP0274 "KEY_EXCHANGE" and "PSK_EXCHANGE".

/// TerminationPolicy (1.2): the session may continue after code or configuration was updated at run time.
pub const SURVIVES_UPDATES: u8 = 1;
/// EventAllPolicy (1.3): the requester subscribes to every event.
pub const ALL_EVENTS: u8 = 1 << 1;
