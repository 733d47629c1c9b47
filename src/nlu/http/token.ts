import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { NLU_TOKEN_HEADER } from '#protocol/nlu.ts';
import { CalloutError } from '#kernel/errors.ts';

/**
 * Creates the check of the internal token; an empty token accepts every request.
 *
 * Why:    the comparison takes constant time, wherever the first difference is
 * Errors: UNAUTHENTICATED when the header is absent or wrong
 * Source: NLU §5
 */
export function tokenGuard(token: string): (request: IncomingMessage) => void {
  const expected = Buffer.from(token, 'utf8');
  if (expected.length === 0) return () => undefined;
  return request => {
    const header = request.headers[NLU_TOKEN_HEADER];
    const given = Buffer.from(typeof header === 'string' ? header : '', 'utf8');
    if (given.length === expected.length && timingSafeEqual(given, expected)) return;
    throw new CalloutError('UNAUTHENTICATED', '未授权：X-Callout-Internal-Token 缺失或错误');
  };
}
