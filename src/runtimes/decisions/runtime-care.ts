/** Number of runtime failures that customers may be exposed to before dialling or offering stops. */
export interface RuntimeCare {
  /** Consecutive unanswered `start` requests after which a runtime gets no calls until it answers the server's probe. */
  maxUnanswered: number;
  /** Consecutive accepted calls without a word after which it gets no calls for `RESTS_MS`. */
  maxSilent: number;
  /** Consecutive answered customers of a business that no runtime accepts, after which dialling stops for that business. */
  maxUnserved: number;
  /** Time from acceptance to the first sign of speech (`started` or a caption of the bot), ms. */
  firstWordMs: number;
  /** A runtime that sends nothing for so long after the customer has spoken counts as silent, ms. */
  silenceMs: number;
}

export interface RuntimeSettingsPart {
  /** With `rest`, runtimes find their calls at the switch and are not watched. */
  settings: { runtime: 'nats' | 'rest'; care: RuntimeCare };
}

/** A runtime set aside for silence gets another call after this time, ms. */
export const RESTS_MS = 600_000;
/** Pause before the first trial call of a business whose customers no runtime accepts; doubled up to the longest, ms. */
export const FIRST_PAUSE_MS = 30_000;
export const LONGEST_PAUSE_MS = 600_000;
/** Time within which a trial call must be answered and accepted; then the next trial is due, ms. */
export const TRIAL_MS = 60_000;

/** Evidence from a call or a probe about a runtime, or about all runtimes of a business. */
export type RuntimeFact =
  | { kind: 'answered' | 'unanswered' | 'silent'; runtimeId: string }
  /** Null for a runtime that is not registered. */
  | { kind: 'spoke'; runtimeId: string | null; businessCode: string }
  | { kind: 'unserved'; businessCode: string };

/** `aside`: no more calls are offered to the runtime; `back`: they are again. `closed`: dialling stops for the business; `open`: it resumes. */
export type RuntimeVerdict = 'aside' | 'back' | 'closed' | 'open';
