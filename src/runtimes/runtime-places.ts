/** Capacity of a registered runtime. */
export interface RuntimeLoad {
  maxCalls: number;
  /** Active calls as reported by the runtime. */
  active: number;
  /** Places held at it by dials and calls. */
  calls: number;
  isDraining: boolean;
  isGone: boolean;
  /** Why an online runtime is offered no calls; null when it is offered calls. */
  aside: 'unanswered' | 'silent' | null;
  /** Absent: all businesses. */
  businessCodes?: readonly string[] | undefined;
}

/** Whether it accepts new calls, capacity permitting. */
export function isTaking({ isDraining, isGone, aside }: Pick<RuntimeLoad, 'isDraining' | 'isGone' | 'aside'>): boolean {
  return !isDraining && !isGone && aside === null;
}

export function servesBusiness({ businessCodes }: Pick<RuntimeLoad, 'businessCodes'>, businessCode: string): boolean {
  return businessCodes === undefined || businessCodes.includes(businessCode);
}

/**
 * Number of new calls that the runtime can take now; the slot registry applies the same formula.
 *
 * Why:    the runtime's report and our own count each lag behind the other, so the larger one counts
 * Source: A5
 */
export function freePlaces(load: RuntimeLoad): number {
  return isTaking(load) ? Math.max(0, load.maxCalls - Math.max(load.active, load.calls)) : 0;
}
