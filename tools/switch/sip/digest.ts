import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '#kernel/clock.ts';
import { headerOf, type SipHeaders, type SipRequest } from './message.ts';

/** Credentials of a request's Authorization, unverified. */
export interface DigestAnswer {
  username: string;
  realm: string;
  nonce: string;
  uri: string;
  response: string;
  qop: string;
  nc: string;
  cnonce: string;
}

/** Lifetime of a nonce, in ms, as `nonce-ttl` in docker/freeswitch. */
const NONCE_MS = 60_000;
const PAIR = /(\w{1,32})\s*=\s*(?:"([^"]{0,1024})"|([^\s,"]{1,256}))/g;
const MAX_PAIRS = 16;

/** Parses `Authorization: Digest …`; null when it is absent or incomplete. */
export function digestAnswerOf(request: Pick<SipRequest, 'headers'>): DigestAnswer | null {
  const text = headerOf(request, 'authorization') || headerOf(request, 'proxy-authorization');
  if (!/^digest\s/i.test(text)) return null;
  const pairs = new Map<string, string>();
  for (const [, name = '', quoted, bare] of text.slice(7).matchAll(PAIR)) {
    if (pairs.size < MAX_PAIRS) pairs.set(name.toLowerCase(), quoted ?? bare ?? '');
  }
  const part = (name: string) => pairs.get(name) ?? '';
  const answer = {
    username: part('username'),
    realm: part('realm'),
    nonce: part('nonce'),
    uri: part('uri'),
    response: part('response').toLowerCase(),
    qop: part('qop'),
    nc: part('nc'),
    cnonce: part('cnonce'),
  };
  return answer.username !== '' && /^[0-9a-f]{32}$/.test(answer.response) ? answer : null;
}

/** Whether the answer proves the password whose hash is `a1Hash`. Source: RFC 2617 §3.2.2, RFC 3261 §22.4 */
export function provesPassword({ nonce, uri, response, qop, nc, cnonce }: DigestAnswer, method: string, a1Hash: string): boolean {
  const a2 = md5(`${method}:${uri}`);
  const expected = qop === '' ? md5(`${a1Hash}:${nonce}:${a2}`) : md5(`${a1Hash}:${nonce}:${nc}:${cnonce}:${qop}:${a2}`);
  return timingSafeEqual(Buffer.from(expected), Buffer.from(response));
}

function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}

/** Nonces that carry the time of their making, signed: none has to be stored. */
export class Nonces {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #key = randomBytes(32);

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** The header that asks for credentials; `isStale` asks for the same ones with a new nonce. */
  challenge(realm: string, isStale: boolean): SipHeaders {
    const at = this.#clock.now().toString(36);
    const stale = isStale ? ', stale=true' : '';
    return [['www-authenticate', `Digest realm="${realm}", nonce="${at}.${this.#sign(at)}", algorithm=MD5, qop="auth"${stale}`]];
  }

  /** `foreign`: this process has not made it. */
  stateOf(nonce: string): 'fresh' | 'stale' | 'foreign' {
    const [at = '', signature = ''] = nonce.split('.');
    if (!/^[0-9a-z]{1,12}$/.test(at) || this.#sign(at) !== signature) return 'foreign';
    return this.#clock.now() - Number.parseInt(at, 36) <= NONCE_MS ? 'fresh' : 'stale';
  }

  #sign(at: string): string {
    return createHmac('sha256', this.#key).update(at).digest('hex').slice(0, 32);
  }
}
