//! The servers of a scan: reads their list, and scans several in parallel.

use crate::arguments::host;
use crate::error::Error;
use crate::files::read_at_most;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::mpsc::sync_channel;
use std::thread;

/// The longest list, in bytes.
const MAX_LIST_LEN: usize = 16 << 20;

/// Returns the servers `named` on the command line and those of the list, without duplicates.
///
/// # Errors
/// Returns an error if the list cannot be read, has a line that is not a host, or is empty.
pub(super) fn read(named: &[String], list: Option<&Path>) -> Result<Vec<String>, Error> {
    let mut hosts = named.to_vec();
    if let Some(list) = list {
        hosts.extend(parse(&read_at_most(list, MAX_LIST_LEN, "a list of servers")?, list)?);
    }
    let mut seen = BTreeSet::new();
    hosts.retain(|host| seen.insert(host.clone()));
    Ok(hosts)
}

fn parse(bytes: &[u8], list: &Path) -> Result<Vec<String>, Error> {
    let text = String::from_utf8_lossy(bytes);
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    let hosts = lines.enumerate().filter(|(_, line)| !line.is_empty()).map(|(n, line)| {
        host(line).map_err(|wrong| {
            Error::failure(format_args!("line {}: {wrong}", n + 1))
                .at(list)
                .advise("write HOST or HOST:PORT in each line")
        })
    });
    let hosts = hosts.collect::<Result<Vec<_>, _>>()?;
    if hosts.is_empty() {
        return Err(Error::failure("the list names no server")
            .at(list)
            .advise("write HOST or HOST:PORT in each line"));
    }
    Ok(hosts)
}

/// Runs `work` for each of `hosts`, `jobs` at a time, and passes the results to `show` in the order of the list.
///
/// # Errors
/// Returns an error if `show` fails; no further host is started then.
pub(super) fn each<'a, T: Send>(
    hosts: &'a [String],
    jobs: u16,
    work: impl Fn(&str) -> T + Sync,
    mut show: impl FnMut(&'a str, T) -> Result<(), Error>,
) -> Result<(), Error> {
    let queue = Mutex::new(hosts.iter().enumerate());
    let (work, queue) = (&work, &queue);
    thread::scope(|scope| {
        let (sender, results) = sync_channel(usize::from(jobs));
        for _ in 0..usize::from(jobs).min(hosts.len()) {
            let sender = sender.clone();
            scope.spawn(move || {
                let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
                while let Some((n, host)) = next() {
                    if sender.send((n, host.as_str(), work(host))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let (mut early, mut shown) = (BTreeMap::new(), 0);
        for (n, host, result) in results {
            early.insert(n, (host, result));
            while let Some((host, result)) = early.remove(&shown) {
                show(host, result)?;
                shown += 1;
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn parses_lists_with_comments_and_blank_lines() {
        let list = b"# servers\n a.example:443 # the first\n\nhttps://b.example/\r\n[::1]\n";
        assert_eq!(parse(list, Path::new("list")).unwrap(), ["a.example:443", "https://b.example/", "[::1]"]);
        for (list, wrong) in
            [(&b"a\nb c\n"[..], "line 2: "), (b"# nothing\n", "names no server"), (b"a:0\n", "line 1: ")]
        {
            let error = parse(list, Path::new("list")).unwrap_err().to_string();
            assert!(
                error.starts_with("list: ") && error.contains(wrong) && error.contains("HOST:PORT"),
                "{error}"
            );
        }
    }

    #[test]
    fn shows_results_in_the_order_of_the_list() {
        let hosts: Vec<String> = (0..20).map(|n| n.to_string()).collect();
        for jobs in [1, 3, 64] {
            let mut shown = Vec::new();
            let work = |host: &str| {
                // The first hosts finish last.
                thread::sleep(Duration::from_millis(20 - host.parse::<u64>().unwrap()));
                host.to_owned()
            };
            let show = |host: &str, result: String| {
                assert_eq!(host, result);
                shown.push(result);
                Ok(())
            };
            each(&hosts, jobs, work, show).unwrap();
            assert_eq!(shown, hosts);
        }
    }

    #[test]
    fn starts_no_host_after_an_error() {
        let hosts: Vec<String> = (0..100).map(|n| n.to_string()).collect();
        let started = Mutex::new(0);
        let work = |_: &str| *started.lock().unwrap() += 1;
        each(&hosts, 1, work, |_, ()| Err(Error::failure("closed output"))).unwrap_err();
        assert!(started.into_inner().unwrap() < 10);
    }
}
