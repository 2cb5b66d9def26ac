//! The image for containers: an archive in the layout of the OCI image specification 1.1, with one layer. It also has the
//! file `manifest.json`, with which older versions of `docker load` read it.

use super::dockerfile;
use super::package::{VERSION, empty_folder, expect, tar, unpack};
use crate::digest::sha256;
use crate::outcome::Failure;
use crate::process;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const LAYER: &str = "application/vnd.oci.image.layer.v1.tar+gzip";
const CONFIG: &str = "application/vnd.oci.image.config.v1+json";
const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";
const INDEX: &str = "application/vnd.oci.image.index.v1+json";

/// Makes the image of the files below `contents`, whose program runs as a user without rights. Checks that the image
/// contains the same files.
pub(super) fn make(folder: &Path, contents: &Path) -> Result<PathBuf, Failure> {
    let layout = empty_folder(&folder.join("image"))?;
    let blobs = layout.join("blobs/sha256");
    fs::create_dir_all(&blobs)?;

    // the layer's name is the digest of the compressed archive, its identity in the configuration that of the archive
    let archive = folder.join("layer.tar");
    tar(&archive, contents, "usr", "-c")?;
    let identity = format!("sha256:{}", sha256(fs::read(&archive)?));
    process::expect_success(Command::new("gzip").arg("-9nf").arg(&archive))?;
    let compressed = folder.join("layer.tar.gz");
    let layer = add(&blobs, &fs::read(&compressed)?, LAYER)?;
    fs::remove_file(&compressed)?;

    let config = add(&blobs, &serde_json::to_vec(&configuration(&identity))?, CONFIG)?;
    let content = json!({ "schemaVersion": 2, "mediaType": MANIFEST, "config": config, "layers": [layer] });
    let mut manifest = add(&blobs, &serde_json::to_vec(&content)?, MANIFEST)?;
    manifest["annotations"] = json!({ "org.opencontainers.image.ref.name": VERSION });
    let index = json!({ "schemaVersion": 2, "mediaType": INDEX, "manifests": [manifest] });
    fs::write(layout.join("index.json"), serde_json::to_vec(&index)?)?;
    fs::write(layout.join("oci-layout"), r#"{"imageLayoutVersion":"1.0.0"}"#)?;
    let docker = json!([{ "Config": blob(&config), "RepoTags": [tag()], "Layers": [blob(&layer)] }]);
    fs::write(layout.join("manifest.json"), serde_json::to_vec(&docker)?)?;

    let path = folder.join(format!("grille-{VERSION}-oci.tar"));
    tar(&path, &layout, ".", "-c")?;
    compare(&layout.join(blob(&layer)), contents, &folder.join("image.root"))?;
    fs::remove_dir_all(&layout)?;
    Ok(path)
}

/// Returns the image's configuration. The user has the number that the Kubernetes manifest of the guide names.
pub(super) fn configuration(layer: &str) -> Value {
    json!({
        "architecture": "amd64",
        "os": "linux",
        "created": "1970-01-01T00:00:00Z",
        "config": {
            "Entrypoint": ["/usr/bin/grille"],
            "Cmd": ["--help"],
            "User": "65532:65532",
            "WorkingDir": "/",
            "Labels": {
                "org.opencontainers.image.title": "grille",
                "org.opencontainers.image.version": VERSION,
                "org.opencontainers.image.licenses": "Apache-2.0 OR MIT",
            },
        },
        "rootfs": { "type": "layers", "diff_ids": [layer] },
    })
}

/// Writes a blob. Returns its descriptor.
fn add(blobs: &Path, bytes: &[u8], media_type: &str) -> Result<Value, Failure> {
    let digest = sha256(bytes);
    fs::write(blobs.join(&digest), bytes)?;
    Ok(json!({ "mediaType": media_type, "digest": format!("sha256:{digest}"), "size": bytes.len() }))
}

/// Returns the path of a descriptor's blob in the image.
fn blob(descriptor: &Value) -> String {
    format!("blobs/{}", descriptor["digest"].as_str().unwrap_or_default().replace(':', "/"))
}

/// Unpacks the layer and compares its files with those below `contents`.
fn compare(layer: &Path, contents: &Path, root: &Path) -> Result<(), Failure> {
    empty_folder(root)?;
    unpack(layer, root)?;
    process::expect_success(Command::new("diff").arg("-r").arg(contents).arg(root))?;
    Ok(fs::remove_dir_all(root)?)
}

/// Returns the name under which `docker load` stores the image.
fn tag() -> String {
    format!("grille:{VERSION}")
}

/// Loads the image and runs its program, and makes the image of the Dockerfile, if docker's server is running.
pub(super) fn run_with_docker(path: &Path) -> Result<(), Failure> {
    let server = Command::new("docker").args(["version", "--format", "{{.Server.Version}}"]).output();
    if !server.is_ok_and(|output| output.status.success()) {
        println!(
            "dist: the image was unpacked and compared, but not run, and the Dockerfile not tried, because no docker server is running"
        );
        return Ok(());
    }
    process::expect_success(Command::new("docker").arg("load").arg("--input").arg(path))?;
    let printed = process::stdout(Command::new("docker").args(["run", "--rm", &tag(), "--version"]))?;
    expect(path, &printed, &format!("grille {VERSION}"))?;
    dockerfile::build()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_name_the_blobs_and_the_layer() {
        let folder = std::env::temp_dir().join(format!("grille-image-{}", std::process::id()));
        let contents = folder.join("contents");
        fs::create_dir_all(contents.join("usr/bin")).unwrap();
        fs::write(contents.join("usr/bin/grille"), "the program").unwrap();
        let archive = make(&folder, &contents).unwrap();
        let root = empty_folder(&folder.join("unpacked")).unwrap();
        unpack(&archive, &root).unwrap();
        let read = |path: &str| fs::read(root.join(path)).unwrap();
        let json = |path: &str| serde_json::from_slice::<Value>(&read(path)).unwrap();
        let manifest = json(&blob(&json("index.json")["manifests"][0]));
        for descriptor in [&manifest["config"], &manifest["layers"][0]] {
            let bytes = read(&blob(descriptor));
            assert_eq!(descriptor["digest"], format!("sha256:{}", sha256(&bytes)));
            assert_eq!(descriptor["size"], bytes.len());
        }
        let layer = Command::new("gzip").arg("-dc").arg(root.join(blob(&manifest["layers"][0]))).output();
        let identity = &json(&blob(&manifest["config"]))["rootfs"]["diff_ids"][0];
        assert_eq!(*identity, format!("sha256:{}", sha256(layer.unwrap().stdout)));
        fs::remove_dir_all(&folder).unwrap();
    }
}
