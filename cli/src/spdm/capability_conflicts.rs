//! Contradictory capabilities of one side, which the other side would reject with an error.

use super::algorithms::{Table, classical, version_name};
use super::options::Options;
use crate::error::Error;
use crate::output::Output;
use grille_spdm_codec::Version;
use grille_spdm_codec::bits::Bits as _;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::capability_rules::{Demand, Rule, requester_rules, responder_rules};
use grille_spdm_engine::config::{Config, Role};

/// Removes the versions in which this side's capabilities contradict each other. Warns if the user named
/// capabilities.
///
/// # Errors
/// Returns an error if no usable version remains, or if the user named the versions and the capabilities contradict
/// each other in one of them.
pub(super) fn remove_contradictory_versions(
    config: Config,
    side: Role,
    options: &Options,
    out: &Output,
) -> Result<Config, Error> {
    let (versions, wrong): (Vec<Version>, Vec<Version>) =
        config.versions.iter().partition(|version| config.check(side, **version).is_ok());
    // In SPDM 1.0 a requester sends no capabilities.
    let counts = |version: &Version| side == Role::Responder || *version > Version::V1_0;
    match wrong.iter().max() {
        Some(version) if options.names_versions() || !versions.iter().any(counts) => {
            return Err(contradiction(&config, side, *version));
        }
        Some(_) if options.names_capabilities() => warn(&config, side, &wrong, out),
        _ => {}
    }
    let has_v1_4 = versions.contains(&Version::V1_4);
    let algorithms = if has_v1_4 { config.algorithms } else { classical(config.algorithms) };
    Ok(Config { versions, algorithms, ..config })
}

/// Returns the error that names the contradictions, and how to resolve them.
fn contradiction(config: &Config, side: Role, version: Version) -> Error {
    let name = version_name(version);
    if is_keyless(config, version) {
        let problem = format_args!("SPDM {name} does not support provisioned public keys");
        return Error::usage(problem).with_place("--ver").advise("use SPDM 1.1 or later with --slot-id 0xFF");
    }
    let faults = OfferedCapabilities::new(config, side, version).describe_broken_rules();
    Error::usage(format_args!("in SPDM {name} {faults}")).with_place("--cap")
}

/// Returns whether the side authenticates with a provisioned public key, which the version does not support.
fn is_keyless(config: &Config, version: Version) -> bool {
    let known = config.limits_in(version).flags;
    config.limits.flags.contains(Caps::PUB_KEY_ID) && !known.contains(Caps::PUB_KEY_ID)
}

/// Warns about versions that are not offered, grouped by reason.
fn warn(config: &Config, side: Role, wrong: &[Version], out: &Output) {
    let why = |version: &Version| match is_keyless(config, *version) {
        true => "PUB_KEY_ID needs SPDM 1.1 or later".to_owned(),
        false => OfferedCapabilities::new(config, side, *version).describe_broken_rules(),
    };
    for same in wrong.chunk_by(|one, next| why(one) == why(next)) {
        let names: Vec<String> = same.iter().copied().map(version_name).collect();
        let verb = if same.len() == 1 { "is" } else { "are" };
        let suffix = if same.contains(&Version::V1_4) { NO_POST_QUANTUM } else { "" };
        out.warn(format_args!(
            "--cap: SPDM {} {verb} not offered, because {}{suffix}",
            names.join(", "),
            same.first().map(why).unwrap_or_default()
        ));
    }
}

/// Warning suffix if SPDM 1.4 is not offered.
const NO_POST_QUANTUM: &str = "; post-quantum algorithms need SPDM 1.4";

/// The capabilities that a side sends in a version.
struct OfferedCapabilities {
    side: Role,
    version: Version,
    flags: Caps,
    /// Capabilities that exist in this version, and that this side may have.
    known: Caps,
}

impl OfferedCapabilities {
    fn new(config: &Config, side: Role, version: Version) -> Self {
        let mut known = Config::with(Caps(u32::MAX)).limits_in(version).flags;
        for rule in rules(side).filter(|rule| is_reserved_for_peer(rule)) {
            known = Caps(known.0 & !rule.having.0);
        }
        Self { side, version, flags: config.limits_in(version).flags, known }
    }

    /// Returns the rules that `flags` break.
    fn broken_rules(&self, flags: Caps) -> Vec<&'static Rule> {
        rules(self.side).filter(|rule| rule.is_broken(flags, self.version)).collect()
    }

    /// Describes every broken rule, and how to repair it.
    fn describe_broken_rules(&self) -> String {
        let faults: Vec<String> =
            self.broken_rules(self.flags).into_iter().map(|rule| self.describe_broken_rule(rule)).collect();
        faults.join("; ")
    }

    fn describe_broken_rule(&self, rule: &Rule) -> String {
        let having = Caps(rule.having.0 & self.flags.0);
        let (one, is_one) = (join_capabilities(having, "and"), having.0.count_ones() == 1);
        match rule.demand {
            _ if is_reserved_for_peer(rule) => {
                format!("only the other side may have {one}: remove it")
            }
            Demand::None(others) => {
                let others = join_capabilities(Caps(others.0 & self.flags.0), "and");
                format!("{one} excludes {others}: remove {one}, or {others}")
            }
            Demand::Any(any) => {
                let needs = if is_one { "needs" } else { "need" };
                let any = join_capabilities(Caps(any.0 & self.known.0), "or");
                format!("{one} {needs} {any}: {}", self.suggest_repair(rule.demand, &one))
            }
        }
    }

    /// Returns advice. It names capabilities to add, so that `demand` and all demands that follow from it are met. If
    /// that is impossible, it says to remove the capabilities `having`.
    fn suggest_repair(&self, demand: Demand, having: &str) -> String {
        let added = self.additions(demand).map(|added| {
            let added: Vec<String> = added.into_iter().map(|any| join_capabilities(any, "or")).collect();
            format!("add {}", added.join(", and "))
        });
        added.unwrap_or_else(|| format!("remove {having}"))
    }

    /// Returns sets of capabilities: adding one from each set meets the demand and breaks no rule. `None` if that is
    /// impossible.
    fn additions(&self, demand: Demand) -> Option<Vec<Caps>> {
        let (mut flags, mut added, mut open) = (self.flags, Vec::new(), vec![demand]);
        while let Some(demand) = open.pop() {
            let Demand::Any(any) = demand else { return None };
            if flags.intersects(any) {
                continue;
            }
            let (choice, new_demands) = self.select_repair(flags, any)?;
            flags = flags | lowest_capability(choice);
            added.push(choice);
            open.extend(new_demands);
        }
        Some(added)
    }

    /// Returns the capabilities of `any` that break the fewest further rules, and the demands of those rules. All
    /// returned capabilities have the same demands.
    fn select_repair(&self, flags: Caps, any: Caps) -> Option<(Caps, Vec<Demand>)> {
        let each =
            single_capabilities(Caps(any.0 & self.known.0)).map(|one| (one, self.new_demands(flags, one)));
        let possible =
            each.filter(|(_, new_demands)| new_demands.iter().all(|demand| matches!(demand, Demand::Any(_))));
        let possible: Vec<(Caps, Vec<Demand>)> = possible.collect();
        let (_, new_demands) = possible.iter().min_by_key(|(_, new_demands)| new_demands.len())?;
        let same = possible.iter().filter(|(_, other)| other == new_demands);
        Some((same.fold(Caps::NONE, |all, (one, _)| all | *one), new_demands.clone()))
    }

    /// Returns the demands of the rules that only become broken when `one` is added to `flags`.
    fn new_demands(&self, flags: Caps, one: Caps) -> Vec<Demand> {
        let more = self.broken_rules(flags | one).into_iter();
        more.filter(|rule| !rule.is_broken(flags, self.version)).map(|rule| rule.demand).collect()
    }
}

fn rules(side: Role) -> Box<dyn Iterator<Item = &'static Rule>> {
    match side {
        Role::Requester => Box::new(requester_rules()),
        Role::Responder => Box::new(responder_rules()),
    }
}

/// Returns whether the rule reserves a capability for the other side.
fn is_reserved_for_peer(rule: &Rule) -> bool {
    rule.demand == Demand::None(rule.having)
}

/// Iterates over the single capabilities in `caps`.
fn single_capabilities(caps: Caps) -> impl Iterator<Item = Caps> {
    Caps::ROWS.iter().map(|row| Caps(1 << row.bit)).filter(move |one| caps.contains(*one))
}

fn lowest_capability(caps: Caps) -> Caps {
    single_capabilities(caps).next().unwrap_or_default()
}

/// Lists capabilities as --cap spells them: `A, B or C`.
fn join_capabilities(caps: Caps, word: &str) -> String {
    let rows = Table::Capabilities.rows().into_iter();
    let names: Vec<String> =
        rows.filter(|(_, bit)| caps.contains(Caps(1 << bit))).map(|(name, _)| name).collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} {word} {last}", others.join(", ")),
        _ => names.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offered(side: Role, version: Version, names: &str) -> OfferedCapabilities {
        let flags = Caps(Table::Capabilities.bits(names).unwrap());
        OfferedCapabilities::new(&Config::with(flags), side, version)
    }

    #[test]
    fn suggests_repair_for_every_broken_rule() {
        for (side, names, expected_text) in [
            (
                Role::Requester,
                "EVENT,CERT,CHAL",
                "EVENT needs KEY_EX or PSK: add KEY_EX or PSK, and ENCRYPT or MAC",
            ),
            (
                Role::Responder,
                "HBEAT,KEY_UPD,CERT,CHAL",
                "HBEAT and KEY_UPD need KEY_EX, PSK or PSK_WITH_CONTEXT: add KEY_EX, PSK or PSK_WITH_CONTEXT, and ENCRYPT or MAC",
            ),
            (Role::Requester, "CERT,KEY_EX", "KEY_EX needs ENCRYPT or MAC: add ENCRYPT or MAC"),
            (Role::Requester, "PSK,MAC,HANDSHAKE_IN_CLEAR", "HANDSHAKE_IN_CLEAR needs KEY_EX: add KEY_EX"),
            (Role::Requester, "MULTI_KEY_NEG", "MULTI_KEY_NEG needs CERT: add CERT, and CHAL or EP_INFO_SIG"),
            (
                Role::Responder,
                "MULTI_KEY_ONLY,CERT,CHAL",
                "MULTI_KEY_ONLY needs GET_KEY_PAIR_INFO: add GET_KEY_PAIR_INFO",
            ),
            (
                Role::Responder,
                "PSK,PSK_WITH_CONTEXT",
                "PSK and PSK_WITH_CONTEXT need ENCRYPT or MAC: add ENCRYPT or MAC; \
                 PSK excludes PSK_WITH_CONTEXT: remove PSK, or PSK_WITH_CONTEXT",
            ),
            (
                Role::Requester,
                "PSK,PSK_WITH_CONTEXT,MAC",
                "only the other side may have PSK_WITH_CONTEXT: remove it",
            ),
            (Role::Requester, "CERT,PUB_KEY_ID,CHAL", "CERT excludes PUB_KEY_ID: remove CERT, or PUB_KEY_ID"),
            (
                Role::Responder,
                "CSR,CHAL",
                "CHAL needs CERT or PUB_KEY_ID: add CERT or PUB_KEY_ID; CSR needs SET_CERT: add SET_CERT, and CERT",
            ),
            (Role::Responder, "CHAL,PUB_KEY_ID,SET_CERT", "SET_CERT needs CERT: remove SET_CERT"),
        ] {
            assert_eq!(
                offered(side, Version::V1_4, names).describe_broken_rules(),
                expected_text,
                "{side:?} {names}"
            );
        }
    }

    #[test]
    fn suggested_additions_break_no_other_rule() {
        let pairs = || (0..32).flat_map(|one| (0..32).map(move |other| Caps(1 << one | 1 << other)));
        let cases = Version::ALL.into_iter().flat_map(|version| pairs().map(move |flags| (version, flags)));
        let mut repaired = 0;
        for (side, (version, flags)) in [Role::Requester, Role::Responder]
            .into_iter()
            .flat_map(|side| cases.clone().map(move |c| (side, c)))
        {
            let offered = OfferedCapabilities::new(&Config::with(flags), side, version);
            let before = offered.broken_rules(offered.flags);
            for rule in &before {
                let Some(added) = offered.additions(rule.demand) else { continue };
                let all = added.iter().fold(offered.flags, |flags, any| flags | lowest_capability(*any));
                let known = added.iter().all(|any| offered.known.contains(*any));
                assert!(known && !rule.is_broken(all, version), "{side:?} {version:?} {flags:?}");
                let after = offered.broken_rules(all);
                let is_old = |rule: &&Rule| before.iter().any(|old| std::ptr::eq(*old, *rule));
                assert!(after.iter().all(is_old), "{side:?} {version:?} {flags:?}");
                repaired += 1;
            }
        }
        assert!(repaired > 1000, "{repaired}");
    }
}
