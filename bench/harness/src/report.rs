//! What comes out of a run: the numbers, and what one must know to believe them.

use crate::cases::Peer;
use serde::{Deserialize, Serialize};

/// One run, or several merged.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    /// Of this format.
    pub schema: u32,
    /// The commit that was measured and its day, and whether there was more than that commit.
    #[serde(default)]
    pub tree: String,
    /// The level of vector instructions that grille ran at.
    pub level: String,
    /// Where it ran.
    pub machine: Machine,
    /// Who took part beside grille.
    pub peers: Vec<Library>,
    /// Parts that were measured again after the rest.
    #[serde(default)]
    pub renewals: Vec<Renewal>,
    /// One entry an operation of an algorithm.
    pub results: Vec<Outcome>,
}

/// A part that was measured again, on the same machine beside the same peers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Renewal {
    /// What it was chosen by: parts of names.
    pub filters: Vec<String>,
    /// As that of the whole.
    #[serde(default)]
    pub tree: String,
    /// The load averages before and after.
    pub load: [String; 2],
}

/// Where a run took place.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Machine {
    /// The processor's own name.
    pub cpu: String,
    /// How many cores the system shows; one of them was used.
    pub cores: usize,
    /// The load averages before and after: 1.0 and more means that others ran too.
    pub load: [String; 2],
}

/// A library that took part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Library {
    /// Its name in the tables.
    pub name: String,
    /// Its version.
    pub version: String,
    /// How it was built.
    pub build: String,
}

/// What came out for one operation of one algorithm.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// The algorithm's canonical name.
    pub algorithm: String,
    /// The operation's name.
    pub operation: String,
    /// Whether times are means, not medians.
    pub mean: bool,
    /// One figure a library, grille's first.
    pub figures: Vec<Figure>,
}

/// What came out for one library. Times are nanoseconds an operation.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Figure {
    /// The library.
    pub peer: String,
    /// The median or mean.
    pub time: f64,
    /// Of a median half the distance of the quartiles, of a mean its standard error.
    pub spread: f64,
    /// Cycles of the core.
    pub cycles: Option<f64>,
    /// The time divided by grille's in the same process.
    pub ratio: f64,
    /// Whether it ran in turns with grille in one process.
    pub interleaved: bool,
}

impl Figure {
    /// Whether so much of the time is spread that a ratio of it says little: more than 3 %.
    #[must_use]
    pub fn is_unsteady(&self) -> bool {
        self.spread > 0.03 * self.time
    }
}

impl Report {
    /// Without results, before the run of these.
    #[must_use]
    pub fn begin(peers: &[Peer]) -> Self {
        let library = |peer: &Peer| Library {
            name: peer.name.to_owned(),
            version: peer.version.clone(),
            build: peer.build.clone(),
        };
        Self::of(peers.iter().map(library).collect())
    }

    /// The same, of libraries.
    #[must_use]
    pub fn of(peers: Vec<Library>) -> Self {
        Self {
            schema: 2,
            tree: String::new(),
            level: grille_cpu::Level::detect().name().to_owned(),
            machine: Machine {
                cpu: cpu_name(),
                cores: std::thread::available_parallelism().map_or(1, usize::from),
                load: [load(), String::new()],
            },
            peers,
            renewals: Vec::new(),
            results: Vec::new(),
        }
    }

    /// After the run.
    #[must_use]
    pub fn end(mut self) -> Self {
        self.machine.load[1] = load();
        self
    }

    /// Adds the peers of another run and their figures; grille's own figures there are only what their ratios are
    /// taken against.
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

    /// Puts the outcomes of a later run of a part, chosen by `filters`, in the places of these.
    ///
    /// # Errors
    /// If it was another machine, level or peer.
    pub fn renew(&mut self, part: Self, filters: Vec<String>) -> Result<(), String> {
        let same =
            self.level == part.level && self.machine.cpu == part.machine.cpu && self.peers == part.peers;
        if !same {
            return Err(
                "the results there are of another machine, level or peer: only the whole can be measured"
                    .into(),
            );
        }
        for outcome in part.results {
            let of = |own: &Outcome| own.algorithm == outcome.algorithm;
            let place = self.results.iter().position(|own| of(own) && own.operation == outcome.operation);
            match (place, self.results.iter().rposition(of)) {
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

/// The version of a package in the text of a Cargo.lock.
#[must_use]
pub fn locked_version(lock: &str, package: &str) -> String {
    let entry = format!("name = \"{package}\"\nversion = \"");
    let version = lock.split_once(&entry).and_then(|(_, rest)| rest.split('"').next());
    version.unwrap_or("of unknown version").to_owned()
}

/// The processor's name, as Linux tells it.
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

/// The averages over one, five and fifteen minutes, as Linux tells them.
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
            figures: peers.iter().map(figure).collect(),
        }
    }

    #[test]
    fn merging_adds_peers_to_the_same_operation() {
        let (mut report, mut other) = (Report::begin(&[]), Report::begin(&[]));
        report.results = vec![outcome("A", &["grille", "p"])];
        other.results = vec![outcome("A", &["grille", "q"]), outcome("B", &["grille", "q"])];
        report.merge(other);
        let peers = |i: usize| report.results[i].figures.iter().map(|f| f.peer.clone()).collect::<Vec<_>>();
        assert_eq!(peers(0), ["grille", "p", "q"]);
        assert_eq!(peers(1), ["grille", "q"]);
    }

    #[test]
    fn a_part_takes_the_places_of_what_it_measured_again() {
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
    fn versions_come_from_the_lock() {
        let lock =
            "[[package]]\nname = \"ab\"\nversion = \"9\"\n\n[[package]]\nname = \"b\"\nversion = \"1.2\"\n";
        assert_eq!(locked_version(lock, "b"), "1.2");
        assert_eq!(locked_version(lock, "c"), "of unknown version");
    }

    #[test]
    fn a_report_survives_json() {
        let mut report = Report::begin(&[]).end();
        report.results = vec![outcome("A", &["grille"])];
        let text = serde_json::to_string(&report).unwrap();
        let back: Report = serde_json::from_str(&text).unwrap();
        assert_eq!(back.results[0].figures[0].peer, "grille");
        assert!(serde_json::from_str::<Report>("{}").is_err());
    }
}
