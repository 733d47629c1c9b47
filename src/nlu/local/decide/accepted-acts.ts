import type { Knowledge } from './knowledge.ts';

/** For each act, the branch of a set that describes it best, and how strongly. */
export interface Homes {
  branch: Int16Array;
  share: Float32Array;
}

/** Gain of a branch for an act that no other branch covers. 0..1. */
const OWN_GAIN = 0.4;
/** Reduction of what a branch accepts through a relation when another branch covers the act. 0..1. */
const TAKEN = 0.9;
/** Share from which a branch fully covers an act. 0..1. */
const WHOLLY_HOME = 2 / 3;

export function homesOf(described: readonly Float32Array[], { actCount }: Knowledge): Homes {
  const homes: Homes = { branch: new Int16Array(actCount).fill(-1), share: new Float32Array(actCount) };
  described.forEach((acts, at) => {
    acts.forEach((share, act) => {
      if (share <= (homes.share[act] ?? 0)) return;
      homes.share[act] = share;
      homes.branch[act] = at;
    });
  });
  return homes;
}

/**
 * Returns how far an utterance of each act belongs to a branch: as far as the description names the act, and less for related acts.
 *
 * Why: `refuse` also accepts `no_need`, but hardly when another branch of the set covers `no_need`
 */
export function acceptedActs(described: Float32Array, at: number, homes: Homes, { relations }: Knowledge): Float32Array {
  return described.map((own, act) => {
    let related = 0;
    for (const link of relations[act] ?? []) related += link.weight * (described[link.act] ?? 0);
    if (homes.branch[act] === at) return Math.min(1, Math.max(own + related, own ** (1 - OWN_GAIN)));
    return Math.min(1, own + related * (1 - TAKEN * Math.min(1, (homes.share[act] ?? 0) / WHOLLY_HOME)));
  });
}
