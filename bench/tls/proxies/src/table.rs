//! The Markdown table.

use crate::Measured;
use crate::load::{CLIENT_COUNT, Work};
use crate::proxies::Proxy;
use grille_bench_harness::report::Report;

/// Formats the circumstances and results of a run. `report` describes the machine.
pub fn markdown(
    report: &Report,
    proxies: &[Proxy],
    results: &[(Work, Vec<Measured>)],
    rounds: u32,
) -> String {
    let machine = &report.machine;
    let mut lines = vec![format!(
        "# Proxies\n\n\
         Machine: {}; {} cores, one of them for the proxies and one for {CLIENT_COUNT} clients and the service. Load before and \
         after: {}; {}.\n\n\
         TLS 1.3, X25519, ECDSA P-256, TLS_AES_256_GCM_SHA384, each proxy otherwise with its defaults, over the loopback. The \
         proxies run in turns; medians of {rounds}, with half the distance between the quartiles. Work per second of CPU time shows the \
         capacity of a core; work per second of elapsed time also depends on clients and service, which share the other \
         core. In parentheses: how many times faster grille is.\n",
        machine.cpu, machine.cores, machine.load[0], machine.load[1]
    )];
    lines.extend(proxies.iter().map(|proxy| format!("- {}: {}", proxy.name, proxy.version)));
    let names: Vec<&str> = proxies.iter().map(|proxy| proxy.name).collect();
    lines.push(format!(
        "\n| | per second of | {} |\n|---|---|{}",
        names.join(" | "),
        "--:|".repeat(names.len())
    ));
    for (work, measured) in results {
        lines.push(row(work.name(), "CPU time", measured, |one| one.per_cpu_second));
        lines.push(row("", "elapsed time", measured, |one| one.per_second));
    }
    lines.join("\n") + "\n"
}

fn row(work: &str, unit: &str, measured: &[Measured], figure: impl Fn(&Measured) -> (f64, f64)) -> String {
    let own = figure(&measured[0]).0;
    let cell = |one: &Measured| {
        let (value, spread) = figure(one);
        let ratio =
            if one.proxy == measured[0].proxy { String::new() } else { format!(" ({:.2}×)", own / value) };
        format!("{value:.0} ±{spread:.0}{ratio}")
    };
    format!("| {work} | {unit} | {} |", measured.iter().map(cell).collect::<Vec<_>>().join(" | "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn computes_ratios_to_slower_proxies() {
        let one =
            |proxy, value| Measured { proxy, per_second: (value, 1.0), per_cpu_second: (value * 2.0, 2.0) };
        let measured = [one("grille", 300.0), one("other", 200.0)];
        let row = row("w", "elapsed time", &measured, |one| one.per_second);
        assert_eq!(row, "| w | elapsed time | 300 ±1 | 200 ±1 (1.50×) |");
    }
}
