import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';
interface SignedMessage {
  messageId: string;
  /** Instant of this try, UTC ms. */
  at: number;
  body: string;
}

/**
 * The headers by which a receiver knows the sender: one signature for each secret that holds at present.
 *
 * Source: Standard Webhooks 1.0.0, "Signature scheme"; D15.4
 */
export function signedHeaders({ messageId, at, body }: SignedMessage, secrets: readonly string[]): Record<string, string> {
  const timestamp = String(Math.floor(at / 1_000));
  const signatures = secrets.map(secret => `v1,${signatureOf(secret, `${messageId}.${timestamp}.${body}`)}`);
  return { 'webhook-id': messageId, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

function signatureOf(secret: string, content: string): string {
  const key = Buffer.from(secret.slice(secret.startsWith(PREFIX) ? PREFIX.length : 0), 'base64');
  return createHmac('sha256', key).update(content).digest('base64');
}
