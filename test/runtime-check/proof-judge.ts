import type { MsgHdrs } from '@nats-io/transport-node';
import { fromNats } from '#platform/nats/headers.ts';
import { proofKeyOf } from '#protocol/proof.ts';
import { type ProofFault, proofFault, reportFault, seenProofs } from '#platform/nats/proof.ts';
import { systemClock } from '#kernel/clock.ts';

interface Signed {
  subject: string;
  headers?: MsgHdrs | undefined;
  data: Uint8Array;
}

const WORDS: Readonly<Record<ProofFault, string>> = {
  missing: 'is not signed with the internal token: Callout-Proof, Callout-Time or Nats-Msg-Id is missing',
  wrong: 'is signed wrongly: the token, the subject, the Nats-Msg-Id, the time or the body differs',
  stale: 'names a Callout-Time that is more than 60 s from the serverTime of the answers to hello and beat',
  repeated: 'repeats a proof that was taken before: each sending needs a time of its own',
};

/** Checks the signatures of a runtime like a server with a token. */
export class ProofJudge {
  /** Faults in signatures, one sentence for each kind of message. */
  readonly faults = new Set<string>();
  /** How far the clock of the responses is ahead of this machine's, in ms. */
  aheadMs = 0;
  readonly #key: Buffer | null;
  readonly #proofs = seenProofs();

  /** An empty token disables the check. */
  constructor(token: string) {
    this.#key = token === '' ? null : proofKeyOf(token);
  }

  get isAsked(): boolean {
    return this.#key !== null;
  }

  now(): number {
    return systemClock.now() + this.aheadMs;
  }

  /** `stale` is not recorded when the response contains the time, because the sender can then correct its clock. */
  ofRequest(what: string, message: Signed, { tellsTime = false } = {}): ProofFault | null {
    const fault = proofFault(this.#gate(), messageOf(message));
    if (fault !== null && !(tellsTime && fault === 'stale')) this.#note(what, fault);
    return fault;
  }

  ofReport(what: string, message: Signed): void {
    const fault = reportFault(this.#gate(), { ...messageOf(message), storedAt: this.now() });
    if (fault !== null) this.#note(what, fault);
  }

  #gate() {
    return { proofKey: () => this.#key, clock: { now: () => this.now() }, proofs: this.#proofs };
  }

  #note(what: string, fault: ProofFault): void {
    this.faults.add(`${what} ${WORDS[fault]}`);
  }
}

function messageOf({ subject, headers, data }: Signed) {
  return { subject, bytes: data, ...(headers && { headers: fromNats(headers) }) };
}
