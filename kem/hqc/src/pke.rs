//! HQC-PKE: public-key encryption of k-byte messages. On its own, it is not secure against chosen-ciphertext attacks.

use crate::code;
use crate::params::{Params, Vector, codeword_len};
use crate::version::Version;
use grille_gf2x::Workspace;
use zeroize::Zeroizing;

/// Runs the second half of HQC-PKE.Keygen: computes s = x + h·y. x and y are secret.
pub(crate) fn keygen<P: Params>(
    h: &Vector<P>,
    [x, y]: &[Vector<P>; 2],
    workspace: &mut Workspace<P>,
) -> Vector<P> {
    let mut s = h.times(y, workspace);
    s.add(x);
    s
}

/// Runs HQC-PKE.Encrypt: writes u ‖ v. `theta` is the seed of r₁, r₂ and e. `message` and `theta` are secret.
pub(crate) fn encrypt<P: Params>(
    [h, s]: [&Vector<P>; 2],
    message: &P::MessageBytes,
    theta: &[u8; 64],
    u_v: &mut [u8],
    workspace: &mut Workspace<P>,
) {
    let [r1, r2, e] = P::Version::sample_noise::<P>(workspace.level(), theta, P::OMEGA_R);
    // u = r₁ + h·r₂
    let mut u = h.times(&r2, workspace);
    u.add(&r1);
    // v = C.Encode(m) + Truncate(s·r₂ + e)
    let mut v = s.times(&r2, workspace);
    v.add(&e);
    v.add(&code::encode::<P>(workspace.level(), message));
    let (u_bytes, v_bytes) = u_v.split_at_mut(Vector::<P>::BYTES);
    u.write_bytes(u_bytes);
    v.write_bytes(&mut v_bytes[..codeword_len::<P>()]);
}

/// Runs HQC-PKE.Decrypt: computes C.Decode(v − Truncate(u·y)). y and the result are secret.
pub(crate) fn decrypt<P: Params>(
    y: &Vector<P>,
    u_v: &[u8],
    workspace: &mut Workspace<P>,
) -> Zeroizing<P::MessageBytes> {
    let (u, v) = u_v.split_at(Vector::<P>::BYTES);
    let mut received = Vector::from_bytes(u).times(y, workspace);
    received.add(&Vector::from_bytes(&v[..codeword_len::<P>()]));
    code::decode(workspace.level(), &received)
}
