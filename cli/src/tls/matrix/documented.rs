//! The memory of wolfSSL's example server and client according to wolfSSL's appendix on TLS 1.3 heap and stack usage.
//!
//! wolfSSL was built with `--enable-trackmemory --enable-stacksize`. The connections use TLS_AES_256_GCM_SHA384 and no
//! client certificate.

use super::memory_use::MemoryUse;

/// A signature algorithm and a group with the memory of server and client.
pub(super) struct Documented {
    pub(super) signature: &'static str,
    pub(super) group: &'static str,
    pub(super) server: MemoryUse,
    pub(super) client: MemoryUse,
}

const fn row(signature: &'static str, group: &'static str, server: [u64; 4], client: [u64; 4]) -> Documented {
    Documented { signature, group, server: used(server), client: used(client) }
}

/// Converts the columns: stack used, allocations, heap total, heap peak.
const fn used([stack, allocations, heap_total, heap_peak]: [u64; 4]) -> MemoryUse {
    MemoryUse { stack, allocations, heap_total, heap_peak }
}

#[rustfmt::skip]
pub(super) const DOCUMENTED: &[Documented] = &[
    row("FALCON_LEVEL1", "secp256r1", [48960, 250, 113548, 40990], [29935, 768, 179427, 41765]),
    row("FALCON_LEVEL5", "secp256r1", [89088, 250, 125232, 45630], [29935, 768, 191365, 47469]),
    row("DILITHIUM_LEVEL2", "secp256r1", [56328, 243, 128153, 50250], [30856, 805, 206412, 56299]),
    row("DILITHIUM_LEVEL3", "secp256r1", [86216, 243, 140128, 55161], [33928, 805, 220633, 61245]),
    row("DILITHIUM_LEVEL5", "secp256r1", [119944, 243, 152046, 59829], [40328, 805, 238167, 67049]),
    row("DILITHIUM_AES_LEVEL2", "secp256r1", [59400, 243, 128153, 50250], [45448, 805, 206412, 56299]),
    row("DILITHIUM_AES_LEVEL3", "secp256r1", [87048, 243, 140128, 55161], [66952, 805, 220633, 61245]),
    row("DILITHIUM_AES_LEVEL5", "secp256r1", [130056, 243, 152046, 59829], [102024, 805, 238167, 67049]),
    row("RSA-2048", "secp256r1", [52896, 253, 121784, 39573], [54640, 897, 202472, 41760]),
    row("RSA-2048", "KYBER_LEVEL1", [52896, 206, 66864, 28474], [54640, 879, 147235, 44538]),
    row("RSA-2048", "KYBER_LEVEL3", [52896, 206, 67888, 28794], [54640, 879, 149411, 46010]),
    row("RSA-2048", "KYBER_LEVEL5", [52896, 206, 69232, 29274], [54640, 879, 151907, 47642]),
    row("RSA-2048", "KYBER_90S_LEVEL1", [52896, 206, 66864, 28474], [54640, 879, 147235, 44538]),
    row("RSA-2048", "KYBER_90S_LEVEL3", [52896, 206, 67888, 28794], [54640, 879, 149411, 46010]),
    row("RSA-2048", "KYBER_90S_LEVEL5", [52896, 206, 69232, 29274], [54640, 879, 151907, 47642]),
    row("RSA-2048", "NTRU_HPS_LEVEL1", [52896, 206, 66625, 28405], [54640, 879, 146198, 43671]),
    row("RSA-2048", "NTRU_HPS_LEVEL3", [54400, 206, 67318, 28636], [56512, 879, 147421, 44432]),
    row("RSA-2048", "NTRU_HPS_LEVEL5", [66528, 206, 68218, 28936], [69856, 879, 148977, 45388]),
    row("RSA-2048", "NTRU_HRSS_LEVEL3", [52896, 206, 67942, 28844], [54688, 879, 148469, 45064]),
    row("RSA-2048", "SABER_LEVEL1", [52896, 206, 66672, 28442], [54640, 879, 146851, 44314]),
    row("RSA-2048", "SABER_LEVEL3", [52896, 206, 67696, 28794], [54640, 879, 148931, 45722]),
    row("RSA-2048", "SABER_LEVEL5", [52896, 206, 68784, 29178], [54640, 879, 151075, 47162]),
    row("RSA-2048", "P256_NTRU_HPS_LEVEL1", [52896, 223, 118701, 37482], [54640, 896, 198339, 48065]),
    row("RSA-2048", "P384_NTRU_HPS_LEVEL3", [54400, 223, 119538, 38056], [56512, 896, 199738, 48890]),
    row("RSA-2048", "P521_NTRU_HPS_LEVEL5", [66528, 223, 120600, 38782], [69856, 896, 201492, 49918]),
    row("RSA-2048", "P384_NTRU_HRSS_LEVEL3", [52896, 223, 120162, 38472], [54688, 896, 200786, 49522]),
    row("RSA-2048", "P256_SABER_LEVEL1", [52896, 223, 118748, 37492], [54640, 896, 198992, 48708]),
    row("RSA-2048", "P384_SABER_LEVEL3", [52896, 223, 119916, 38276], [54640, 896, 201248, 50180]),
    row("RSA-2048", "P521_SABER_LEVEL5", [52896, 223, 121166, 39106], [54640, 896, 203590, 51692]),
    row("RSA-2048", "P256_KYBER_LEVEL1", [52896, 223, 118940, 37652], [54640, 896, 199376, 48932]),
    row("RSA-2048", "P384_KYBER_LEVEL3", [52896, 223, 120108, 38468], [54640, 896, 201728, 50468]),
    row("RSA-2048", "P521_KYBER_LEVEL5", [52896, 223, 121614, 39458], [54640, 896, 204422, 52172]),
    row("RSA-2048", "P256_KYBER_90S_LEVEL1", [52896, 223, 118940, 37652], [54640, 896, 199376, 48932]),
    row("RSA-2048", "P384_KYBER_90S_LEVEL3", [52896, 223, 120108, 38468], [54640, 896, 201728, 50468]),
    row("RSA-2048", "P521_KYBER_90S_LEVEL5", [52896, 223, 121614, 39458], [54640, 896, 204422, 52172]),
    row("ECDSA-P256", "secp256r1", [52896, 253, 121784, 39573], [54640, 897, 202472, 41760]),
];
