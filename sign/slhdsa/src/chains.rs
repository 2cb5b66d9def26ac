//! Chains of different lengths, computed to their ends. Verification spends most of its time in this module.

use crate::address::ChainAdrs;
use crate::node::Node;

/// A chain of F: its current value, and the number of remaining steps.
#[derive(Clone, Copy)]
pub struct Chain {
    pub(crate) adrs: ChainAdrs,
    pub(crate) node: Node,
    pub(crate) remaining_steps: u8,
}

/// The lanes of an implementation of F. Each lane holds one chain.
pub(crate) trait ChainLanes {
    /// Stores a chain in a lane.
    fn put(&mut self, lane: usize, chain: &Chain);

    /// Computes `steps` steps in every lane, including lanes without a chain.
    fn advance(&mut self, steps: u8);

    /// Returns the current value of a lane.
    fn value(&self, lane: usize) -> Node;
}

/// Implements [`Family::follow`](crate::family::Family::follow) in `N` lanes. When the chain of a lane ends, the lane takes the next chain.
///
/// Stops when all chains have a lane or are complete, and at most `few` chains are unfinished. These chains
/// remain unfinished.
pub(crate) fn follow_in_lanes<const N: usize>(lanes: &mut impl ChainLanes, chains: &mut [Chain], few: usize) {
    let mut at = [None; N];
    let mut waiting = 0..chains.len();
    loop {
        for (lane, at) in at.iter_mut().enumerate().filter(|(_, at)| at.is_none()) {
            *at = waiting.find(|chain| chains[*chain].remaining_steps > 0);
            if let Some(chain) = *at {
                lanes.put(lane, &chains[chain]);
            }
        }
        let left = at.iter().flatten().map(|chain| chains[*chain].remaining_steps);
        let Some(steps) = left.clone().min().filter(|_| left.count() > few) else { break };
        lanes.advance(steps);
        for (lane, at) in at.iter_mut().enumerate() {
            let Some(chain) = at.map(|chain| &mut chains[chain]) else { continue };
            chain.remaining_steps -= steps;
            chain.adrs = chain.adrs.advanced_by(steps.into());
            if chain.remaining_steps == 0 {
                chain.node = lanes.value(lane);
                *at = None;
            }
        }
    }
    for (lane, chain) in at.into_iter().enumerate().filter_map(|(lane, at)| Some((lane, at?))) {
        chains[chain].node = lanes.value(lane);
    }
}
