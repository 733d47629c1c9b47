import type { Clock } from '#kernel/clock.ts';
import { digestAnswerOf, Nonces, provesPassword } from './digest.ts';
import { newTag } from './dialog.ts';
import type { FindA1Hash } from './directory.ts';
import { respondTo, type SipRequest, type SipResponse } from './message.ts';

/** Asks phones for their passwords. Source: RFC 3261 §22 */
export class Authorization {
  readonly #nonces: Nonces;
  readonly #realm: string;
  readonly #findA1Hash: FindA1Hash;

  constructor({ clock, realm, findA1Hash }: { clock: Clock; realm: string; findA1Hash: FindA1Hash }) {
    this.#nonces = new Nonces(clock);
    this.#realm = realm;
    this.#findA1Hash = findA1Hash;
  }

  /**
   * Null when the request proves the password of the extension; else the response: a challenge, or 403.
   *
   * Errors: any, when the directory does not answer
   */
  async refusalOf(request: SipRequest, extension: string): Promise<SipResponse | null> {
    const answer = digestAnswerOf(request);
    if (answer === null || this.#nonces.stateOf(answer.nonce) === 'foreign') return this.#challenge(request, false);
    const { method } = request;
    const a1Hash = await this.#findA1Hash({ extension, authUsername: answer.username, realm: this.#realm, method });
    if (a1Hash === null || !provesPassword(answer, method, a1Hash)) return respondTo(request, 403, { tag: newTag() });
    return this.#nonces.stateOf(answer.nonce) === 'stale' ? this.#challenge(request, true) : null;
  }

  #challenge(request: SipRequest, isStale: boolean): SipResponse {
    return respondTo(request, 401, { tag: newTag(), headers: this.#nonces.challenge(this.#realm, isStale) });
  }
}
