//! `dist`: makes the files of a release in `target/packages`, installs each in an empty directory and uses it there.
//!
//! | part | file | content |
//! |---|---|---|
//! | `program` | `grille-VERSION-TARGET.tar.gz` | the program, manual pages, completion scripts, licences |
//! | | `grille_VERSION_ARCHITECTURE.deb` | the same files, as a Debian package |
//! | | `grille-VERSION-oci.tar` | the static program, as an image for containers |
//! | `c` | `libgrille-VERSION-TARGET.tar.gz` | the C library, its header, files for pkg-config and CMake |
//! | `python` | `grille-VERSION-….whl` | the Python package |
//! | `npm` | `grille-VERSION.tgz` | the npm package |
//! | each | `PART-VERSION.cdx.json` | the crates in the part (CycloneDX 1.5) |
//! | | `SHA256SUMS` | the hashes of the other files |
//!
//! The program is static if the target `x86_64-unknown-linux-musl` and `musl-gcc` are installed. If `dist` runs as
//! root, it runs a static program in a root directory that contains nothing else. If a docker server is running, `dist`
//! also runs the image, and the one that `proxy/docker/Dockerfile` makes. The variable `PROFILE` selects
//! cargo's profile for the program and the C library [default: dist]: `PROFILE=dev` is fast, to try the packaging.

mod bill_of_materials;
mod dockerfile;
mod image;
mod libraries;
mod package;

use crate::digest::sha256;
use crate::outcome::{Failure, Outcome, refuse_unknown};
use crate::process::{self, Needs};
use crate::{programs, tree};
use package::{
    DOCUMENTS, DYNAMIC, Platform, STATIC, VERSION, copy, empty_folder, expect, profile, tar, unpack,
};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Completion scripts: the name of the shell, and the path of its script in the package.
const COMPLETIONS: &[(&str, &str)] = &[
    ("bash", "usr/share/bash-completion/completions/grille"),
    ("zsh", "usr/share/zsh/vendor-completions/_grille"),
    ("fish", "usr/share/fish/vendor_completions.d/grille.fish"),
];

/// The unit of the proxy for systemd and its user: the file in the repository, and its path in the package.
const SYSTEMD: &[(&str, &str)] = &[
    ("proxy/systemd/grille-proxy@.service", UNIT),
    ("proxy/systemd/sysusers.conf", "usr/lib/sysusers.d/grille.conf"),
];
const UNIT: &str = "usr/lib/systemd/system/grille-proxy@.service";

/// One part of a release.
struct Part {
    name: &'static str,
    /// The programs that make it.
    needs: Needs,
    /// Makes the packages in a folder and tries them.
    make: fn(&Path, &Platform) -> Result<Vec<PathBuf>, Failure>,
    /// The manifest of the crate, its name, and its target if that is not the platform's: for the bill of materials.
    manifest: &'static str,
    package: &'static str,
    target: Option<&'static str>,
}

#[rustfmt::skip]
const PARTS: &[Part] = &[
    Part { name: "program", needs: &[],              make: program,           manifest: "cli/Cargo.toml",             package: "grille-cli",    target: None },
    Part { name: "c",       needs: libraries::C,      make: libraries::c,      manifest: "bindings/c/Cargo.toml",      package: "grille-capi",   target: Some(DYNAMIC.target) },
    Part { name: "python",  needs: process::PYTHON,   make: libraries::python, manifest: "bindings/python/Cargo.toml", package: "grille-python", target: Some(DYNAMIC.target) },
    Part { name: "npm",     needs: libraries::NPM,    make: libraries::npm,    manifest: "bindings/wasm/Cargo.toml",   package: "grille-wasm",   target: Some("wasm32-unknown-unknown") },
];

/// Makes the parts that the arguments name, or all. Parts whose tools are missing are named and skipped. The argument
/// `--gnu` makes a program that needs the system's C library.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    let (options, names): (Vec<&String>, Vec<&String>) =
        arguments.iter().partition(|word| word.starts_with("--"));
    refuse_unknown(["option", "options"], options.iter().copied(), &["--gnu"])?;
    let known: Vec<_> = PARTS.iter().map(|part| part.name).collect();
    refuse_unknown(["part", "parts"], names.iter().copied(), &known)?;
    let platform = if options.is_empty() { best_platform() } else { DYNAMIC };
    let folder = empty_folder(&tree::root().join("target/packages"))?;
    let mut made = Vec::new();
    for part in PARTS.iter().filter(|part| names.is_empty() || names.iter().any(|name| *name == part.name)) {
        if let Some(missing) = process::missing(part.needs) {
            println!("dist: NOT MADE: {}, because {missing}", part.name);
            continue;
        }
        made.extend((part.make)(&folder, &platform)?);
        let components = folder.join(format!("{}-{VERSION}.cdx.json", part.name));
        let target = part.target.unwrap_or(platform.target);
        fs::write(&components, bill_of_materials::list(part.manifest, part.package, VERSION, target)?)?;
        made.push(components);
    }
    fs::write(folder.join("SHA256SUMS"), hashes(&made)?)?;
    summary(&made)
}

/// Makes the archive, the Debian package and the image of the program.
fn program(folder: &Path, platform: &Platform) -> Result<Vec<PathBuf>, Failure> {
    let contents = folder.join("contents");
    let program = programs::build_with(&profile(), "cli/Cargo.toml", &["--target", platform.target])?;
    println!("dist: the program has {} bytes", fs::metadata(&program)?.len());
    collect(&program, &contents)?;
    let mut made = vec![archive(folder, &contents, platform)?];
    made.extend(debian_package(folder, &contents, platform)?);
    for package in &made {
        test_package(package, platform)?;
    }
    if platform.is_static {
        let image = image::make(folder, &contents)?;
        image::run_with_docker(&image)?;
        made.push(image);
    } else {
        println!("dist: NOT MADE: the image for containers, because the program is not static");
    }
    fs::remove_dir_all(&contents)?;
    Ok(made)
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
    for (file, path) in SYSTEMD {
        copy(&tree::root().join(file), &contents.join(path))?;
    }
    for document in DOCUMENTS {
        copy(&tree::root().join(document), &contents.join("usr/share/doc/grille").join(document))?;
    }
    Ok(())
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    fs::create_dir_all(path.parent().unwrap_or(path))?;
    Ok(fs::write(path, bytes)?)
}

/// Makes the compressed archive.
fn archive(folder: &Path, contents: &Path, platform: &Platform) -> Result<PathBuf, Failure> {
    let path = folder.join(format!("grille-{VERSION}-{}.tar.gz", platform.target));
    tar(&path, contents, "usr", "-cz")?;
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
    if package.extension().is_some_and(|extension| extension == "deb") {
        process::expect_success(Command::new("dpkg-deb").arg("-x").arg(package).arg(&root))?;
    } else {
        unpack(package, &root)?;
    }
    let version = process::stdout(&mut installed_command(&root, platform, &["--version"]))?;
    expect(package, &version, &format!("grille {VERSION}"))?;
    process::stdout(&mut installed_command(&root, platform, &["kat", "ML-KEM-768"]))?;
    check_unit(&root)?;
    Ok(fs::remove_dir_all(&root)?)
}

/// Checks the unpacked unit with systemd, if it is installed. The copy that is checked starts the unpacked program.
fn check_unit(root: &Path) -> Result<(), Failure> {
    if !process::is_installed("systemd-analyze") {
        println!("dist: the unit for systemd was not checked, because systemd-analyze is missing");
        return Ok(());
    }
    let program = root.join("usr/bin/grille");
    let unit = fs::read_to_string(root.join(UNIT))?;
    let copied = root.join("grille-proxy@web.service");
    fs::write(&copied, unit.replace("/usr/bin/grille", &program.to_string_lossy()))?;
    let checked = Command::new("systemd-analyze").args(["verify", "--man=no"]).arg(&copied).output()?;
    // an unknown key is only a warning
    let findings = String::from_utf8_lossy(&checked.stderr);
    if checked.status.success() && findings.is_empty() {
        return Ok(());
    }
    Err(Failure(findings.lines().map(|line| format!("systemd-analyze: {line}")).collect()))
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
fn summary(made: &[PathBuf]) -> Outcome {
    let size = |path: &PathBuf| {
        Ok::<_, Failure>(format!("{} {:.1} MB", name(path), fs::metadata(path)?.len() as f64 / 1e6))
    };
    let sizes = made.iter().map(size).collect::<Result<Vec<_>, _>>()?;
    Ok(format!(
        "{}, all in target/packages; packages were installed in empty folders and used, except those named above",
        sizes.join(", ")
    ))
}
