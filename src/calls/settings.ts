import type { RuntimeCare } from '#runtimes/decisions/runtime-care.ts';

/** Timeouts of a call; defaults are in compose/config, units in the names. */
export interface CallSettings {
  care: RuntimeCare;
  /** How long a channel that was never seen must stay absent (A6 step 5). */
  graceMs: number;
  /** `dispatch.resultGraceSeconds` of D7.8. */
  resultGraceMs: number;
  /** With `rest`, runtimes find their calls at the switch and get no offers. */
  runtime: 'nats' | 'rest';
  /** Ringing time that the cell allows (D1.3 originateTimeoutSeconds). */
  originateTimeoutSeconds: (cellId: string) => number;
}
