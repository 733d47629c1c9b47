import { isProven, MAX_PROOF_AGE_MS, MESSAGE_ID_HEADER, PROOF_HEADER, PROOF_TIME_HEADER } from '#contract/nats/proof.ts';
import type { Clock } from '#kernel/clock.ts';
import { CalloutError } from '#kernel/errors.ts';
import type { BusMessage, DurableReport } from '#ports/bus.ts';

/** How a message shows that a program of ours has sent it. */
export interface ProofGate {
  /** Null: no token is set, and everybody passes (OCS 5 rule 4). */
  proofKey(): Buffer | null;
  clock: Pick<Clock, 'now'>;
  proofs: SeenProofs;
}

/** Proofs that were taken. */
export interface SeenProofs {
  /** Whether it is seen for the first time. */
  take(proof: string, now: number): boolean;
}

/** More in one span are forgotten early: 100 bytes each. */
const MAX_KEPT = 500_000;

/**
 * Remembers each proof for as long as it is good for.
 *
 * Why: two spans that follow each other hold what is younger than one, and forgetting costs nothing
 */
export function seenProofs(): SeenProofs {
  let endsAt = -Infinity;
  let [young, old] = [new Set<string>(), new Set<string>()];
  return {
    take(proof, now) {
      if (now >= endsAt || young.size >= MAX_KEPT) {
        [young, old] = [new Set(), young];
        // A proof may name a time as far ahead as behind.
        endsAt = now + 2 * MAX_PROOF_AGE_MS;
      }
      if (young.has(proof) || old.has(proof)) return false;
      young.add(proof);
      return true;
    },
  };
}

export type ProofFault = 'missing' | 'wrong' | 'stale' | 'repeated';

type Message = Pick<BusMessage, 'subject' | 'headers' | 'bytes'>;

/**
 * What is wrong with a message's proof; null: nothing, or none is asked for.
 *
 * Source: D3.8
 */
export function proofFault(gate: ProofGate, message: Message): ProofFault | null {
  const now = gate.clock.now();
  const fault = faultAt(gate, message, now);
  if (fault !== null || gate.proofKey() === null) return fault;
  return gate.proofs.take(message.headers?.[PROOF_HEADER] ?? '', now) ? null : 'repeated';
}

/** As `proofFault`. A report that is delivered again is no repetition: the stream has dropped those, and took this one when it was young. */
export function reportFault(gate: ProofGate, { storedAt, ...message }: Message & Pick<DurableReport, 'storedAt'>): ProofFault | null {
  return faultAt(gate, message, storedAt ?? gate.clock.now());
}

function faultAt(gate: ProofGate, { subject, headers = {}, bytes = new Uint8Array() }: Message, now: number): ProofFault | null {
  const key = gate.proofKey();
  if (key === null) return null;
  const { [MESSAGE_ID_HEADER]: id = '', [PROOF_TIME_HEADER]: sentAt = '', [PROOF_HEADER]: proof = '' } = headers;
  if (id === '' || proof === '') return 'missing';
  if (!isProven(key, { subject, id, sentAt }, bytes, proof)) return 'wrong';
  return Math.abs(now - Number(sentAt)) <= MAX_PROOF_AGE_MS ? null : 'stale';
}

const WORDS: Readonly<Record<ProofFault, string>> = {
  missing: '缺少消息头 Callout-Proof、Callout-Time 或 Nats-Msg-Id：须以内部令牌签名',
  wrong: 'Callout-Proof 不正确：内部令牌、主题、编号、时间或内容不符',
  stale: 'Callout-Time 与服务器时间相差超过 60 秒',
  repeated: '同一条已签名的消息已处理过',
};

/** Errors: UNAUTHENTICATED saying what is wrong */
export function requireProven(fault: ProofFault | null): void {
  if (fault !== null) throw new CalloutError('UNAUTHENTICATED', WORDS[fault]);
}
