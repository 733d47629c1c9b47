import { isProven, MAX_PROOF_AGE_MS, MESSAGE_ID_HEADER, PROOF_HEADER, PROOF_TIME_HEADER } from '#protocol/proof.ts';
import type { Clock } from '#kernel/clock.ts';
import { CalloutError } from '#kernel/errors.ts';
import type { BusMessage, DurableReport } from './bus.ts';

/** Dependencies for verifying that one of our programs has sent a message. */
export interface ProofGate {
  /** Null when no token is set; every message then passes (OCS 5 rule 4). */
  proofKey(): Buffer | null;
  clock: Pick<Clock, 'now'>;
  proofs: SeenProofs;
}

/** Proofs that were accepted before. */
export interface SeenProofs {
  /** Records a proof; false when it was recorded before. */
  take(proof: string, now: number): boolean;
}

/** Most proofs kept in one interval, about 100 bytes each; beyond that the oldest are forgotten early. */
const MAX_KEPT = 500_000;

/**
 * Remembers each proof for at least as long as it is valid.
 *
 * Why: two consecutive sets hold everything younger than one interval, and forgetting only drops the older set
 */
export function seenProofs(): SeenProofs {
  let endsAt = -Infinity;
  let [young, old] = [new Set<string>(), new Set<string>()];
  return {
    take(proof, now) {
      if (now >= endsAt || young.size >= MAX_KEPT) {
        [young, old] = [new Set(), young];
        // The time of a proof may lie as far ahead as behind.
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
 * Fault of a message's proof; null when the proof is valid or none is required.
 *
 * Source: D3.8
 */
export function proofFault(gate: ProofGate, message: Message): ProofFault | null {
  const now = gate.clock.now();
  const fault = faultAt(gate, message, now);
  if (fault !== null || gate.proofKey() === null) return fault;
  return gate.proofs.take(message.headers?.[PROOF_HEADER] ?? '', now) ? null : 'repeated';
}

/** Like `proofFault`, for a stored report: the stream has dropped repetitions, so a redelivery is none, and its age counts from storage. */
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

/** Errors: UNAUTHENTICATED with the reason */
export function requireProven(fault: ProofFault | null): void {
  if (fault !== null) throw new CalloutError('UNAUTHENTICATED', WORDS[fault]);
}
