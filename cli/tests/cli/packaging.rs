//! `grille completions` and `grille man`: the files that a package installs with the program.

use crate::sandbox::Sandbox;
use std::collections::BTreeSet;

/// The commands of a help text: the first words of the lines after "Commands:".
fn commands(help: &str) -> BTreeSet<String> {
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let listed = lines.take_while(|line| !line.is_empty()).filter(|line| line.starts_with("  "));
    let names = listed.filter_map(|line| line[2..].split(' ').next()).filter(|name| !name.is_empty());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

#[test]
fn completes_every_command_in_every_shell() {
    let sandbox = Sandbox::new();
    let commands = commands(&sandbox.ok("--help"));
    assert!(commands.len() > 15, "{commands:?}");
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = sandbox.ok(&format!("completions {shell}"));
        let missing: Vec<_> = commands.iter().filter(|name| !script.contains(name.as_str())).collect();
        assert!(missing.is_empty(), "{shell} lacks {missing:?}");
    }
    let document = sandbox.json("completions bash");
    assert_eq!(document["script"], sandbox.ok("completions bash"));
    sandbox.refuses(2, "completions tcsh", &["bash"]);
}

#[test]
fn bash_accepts_the_script() {
    let sandbox = Sandbox::new();
    sandbox.put("script", sandbox.ok("completions bash"));
    let bash = std::process::Command::new("bash").arg("-n").arg(sandbox.path("script")).output().unwrap();
    assert!(bash.status.success(), "{}", String::from_utf8_lossy(&bash.stderr));
}

#[test]
fn writes_a_page_for_every_command() {
    let sandbox = Sandbox::new();
    let written = sandbox.ok("man made/man1");
    assert!(written.contains("made/man1"), "{written}");
    let pages = std::fs::read_dir(sandbox.path("made/man1")).unwrap();
    let pages: BTreeSet<_> = pages.map(|page| page.unwrap().file_name().into_string().unwrap()).collect();
    for group in ["", "tls", "spdm", "cert", "key"] {
        for command in commands(&sandbox.ok(&format!("{group} --help"))) {
            let words = ["grille", group, &command].into_iter().filter(|word| !word.is_empty());
            let page = words.collect::<Vec<_>>().join("-") + ".1";
            assert!(pages.contains(&page), "{page} is not in {pages:?}");
        }
    }
    let page = String::from_utf8(sandbox.get("made/man1/grille-keygen.1")).unwrap();
    assert!(page.contains(".TH") && page.contains("\\-\\-alg") && page.contains("Examples:"), "{page}");
    sandbox.put("file", "");
    sandbox.refuses(1, "man file", &["file", "is not a directory"]);
}
