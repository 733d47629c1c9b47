/** Taken when no other branch fits (D11). */
export const DEFAULT_BRANCH = 'default';
/** A `collect` that heard nothing leaves by this branch when its `next` names it. */
export const SILENCE_BRANCH = 'silence';
