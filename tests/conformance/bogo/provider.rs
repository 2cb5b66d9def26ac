//! grille's provider for rustls' shim. It replaces the stock aws-lc-rs provider and offers the same groups.

use grille_registry::Numbers;
use grille_tls::Preferences;
use rustls::crypto::CryptoProvider;

/// Returns grille's provider with the groups of `stock`, and with TLS 1.2.
///
/// # Panics
/// Panics if grille has no group with one of the codepoints.
pub(crate) fn provider(stock: &CryptoProvider) -> CryptoProvider {
    let numbers = Numbers::default();
    let groups = stock.kx_groups.iter().map(|group| {
        numbers.kem_by_group(group.name().into()).unwrap_or_else(|| panic!("grille has no {:?}", group.name()))
    });
    let preferences = Preferences { groups: groups.collect(), legacy: true, numbers, ..Preferences::default() };
    grille_tls::provider(&preferences).expect("every group of the stock provider fits into TLS")
}
