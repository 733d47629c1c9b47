/** A caller number of a line as the choice sees it. */
export interface NumberCandidate {
  number: string;
  /** 1..1000. */
  weight: number;
  /** Enabled and below its cap. */
  isAvailable: boolean;
}

/** Running weight of each number (smooth weighted round robin); empty at first. */
export type RotationState = Readonly<Record<string, number>>;

export interface NumberChoice {
  /** null when no number is available. */
  number: string | null;
  state: RotationState;
}

/**
 * Picks the caller number of the next call by smooth weighted round robin: every available number gains its weight, the
 * largest sum wins (the earlier listed on a tie) and pays the total of the weights.
 *
 * Why:    `reserve` in Redis runs the same steps; over any cycle each number is used in proportion and never in a burst
 * Shape:  `state` keeps only the listed numbers; unavailable ones neither gain nor pay
 * Source: D4.3
 */
export function chooseNumber(candidates: readonly NumberCandidate[], state: RotationState): NumberChoice {
  const available = candidates.filter(candidate => candidate.isAvailable);
  const next: Record<string, number> = {};
  for (const { number } of candidates) next[number] = state[number] ?? 0;
  let best: string | null = null;
  for (const { number, weight } of available) {
    next[number] = (next[number] ?? 0) + weight;
    if (best === null || (next[number] ?? 0) > (next[best] ?? 0)) best = number;
  }
  if (best !== null) next[best] = (next[best] ?? 0) - available.reduce((sum, { weight }) => sum + weight, 0);
  return { number: best, state: next };
}

/**
 * The candidates of a retry: without the number of the contact's last attempt, when another is available.
 *
 * Source: D4.3
 */
export function preferOtherNumber(candidates: readonly NumberCandidate[], lastNumber: string | null): readonly NumberCandidate[] {
  const hasOther = candidates.some(({ number, isAvailable }) => isAvailable && number !== lastNumber);
  if (!hasOther) return candidates;
  return candidates.map(candidate => (candidate.number === lastNumber ? { ...candidate, isAvailable: false } : candidate));
}
