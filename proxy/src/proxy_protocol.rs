//! PROXY protocol, version 2: passes the client's address and identity to a service that is connected only to the
//! proxy.
//!
//! Layout (haproxy.org, proxy-protocol.txt, section 2.2): signature (12 bytes), version and command, family and
//! protocol, length of the rest (2, big-endian), addresses, TLVs (type, length in 2 bytes, value).

use grille_tls::ClientIdentity;
use std::fmt;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use tokio::io::{AsyncRead, AsyncReadExt};

/// Source and destination of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Endpoints {
    /// The client.
    pub source: SocketAddr,
    /// Address that the client connected to.
    pub destination: SocketAddr,
}

/// TLS properties of the client's connection, for the service.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TlsProperties {
    /// Protocol version, such as `TLSv1.3`.
    pub version: String,
    /// Cipher suite, such as `TLS_AES_256_GCM_SHA384`.
    pub suite: String,
    /// Key-exchange group, such as `X25519MLKEM768`.
    pub group: String,
    /// When the client was authenticated, if at all.
    pub client_auth: ClientAuth,
    /// Identity from the client's certificate, if it presented one.
    pub client: Option<ClientIdentity>,
    /// Negotiated ALPN protocol, if any.
    pub alpn: Option<Vec<u8>>,
    /// Server name that the client requested.
    pub server_name: Option<String>,
}

/// When the client proved that it has the private key of its certificate or of its raw public key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClientAuth {
    /// Never: the client is anonymous.
    #[default]
    None,
    /// In the handshake of this connection.
    InConnection,
    /// In the full handshake of the resumed session. The certificate or key from that handshake was verified again.
    InSession,
}

const SIGNATURE: [u8; 12] = *b"\r\n\r\n\0\r\nQUIT\n";
const VERSION: u8 = 0x20;
const LOCAL: u8 = 0;
const PROXY: u8 = 1;
const TCP_OVER_IPV4: u8 = 0x11;
const TCP_OVER_IPV6: u8 = 0x21;
const HEADER_LEN: usize = SIGNATURE.len() + 4;

const TYPE_ALPN: u8 = 0x01;
const TYPE_AUTHORITY: u8 = 0x02;
const TYPE_SSL: u8 = 0x20;
const SSL_VERSION: u8 = 0x21;
const SSL_COMMON_NAME: u8 = 0x22;
const SSL_CIPHER: u8 = 0x23;
const SSL_GROUP: u8 = 0x26;
/// Flags of the TLS properties, in this order: the client used TLS, it presented a certificate on this connection, it
/// presented one in this session.
const CLIENT_SSL: u8 = 1;
const CLIENT_CERT_CONN: u8 = 2;
const CLIENT_CERT_SESS: u8 = 4;

/// Types from the range reserved for applications (0xE0 to 0xEF), in this order: the subject of the client's
/// certificate (RFC 4514), one of its subject alternative names, and its SHA-256 in hexadecimal.
const TYPE_CLIENT_SUBJECT: u8 = 0xE0;
const TYPE_CLIENT_NAME: u8 = 0xE1;
const TYPE_CLIENT_FINGERPRINT: u8 = 0xE2;

/// Maximum length of addresses and TLVs together. Longer headers are refused when they are received. The proxy never
/// sends one: it omits each name in the certificate that would not fit.
const MAX_BODY_LEN: usize = 4096;

/// Maximum length of a common name that is passed on. X.520 allows 64 characters.
const MAX_COMMON_NAME_LEN: usize = 1024;

/// Reason why the first bytes of a connection are not a valid header.
#[derive(Debug)]
pub enum HeaderError {
    /// The connection ended or failed.
    Io(io::Error),
    /// The signature is missing: the client is not a proxy, or uses version 1.
    NoSignature,
    /// The version or the command is unknown.
    Version(u8),
    /// The length in the header is too short for the addresses, or exceeds 4096 bytes.
    Length(usize),
}

impl fmt::Display for HeaderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::NoSignature => f.write_str("the connection does not start with a PROXY protocol v2 header"),
            Self::Version(byte) => {
                write!(f, "unknown version and command 0x{byte:02X} in the PROXY header")
            }
            Self::Length(len) => write!(f, "invalid length of addresses in the PROXY header: {len} bytes"),
        }
    }
}

impl std::error::Error for HeaderError {}

/// Reads exactly one header. Returns `None` if the connection is not TCP, or if the sending proxy made it on its own
/// behalf (a health check).
///
/// # Errors
/// Returns [`HeaderError`] if the header is invalid.
pub async fn read(from: &mut (impl AsyncRead + Unpin)) -> Result<Option<Endpoints>, HeaderError> {
    let mut header = [0; HEADER_LEN];
    from.read_exact(&mut header).await.map_err(HeaderError::Io)?;
    let (signature, rest) = header.split_at(SIGNATURE.len());
    if signature != SIGNATURE {
        return Err(HeaderError::NoSignature);
    }
    let [version_and_command, family, high, low] = [rest[0], rest[1], rest[2], rest[3]];
    if ![VERSION | LOCAL, VERSION | PROXY].contains(&version_and_command) {
        return Err(HeaderError::Version(version_and_command));
    }
    let len = usize::from(u16::from_be_bytes([high, low]));
    if len > MAX_BODY_LEN {
        return Err(HeaderError::Length(len));
    }
    let mut body = vec![0; len];
    from.read_exact(&mut body).await.map_err(HeaderError::Io)?;
    match (version_and_command & 0x0F, family) {
        (PROXY, TCP_OVER_IPV4) => ipv4(&body).map(Some).ok_or(HeaderError::Length(len)),
        (PROXY, TCP_OVER_IPV6) => ipv6(&body).map(Some).ok_or(HeaderError::Length(len)),
        _ => Ok(None),
    }
}

/// Parses source and destination addresses (4 bytes each) and their ports (2 bytes each).
fn ipv4(body: &[u8]) -> Option<Endpoints> {
    let (addresses, ports) = body.split_first_chunk::<8>()?;
    let [a, b, c, d, e, f, g, h] = *addresses;
    endpoints(Ipv4Addr::new(a, b, c, d), Ipv4Addr::new(e, f, g, h), ports)
}

/// Parses source and destination addresses (16 bytes each) and their ports (2 bytes each).
fn ipv6(body: &[u8]) -> Option<Endpoints> {
    let (source, rest) = body.split_first_chunk::<16>()?;
    let (destination, ports) = rest.split_first_chunk::<16>()?;
    endpoints(Ipv6Addr::from(*source), Ipv6Addr::from(*destination), ports)
}

/// Builds the endpoints. IPv4-mapped IPv6 addresses become IPv4 addresses, so that a client has only one address.
fn endpoints<A: Into<IpAddr>>(source: A, destination: A, ports: &[u8]) -> Option<Endpoints> {
    let [a, b, c, d] = *ports.first_chunk()?;
    let end = |address: A, port| SocketAddr::new(address.into().to_canonical(), u16::from_be_bytes(port));
    Some(Endpoints { source: end(source, [a, b]), destination: end(destination, [c, d]) })
}

/// Encodes the header of a connection.
#[must_use]
pub fn write(endpoints: Endpoints, tls: Option<&TlsProperties>) -> Vec<u8> {
    let (family, mut body) = addresses(endpoints);
    if let Some(tls) = tls {
        if let Some(alpn) = &tls.alpn {
            tlv(&mut body, TYPE_ALPN, alpn);
        }
        if let Some(name) = &tls.server_name {
            tlv(&mut body, TYPE_AUTHORITY, name.as_bytes());
        }
        tlv(&mut body, TYPE_SSL, &ssl_value(tls));
        if let Some(client) = &tls.client {
            add_identity(&mut body, client);
        }
    }
    let mut header = SIGNATURE.to_vec();
    header.extend([VERSION | PROXY, family]);
    header.extend(field_len(&body).to_be_bytes());
    header.extend(body);
    header
}

/// Encodes both addresses in one family: as IPv4 if neither is an IPv6 address, otherwise as IPv6.
fn addresses(Endpoints { source, destination }: Endpoints) -> (u8, Vec<u8>) {
    let ports = [source.port().to_be_bytes(), destination.port().to_be_bytes()].concat();
    match (source.ip().to_canonical(), destination.ip().to_canonical()) {
        (IpAddr::V4(source), IpAddr::V4(destination)) => {
            (TCP_OVER_IPV4, [&source.octets()[..], &destination.octets(), &ports].concat())
        }
        (source, destination) => {
            let [source, destination] = [source, destination].map(|address| match address {
                IpAddr::V4(address) => address.to_ipv6_mapped().octets(),
                IpAddr::V6(address) => address.octets(),
            });
            (TCP_OVER_IPV6, [&source[..], &destination, &ports].concat())
        }
    }
}

/// Encodes flags, verification result (0 if a certificate was verified), the common name, and the names of the
/// negotiated parameters.
fn ssl_value(tls: &TlsProperties) -> Vec<u8> {
    let (flags, verify) = match tls.client_auth {
        ClientAuth::None => (CLIENT_SSL, 1),
        ClientAuth::InConnection => (CLIENT_SSL | CLIENT_CERT_CONN | CLIENT_CERT_SESS, 0),
        ClientAuth::InSession => (CLIENT_SSL | CLIENT_CERT_SESS, 0),
    };
    let mut body = vec![flags, 0, 0, 0, verify];
    let common_name = tls.client.as_ref().and_then(|client| client.common_name.as_deref());
    if let Some(name) = common_name.filter(|name| name.len() <= MAX_COMMON_NAME_LEN) {
        tlv(&mut body, SSL_COMMON_NAME, name.as_bytes());
    }
    for (kind, text) in [(SSL_VERSION, &tls.version), (SSL_CIPHER, &tls.suite), (SSL_GROUP, &tls.group)] {
        tlv(&mut body, kind, text.as_bytes());
    }
    body
}

/// Adds as much of the client's identity as fits. The fingerprint always fits.
fn add_identity(body: &mut Vec<u8>, client: &ClientIdentity) {
    tlv(body, TYPE_CLIENT_FINGERPRINT, client.fingerprint_hex().as_bytes());
    let subject = (!client.subject.is_empty()).then(|| (TYPE_CLIENT_SUBJECT, client.subject.clone()));
    let names = client.names.iter().map(|name| (TYPE_CLIENT_NAME, name.to_string()));
    for (kind, text) in subject.into_iter().chain(names) {
        if body.len() + TLV_HEADER_LEN + text.len() <= MAX_BODY_LEN {
            tlv(body, kind, text.as_bytes());
        }
    }
}

/// Number of bytes that precede the value of a TLV: the type and the length.
const TLV_HEADER_LEN: usize = 3;

fn tlv(body: &mut Vec<u8>, kind: u8, value: &[u8]) {
    body.push(kind);
    body.extend(field_len(value).to_be_bytes());
    body.extend_from_slice(value);
}

/// Returns the length of a field. Names of protocols and hosts have at most 255 bytes, so every field has fewer than
/// 2¹⁶ bytes.
fn field_len(value: &[u8]) -> u16 {
    debug_assert!(u16::try_from(value.len()).is_ok());
    value.len() as u16
}

#[cfg(test)]
mod tests {
    use super::*;
    use grille_pki::AlternativeName;

    fn addresses(source: &str, destination: &str) -> Endpoints {
        let address = |text: &str| text.parse().expect("an address");
        Endpoints { source: address(source), destination: address(destination) }
    }

    async fn reread(mut header: &[u8]) -> Result<Option<Endpoints>, HeaderError> {
        let read = read(&mut header).await;
        assert!(read.is_err() || header.is_empty(), "the header is read completely");
        read
    }

    #[tokio::test]
    async fn header_round_trips() {
        let tls = TlsProperties {
            version: "TLSv1.3".into(),
            alpn: Some(b"h2".to_vec()),
            ..TlsProperties::default()
        };
        for endpoints in
            [addresses("10.0.0.1:4711", "192.0.2.7:443"), addresses("[2001:db8::1]:1", "[::1]:65535")]
        {
            for tls in [None, Some(&tls)] {
                assert_eq!(reread(&write(endpoints, tls)).await.expect("a header"), Some(endpoints));
            }
        }
        let mixed = addresses("10.0.0.1:1", "[2001:db8::1]:2");
        assert_eq!(reread(&write(mixed, None)).await.expect("a header"), Some(mixed));
    }

    #[tokio::test]
    async fn treats_mapped_addresses_as_ipv4() {
        let mapped = |last: u8| [&[0; 10][..], &[0xFF, 0xFF, 10, 0, 0, last]].concat();
        let body = [mapped(1), mapped(2), vec![0, 1, 0, 2]].concat();
        let header = [&SIGNATURE[..], &[0x21, TCP_OVER_IPV6, 0, 36], &body].concat();
        let read = reread(&header).await.expect("a header").expect("addresses");
        assert_eq!(read, addresses("10.0.0.1:1", "10.0.0.2:2"));
        assert_eq!(reread(&write(read, None)).await.expect("a header"), Some(read));
    }

    #[test]
    fn layout_matches_the_specification() {
        let header = write(addresses("1.2.3.4:258", "5.6.7.8:772"), None);
        let rest = [0x21, 0x11, 0, 12, 1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4];
        assert_eq!(header, [&b"\x0D\x0A\x0D\x0A\x00\x0D\x0A\x51\x55\x49\x54\x0A"[..], &rest].concat());
    }

    #[tokio::test]
    async fn rejects_truncated_and_altered_headers() {
        let header = write(addresses("10.0.0.1:4711", "192.0.2.7:443"), None);
        for len in 0..header.len() {
            assert!(reread(&header[..len]).await.is_err(), "{len} bytes");
        }
        for index in 0..13 {
            let mut altered = header.clone();
            altered[index] ^= 0x40;
            assert!(reread(&altered).await.is_err(), "byte {index}");
        }
        let mut short = header.clone();
        short[15] = 11;
        assert!(matches!(reread(&short[..27]).await, Err(HeaderError::Length(11))));
        let mut long = header;
        long[14] = 0x20;
        assert!(matches!(reread(&long).await, Err(HeaderError::Length(_))));
    }

    /// Returns the TLVs after IPv4 addresses.
    fn tlvs(header: &[u8]) -> Vec<(u8, Vec<u8>)> {
        let mut rest = &header[HEADER_LEN + 12..];
        let mut found = Vec::new();
        while let [kind, high, low, after @ ..] = rest {
            let (value, after) = after.split_at(usize::from(u16::from_be_bytes([*high, *low])));
            found.push((*kind, value.to_vec()));
            rest = after;
        }
        assert!(rest.is_empty());
        found
    }

    fn client(names: Vec<AlternativeName>) -> TlsProperties {
        let client = ClientIdentity {
            subject: "CN=a,O=b".to_owned(),
            common_name: Some("a".to_owned()),
            names,
            fingerprint: [0xAB; 32],
        };
        TlsProperties {
            client_auth: ClientAuth::InConnection,
            client: Some(client),
            ..TlsProperties::default()
        }
    }

    #[test]
    fn passes_on_when_the_client_was_authenticated() {
        let endpoints = addresses("1.2.3.4:1", "5.6.7.8:2");
        for (client_auth, flags, verify) in
            [(ClientAuth::None, 1, 1), (ClientAuth::InConnection, 7, 0), (ClientAuth::InSession, 5, 0)]
        {
            let header = write(endpoints, Some(&TlsProperties { client_auth, ..TlsProperties::default() }));
            let (kind, value) = &tlvs(&header)[0];
            assert_eq!((*kind, &value[..5]), (0x20, &[flags, 0, 0, 0, verify][..]), "{client_auth:?}");
        }
    }

    #[test]
    fn passes_on_the_clients_identity() {
        let uri = AlternativeName::Uri("spiffe://example/a".to_owned());
        let header = write(addresses("1.2.3.4:1", "5.6.7.8:2"), Some(&client(vec![uri])));
        let tlvs = tlvs(&header);
        assert_eq!(tlvs[0].1[5..9], [0x22, 0, 1, b'a']);
        let hex = "ab".repeat(32).into_bytes();
        let names = [(0xE2, hex), (0xE0, b"CN=a,O=b".to_vec()), (0xE1, b"URI:spiffe://example/a".to_vec())];
        assert_eq!(tlvs[1..], names);
    }

    #[tokio::test]
    async fn omits_names_that_do_not_fit() {
        let long = (0..100).map(|n| AlternativeName::Dns(format!("{n:03}{}", "a".repeat(97)))).collect();
        let endpoints = addresses("1.2.3.4:1", "5.6.7.8:2");
        let header = write(endpoints, Some(&client(long)));
        assert!(
            (MAX_BODY_LEN - 107..=MAX_BODY_LEN).contains(&(header.len() - HEADER_LEN)),
            "{}",
            header.len()
        );
        assert!(tlvs(&header).iter().all(|(kind, value)| *kind != 0xE1 || value.len() == 104));
        assert_eq!(reread(&header).await.expect("a header"), Some(endpoints));
        let mut long = client(Vec::new());
        long.client.as_mut().expect("a client").common_name = Some("a".repeat(1 << 16));
        assert!(write(endpoints, Some(&long)).len() < 200);
    }

    #[tokio::test]
    async fn health_check_has_no_addresses() {
        let header = [&SIGNATURE[..], &[0x20, 0, 0, 0]].concat();
        assert_eq!(reread(&header).await.expect("a header"), None);
    }
}
