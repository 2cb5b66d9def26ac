//! Age limits for the sessions that a client resumes.
//!
//! The server presents no certificate in a resumed handshake, so rustls does not verify it again. A server that keeps
//! renewing its tickets could therefore be accepted long after its certificate expired. [`ClientSessions`] prevents
//! this: it records when each server was verified in a full handshake, and the earliest expiry among the certificates
//! of its chain. Sessions are resumed only before that expiry, and until the full handshake is
//! [`DEFAULT_MAX_SESSION_AGE`] old. Then the client drops them and runs a full handshake.
//!
//! rustls does not report which full handshake a session descends from. The first full handshake therefore limits all
//! sessions of its server. A later full handshake, whose signature may still turn out to be invalid, never extends a
//! limit that has not passed.

use crate::session_age::DEFAULT_MAX_SESSION_AGE;
use rustls::NamedGroup;
use rustls::client::{
    ClientSessionMemoryCache, ClientSessionStore, Tls12ClientSessionValue, Tls13ClientSessionValue,
};
use rustls::pki_types::{ServerName, UnixTime};
use rustls::time_provider::{DefaultTimeProvider, TimeProvider};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Maximum number of servers whose sessions a client caches.
const MAX_SERVERS: usize = 32;

/// Session store that checks the age of each session and the expiry of the server's chain.
#[derive(Debug)]
pub(crate) struct ClientSessions {
    sessions: ClientSessionMemoryCache,
    /// Servers verified in a full handshake, the oldest verification first.
    servers: Mutex<VecDeque<VerifiedServer>>,
    clock: Arc<dyn TimeProvider>,
}

/// Server that was verified in a full handshake.
#[derive(Debug)]
struct VerifiedServer {
    name: ServerName<'static>,
    /// Last second in which the server's sessions may be resumed, as the time since the Unix epoch.
    resumable_until: u64,
}

impl Default for ClientSessions {
    fn default() -> Self {
        Self::with_clock(Arc::new(DefaultTimeProvider))
    }
}

impl ClientSessions {
    fn with_clock(clock: Arc<dyn TimeProvider>) -> Self {
        Self { sessions: ClientSessionMemoryCache::new(MAX_SERVERS), servers: Mutex::default(), clock }
    }

    /// Records a full handshake at `now` with a server that was accepted.
    ///
    /// `expires`: the earliest expiry among the certificates of its chain, as the time since the Unix epoch; `None` if
    /// it has no certificate or the client checks none.
    pub(crate) fn record(&self, name: &ServerName<'_>, now: UnixTime, expires: Option<Duration>) {
        let expires = expires.map_or(u64::MAX, |expires| expires.as_secs());
        let resumable_until = expires.min(now.as_secs().saturating_add(DEFAULT_MAX_SESSION_AGE.as_secs()));
        let mut servers = self.servers();
        if let Some(known) = servers.iter_mut().find(|server| server.name == *name)
            && now.as_secs() <= known.resumable_until
        {
            known.resumable_until = known.resumable_until.min(resumable_until);
            return;
        }
        let name = name.to_owned();
        self.drop_sessions(&name);
        servers.retain(|server| server.name != name);
        if servers.len() == MAX_SERVERS {
            servers.pop_front();
        }
        servers.push_back(VerifiedServer { name, resumable_until });
    }

    fn drop_sessions(&self, name: &ServerName<'static>) {
        self.sessions.remove_tls12_session(name);
        while self.sessions.take_tls13_ticket(name).is_some() {}
    }

    fn is_resumable(&self, name: &ServerName<'_>) -> bool {
        let servers = self.servers();
        let server = servers.iter().find(|server| server.name == *name);
        let now = self.clock.current_time();
        server.zip(now).is_some_and(|(server, now)| now.as_secs() <= server.resumable_until)
    }

    fn servers(&self) -> MutexGuard<'_, VecDeque<VerifiedServer>> {
        self.servers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ClientSessionStore for ClientSessions {
    fn set_kx_hint(&self, name: ServerName<'static>, group: NamedGroup) {
        self.sessions.set_kx_hint(name, group);
    }

    fn kx_hint(&self, name: &ServerName<'_>) -> Option<NamedGroup> {
        self.sessions.kx_hint(name)
    }

    fn set_tls12_session(&self, name: ServerName<'static>, session: Tls12ClientSessionValue) {
        self.sessions.set_tls12_session(name, session);
    }

    fn tls12_session(&self, name: &ServerName<'_>) -> Option<Tls12ClientSessionValue> {
        self.sessions.tls12_session(name).filter(|_| self.is_resumable(name))
    }

    fn remove_tls12_session(&self, name: &ServerName<'static>) {
        self.sessions.remove_tls12_session(name);
    }

    fn insert_tls13_ticket(&self, name: ServerName<'static>, session: Tls13ClientSessionValue) {
        self.sessions.insert_tls13_ticket(name, session);
    }

    fn take_tls13_ticket(&self, name: &ServerName<'static>) -> Option<Tls13ClientSessionValue> {
        self.sessions.take_tls13_ticket(name).filter(|_| self.is_resumable(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    #[derive(Debug, Default)]
    struct Clock(AtomicU64);

    impl TimeProvider for Clock {
        fn current_time(&self) -> Option<UnixTime> {
            Some(UnixTime::since_unix_epoch(Duration::from_secs(self.0.load(Relaxed))))
        }
    }

    const DAY: u64 = DEFAULT_MAX_SESSION_AGE.as_secs();

    fn name(host: &str) -> ServerName<'static> {
        ServerName::try_from(host.to_owned()).expect("a host name")
    }

    fn at(seconds: u64) -> UnixTime {
        UnixTime::since_unix_epoch(Duration::from_secs(seconds))
    }

    fn sessions() -> (ClientSessions, Arc<Clock>) {
        let clock = Arc::new(Clock::default());
        (ClientSessions::with_clock(clock.clone()), clock)
    }

    #[test]
    fn resumes_until_the_session_is_a_day_old() {
        let (sessions, clock) = sessions();
        sessions.record(&name("a.example"), at(1000), None);
        for (now, resumable) in [(1000, true), (1000 + DAY, true), (1001 + DAY, false)] {
            clock.0.store(now, Relaxed);
            assert_eq!(sessions.is_resumable(&name("a.example")), resumable, "at {now}");
        }
    }

    #[test]
    fn does_not_resume_after_the_chain_expires() {
        let (sessions, clock) = sessions();
        sessions.record(&name("a.example"), at(1000), Some(Duration::from_secs(1500)));
        for (now, resumable) in [(1500, true), (1501, false)] {
            clock.0.store(now, Relaxed);
            assert_eq!(sessions.is_resumable(&name("a.example")), resumable, "at {now}");
        }
    }

    #[test]
    fn later_handshakes_do_not_extend_a_limit_before_it_passes() {
        let (sessions, clock) = sessions();
        let server = name("a.example");
        sessions.record(&server, at(1000), None);
        sessions.record(&server, at(2000), None);
        clock.0.store(1001 + DAY, Relaxed);
        assert!(!sessions.is_resumable(&server));
        sessions.record(&server, at(1001 + DAY), None);
        assert!(sessions.is_resumable(&server));
    }

    #[test]
    fn does_not_resume_with_a_server_that_was_never_verified() {
        let (sessions, _) = sessions();
        sessions.record(&name("a.example"), at(0), None);
        assert!(!sessions.is_resumable(&name("b.example")));
    }

    #[test]
    fn forgets_the_oldest_verification_when_full() {
        let (sessions, _) = sessions();
        for number in 0..=MAX_SERVERS {
            sessions.record(&name(&format!("host{number}.example")), at(0), None);
        }
        assert!(!sessions.is_resumable(&name("host0.example")));
        assert!(sessions.is_resumable(&name("host1.example")));
    }
}
