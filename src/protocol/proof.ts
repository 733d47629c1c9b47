import { isSame, keyOf, signBytes } from '#kernel/signature.ts';

/** Headers of a signed message; the id is also the one by which a stream detects repetitions. */
export const MESSAGE_ID_HEADER = 'Nats-Msg-Id';
export const PROOF_TIME_HEADER = 'Callout-Time';
export const PROOF_HEADER = 'Callout-Proof';

/** Validity of a proof before and after its own time by the server's clock, in ms; shorter than the stream's deduplication window. */
export const MAX_PROOF_AGE_MS = 60_000;

export interface Proven {
  subject: string;
  /** Unique per message; a message that is sent again keeps its id. */
  id: string;
  /** UTC ms as text, in server time: the sender's clock, corrected by `serverTime` from the answers to hello and beat. */
  sentAt: string;
}

/** Signing key derived from the internal token; a server that generated its token stores only this key. */
export function proofKeyOf(internalToken: string): Buffer {
  return keyOf(internalToken);
}

/** Signature that proves knowledge of the internal token; valid for this message only. Source: D3.8 */
export function prove(key: Buffer, { subject, id, sentAt }: Proven, body: string | Uint8Array): string {
  return signBytes(key, `${subject}\n${id}\n${sentAt}\n`, body);
}

export function isProven(key: Buffer, proven: Proven, body: string | Uint8Array, proof: string): boolean {
  return isSame(prove(key, proven, body), proof);
}

/** Headers that the sender of a signed message sets. */
export function proofHeaders(key: Buffer, proven: Proven, body: string | Uint8Array): Record<string, string> {
  return { [MESSAGE_ID_HEADER]: proven.id, [PROOF_TIME_HEADER]: proven.sentAt, [PROOF_HEADER]: prove(key, proven, body) };
}

/** Test vector for authors of runtimes in other languages: these inputs yield this key and this proof. */
export const PROOF_TEST_VECTOR = {
  internalToken: 'test-internal-token',
  subject: 'callout.v1.runtime.result.0338df3d-a19f-44c5-aedd-fe4247a4134e',
  id: '0338df3d-a19f-44c5-aedd-fe4247a4134e:result:1:0',
  sentAt: '1795000000000',
  body: '{"callStatus":"completed"}',
  keyHex: 'e9c1b9ed27f7555d706c135195fad66ddbd5f6f97c6fc1ec03da1cf5204df568',
  proof: 'r0HCzXLbJT_8MCZ5vPots_baFbluVkMx08snTl-Y4Qo',
} as const;
