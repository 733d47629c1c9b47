import { type Capabilities, capabilities } from '#protocol/nlu-answers.ts';
import { parseUntrusted } from '#kernel/parse-untrusted.ts';
import { CalloutError } from '#kernel/errors.ts';

/** The part of the NLU service that this server uses. */
export interface NluService {
  /**
   * Returns the response of the service unvalidated.
   *
   * Errors: DOWNSTREAM_TIMEOUT when the response is late; DOWNSTREAM_INVALID when the service is unreachable or refuses
   */
  fetchCapabilities(): Promise<unknown>;
}

/**
 * Returns the capabilities of the NLU service; unknown members of its response are dropped.
 *
 * Errors: DOWNSTREAM_TIMEOUT, DOWNSTREAM_INVALID
 * Source: OCS 4.1 `GET /api/nlu/capabilities`
 */
export async function getNluCapabilities(deps: { nlu: NluService }): Promise<Capabilities> {
  const parsed = parseUntrusted(capabilities, await deps.nlu.fetchCapabilities());
  if (!parsed.success) throw new CalloutError('DOWNSTREAM_INVALID', 'NLU 服务返回了无法识别的内容', { cause: parsed.error });
  return parsed.data;
}
