import { z } from 'zod';
import { parseUntrusted } from '#kernel/parse-untrusted.ts';
import type { PreDialVerdict } from '../pre-dial.ts';

const MAX_REASON_LENGTH = 200;
/** An answer that names no end of a deferral: asked again after this time. */
const DEFERRED_MS = 10 * 60_000;
/** The shortest deferral: an end that has passed would be asked about again and again. */
const SHORTEST_MS = 1_000;

/** Response of a pre-dial hook; unknown members are ignored. Source: D15.7 */
export const preDialAnswer = z.object({
  decision: z.enum(['allow', 'defer', 'refuse']),
  until: z.iso.datetime({ offset: true }).nullish(),
  reason: z.string().nullish(),
});

/** The verdict of an answer; null when it is none. */
export function verdictOf(body: unknown, at: number): PreDialVerdict | null {
  const read = parseUntrusted(preDialAnswer, body);
  if (!read.success) return null;
  const { decision, until, reason } = read.data;
  if (decision === 'allow') return { kind: 'allow' };
  const text = (reason ?? '').trim().slice(0, MAX_REASON_LENGTH).toWellFormed();
  if (decision === 'refuse') return { kind: 'hold', until: null, reason: text };
  const end = until === null || until === undefined ? at + DEFERRED_MS : Date.parse(until);
  return { kind: 'hold', until: Math.max(end, at + SHORTEST_MS), reason: text };
}
