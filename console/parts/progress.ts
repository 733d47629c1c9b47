/** Contacts of a campaign by what became of them, as the server counts them. */
export interface Progress {
  total: number;
  completed: number;
  submitted: number;
  /** Not reached, those included that are called again. */
  failed: number;
  awaitingRetry: number;
  /** Kept back by a rule. */
  held: number;
  /** Taken out by people. */
  paused: number;
  /** Of the whole, 0 to 1. */
  fraction: number;
}

/** Those who are not called again. */
export function givenUp({ failed, awaitingRetry }: Pick<Progress, 'failed' | 'awaitingRetry'>): number {
  return failed - awaitingRetry;
}

/** Whom a campaign that is completed has left out: whoever a rule keeps back, or people have taken out. 0 as long as others are to be called. */
export function leftOut(status: string, progress: Progress): number {
  const { total, completed, held, paused } = progress;
  const left = total - completed - givenUp(progress);
  return status === 'COMPLETED' && left <= held + paused ? left : 0;
}

/** How far it is: a campaign that is through has nothing left to do, whomever it left out. */
export function shareOf(status: string, progress: Progress): number {
  return leftOut(status, progress) > 0 ? 1 : progress.fraction;
}
