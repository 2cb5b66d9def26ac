//! The proxies. Each runs in its own process, and all run on the same core, in turns.

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use std::error::Error;
use std::fs;
use std::io;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

/// A running proxy.
pub struct Proxy {
    pub name: &'static str,
    /// The version that the proxy prints.
    pub version: String,
    /// The proxy's port for clients.
    pub port: u16,
    process: Child,
}

impl Drop for Proxy {
    fn drop(&mut self) {
        // fails if the proxy has already ended
        _ = self.process.kill();
        _ = self.process.wait();
    }
}

impl Proxy {
    /// Returns the CPU time of all threads of the proxy.
    pub fn cpu_seconds(&self) -> io::Result<f64> {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.process.id()))?;
        let ticks = ticks(&stat).ok_or_else(|| io::Error::other("cannot read CPU times from /proc"))?;
        Ok(ticks as f64 / rustix::param::clock_ticks_per_second() as f64)
    }
}

/// Reads fields 14 and 15, utime and stime. Field 2, a name in parentheses, may contain any text.
fn ticks(stat: &str) -> Option<u64> {
    let fields: Vec<&str> = stat.rsplit_once(") ")?.1.split(' ').collect();
    Some(fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?)
}

/// Returns the cores that this thread may use.
pub fn cores() -> io::Result<Vec<usize>> {
    let all = sched_getaffinity(None)?;
    Ok((0..CpuSet::MAX_CPU).filter(|core| all.is_set(*core)).collect())
}

/// Pins this thread, and threads and processes that it starts later, to this core.
pub fn pin(core: usize) -> io::Result<()> {
    let mut one = CpuSet::new();
    one.set(core);
    Ok(sched_setaffinity(None, &one)?)
}

/// Starts all three proxies on this core, in front of the service on this port.
pub fn start(
    grille: &Path,
    folder: &Path,
    chain: &Path,
    service: u16,
    core: usize,
) -> Result<Vec<Proxy>, Box<dyn Error>> {
    let starting = || {
        pin(core).map_err(|e| e.to_string())?;
        let all = [
            start_grille(grille, chain, service),
            nginx(folder, chain, service),
            stunnel(folder, chain, service),
        ];
        all.into_iter().collect::<io::Result<Vec<_>>>().map_err(|e| e.to_string())
    };
    // a separate thread is pinned, so that the current thread is not
    Ok(thread::scope(|scope| scope.spawn(starting).join().expect("the thread does not panic"))?)
}

fn start_grille(grille: &Path, chain: &Path, service: u16) -> io::Result<Proxy> {
    let port = free_port()?;
    let mut command = Command::new(grille);
    command.arg("proxy").args(["--listen", &local(port), "--to", &local(service)]);
    command.arg("--cert").arg(chain.join("entity_cert.pem")).arg("--key").arg(chain.join("entity_key.pem"));
    command.args(["--groups", "X25519", "--log", "none"]);
    run("grille", version("grille", grille, "--version")?, port, command)
}

fn nginx(folder: &Path, chain: &Path, service: u16) -> io::Result<Proxy> {
    let (port, file) = (free_port()?, folder.join("nginx.conf"));
    // Debian's packages install the module as a separate file
    let module = Path::new("/usr/lib/nginx/modules/ngx_stream_module.so");
    let load = if module.exists() { format!("load_module {};", module.display()) } else { String::new() };
    let text = format!(
        "{load} daemon off; master_process off; worker_processes 1; pid {0}/nginx.pid; error_log {0}/nginx.log;\n\
         events {{ worker_connections 1024; }}\n\
         stream {{ server {{ listen {1} ssl; proxy_pass {2}; ssl_protocols TLSv1.3; ssl_ecdh_curve X25519;\n\
         ssl_certificate {3}/entity_cert.pem; ssl_certificate_key {3}/entity_key.pem; }} }}\n",
        folder.display(),
        local(port),
        local(service),
        chain.display()
    );
    fs::write(&file, text)?;
    let mut command = Command::new("nginx");
    command.arg("-e").arg(folder.join("nginx.log")).arg("-c").arg(&file);
    run("nginx", version("nginx", "nginx".as_ref(), "-v")?, port, command)
}

fn stunnel(folder: &Path, chain: &Path, service: u16) -> io::Result<Proxy> {
    let (port, file) = (free_port()?, folder.join("stunnel.conf"));
    let text = format!(
        "foreground = yes\npid =\nsyslog = no\ndebug = 2\n[service]\naccept = {}\nconnect = {}\ncurves = X25519\n\
         sslVersionMin = TLSv1.3\ncert = {2}/entity_cert.pem\nkey = {2}/entity_key.pem\n",
        local(port),
        local(service),
        chain.display()
    );
    fs::write(&file, text)?;
    let mut command = Command::new("stunnel");
    command.arg(&file);
    run("stunnel", version("stunnel", "stunnel".as_ref(), "-version")?, port, command)
}

fn local(port: u16) -> String {
    format!("127.0.0.1:{port}")
}

fn free_port() -> io::Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

/// Returns the first line of the program's version output that contains the proxy's name.
fn version(name: &str, program: &Path, option: &str) -> io::Result<String> {
    let output = Command::new(program).arg(option).output();
    let output = output.map_err(|e| io::Error::other(format!("{name}: {e}")))?;
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    Ok(text.lines().find(|line| line.contains(name)).unwrap_or_default().to_owned())
}

/// Starts a proxy and waits until it listens.
fn run(name: &'static str, version: String, port: u16, mut command: Command) -> io::Result<Proxy> {
    let process = command.stdin(Stdio::null()).stdout(Stdio::null()).spawn()?;
    let mut proxy = Proxy { name, version, port, process };
    for _ in 0..100 {
        if TcpStream::connect(local(port)).is_ok() {
            return Ok(proxy);
        }
        if let Some(status) = proxy.process.try_wait()? {
            return Err(io::Error::other(format!("cannot start {name}: {status}")));
        }
        thread::sleep(Duration::from_millis(100));
    }
    Err(io::Error::other(format!("{name} does not listen on its port")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_times_after_any_process_name() {
        let fields: Vec<String> = (3..30).map(|field| field.to_string()).collect();
        assert_eq!(ticks(&format!("1 (a ) b) {}", fields.join(" "))), Some(14 + 15));
        assert_eq!(ticks("1 (a) 3 4"), None);
    }
}
