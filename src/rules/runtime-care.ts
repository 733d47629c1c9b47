/** How many failures of runtimes customers are exposed to before nobody is given to them any more. */
export interface RuntimeCare {
  /** Starts in a row that a runtime may leave unanswered; then it is offered none until it answers the server's probe. */
  maxUnanswered: number;
  /** Calls in a row that it may take and say nothing in; then it is offered none for `RESTS_MS`. */
  maxSilent: number;
  /** Answered customers of a business in a row whom no runtime takes; then nothing is dialled for that business. */
  maxUnserved: number;
  /** From a runtime's taking a call to its first sign that it speaks: `started`, or a caption of the bot, ms. */
  firstWordMs: number;
  /** After the customer has spoken, a runtime of which nothing is heard for so long has fallen silent, ms. */
  silenceMs: number;
}

export const RUNTIME_CARE: RuntimeCare = { maxUnanswered: 3, maxSilent: 3, maxUnserved: 3, firstWordMs: 8_000, silenceMs: 30_000 };

/** A runtime that took calls and said nothing gets one more after this, ms. */
export const RESTS_MS = 600_000;
/** A business whose customers nobody takes is tried with one call after this, then after twice as long, at most the longest, ms. */
export const FIRST_PAUSE_MS = 30_000;
export const LONGEST_PAUSE_MS = 600_000;
/** Time in which the one call of a try is answered and taken, or the next try is due, ms. */
export const TRIAL_MS = 60_000;

/** What a call, or a probe, has shown of a runtime, or of all that serve a business. */
export type RuntimeFact =
  | { kind: 'answered' | 'unanswered' | 'silent'; runtimeId: string }
  /** Null: one that has not registered. */
  | { kind: 'spoke'; runtimeId: string | null; businessCode: string }
  | { kind: 'unserved'; businessCode: string };

/** `aside`: the runtime is offered no call from now on; `back`: it is again; `closed`: nothing is dialled for the business; `open`: it is again. */
export type RuntimeVerdict = 'aside' | 'back' | 'closed' | 'open';
