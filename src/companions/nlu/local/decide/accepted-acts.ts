import type { Knowledge } from './knowledge.ts';

/** Of each act the branch of a set that speaks of it most, and how far it does. */
export interface Homes {
  branch: Int16Array;
  share: Float32Array;
}

/** How much more than it says a branch accepts of an act for which no other branch is there. 0..1. */
const OWN_GAIN = 0.4;
/** How much less is accepted by way of a relation where another branch is there for the act. 0..1. */
const TAKEN = 0.9;
/** From this share on a branch is wholly there for an act. 0..1. */
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
 * How far an utterance of each act belongs to a branch: as far as the description speaks of the act, and less of related acts.
 *
 * Why: `refuse` also accepts `no_need`, but hardly where another branch of the set is there for `no_need`
 */
export function acceptedActs(described: Float32Array, at: number, homes: Homes, { relations }: Knowledge): Float32Array {
  return described.map((own, act) => {
    let related = 0;
    for (const link of relations[act] ?? []) related += link.weight * (described[link.act] ?? 0);
    if (homes.branch[act] === at) return Math.min(1, Math.max(own + related, own ** (1 - OWN_GAIN)));
    return Math.min(1, own + related * (1 - TAKEN * Math.min(1, (homes.share[act] ?? 0) / WHOLLY_HOME)));
  });
}
