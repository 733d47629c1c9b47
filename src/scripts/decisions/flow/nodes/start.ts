import type { NodeWalk } from '../walk-scope.ts';
import { DEFAULT_BRANCH } from './branch.ts';

/** Entry of every call; it speaks nothing. */
export const start: NodeWalk = () => Promise.resolve({ branch: DEFAULT_BRANCH });
