import { z } from 'zod';
import { type DecisionBody, type DecisionResult, type ExtractBody, type ExtractResult, NLU_TOKEN_HEADER } from '#protocol/nlu.ts';
import { decisionResult, extractResult } from '#protocol/nlu-answers.ts';
import type { Clock } from '#kernel/clock.ts';

/** The two actions of the NLU service. Errors: Error on a timeout, a refusal or an invalid response */
export interface NluClient {
  decide(request: DecisionBody, signal: AbortSignal): Promise<DecisionResult>;
  extract(request: ExtractBody, signal: AbortSignal): Promise<ExtractResult>;
}

export interface NluClientConfig {
  url: string;
  token: string;
  timeoutMs: number;
}

/** A response is one key or up to 64 values. */
const MAX_ANSWER_LENGTH = 256 * 1024;

/** Source: NLU §2 */
const envelope = z.object({ ok: z.literal(true), data: z.unknown() });

/** Source: NLU §4, §5 */
export function nluClient({ url, token, timeoutMs }: NluClientConfig, clock: Clock): NluClient {
  const address = `${url.replace(/\/+$/, '')}/api/v1/nlu`;
  const headers = { 'Content-Type': 'application/json', ...(token === '' ? {} : { [NLU_TOKEN_HEADER]: token }) };

  async function post<Schema extends z.ZodType>(body: object, schema: Schema, signal: AbortSignal): Promise<z.output<Schema>> {
    const late = new AbortController();
    const cancel = clock.schedule(timeoutMs, () => late.abort(new Error(`no answer within ${timeoutMs} ms`)));
    try {
      const answer = await fetch(address, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
        // A redirect could send the token to another host.
        redirect: 'error',
        signal: AbortSignal.any([signal, late.signal]),
      });
      const text = await answer.text();
      if (!answer.ok || text.length > MAX_ANSWER_LENGTH) throw new Error(`NLU answered ${answer.status} with ${text.length} characters`);
      return schema.parse(envelope.parse(JSON.parse(text)).data);
    } finally {
      cancel();
    }
  }

  return {
    decide: (request, signal) => post({ action: 'decision', ...request }, decisionResult, signal),
    extract: (request, signal) => post({ action: 'extract', ...request }, extractResult, signal),
  };
}
