import type { RuntimeCare } from '#rules/runtime-care.ts';

/** Waits of one call; defaults in compose/config. Units in the names. */
export interface CallSettings {
  care: RuntimeCare;
  /** How long an unseen channel must stay absent (A6 step 5). */
  graceMs: number;
  /** D7.8 `dispatch.resultGraceSeconds`. */
  resultGraceMs: number;
  /** `rest`: the runtime finds its calls at the switch; none is offered to it. */
  runtime: 'nats' | 'rest';
  /** Ring time granted by the cell (D1.3 originateTimeoutSeconds). */
  originateTimeoutSeconds: (cellId: string) => number;
}
