/** Contacts of a campaign by outcome, as the server counts them. */
export interface Progress {
  total: number;
  completed: number;
  submitted: number;
  /** Not reached, including those that will be retried. */
  failed: number;
  awaitingRetry: number;
  /** Held back by a rule. */
  held: number;
  /** Paused by users. */
  paused: number;
  /** Share of the whole, 0 to 1. */
  fraction: number;
}

/** Failed contacts that are not retried. */
export function givenUp({ failed, awaitingRetry }: Pick<Progress, 'failed' | 'awaitingRetry'>): number {
  return failed - awaitingRetry;
}

/**
 * Contacts that a completed campaign has left out because a rule holds them back or a user paused them; 0 while others are still to be
 * called.
 */
export function leftOut(status: string, progress: Progress): number {
  const { total, completed, held, paused } = progress;
  const left = total - completed - givenUp(progress);
  return status === 'COMPLETED' && left <= held + paused ? left : 0;
}

/** Progress: a completed campaign counts as finished, even with contacts left out. */
export function shareOf(status: string, progress: Progress): number {
  return leftOut(status, progress) > 0 ? 1 : progress.fraction;
}
