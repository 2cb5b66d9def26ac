//! Tests that secrets left in freed memory are found.

use grille_meter::{MARK_LEN, WatchingAllocator, freed_secrets, watch_for};

#[global_allocator]
static ALLOCATOR: WatchingAllocator = WatchingAllocator;

/// Returns a secret that is computed at run time. A constant secret could be in freed memory by chance.
fn secret(of: u8) -> Vec<u8> {
    (0..20).map(|n: u8| n.wrapping_mul(91) ^ of).collect()
}

#[test]
fn counts_freed_memory_that_contains_a_secret() {
    let [mut one, other, third] = [1, 2, 3].map(secret);
    assert_eq!(freed_secrets(), 0);
    watch_for(&one);
    watch_for(&other);
    drop(vec![1, 2, 3]);
    drop(third);
    // a partial copy does not count
    drop(other[..MARK_LEN - 1].to_vec());
    assert_eq!(freed_secrets(), 0);
    watch_for(&one);
    watch_for(&other);
    // a secret is found at any offset in the memory; a vector that grows frees the old bytes
    let mut wrapped = [&[7; 100][..], &other].concat();
    wrapped.reserve(1000);
    wrapped.fill(0);
    drop(wrapped);
    assert_eq!(freed_secrets(), 1);
    watch_for(&one);
    one.fill(0);
    drop(one);
    assert_eq!(freed_secrets(), 0, "it was erased");
    drop(other);
    assert_eq!(freed_secrets(), 0, "no longer watched");
}

#[test]
fn each_thread_watches_only_its_own_memory() {
    let one = secret(4);
    watch_for(&one);
    std::thread::spawn(|| drop(secret(4))).join().unwrap();
    assert_eq!(freed_secrets(), 0);
    drop(one);
}
