//! Lists and reads the files of the repository that git tracks or would track.

use crate::outcome::Failure;
use crate::process;
use std::process::Command;

pub(crate) use process::root;

/// Lists every tracked or untracked file that is not ignored, relative to the root, sorted, with `/` between folders.
pub(crate) fn files() -> Result<Vec<String>, Failure> {
    let mut git = Command::new("git");
    git.args(["ls-files", "--cached", "--others", "--exclude-standard", "-z"]).current_dir(root());
    let listed = process::stdout(&mut git)?;
    let mut files: Vec<String> = listed.split_terminator('\0').map(str::to_owned).collect();
    files.retain(|file| root().join(file).is_file());
    files.sort();
    files.dedup();
    Ok(files)
}

/// Reads the files whose names end in `suffix`.
pub(crate) fn texts(suffix: &str) -> Result<Vec<(String, String)>, Failure> {
    let mut texts = Vec::new();
    for file in files()? {
        if file.ends_with(suffix) {
            let text = read(&file)?;
            texts.push((file, text));
        }
    }
    Ok(texts)
}

/// Reads one file, named relative to the root.
pub(crate) fn read(file: &str) -> Result<String, Failure> {
    std::fs::read_to_string(root().join(file)).map_err(|error| Failure(vec![format!("{file}: {error}")]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_and_reads_this_file() {
        let texts = texts("xtask/src/tree.rs").unwrap();
        assert_eq!(texts.len(), 1);
        assert!(texts[0].1.contains("fn finds_and_reads_this_file"));
    }

    #[test]
    fn names_a_missing_file() {
        assert!(read("no/such/file").unwrap_err().0[0].starts_with("no/such/file: "));
    }
}
