//! The Dockerfile, with which users make the image for containers without this program. Both images start alike.

use super::package::{VERSION, expect};
use crate::outcome::Failure;
use crate::{process, tree};
use std::path::Path;
use std::process::Command;

const FILE: &str = "proxy/docker/Dockerfile";
const TAG: &str = "grille:from-dockerfile";

/// Makes the image with docker, whose server must be running, and runs its program.
pub(super) fn build() -> Result<(), Failure> {
    let mut build = Command::new("docker");
    build.args(["build", "--file", FILE, "--tag", TAG, "."]).current_dir(tree::root());
    process::expect_success(&mut build)?;
    let printed = process::stdout(Command::new("docker").args(["run", "--rm", TAG, "--version"]))?;
    expect(Path::new(FILE), &printed, &format!("grille {VERSION}"))
}

#[cfg(test)]
mod tests {
    use super::super::image;
    use super::*;
    use serde_json::Value;

    /// Returns the instructions of the Dockerfile, each with its arguments.
    fn instructions() -> Vec<(String, String)> {
        let text = tree::read(FILE).unwrap().replace("\\\n", " ");
        let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let split = lines.map(|line| line.split_once(' ').unwrap());
        split.map(|(name, arguments)| (name.to_owned(), arguments.trim().to_owned())).collect()
    }

    /// Returns the arguments of all instructions with a name, joined.
    fn all(name: &str) -> String {
        let found = instructions().into_iter().filter(|(found, _)| found == name);
        found.map(|(_, arguments)| arguments).collect::<Vec<_>>().join("\n")
    }

    fn manifest(file: &str) -> toml::Table {
        toml::from_str(&tree::read(file).unwrap()).unwrap()
    }

    #[test]
    fn starts_like_the_image_of_dist() {
        let config = &image::configuration("sha256:0")["config"];
        let json = |name: &str| serde_json::from_str::<Value>(&all(name)).unwrap();
        assert_eq!(all("USER"), config["User"]);
        assert_eq!(json("ENTRYPOINT"), config["Entrypoint"]);
        assert_eq!(json("CMD"), config["Cmd"]);
    }

    #[test]
    fn builds_the_program_with_the_pinned_toolchain() {
        let channel = manifest("rust-toolchain.toml")["toolchain"]["channel"].as_str().unwrap().to_owned();
        assert!(all("FROM").starts_with(&format!("rust:{channel}-slim")));
        assert!(all("ENV").contains(&format!("RUSTUP_TOOLCHAIN={channel} ")));
        let run = all("RUN");
        let cli = manifest("cli/Cargo.toml");
        assert!(run.contains(&format!("--package {} ", cli["package"]["name"].as_str().unwrap())));
        assert!(run.contains(&format!("/dist/{}\" /grille", cli["bin"][0]["name"].as_str().unwrap())));
        assert!(run.contains("--profile dist ") && manifest("Cargo.toml")["profile"].get("dist").is_some());
    }

    #[test]
    fn copies_files_that_exist_and_are_not_ignored() {
        let ignored = tree::read(".dockerignore").unwrap();
        let mut sources = 0;
        for copy in all("COPY").lines().filter(|arguments| !arguments.starts_with("--from")) {
            let (files, _) = copy.rsplit_once(' ').unwrap();
            for file in files.split(' ') {
                assert!(tree::root().join(file).exists(), "{file}");
                assert!(ignored.lines().all(|line| line != file), "{file} is in .dockerignore");
                sources += 1;
            }
        }
        assert_eq!(sources, 3);
        // the workspace's members must be in the context
        for member in manifest("Cargo.toml")["workspace"]["members"].as_array().unwrap() {
            let folder = member.as_str().unwrap().split('/').next().unwrap();
            assert!(ignored.lines().all(|line| line != folder), "{folder} is in .dockerignore");
        }
    }
}
