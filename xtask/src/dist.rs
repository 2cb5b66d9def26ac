//! `dist`: makes the files of a release in `target/packages`, and runs the program from the archive and the package.
//!
//! | file | content |
//! |---|---|
//! | `grille-VERSION-TARGET.tar.gz` | the program, manual pages, completion scripts, licences |
//! | `grille_VERSION_ARCHITECTURE.deb` | the same files, as a Debian package |
//! | `grille-VERSION.cdx.json` | the crates in the program (CycloneDX 1.5) |
//! | `SHA256SUMS` | the hashes of the other files |
//!
//! The program is static if the target `x86_64-unknown-linux-musl` and `musl-gcc` are installed. If `dist` runs as
//! root, it runs a static program in a root directory that contains nothing else.

mod bill_of_materials;

use crate::digest::sha256;
use crate::outcome::{Failure, Outcome};
use crate::{process, programs, tree};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Completion scripts: the name of the shell, and the path of its script in the package.
const COMPLETIONS: &[(&str, &str)] = &[
    ("bash", "usr/share/bash-completion/completions/grille"),
    ("zsh", "usr/share/zsh/vendor-completions/_grille"),
    ("fish", "usr/share/fish/vendor_completions.d/grille.fish"),
];

/// Documents of the repository that every package contains.
const DOCUMENTS: &[&str] = &["LICENSE-APACHE", "LICENSE-MIT", "README.md", "CHANGELOG.md"];

/// A platform for which a program is made.
struct Platform {
    target: &'static str,
    is_static: bool,
    /// The `Depends` line of Debian's control file, with its newline; empty if the program needs no packages.
    depends: &'static str,
}

const STATIC: Platform = Platform { target: "x86_64-unknown-linux-musl", is_static: true, depends: "" };
const DYNAMIC: Platform =
    Platform { target: "x86_64-unknown-linux-gnu", is_static: false, depends: "Depends: libc6, libgcc-s1\n" };

/// Makes all files. The argument `--gnu` makes a program that needs the system's C library.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    let platform = if arguments.iter().any(|word| word == "--gnu") { DYNAMIC } else { best_platform() };
    let folder = tree::root().join("target/packages");
    let _ = fs::remove_dir_all(&folder);
    let contents = folder.join("contents");
    let program = programs::build_with("dist", "cli/Cargo.toml", &["--target", platform.target])?;
    collect(&program, &contents)?;
    let mut made = vec![archive(&folder, &contents, &platform)?];
    made.extend(debian_package(&folder, &contents, &platform)?);
    for package in &made {
        test_package(package, &platform)?;
    }
    let components = folder.join(format!("grille-{VERSION}.cdx.json"));
    fs::write(&components, bill_of_materials::list(VERSION, platform.target)?)?;
    made.push(components);
    fs::write(folder.join("SHA256SUMS"), hashes(&made)?)?;
    fs::remove_dir_all(&contents)?;
    summary(&program, &made)
}

fn best_platform() -> Platform {
    let has_target = process::installed_targets().iter().any(|target| target == STATIC.target);
    if has_target && process::is_installed("musl-gcc") {
        return STATIC;
    }
    println!(
        "dist: the program will not be static; a static build needs `rustup target add {}` and Debian's `musl-tools`",
        STATIC.target
    );
    DYNAMIC
}

/// Arranges the files of the package below `contents` as they are arranged below the root directory of a system.
fn collect(program: &Path, contents: &Path) -> Result<(), Failure> {
    let installed = contents.join("usr/bin/grille");
    copy(program, &installed)?;
    let manual = contents.join("usr/share/man/man1");
    process::stdout(Command::new(program).arg("man").arg(&manual))?;
    for (shell, path) in COMPLETIONS {
        let script = process::stdout(Command::new(program).args(["completions", shell]))?;
        write(&contents.join(path), script.as_bytes())?;
    }
    for document in DOCUMENTS {
        copy(&tree::root().join(document), &contents.join("usr/share/doc/grille").join(document))?;
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<(), Failure> {
    fs::create_dir_all(to.parent().unwrap_or(to))?;
    fs::copy(from, to)?;
    Ok(())
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    fs::create_dir_all(path.parent().unwrap_or(path))?;
    Ok(fs::write(path, bytes)?)
}

/// Makes the compressed archive. It is reproducible: the same contents always give the same bytes.
fn archive(folder: &Path, contents: &Path, platform: &Platform) -> Result<PathBuf, Failure> {
    let path = folder.join(format!("grille-{VERSION}-{}.tar.gz", platform.target));
    let mut tar = Command::new("tar");
    tar.args(["--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner", "-czf"]);
    process::expect_success(tar.arg(&path).arg("-C").arg(contents).arg("usr").env("GZIP", "-9n"))?;
    Ok(path)
}

/// Makes Debian's package, if `dpkg-deb` is installed.
fn debian_package(folder: &Path, contents: &Path, platform: &Platform) -> Result<Option<PathBuf>, Failure> {
    if !process::is_installed("dpkg-deb") {
        println!("dist: no Debian package, because dpkg-deb is missing (Debian: `dpkg`)");
        return Ok(None);
    }
    write(&contents.join("DEBIAN/control"), control(platform).as_bytes())?;
    let path = folder.join(format!("grille_{VERSION}_amd64.deb"));
    let mut build = Command::new("dpkg-deb");
    build.args(["--root-owner-group", "--build"]).arg(contents).arg(&path).env("SOURCE_DATE_EPOCH", "0");
    process::stdout(&mut build)?;
    fs::remove_dir_all(contents.join("DEBIAN"))?;
    Ok(Some(path))
}

fn control(platform: &Platform) -> String {
    format!(
        "Package: grille\nVersion: {VERSION}\nArchitecture: amd64\nMaintainer: the authors of grille <grille@localhost>\n\
         Section: utils\nPriority: optional\n{}Description: post-quantum cryptography\n \
         Keys, files, certificates, TLS 1.3 and SPDM with quantum-safe algorithms.\n",
        platform.depends
    )
}

/// Unpacks an archive or a package into an empty directory and runs the program in it.
fn test_package(package: &Path, platform: &Platform) -> Result<(), Failure> {
    let root = package.with_extension("root");
    fs::create_dir_all(&root)?;
    let mut unpack = if package.extension().is_some_and(|extension| extension == "deb") {
        let mut unpack = Command::new("dpkg-deb");
        unpack.arg("-x").arg(package).arg(&root);
        unpack
    } else {
        let mut unpack = Command::new("tar");
        unpack.arg("-xzf").arg(package).arg("-C").arg(&root);
        unpack
    };
    process::expect_success(&mut unpack)?;
    let version = process::stdout(&mut installed_command(&root, platform, &["--version"]))?;
    if version.trim() != format!("grille {VERSION}") {
        return Err(Failure(vec![format!("{} contains {}", package.display(), version.trim())]));
    }
    process::stdout(&mut installed_command(&root, platform, &["kat", "ML-KEM-768"]))?;
    Ok(fs::remove_dir_all(&root)?)
}

/// Returns the command that runs the unpacked program. If possible, the command makes the unpacked files the root
/// directory.
fn installed_command(root: &Path, platform: &Platform, arguments: &[&str]) -> Command {
    let may_change_root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n");
    let mut command = if platform.is_static && may_change_root {
        let mut command = Command::new("chroot");
        command.arg(root).arg("/usr/bin/grille");
        command
    } else {
        Command::new(root.join("usr/bin/grille"))
    };
    command.args(arguments);
    command
}

fn hashes(files: &[PathBuf]) -> Result<String, Failure> {
    let line = |file: &PathBuf| Ok(format!("{}  {}\n", sha256(fs::read(file)?), name(file)));
    files.iter().map(line).collect()
}

fn name(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Lists the files with their sizes.
fn summary(program: &Path, made: &[PathBuf]) -> Outcome {
    let megabytes = |path: &Path| Ok::<_, Failure>(fs::metadata(path)?.len() as f64 / 1e6);
    let mut parts = vec![format!("the program is {:.1} MB", megabytes(program)?)];
    for file in made {
        parts.push(format!("{} {:.1} MB", name(file), megabytes(file)?));
    }
    Ok(format!("{}, all in target/packages; the program was run from each package", parts.join(", ")))
}
