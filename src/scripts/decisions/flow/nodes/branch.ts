/** Used when no other branch matches (D11). */
export const DEFAULT_BRANCH = 'default';
/** Branch of a `collect` that heard nothing, if its `next` has it. */
export const SILENCE_BRANCH = 'silence';
