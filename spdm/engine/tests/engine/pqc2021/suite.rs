//! The algorithms and keys of both sides of a connection in the dialect.

use super::*;

pub(super) const RESPONDER: Caps = Caps(common::ALL.0 & !Caps::CHUNK.0 & !Caps::LARGE_RESP.0);
pub(super) const REQUESTER: Caps = Caps(RESPONDER.0 & !Caps::MEAS_SIG.0);

/// The algorithms of a connection, by name; a name is empty if there is no algorithm.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Suite {
    pub(super) asym: &'static str,
    pub(super) req_asym: &'static str,
    pub(super) dhe: Dhe,
    pub(super) signature: &'static str,
    pub(super) kem: &'static str,
    pub(super) kem_auth: &'static str,
    pub(super) req_signature: &'static str,
    pub(super) req_kem_auth: &'static str,
    pub(super) mode: PublicKeyMode,
    pub(super) strict: bool,
}

/// Keys of one side without certificates.
#[derive(Default)]
pub(super) struct Keys {
    pub(super) identity: Identity,
    pub(super) public: PeerKeys,
}

impl Keys {
    pub(super) fn with_signature(self, name: &str) -> Self {
        if name.is_empty() {
            return self;
        }
        let row = registry_signature(name);
        let key = PrivateKey::generate(row, &mut SystemRng).unwrap();
        let public = key.public_key().clone();
        let signer = Arc::new(LocalSigner::new(Asym::PostQuantum(row), key).unwrap());
        Self {
            identity: self.identity.with_raw_signer(public.clone(), signer),
            public: self.public.with_signature(public),
        }
    }

    pub(super) fn with_kem(self, name: &str) -> Self {
        if name.is_empty() {
            return self;
        }
        let row = registry_kem(name);
        let key = row.kem.generate(&mut SystemRng);
        let public = self.public.with_kem(row, key.encaps_key_bytes());
        Self { identity: self.identity.with_kem_key(row, key), public }
    }
}

pub(super) fn registry_signature(name: &str) -> &'static SignatureRow {
    signature_row(Signature::by_name(name).expect(name), false).expect(name)
}

pub(super) fn registry_kem(name: &str) -> &'static KemRow {
    kem_row(Kem::by_name(name).expect(name)).expect(name)
}

impl Suite {
    pub(super) fn algorithms(&self) -> Algorithms {
        let signature = |name: &str| Signature::by_name(name).map_or(Set::NONE, Signature::set);
        let kem = |name: &str| Kem::by_name(name).map_or(Set::NONE, Kem::set);
        Algorithms {
            signature: signature(self.signature),
            req_signature: signature(self.req_signature),
            kem: kem(self.kem),
            kem_auth: kem(self.kem_auth),
            req_kem_auth: kem(self.req_kem_auth),
        }
    }

    pub(super) fn is_mutual(&self) -> bool {
        ![self.req_asym, self.req_signature, self.req_kem_auth].concat().is_empty()
    }

    pub(super) fn config(&self, flags: Caps) -> Config {
        let bit = |name: &str| match classical_asym(name) {
            Some(Asym::Classical(row)) => 1 << row.bit,
            _ => 0,
        };
        let mutual = if self.is_mutual() { Caps::MUT_AUTH | Caps::ENCAP } else { Caps::NONE };
        let algorithms = Bits {
            hash: BaseHash::SHA_384.0,
            asym: bit(self.asym),
            req_asym: bit(self.req_asym) as u16,
            dhe: self.dhe.0,
            pqc_asym: 0,
            req_pqc_asym: 0,
            kem: 0,
            ..Bits::all()
        };
        Config {
            algorithms,
            pqc2021: Some(Options {
                algorithms: self.algorithms(),
                public_keys: self.mode,
                strict: self.strict,
                ..Options::default()
            }),
            mutual: match self.is_mutual() {
                true if self.has_requester_slot() => MutualAuthentication::Encapsulated,
                true => MutualAuthentication::Slot(PROVISIONED),
                false => MutualAuthentication::No,
            },
            heartbeat: 5,
            ..Config::with(flags | mutual)
        }
    }

    /// Returns the slot of the responder's keys.
    pub(super) fn slot(&self) -> u8 {
        let raw = self.asym.is_empty() && self.mode == PublicKeyMode::Raw;
        if raw { PROVISIONED } else { 0 }
    }

    /// Returns whether the requester has a certificate.
    pub(super) fn has_requester_slot(&self) -> bool {
        !self.req_asym.is_empty() || self.mode == PublicKeyMode::Certificate && !self.req_signature.is_empty()
    }

    /// Returns a responder's certificates; `None` in slot 0xFF.
    pub(super) fn credential(&self) -> Option<Credential> {
        self.certificate(self.asym, self.signature)
    }

    /// Returns certificates with keys of these algorithms; `None` if no certificate has them.
    fn certificate(&self, asym: &str, signature: &str) -> Option<Credential> {
        let classical = classical_asym(asym);
        let asym = match (self.mode, classical) {
            (PublicKeyMode::Raw, classical) => classical,
            (PublicKeyMode::Certificate, _) if signature.is_empty() => classical,
            (PublicKeyMode::Certificate, Some(Asym::Classical(classical))) => {
                let row = composite(classical, registry_signature(signature));
                Some(Asym::PostQuantum(row.expect(signature)))
            }
            (PublicKeyMode::Certificate, _) => Some(Asym::PostQuantum(registry_signature(signature))),
        };
        asym.map(|asym| credential_in_era(asym, Options::default().numbers(), |template| template))
    }

    pub(super) fn keys(&self) -> [Keys; 2] {
        let raw = |name: &'static str| if self.mode == PublicKeyMode::Raw { name } else { "" };
        [
            Keys::default().with_signature(raw(self.signature)).with_kem(self.kem_auth),
            Keys::default().with_signature(raw(self.req_signature)).with_kem(self.req_kem_auth),
        ]
    }

    /// Connects both sides.
    pub(super) fn connect(&self) -> (Requester, Wire) {
        self.connect_with(self.keys(), [self.config(RESPONDER), self.config(REQUESTER)])
    }

    pub(super) fn connect_with(&self, [device, host]: [Keys; 2], configs: [Config; 2]) -> (Requester, Wire) {
        let (mut requester, mut wire) = self.pair([device, host], configs);
        requester.run(Connect::new(), &mut wire).unwrap();
        if self.slot() != PROVISIONED {
            requester.run(FetchDigests, &mut wire).unwrap();
            requester.run(FetchCertificate::new(0), &mut wire).unwrap();
        }
        (requester, wire)
    }

    pub(super) fn pair(&self, [device, host]: [Keys; 2], [theirs, ours]: [Config; 2]) -> (Requester, Wire) {
        let (own, peer) = (self.credential(), self.certificate(self.req_asym, self.req_signature));
        let roots = |of: &Option<Credential>| {
            Box::new(Roots::new(of.iter().map(|credential| credential.root.clone()).collect()))
        };
        let with_slot = |identity: Identity, credential: &Option<Credential>| match credential {
            Some(credential) => identity.with(credential.slot(0)),
            None => identity,
        };
        let psk = |identity: Identity| identity.with_psk(b"hint", SecretBytes::from(&[7; 32][..]));
        let host_identity = psk(with_slot(host.identity, &peer));
        let mut requester = Requester::new(ours, host_identity, roots(&own));
        requester.provision_raw(device.public);
        let device_identity = psk(with_slot(device.identity, &own));
        let responder = Responder::new(theirs, device_identity, Box::new(Sample));
        let mut responder = responder.with_chain_verifier(roots(&peer));
        responder.provision_raw(host.public);
        (requester, Wire::new(responder))
    }

    /// Runs every operation of a session.
    pub(super) fn check_all(&self) {
        let (mut requester, mut wire) = self.connect();
        requester.run(ChallengeResponder::new(self.slot(), 0), &mut wire).unwrap();
        let session = requester.run(OpenSession::new(self.slot()), &mut wire).unwrap();
        use_session(&mut requester, &mut wire, session);
        if !self.signature.is_empty() {
            let measured = requester.run(Measure::all_signed(self.slot()), &mut wire).unwrap();
            assert_eq!(measured.blocks.len(), measurements().len());
        }
    }
}

pub(super) fn classical_asym(name: &str) -> Option<Asym> {
    (!name.is_empty()).then(|| classical(name))
}

/// Uses and ends a session, which shows that both sides have equal keys.
pub(super) fn use_session(requester: &mut Requester, wire: &mut Wire, session: SessionId) {
    requester.run(SendHeartbeat(session), wire).unwrap();
    requester.run(UpdateKeys::all_keys(session), wire).unwrap();
    assert_eq!(
        requester.export_secret(session).map(AsRef::as_ref),
        wire.responder.export_secret(session).map(AsRef::as_ref)
    );
    requester.run(End(session), wire).unwrap();
    assert_eq!((requester.sessions().count(), wire.responder.sessions().count()), (0, 0));
}

pub(super) const PURE: Suite = Suite {
    asym: "",
    req_asym: "",
    dhe: Dhe::NONE,
    signature: "Dilithium2",
    kem: "Kyber512",
    kem_auth: "",
    req_signature: "",
    req_kem_auth: "",
    mode: PublicKeyMode::Raw,
    strict: false,
};
pub(super) const HYBRID: Suite = Suite { asym: "P256", dhe: Dhe::SECP256R1, ..PURE };
pub(super) const KEM_AUTH: Suite = Suite { signature: "", kem_auth: "Kyber512", ..PURE };
pub(super) const CERTIFIED: Suite = Suite { mode: PublicKeyMode::Certificate, ..HYBRID };
