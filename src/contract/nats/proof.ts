import { isSame, keyOf, signBytes } from '#kernel/signature.ts';

/** Headers of a message that proves who sent it. The id is the one under which a stream drops repetitions. */
export const MESSAGE_ID_HEADER = 'Nats-Msg-Id';
export const PROOF_TIME_HEADER = 'Callout-Time';
export const PROOF_HEADER = 'Callout-Proof';

/** A proof is good for so long before and after the time that it names, by the server's clock; shorter than the stream's window for repetitions. ms */
export const MAX_PROOF_AGE_MS = 60_000;

export interface Proven {
  subject: string;
  /** Another one for each message; a message that is sent again keeps it. */
  id: string;
  /** UTC ms as text, by the server's clock: the sender's, moved by what `serverTime` in the answers to hello and beat shows. */
  sentAt: string;
}

/** What is signed with; a server that has made its token itself keeps no more of it. */
export function proofKeyOf(internalToken: string): Buffer {
  return keyOf(internalToken);
}

/** Shows that the sender knows the internal token, and is worth nothing for another message. Source: D3.8 */
export function prove(key: Buffer, { subject, id, sentAt }: Proven, body: string | Uint8Array): string {
  return signBytes(key, `${subject}\n${id}\n${sentAt}\n`, body);
}

export function isProven(key: Buffer, proven: Proven, body: string | Uint8Array, proof: string): boolean {
  return isSame(prove(key, proven, body), proof);
}

/** The headers of a message as its sender writes them. */
export function proofHeaders(key: Buffer, proven: Proven, body: string | Uint8Array): Record<string, string> {
  return { [MESSAGE_ID_HEADER]: proven.id, [PROOF_TIME_HEADER]: proven.sentAt, [PROOF_HEADER]: prove(key, proven, body) };
}

/** For whoever writes a runtime in another language: from these inputs must come this key and this proof. */
export const PROOF_TEST_VECTOR = {
  internalToken: 'test-internal-token',
  subject: 'callout.v1.runtime.result.0338df3d-a19f-44c5-aedd-fe4247a4134e',
  id: '0338df3d-a19f-44c5-aedd-fe4247a4134e:result:1:0',
  sentAt: '1795000000000',
  body: '{"callStatus":"completed"}',
  keyHex: 'e9c1b9ed27f7555d706c135195fad66ddbd5f6f97c6fc1ec03da1cf5204df568',
  proof: 'r0HCzXLbJT_8MCZ5vPots_baFbluVkMx08snTl-Y4Qo',
} as const;
