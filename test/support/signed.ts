import { randomUUID } from 'node:crypto';
import { headers, type MsgHdrs } from '@nats-io/transport-node';
import { proofHeaders, proofKeyOf } from '#protocol/proof.ts';
import { systemClock } from '#kernel/clock.ts';

interface ToSign {
  subject: string;
  text: string;
  id?: string | undefined;
  sentAt?: number;
}

/** Headers that sign a message with the token; none without a token. */
export function signedBy(
  internalToken: string,
  { subject, text, id = randomUUID(), sentAt = systemClock.now() }: ToSign,
): { headers?: MsgHdrs } {
  if (internalToken === '') return {};
  const made = headers();
  const proven = { subject, id, sentAt: String(sentAt) };
  for (const [name, value] of Object.entries(proofHeaders(proofKeyOf(internalToken), proven, text))) made.set(name, value);
  return { headers: made };
}
