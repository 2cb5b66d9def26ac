//! Metrics of the proxy, in the text format of Prometheus.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Counters and gauges of one proxy.
#[derive(Default)]
pub struct Metrics {
    /// Open connections, including handshakes.
    pub(crate) active: AtomicI64,
    /// Open connections that are not relayed yet.
    pub(crate) pending: AtomicI64,
    /// Number of times that clients had to wait because of a limit; counted at most once a second.
    pub(crate) full: AtomicU64,
    pub(crate) to_client: AtomicU64,
    pub(crate) to_service: AtomicU64,
    pub(crate) log_lines_lost: AtomicU64,
    /// Earliest expiry among the certificates presented to clients, in seconds since the Unix epoch; 0 if there are
    /// none.
    pub(crate) certificate_expires: AtomicI64,
    /// Connections by how they ended.
    pub(crate) connections: Labelled<&'static str>,
    /// Reloads by result.
    pub(crate) reloads: Labelled<&'static str>,
    /// Handshakes by side, group and kind.
    pub(crate) handshakes: Labelled<(&'static str, String, &'static str)>,
    /// Durations of the clients' handshakes.
    pub(crate) handshake_times: Histogram,
}

/// Counters, one for each label.
///
/// The number of labels is bounded: they are fixed words of the proxy, and the names of groups in its configuration.
pub(crate) struct Labelled<L>(Mutex<BTreeMap<L, u64>>);

impl<L> Default for Labelled<L> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<L: Ord + Clone> Labelled<L> {
    pub(crate) fn count(&self, label: L) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(label).or_default() += 1;
    }

    fn all(&self) -> BTreeMap<L, u64> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Upper bounds of the buckets, in seconds.
const BOUNDS: [f64; 8] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5];

#[derive(Default)]
pub(crate) struct Histogram {
    buckets: [AtomicU64; BOUNDS.len()],
    count: AtomicU64,
    microseconds: AtomicU64,
}

impl Histogram {
    pub(crate) fn observe(&self, time: Duration) {
        let fitting = self.buckets.iter().zip(BOUNDS).filter(|(_, bound)| time.as_secs_f64() <= *bound);
        fitting.for_each(|(bucket, _)| {
            bucket.fetch_add(1, Relaxed);
        });
        self.count.fetch_add(1, Relaxed);
        self.microseconds.fetch_add(u64::try_from(time.as_micros()).unwrap_or(u64::MAX), Relaxed);
    }

    fn write(&self, page: &mut Page, name: &str, help: &str) {
        page.head(name, "histogram", help);
        for (bucket, bound) in self.buckets.iter().zip(BOUNDS) {
            page.line(&format!("{name}_bucket{{le=\"{bound}\"}}"), bucket.load(Relaxed));
        }
        let count = self.count.load(Relaxed);
        page.line(&format!("{name}_bucket{{le=\"+Inf\"}}"), count);
        page.line(&format!("{name}_sum"), self.microseconds.load(Relaxed) as f64 / 1e6);
        page.line(&format!("{name}_count"), count);
    }
}

impl Metrics {
    /// Returns the page for Prometheus.
    #[must_use]
    pub fn page(&self) -> String {
        let mut page = Page(String::new());
        page.write_gauge(
            "grille_proxy_connections_active",
            "Open connections, including handshakes.",
            &self.active,
        );
        page.write_gauge(
            "grille_proxy_connections_pending",
            "Open connections that are not relayed yet.",
            &self.pending,
        );
        page.write_labelled(
            "grille_proxy_connections_total",
            "Connections by how they ended.",
            self.connections.all().into_iter().map(|(end, count)| (format!("end=\"{end}\""), count)),
        );
        page.write_labelled(
            "grille_proxy_handshakes_total",
            "TLS handshakes by side, group and kind.",
            self.handshakes.all().into_iter().map(|((side, group, kind), count)| {
                (format!("side=\"{side}\",group=\"{}\",kind=\"{kind}\"", escape(&group)), count)
            }),
        );
        self.handshake_times.write(
            &mut page,
            "grille_proxy_handshake_seconds",
            "Time from accepting a client to the end of its handshake.",
        );
        let bytes = [("client", &self.to_client), ("service", &self.to_service)];
        page.write_labelled(
            "grille_proxy_bytes_total",
            "Bytes delivered.",
            bytes.into_iter().map(|(to, count)| (format!("to=\"{to}\""), count.load(Relaxed))),
        );
        page.write_counter(
            "grille_proxy_full_total",
            "Number of times that clients had to wait because of a limit, counted at most once a second.",
            &self.full,
        );
        page.write_counter(
            "grille_proxy_log_lines_lost_total",
            "Log lines dropped because of a slow reader.",
            &self.log_lines_lost,
        );
        page.write_labelled(
            "grille_proxy_reloads_total",
            "Reloads of keys and certificates by result.",
            self.reloads.all().into_iter().map(|(result, count)| (format!("result=\"{result}\""), count)),
        );
        page.write_gauge(
            "grille_proxy_certificate_expires_seconds",
            "Expiry of the proxy's certificate, in seconds since 1970.",
            &self.certificate_expires,
        );
        page.0
    }
}

struct Page(String);

impl Page {
    fn head(&mut self, name: &str, kind: &str, help: &str) {
        // writing to a String never fails
        let _ = writeln!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}");
    }

    fn line(&mut self, name: &str, value: impl std::fmt::Display) {
        let _ = writeln!(self.0, "{name} {value}");
    }

    fn write_gauge(&mut self, name: &str, help: &str, value: &AtomicI64) {
        self.head(name, "gauge", help);
        self.line(name, value.load(Relaxed));
    }

    fn write_counter(&mut self, name: &str, help: &str, value: &AtomicU64) {
        self.head(name, "counter", help);
        self.line(name, value.load(Relaxed));
    }

    fn write_labelled(&mut self, name: &str, help: &str, lines: impl Iterator<Item = (String, u64)>) {
        self.head(name, "counter", help);
        lines.for_each(|(labels, count)| self.line(&format!("{name}{{{labels}}}"), count));
    }
}

fn escape(label: &str) -> String {
    label.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_cumulative() {
        let times = Histogram::default();
        [1, 2, 20, 9000].iter().for_each(|ms| times.observe(Duration::from_millis(*ms)));
        let mut page = Page(String::new());
        times.write(&mut page, "t", "help");
        for line in ["t_bucket{le=\"0.001\"} 1", "t_bucket{le=\"0.025\"} 3", "t_bucket{le=\"+Inf\"} 4"] {
            assert!(page.0.contains(line), "no {line} in {}", page.0);
        }
        assert!(page.0.contains("t_sum 9.023\n"), "{}", page.0);
    }

    #[test]
    fn labels_are_escaped() {
        assert_eq!(escape("a\"b\\c\n"), "a\\\"b\\\\c\\n");
    }
}
