import type { NodeWalk } from '../walk-scope.ts';
import { DEFAULT_BRANCH } from './branch.ts';

/** Where every call begins: nothing is said here. */
export const start: NodeWalk = () => Promise.resolve({ branch: DEFAULT_BRANCH });
