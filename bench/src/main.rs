//! grille and its peers, side by side in one run; bench/README.md says what is measured.

mod measure;
mod peers;
mod report;
mod rng;

use measure::Case;

fn main() {
    let (options, filters): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|a| a.starts_with("--"));
    let mut results = Vec::new();
    for case in peers::cases().into_iter().filter(|case| wanted(case, &filters)) {
        eprint!("\r\x1b[K{} {} …", case.algorithm, case.operation);
        results.push(measure::run(case));
    }
    eprint!("\r\x1b[K");
    if options.iter().any(|option| option == "--json") {
        println!("{:#}", report::json(&results));
    } else {
        print!("{}", report::table(&results));
    }
}

fn wanted(case: &Case, filters: &[String]) -> bool {
    let name = format!("{} {}", case.algorithm, case.operation).to_lowercase();
    filters.is_empty() || filters.iter().any(|filter| name.contains(&filter.to_lowercase()))
}
