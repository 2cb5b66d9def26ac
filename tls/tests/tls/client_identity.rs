//! Allowed clients and revocation: the clients with a valid chain that a server accepts.

use crate::fixture::{NAME, Party, client_options, connect, connect_again, server_options};
use grille_core::SystemRng;
use grille_pki::issue::{Profile, Template, issue, self_signed};
use grille_pki::{Certificate, Crl, PrivateKey};
use grille_registry::signature_by_name;
use grille_tls::report::Kind;
use grille_tls::tickets::{SharedKeys, rotate};
use grille_tls::{AllowedClient, Check, Client, ClientIdentity, ClientOptions, Server, ServerOptions};
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use x509_cert::certificate::Rfc5280;
use x509_cert::crl::{CertificateList, RevokedCert, TbsCertList};
use x509_cert::der::asn1::{BitString, GeneralizedTime, OctetString};
use x509_cert::der::oid::ObjectIdentifier;
use x509_cert::der::{Decode, Encode};
use x509_cert::ext::Extension;
use x509_cert::time::Time;

/// A root and its key.
struct Issuer {
    root: Certificate,
    key: PrivateKey,
}

impl Issuer {
    fn new(algorithm: &str) -> Self {
        let key = PrivateKey::generate(signature_by_name(algorithm).unwrap(), &mut SystemRng).unwrap();
        let template = Template::new("CN=issuer", Profile::Root).unwrap();
        Self { root: self_signed(&template, &key, &mut SystemRng).unwrap(), key }
    }

    fn issue(&self, subject: &str, names: &[&str]) -> Party {
        let template = Template::new(subject, Profile::end_entity(names).unwrap()).unwrap();
        let key = PrivateKey::generate(self.key.row(), &mut SystemRng).unwrap();
        let own = issue(&template, key.public_key(), &self.root, &self.key, &mut SystemRng).unwrap();
        Party { root: self.root.clone(), own, key }
    }

    /// Issues a revocation list of these certificates, which expires at `next_update`.
    fn revocation_list(&self, revoked: &[&Certificate], next_update: Duration) -> Crl {
        let der = self.list(revoked, next_update).to_der().unwrap();
        Crl::all_from_pem(&der).unwrap().swap_remove(0)
    }

    fn list(&self, revoked: &[&Certificate], next_update: Duration) -> CertificateList {
        let root: x509_cert::Certificate = x509_cert::Certificate::from_der(self.root.as_der()).unwrap();
        let time = |since| Time::GeneralTime(GeneralizedTime::from_unix_duration(since).unwrap());
        let revoked = revoked.iter().map(|certificate| {
            let parsed: x509_cert::Certificate =
                x509_cert::Certificate::from_der(certificate.as_der()).unwrap();
            RevokedCert::<Rfc5280> {
                serial_number: parsed.tbs_certificate().serial_number().clone(),
                revocation_date: time(now()),
                crl_entry_extensions: None,
            }
        });
        let revoked: Vec<_> = revoked.collect();
        let number = Extension {
            extn_id: ObjectIdentifier::new_unwrap("2.5.29.20"),
            critical: false,
            extn_value: OctetString::new([2, 1, 1]).unwrap(),
        };
        let signature_algorithm = root.signature_algorithm().clone();
        let tbs_cert_list = TbsCertList {
            version: x509_cert::certificate::Version::V2,
            signature: signature_algorithm.clone(),
            issuer: root.tbs_certificate().subject().clone(),
            this_update: time(now() - Duration::from_hours(1)),
            next_update: Some(time(next_update)),
            revoked_certificates: (!revoked.is_empty()).then_some(revoked),
            crl_extensions: Some(vec![number]),
        };
        let signature =
            self.key.signing_key().sign(&tbs_cert_list.to_der().unwrap(), b"", &mut SystemRng).unwrap();
        let signature = BitString::from_bytes(&signature).unwrap();
        CertificateList { tbs_cert_list, signature_algorithm, signature }
    }
}

fn now() -> Duration {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    // whole seconds, the precision of certificates
    Duration::from_secs(now.as_secs())
}

fn tomorrow() -> Duration {
    now() + Duration::from_hours(24)
}

fn allowed(texts: &[&str]) -> Vec<AllowedClient> {
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

/// Returns the client's identity, or the error, as the server reports it.
fn identity_at(client: &Party, server: ServerOptions, own: &Party) -> Result<ClientIdentity, String> {
    let results = connect(client_options(client, own), server);
    match results.server {
        Ok(report) => Ok(ClientIdentity::from_chain(&report.peer_chain.0).unwrap()),
        Err(error) => {
            assert!(results.client.is_err());
            Err(error.to_string())
        }
    }
}

#[test]
fn accepts_allowed_clients_only() {
    let issuer = Issuer::new("ML-DSA-44");
    let own = issuer.issue("CN=server", &[NAME]);
    let [billing, other] = ["billing", "other"]
        .map(|name| issuer.issue(&format!("CN={name},O=Example"), &[&format!("{name}.example"), "10.0.0.7"]));
    let fingerprint = ClientIdentity::from(&billing.own).fingerprint_hex();
    for list in [
        &["CN:billing"][..],
        &["DNS:billing.example"],
        &[&format!("SHA256:{fingerprint}")],
        &["CN:unknown", "DNS:BILLING.example"],
    ] {
        let options = || ServerOptions { allowed_clients: allowed(list), ..server_options(&own, &billing) };
        let client = identity_at(&billing, options(), &own).unwrap();
        assert_eq!(client, ClientIdentity::from(&billing.own), "{list:?}");
        assert_eq!(client.common_name.as_deref(), Some("billing"));
        let refused = identity_at(&other, options(), &own).unwrap_err();
        let named =
            "CN=other,O=Example (DNS:other.example, IP:10.0.0.7) is not on the list of allowed clients";
        assert!(refused.contains(named), "{list:?}: {refused}");
    }
}

#[test]
fn rejects_an_untrusted_client_with_an_allowed_name() {
    let (issuer, unrelated) = (Issuer::new("ML-DSA-44"), Issuer::new("ML-DSA-44"));
    let own = issuer.issue("CN=server", &[NAME]);
    let options = ServerOptions { allowed_clients: allowed(&["CN:billing"]), ..server_options(&own, &own) };
    assert!(identity_at(&unrelated.issue("CN=billing", &["x"]), options, &own).is_err());
}

#[test]
fn list_of_clients_needs_roots() {
    let own = Issuer::new("ML-DSA-44").issue("CN=server", &[NAME]);
    let open = || ServerOptions::new(own.identity());
    let restricted = ServerOptions { allowed_clients: allowed(&["CN:billing"]), ..open() };
    let revoking = vec![Issuer::new("ML-DSA-44").revocation_list(&[], tomorrow())];
    for options in [restricted, ServerOptions { client_revocation: revoking, ..open() }] {
        let error = options.into_configs().err().unwrap().to_string();
        assert!(error.contains("need client roots"), "{error}");
    }
}

#[test]
fn rejects_revoked_servers() {
    let issuer = Issuer::new("ML-DSA-44");
    let [own, other] = [NAME, "other"].map(|name| issuer.issue(&format!("CN={name}"), &[name]));
    let connect = |revocation| {
        let client = ClientOptions { revocation, ..client_options(&other, &own) };
        connect(client, ServerOptions::new(own.identity()))
    };
    connect(vec![issuer.revocation_list(&[&other.own], tomorrow())]).reports("a server that is not revoked");
    let refused =
        connect(vec![issuer.revocation_list(&[&own.own], tomorrow())]).client.unwrap_err().to_string();
    assert!(refused.contains(&format!("the certificate of CN={NAME} was revoked on ")), "{refused}");
    let unknown =
        connect(vec![Issuer::new("ML-DSA-44").revocation_list(&[], tomorrow())]).client.unwrap_err();
    assert!(unknown.to_string().contains("revocation list"), "{unknown}");
}

#[test]
fn revocation_lists_of_servers_need_roots() {
    let issuer = Issuer::new("ML-DSA-44");
    let revocation = || vec![issuer.revocation_list(&[], tomorrow())];
    let insecure = ClientOptions {
        revocation: revocation(),
        check: Check::DangerousAcceptAny,
        ..ClientOptions::default()
    };
    let server_keys = vec![issuer.key.public_key().clone()];
    let by_key = ClientOptions { revocation: revocation(), server_keys, ..ClientOptions::default() };
    for options in [insecure, by_key] {
        let error = options.into_config().err().unwrap().to_string();
        assert!(error.contains("revocation lists need roots"), "{error}");
    }
}

#[test]
fn rejects_revoked_clients() {
    for algorithm in ["ML-DSA-44", "ECDSA-P256"] {
        let issuer = Issuer::new(algorithm);
        let [own, good, bad] = [NAME, "good", "bad"].map(|name| issuer.issue(&format!("CN={name}"), &[name]));
        let options = || ServerOptions {
            client_revocation: vec![issuer.revocation_list(&[&bad.own, &own.own], tomorrow())],
            ..server_options(&own, &good)
        };
        identity_at(&good, options(), &own).unwrap();
        let refused = identity_at(&bad, options(), &own).unwrap_err();
        assert!(refused.contains("the certificate of CN=bad was revoked on "), "{refused}");
    }
}

#[test]
fn uses_the_newest_list_of_an_issuer() {
    let issuer = Issuer::new("ML-DSA-44");
    let [own, bad] = [NAME, "bad"].map(|name| issuer.issue(&format!("CN={name}"), &[name]));
    let mut old = issuer.list(&[], tomorrow());
    old.tbs_cert_list.this_update =
        Time::GeneralTime(GeneralizedTime::from_unix_duration(now() - Duration::from_hours(9)).unwrap());
    let signature =
        issuer.key.signing_key().sign(&old.tbs_cert_list.to_der().unwrap(), b"", &mut SystemRng).unwrap();
    old.signature = BitString::from_bytes(&signature).unwrap();
    for turned in [false, true] {
        let old = Crl::all_from_pem(&old.to_der().unwrap()).unwrap().swap_remove(0);
        let mut client_revocation = vec![old, issuer.revocation_list(&[&bad.own], tomorrow())];
        if turned {
            client_revocation.reverse();
        }
        let options = ServerOptions { client_revocation, ..server_options(&own, &bad) };
        assert!(identity_at(&bad, options, &own).unwrap_err().contains("was revoked"));
    }
}

#[test]
fn rejects_clients_of_unknown_revocation_status() {
    let (issuer, other) = (Issuer::new("ML-DSA-44"), Issuer::new("ML-DSA-44"));
    let own = issuer.issue("CN=server", &[NAME]);
    let client = issuer.issue("CN=client", &["client"]);
    let mut altered = issuer.list(&[], tomorrow());
    altered.tbs_cert_list.next_update =
        issuer.list(&[], tomorrow() + Duration::from_hours(1)).tbs_cert_list.next_update;
    let altered = Crl::all_from_pem(&altered.to_der().unwrap()).unwrap().swap_remove(0);
    let unrelated = {
        let template = Template::new("CN=stranger", Profile::Root).unwrap();
        Issuer { root: self_signed(&template, &other.key, &mut SystemRng).unwrap(), key: other.key }
    };
    let outdated = now() - Duration::from_mins(1);
    for (list, reason) in [
        (
            unrelated.revocation_list(&[], tomorrow()),
            "is not covered by any current revocation list; a list of CN=issuer is needed",
        ),
        (issuer.revocation_list(&[], outdated), "is covered by a revocation list that expired on"),
        (altered, "is covered by a revocation list that was not signed with its issuer's key"),
    ] {
        let options = ServerOptions { client_revocation: vec![list], ..server_options(&own, &client) };
        let refused = identity_at(&client, options, &own).unwrap_err();
        assert!(refused.contains("CN=client") && refused.contains(reason), "{refused}");
    }
}

#[test]
fn revoked_client_does_not_resume_its_session() {
    let issuer = Issuer::new("ML-DSA-44");
    let [own, client] = [NAME, "client"].map(|name| issuer.issue(&format!("CN={name}"), &[name]));
    let text = rotate("", 1).unwrap();
    let served = |lists: Vec<Crl>, list: &[&str]| {
        let ticketer = Arc::new(SharedKeys::from_text(&text).unwrap());
        let options = ServerOptions {
            client_revocation: lists,
            allowed_clients: allowed(list),
            ticketer: Some(ticketer),
            ..server_options(&own, &client)
        };
        Arc::new(Server::bind("127.0.0.1:0", options).unwrap())
    };
    let before = served(vec![issuer.revocation_list(&[], tomorrow())], &[]);
    let after = served(vec![issuer.revocation_list(&[&client.own], tomorrow())], &[]);
    let restricted = served(vec![issuer.revocation_list(&[], tomorrow())], &["CN:other"]);
    let visitor = Client::new(client_options(&client, &own)).unwrap();
    let kind = |server: &Arc<Server>| connect_again(&visitor, server).server.map(|report| report.kind);
    assert_eq!(kind(&before).unwrap(), Kind::Full);
    assert_eq!(kind(&before).unwrap(), Kind::Resumed);
    assert!(kind(&after).unwrap_err().to_string().contains("was revoked"));
    assert!(kind(&restricted).unwrap_err().to_string().contains("allowed clients"));
}
