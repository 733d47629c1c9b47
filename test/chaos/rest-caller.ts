import { sleep, systemClock } from '#kernel/clock.ts';

/** Calls the REST interface of any server that responds. */
export interface RestCaller {
  /** Tries one server once; throws unless the response is 200. Also returns the time at which the response arrived. */
  once(method: string, path: string, body?: unknown): Promise<RestAnswer>;
  /** Tries the servers in turn until one responds with 200; a refusal (4xx) is thrown at once. */
  call(method: string, path: string, body?: unknown): Promise<RestAnswer>;
  /** Like `call`, for a body that is no JSON, in either direction. */
  open(path: string, init?: RequestInit): Promise<Response>;
}

export interface RestAnswer {
  // Responses have many shapes; the contract tests check their contents.
  // oxlint-disable-next-line typescript/no-explicit-any
  data: any;
  /** Arrival of the response, UTC ms. */
  answeredAt: number;
}

export class RestRefusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const REQUEST_TIMEOUT_MS = 10_000;
const RETRY_MS = 200;
const MAX_TRIES = 60;

export function restCaller(urls: readonly string[]): RestCaller {
  let turn = 0;
  const send = (path: string, init: RequestInit): Promise<Response> =>
    fetch(`${urls[(turn += 1) % urls.length] ?? ''}${path}`, { ...init, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
  const once: RestCaller['once'] = async (method, path, body) => {
    const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await send(path, { method, ...(body === undefined ? {} : json) });
    const answeredAt = systemClock.now();
    const { data, msg } = (await response.json()) as { data: unknown; msg: string };
    if (!response.ok) throw new RestRefusal(response.status, `${method} ${path}: ${response.status} ${msg}`);
    return { data, answeredAt };
  };
  return {
    once,
    call: (method, path, body) => untilAnswered(() => once(method, path, body)),
    open: (path, init = {}) =>
      untilAnswered(async () => {
        const response = await send(path, init);
        if (!response.ok) throw new RestRefusal(response.status, `${path}: ${response.status} ${await response.text()}`);
        return response;
      }),
  };
}

async function untilAnswered<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    try {
      return await ask();
    } catch (error) {
      const isFinal = error instanceof RestRefusal && error.status < 500;
      if (isFinal || tries >= MAX_TRIES) throw error;
      await sleep(systemClock, RETRY_MS);
    }
  }
}
