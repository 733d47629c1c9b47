import { CalloutError } from '#kernel/errors.ts';
import { parseUntrusted } from '#kernel/parse-untrusted.ts';
import { capabilities, type Capabilities } from '#protocol/nlu-answers.ts';

interface NluConfig {
  url: string;
  token: string;
  timeoutMs: number;
}

/** Upper limit of a reply; a listing is a few hundred bytes. */
const MAX_ANSWER_BYTES = 256 * 1024;

/** HTTP client of the NLU service; its token is sent to no other host. */
export function nluService(config: NluConfig) {
  return { fetchCapabilities: () => fetchData(config, '/api/v1/nlu/capabilities') };
}

async function fetchData(config: NluConfig, path: string): Promise<unknown> {
  const headers: Record<string, string> = config.token === '' ? {} : { 'X-Callout-Internal-Token': config.token };
  const signal = AbortSignal.timeout(config.timeoutMs);
  try {
    const answer = await fetch(`${config.url.replace(/\/+$/, '')}${path}`, {
      headers,
      // A redirect could send the token to another host.
      redirect: 'error',
      signal,
    });
    if (!answer.ok) throw invalid(new Error(`NLU answered ${answer.status}`));
    return dataOf(JSON.parse(await readText(answer)));
  } catch (error) {
    if (error instanceof CalloutError) throw error;
    if (signal.aborted) throw new CalloutError('DOWNSTREAM_TIMEOUT', 'NLU 服务响应超时', { cause: error });
    throw invalid(error);
  }
}

async function readText(answer: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of answer.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_ANSWER_BYTES) throw invalid(new Error('the answer is too long'));
  }
  return text;
}

/** Extracts the payload of the envelope (NLU §2). */
function dataOf(envelope: unknown): unknown {
  if (typeof envelope === 'object' && envelope !== null && 'ok' in envelope && envelope.ok === true && 'data' in envelope)
    return envelope.data;
  throw invalid(new Error('the answer is no successful envelope'));
}

function invalid(cause: unknown): CalloutError {
  return new CalloutError('DOWNSTREAM_INVALID', 'NLU 服务不可用或返回异常', { cause });
}

/** The part of the NLU service that this server uses. */
export interface NluService {
  /**
   * Returns the response of the service unvalidated.
   *
   * Errors: DOWNSTREAM_TIMEOUT when the response is late; DOWNSTREAM_INVALID when the service is unreachable or refuses
   */
  fetchCapabilities(): Promise<unknown>;
}

export interface NluPart {
  nlu: NluService;
}

/**
 * Returns the capabilities of the NLU service; unknown members of its response are dropped.
 *
 * Errors: DOWNSTREAM_TIMEOUT, DOWNSTREAM_INVALID
 * Source: OCS 4.1 `GET /api/nlu/capabilities`
 */
export async function getNluCapabilities(app: { nlu: NluService }): Promise<Capabilities> {
  const parsed = parseUntrusted(capabilities, await app.nlu.fetchCapabilities());
  if (!parsed.success) throw new CalloutError('DOWNSTREAM_INVALID', 'NLU 服务返回了无法识别的内容', { cause: parsed.error });
  return parsed.data;
}
