/** A registered runtime, as far as its places are concerned. */
export interface RuntimeLoad {
  maxCalls: number;
  /** Calls that it says it has. */
  active: number;
  /** Places that dials and calls hold at it. */
  calls: number;
  isDraining: boolean;
  isGone: boolean;
  /** Why no call is offered to it although it is there; null: calls are. */
  aside: 'unanswered' | 'silent' | null;
  /** Absent: every business. */
  businessCodes?: readonly string[] | undefined;
}

/** Whether it takes new calls, once it has a place. */
export function isTaking({ isDraining, isGone, aside }: Pick<RuntimeLoad, 'isDraining' | 'isGone' | 'aside'>): boolean {
  return !isDraining && !isGone && aside === null;
}

export function servesBusiness({ businessCodes }: Pick<RuntimeLoad, 'businessCodes'>, businessCode: string): boolean {
  return businessCodes === undefined || businessCodes.includes(businessCode);
}

/**
 * How many new calls it would take now, as the slot registry reserves them.
 *
 * Why:    what it says and what was given to it each lag behind the other
 * Source: A5
 */
export function freePlaces(load: RuntimeLoad): number {
  return isTaking(load) ? Math.max(0, load.maxCalls - Math.max(load.active, load.calls)) : 0;
}
