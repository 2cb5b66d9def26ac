//! Chains of unequal length, followed to their ends: what verification does most.

use crate::address::Adrs;
use crate::family::{Family, MAX_LANES, Node};

/// A chain of F: where it stands, and how many steps are left.
#[derive(Clone, Copy)]
pub struct Chain {
    pub(crate) adrs: Adrs,
    pub(crate) node: Node,
    pub(crate) left: u8,
}

/// [`Family::follow`] by [`Family::f`], from stop to stop.
pub(crate) fn follow<F: Family>(family: &F, chains: &mut [Chain]) {
    let (mut at, mut count) = ([0; MAX_LANES], 0);
    let (mut adrs, mut nodes) = ([Adrs::default(); MAX_LANES], [[0; 32]; MAX_LANES]);
    let mut waiting = 0..chains.len();
    loop {
        while count < F::LANES
            && let Some(chain) = waiting.find(|chain| chains[*chain].left > 0)
        {
            at[count] = chain;
            count += 1;
        }
        let Some(steps) = at[..count].iter().map(|chain| chains[*chain].left).min() else { return };
        for ((adrs, node), chain) in adrs.iter_mut().zip(&mut nodes).zip(&at[..count]) {
            (*adrs, *node) = (chains[*chain].adrs, chains[*chain].node);
        }
        family.f(&adrs[..count], &mut nodes[..count], steps.into());
        let mut staying = 0;
        for lane in 0..count {
            let chain = &mut chains[at[lane]];
            chain.adrs = chain.adrs.steps_on(steps.into());
            chain.node = nodes[lane];
            chain.left -= steps;
            at[staying] = at[lane];
            staying += usize::from(chain.left > 0);
        }
        count = staying;
    }
}
