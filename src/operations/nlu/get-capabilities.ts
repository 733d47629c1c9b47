import { type Capabilities, capabilities } from '#contract/nlu/capabilities.ts';
import { parseUntrusted } from '#contract/parse-untrusted.ts';
import { CalloutError } from '#kernel/errors.ts';

/** The NLU service as this server needs it. */
export interface NluService {
  /**
   * The listing as the service sent it, unchecked.
   *
   * Errors: DOWNSTREAM_TIMEOUT when late; DOWNSTREAM_INVALID when unreachable or refusing
   */
  fetchCapabilities(): Promise<unknown>;
}

/**
 * What the NLU service offers, and nothing else that it may have sent.
 *
 * Errors: DOWNSTREAM_TIMEOUT, DOWNSTREAM_INVALID
 * Source: OCS 4.1 `GET /api/nlu/capabilities`
 */
export async function getNluCapabilities(deps: { nlu: NluService }): Promise<Capabilities> {
  const parsed = parseUntrusted(capabilities, await deps.nlu.fetchCapabilities());
  if (!parsed.success) throw new CalloutError('DOWNSTREAM_INVALID', 'NLU 服务返回了无法识别的内容', { cause: parsed.error });
  return parsed.data;
}
