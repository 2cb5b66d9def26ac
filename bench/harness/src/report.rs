//! The report of a run: the numbers and the circumstances of the measurement.

use crate::cases::Peer;
use serde::{Deserialize, Serialize};

/// One run, or several merged.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    /// Version of this format.
    pub schema: u32,
    /// The measured commit, its date, and whether files differed from it.
    #[serde(default)]
    pub tree: String,
    /// The level of vector instructions of grille.
    pub level: String,
    /// The machine that measured: processor, compiler and load.
    pub machine: Machine,
    /// The libraries compared with grille.
    pub peers: Vec<Library>,
    /// Parts that were measured again after the other parts.
    #[serde(default)]
    pub renewals: Vec<Renewal>,
    /// One entry per operation of an algorithm.
    pub results: Vec<Outcome>,
}

/// A part that was measured again, on the same machine with the same peers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Renewal {
    /// Filters that selected the part.
    pub filters: Vec<String>,
    /// The measured commit, as in [`Report::tree`].
    #[serde(default)]
    pub tree: String,
    /// The load averages before and after the measurement.
    pub load: [String; 2],
}

/// The machine of a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Machine {
    /// The name of the processor.
    pub cpu: String,
    /// Number of cores of the system; one of them was used.
    pub cores: usize,
    /// The load averages before and after the run; 1.0 or more means that other programs ran too.
    pub load: [String; 2],
    /// Linux's frequency governor of the core; empty if the system shows none.
    #[serde(default)]
    pub governor: String,
    /// The core's hardware threads, as Linux lists them. Several numbers: other threads can take a part of the core's
    /// speed without a trace in CPU times. Empty if the system does not say.
    #[serde(default)]
    pub hardware_threads: String,
}

impl Machine {
    /// Describes the machine and its state in a table's header, as sentences.
    #[must_use]
    pub fn describe(&self) -> String {
        let known = |text: &str| if text.is_empty() { "unknown".to_owned() } else { text.to_owned() };
        format!(
            "{}; one of {} cores, with hardware threads {}. Frequency governor: {}. Load before and after: {}; {}.",
            self.cpu,
            self.cores,
            known(&self.hardware_threads),
            known(&self.governor),
            self.load[0],
            self.load[1]
        )
    }
}

/// A library that took part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Library {
    /// The library's name in the tables.
    pub name: String,
    /// The library's version.
    pub version: String,
    /// Description of the library's build.
    pub build: String,
}

/// The results of one operation of one algorithm.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// The algorithm's canonical name.
    pub algorithm: String,
    /// The operation's name, such as `encaps` or `sign (prepared)`.
    pub operation: String,
    /// Whether times are means instead of medians.
    pub mean: bool,
    /// The share of the elapsed time in which the measuring thread ran. Other programs had the rest.
    #[serde(default = "whole_core")]
    pub cpu_share: f64,
    /// One figure per library, grille's first.
    pub figures: Vec<Figure>,
}

/// The result of one library. Times are in nanoseconds per operation.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Figure {
    /// Name of the library.
    pub peer: String,
    /// The median or mean time per operation.
    pub time: f64,
    /// Half the distance between the quartiles of a median; the standard error of a mean.
    pub spread: f64,
    /// Core cycles per operation.
    pub cycles: Option<f64>,
    /// The time divided by grille's in the same process.
    pub ratio: f64,
    /// Whether the library ran in turns with grille in one process.
    pub interleaved: bool,
}

/// The share that results of earlier formats are read with, which did not record it.
const fn whole_core() -> f64 {
    1.0
}

impl Outcome {
    /// The mark of a disturbed row in tables.
    pub const DISTURBED_MARK: &str = "†";
    /// The sentence that explains [`Outcome::DISTURBED_MARK`].
    pub const DISTURBED_NOTE: &str = "†: while this row was measured, also when it was repeated, other programs had the core for more than 5 % of the time.";

    /// Returns whether other programs had the core for more than 5 % of the measurement. They empty its caches, which
    /// CPU times include.
    #[must_use]
    pub fn is_disturbed(&self) -> bool {
        self.cpu_share < 0.95
    }

    /// Returns the operation, with a mark if the measurement was disturbed.
    #[must_use]
    pub fn marked_operation(&self) -> String {
        let mark = if self.is_disturbed() { Self::DISTURBED_MARK } else { "" };
        format!("{}{mark}", self.operation)
    }
}

impl Figure {
    /// Returns whether the spread exceeds 3 % of the time, so that ratios are unreliable.
    #[must_use]
    pub fn is_unsteady(&self) -> bool {
        self.spread > 0.03 * self.time
    }
}

impl Report {
    /// Makes a report without results before a run with these peers.
    #[must_use]
    pub fn begin(peers: &[Peer]) -> Self {
        let library = |peer: &Peer| Library {
            name: peer.name.to_owned(),
            version: peer.version.clone(),
            build: peer.build.clone(),
        };
        Self::with_libraries(peers.iter().map(library).collect())
    }

    /// Makes a report without results before a run with these libraries.
    #[must_use]
    pub fn with_libraries(peers: Vec<Library>) -> Self {
        Self {
            schema: 2,
            tree: String::new(),
            level: grille_cpu::Level::detect().name().to_owned(),
            machine: Machine {
                cpu: cpu_name(),
                cores: std::thread::available_parallelism().map_or(1, usize::from),
                load: [load(), String::new()],
                governor: cpu_file("cpufreq/scaling_governor"),
                hardware_threads: cpu_file("topology/thread_siblings_list"),
            },
            peers,
            renewals: Vec::new(),
            results: Vec::new(),
        }
    }

    /// Adds the load after the run.
    #[must_use]
    pub fn end(mut self) -> Self {
        self.machine.load[1] = load();
        self
    }

    /// Adds the peers of another run and their figures. grille's figures in that run are only the basis of their ratios
    /// and are not added.
    pub fn merge(&mut self, other: Self) {
        self.peers.extend(other.peers);
        self.machine.load[1] = other.machine.load[1].clone();
        for theirs in other.results {
            let same =
                |own: &&mut Outcome| own.algorithm == theirs.algorithm && own.operation == theirs.operation;
            match self.results.iter_mut().find(same) {
                Some(own) => own.figures.extend(theirs.figures.into_iter().skip(1)),
                None => self.results.push(theirs),
            }
        }
    }

    /// Replaces the outcomes that `filters` select by the outcomes of a later partial run.
    ///
    /// # Errors
    /// Returns an error if machine, level or peers differ.
    pub fn renew(&mut self, part: Self, filters: Vec<String>) -> Result<(), String> {
        let same =
            self.level == part.level && self.machine.cpu == part.machine.cpu && self.peers == part.peers;
        if !same {
            return Err(
                "cannot renew a part: the existing results have another machine, level or peer; run the complete bench"
                    .into(),
            );
        }
        for outcome in part.results {
            let has_algorithm = |own: &Outcome| own.algorithm == outcome.algorithm;
            let place =
                self.results.iter().position(|own| has_algorithm(own) && own.operation == outcome.operation);
            match (place, self.results.iter().rposition(has_algorithm)) {
                (Some(place), _) => self.results[place] = outcome,
                (None, Some(last)) => self.results.insert(last + 1, outcome),
                (None, None) => self.results.push(outcome),
            }
        }
        self.renewals.retain(|renewal| renewal.filters != filters);
        self.renewals.push(Renewal { filters, tree: part.tree, load: part.machine.load });
        Ok(())
    }
}

/// Returns the version of a package in the text of a Cargo.lock.
#[must_use]
pub fn locked_version(lock: &str, package: &str) -> String {
    let entry = format!("name = \"{package}\"\nversion = \"");
    let version = lock.split_once(&entry).and_then(|(_, rest)| rest.split('"').next());
    version.unwrap_or("(unknown version)").to_owned()
}

/// Returns the processor's name from Linux.
fn cpu_name() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = text.lines().find(|line| line.split(':').next().is_some_and(|key| key.trim() == name));
        line.and_then(|line| line.split_once(':')).map(|(_, value)| value.trim().to_owned())
    };
    let name = field("model name").unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    match (field("cpu family"), field("model")) {
        (Some(family), Some(model)) => format!("{name}, family {family} model {model}"),
        _ => name,
    }
}

/// Returns a line that Linux shows about the current core; empty if the file is missing.
fn cpu_file(name: &str) -> String {
    let core = rustix::thread::sched_getcpu();
    let text = std::fs::read_to_string(format!("/sys/devices/system/cpu/cpu{core}/{name}"));
    text.unwrap_or_default().trim().to_owned()
}

/// Returns Linux's load averages over one, five and fifteen minutes.
fn load() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let averages: Vec<&str> = text.split(' ').take(3).collect();
    if averages.len() == 3 { averages.join(" ") } else { "unknown".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(algorithm: &str, peers: &[&str]) -> Outcome {
        let figure = |peer: &&str| Figure {
            peer: (*peer).into(),
            time: 1.0,
            spread: 0.0,
            cycles: None,
            ratio: 1.0,
            interleaved: true,
        };
        Outcome {
            algorithm: algorithm.into(),
            operation: "keygen".into(),
            mean: false,
            cpu_share: 1.0,
            figures: peers.iter().map(figure).collect(),
        }
    }

    #[test]
    fn merges_peers_of_the_same_operation() {
        let (mut report, mut other) = (Report::begin(&[]), Report::begin(&[]));
        report.results = vec![outcome("A", &["grille", "p"])];
        other.results = vec![outcome("A", &["grille", "q"]), outcome("B", &["grille", "q"])];
        report.merge(other);
        let peers = |i: usize| report.results[i].figures.iter().map(|f| f.peer.clone()).collect::<Vec<_>>();
        assert_eq!(peers(0), ["grille", "p", "q"]);
        assert_eq!(peers(1), ["grille", "q"]);
    }

    #[test]
    fn replaces_results_of_a_renewed_part() {
        let (mut report, mut part) = (Report::begin(&[]), Report::begin(&[]));
        report.results = vec![outcome("A", &["grille", "p"]), outcome("B", &["grille"])];
        let mut added = outcome("A", &["grille", "q"]);
        added.operation = "verify".into();
        part.results = vec![outcome("A", &["grille", "q"]), added];
        for _ in 0..2 {
            report.renew(part.clone(), vec!["a".into()]).unwrap();
        }
        let names: Vec<_> =
            report.results.iter().map(|own| format!("{} {}", own.algorithm, own.operation)).collect();
        assert_eq!(names, ["A keygen", "A verify", "B keygen"]);
        assert_eq!(report.results[0].figures[1].peer, "q");
        assert_eq!(report.renewals.len(), 1);
        part.machine.cpu.push('!');
        assert!(report.renew(part, vec![]).is_err());
    }

    #[test]
    fn reads_versions_from_the_lock_file() {
        let lock =
            "[[package]]\nname = \"ab\"\nversion = \"9\"\n\n[[package]]\nname = \"b\"\nversion = \"1.2\"\n";
        assert_eq!(locked_version(lock, "b"), "1.2");
        assert_eq!(locked_version(lock, "c"), "(unknown version)");
    }

    #[test]
    fn marks_disturbed_rows() {
        let mut row = outcome("A", &["grille"]);
        assert_eq!(row.marked_operation(), "keygen");
        row.cpu_share = 0.9;
        assert_eq!(row.marked_operation(), "keygen†");
    }

    #[test]
    fn describes_the_state_of_the_machine() {
        let mut machine = Report::begin(&[]).machine;
        machine.load = ["0.1".into(), "1.2".into()];
        (machine.governor, machine.hardware_threads) = ("performance".into(), String::new());
        let text = machine.describe();
        assert!(text.contains("threads unknown. Frequency governor: performance."), "{text}");
        assert!(text.ends_with("Load before and after: 0.1; 1.2."), "{text}");
    }

    #[test]
    fn round_trips_through_json() {
        let mut report = Report::begin(&[]).end();
        report.results = vec![outcome("A", &["grille"])];
        let text = serde_json::to_string(&report).unwrap();
        let back: Report = serde_json::from_str(&text).unwrap();
        assert_eq!(back.results[0].figures[0].peer, "grille");
        assert!(serde_json::from_str::<Report>("{}").is_err());
    }
}
