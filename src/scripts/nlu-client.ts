import type { z } from 'zod';
import { CalloutError } from '#kernel/errors.ts';
import { parseUntrusted } from '#kernel/parse-untrusted.ts';
import { capabilities, type Capabilities, decisionResult, extractResult } from '#protocol/nlu-answers.ts';
import type { DecisionBody, DecisionResult, ExtractBody, ExtractResult } from '#protocol/nlu.ts';

interface NluConfig {
  url: string;
  token: string;
  timeoutMs: number;
}

/** Upper limit of a reply; a listing is a few hundred bytes. */
const MAX_ANSWER_BYTES = 256 * 1024;

/** HTTP client of the NLU service; its token is sent to no other host. */
export function nluService(config: NluConfig): NluService {
  const act = (body: object) => fetchData(config, '/api/v1/nlu', JSON.stringify(body));
  return {
    fetchCapabilities: () => fetchData(config, '/api/v1/nlu/capabilities'),
    decide: async request => parsed(decisionResult, await act({ action: 'decision', ...request })),
    extract: async request => parsed(extractResult, await act({ action: 'extract', ...request })),
  };
}

function parsed<Schema extends z.ZodType>(schema: Schema, data: unknown): z.output<Schema> {
  const read = parseUntrusted(schema, data);
  if (!read.success) throw new CalloutError('DOWNSTREAM_INVALID', 'NLU 服务返回了无法识别的内容', { cause: read.error });
  return read.data;
}

async function fetchData(config: NluConfig, path: string, body?: string): Promise<unknown> {
  const headers: Record<string, string> = config.token === '' ? {} : { 'X-Callout-Internal-Token': config.token };
  const sent = body === undefined ? { headers } : { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' }, body };
  const signal = AbortSignal.timeout(config.timeoutMs);
  try {
    const answer = await fetch(`${config.url.replace(/\/+$/, '')}${path}`, {
      ...sent,
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
  /** Chooses one of the branches. Errors: as above */
  decide(request: DecisionBody): Promise<DecisionResult>;
  /** Reads fields out of an utterance. Errors: as above */
  extract(request: ExtractBody): Promise<ExtractResult>;
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
export async function getNluCapabilities(app: { nlu: Pick<NluService, 'fetchCapabilities'> }): Promise<Capabilities> {
  return parsed(capabilities, await app.nlu.fetchCapabilities());
}
