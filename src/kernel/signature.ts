import { createHmac, hash, timingSafeEqual } from 'node:crypto';

/** Proves that whoever wrote `parts`, in this order, knows `key`. */
export function sign(key: string, parts: readonly string[]): string {
  return createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url');
}

export function isSigned(key: string, parts: readonly string[], signature: string): boolean {
  return isSame(sign(key, parts), signature);
}

/** A key of 32 bytes from a secret of any length. */
export function keyOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** HMAC-SHA256 over `head`, then `body`, as base64url. */
export function signBytes(key: Uint8Array, head: string, body: string | Uint8Array): string {
  return createHmac('sha256', key).update(head).update(body).digest('base64url');
}

/** In time that does not depend on where they differ. */
export function isSame(made: string, sent: string): boolean {
  const [a, b] = [Buffer.from(made), Buffer.from(sent)];
  return a.length === b.length && timingSafeEqual(a, b);
}
