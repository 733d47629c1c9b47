import { createHmac, hash, timingSafeEqual } from 'node:crypto';

/** Signs `parts`, in this order, as proof that the sender knows `key`. */
export function sign(key: string, parts: readonly string[]): string {
  return createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url');
}

export function isSigned(key: string, parts: readonly string[], signature: string): boolean {
  return isSame(sign(key, parts), signature);
}

/** Derives a 32-byte key from a secret of any length. */
export function keyOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** HMAC-SHA256 over `head`, then `body`, as base64url. */
export function signBytes(key: Uint8Array, head: string, body: string | Uint8Array): string {
  return createHmac('sha256', key).update(head).update(body).digest('base64url');
}

/** Compares in constant time. */
export function isSame(made: string, sent: string): boolean {
  const [a, b] = [Buffer.from(made), Buffer.from(sent)];
  return a.length === b.length && timingSafeEqual(a, b);
}
