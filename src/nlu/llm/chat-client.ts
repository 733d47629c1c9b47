import { z } from 'zod';
import { type LlmSettings, MAX_ANSWER_BYTES } from './settings.ts';

/** How strictly the shape of the answer is requested; an endpoint that does not support a format gets the next one. */
export type AnswerFormat = 'json_schema' | 'json_object' | 'text';

export interface ChatQuestion {
  /** Instructions, and the caller's branches or fields. */
  system: string;
  /** The customer's words, as data. */
  user: string;
  schema: object;
}

/** Why a request to the model returned no text. `retryable`: the same question may succeed a moment later. */
export class ChatFailure extends Error {
  readonly kind: 'retryable' | 'unsupported' | 'final';

  constructor(kind: ChatFailure['kind'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
  }
}

const completion = z.object({ choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1) });

/**
 * Sends one request and returns the text of the answer.
 *
 * Errors: ChatFailure; the fetch's own error when `signal` aborts
 */
export async function askModel(
  settings: LlmSettings,
  question: ChatQuestion,
  { format, signal }: { format: AnswerFormat; signal: AbortSignal },
): Promise<string> {
  const response = await post(settings, requestBody(settings.model, question, format), signal);
  if (!response.ok) {
    await response.body?.cancel();
    throw refused(response.status, format);
  }
  const parsed = completion.safeParse(parseJson(await readBounded(response)));
  const content = parsed.data?.choices[0]?.message.content;
  if (content === undefined) throw new ChatFailure('retryable', 'the answer is no completion');
  return content;
}

async function post({ url, apiKey }: LlmSettings, body: string, signal: AbortSignal): Promise<Response> {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (apiKey !== '') headers['authorization'] = `Bearer ${apiKey}`;
  try {
    // Following a redirect could send the key to another host.
    return await fetch(`${url.replace(/\/+$/, '')}/chat/completions`, { method: 'POST', headers, body, signal, redirect: 'manual' });
  } catch (cause) {
    throw signal.aborted ? cause : new ChatFailure('retryable', 'the endpoint cannot be reached', cause);
  }
}

function requestBody(model: string, { system, user, schema }: ChatQuestion, format: AnswerFormat): string {
  return JSON.stringify({
    model,
    temperature: 0,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ],
    ...responseFormat(format, schema),
  });
}

function responseFormat(format: AnswerFormat, schema: object): object {
  if (format === 'text') return {};
  if (format === 'json_object') return { response_format: { type: 'json_object' } };
  return { response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } } };
}

const CANNOT_DO = new Set([400, 404, 415, 422, 501]);

function refused(status: number, format: AnswerFormat): ChatFailure {
  if (status === 429 || (status >= 500 && status !== 501)) return new ChatFailure('retryable', `status ${status}`);
  const mayBeFormat = format !== 'text' && CANNOT_DO.has(status);
  return new ChatFailure(mayBeFormat ? 'unsupported' : 'final', `status ${status}`);
}

async function readBounded(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) throw new ChatFailure('final', 'the answer is too long');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ChatFailure('retryable', 'the answer is no JSON', cause);
  }
}
