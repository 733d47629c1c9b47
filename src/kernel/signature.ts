import { createHmac, timingSafeEqual } from 'node:crypto';

/** Proves that whoever wrote `parts`, in this order, knows `key`. */
export function sign(key: string, parts: readonly string[]): string {
  return createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url');
}

export function isSigned(key: string, parts: readonly string[], signature: string): boolean {
  const [made, sent] = [Buffer.from(sign(key, parts)), Buffer.from(signature)];
  return made.length === sent.length && timingSafeEqual(made, sent);
}
