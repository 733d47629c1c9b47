import { z } from 'zod';
import { loginRoute } from '#users/routes.ts';
import { envelopeOf, failureEnvelope, type RouteContract } from '#platform/http/route.ts';

/** Timeout of every request, in ms. An import of the largest file takes less. */
const REQUEST_TIMEOUT_MS = 20_000;

export class RestFailure extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'RestFailure';
    this.status = status;
  }
}

const success = envelopeOf(z.unknown());

interface CallInput {
  params?: Record<string, string | number>;
  query?: Record<string, string | number>;
  body?: unknown;
  form?: FormData;
}

/** The server as its API clients see it: paths, bodies and responses of the published contract. */
export interface RestClient {
  /** Session token, for requests outside REST. */
  token: string;
  call<Data extends z.ZodType>(route: RouteContract<z.ZodType, z.ZodType, z.ZodType, Data>, input?: CallInput): Promise<z.output<Data>>;
}

/** Errors: RestFailure with the HTTP status and the Chinese message of the envelope */
export async function logIn(baseUrl: string, username: string, password: string): Promise<RestClient> {
  const { token } = await send(baseUrl, null, loginRoute, { body: { username, password } });
  return { token, call: (route, input = {}) => send(baseUrl, token, route, input) };
}

async function send<Data extends z.ZodType>(
  baseUrl: string,
  token: string | null,
  route: RouteContract<z.ZodType, z.ZodType, z.ZodType, Data>,
  input: CallInput,
): Promise<z.output<Data>> {
  const response = await fetch(addressOf(baseUrl, route.path, input), {
    method: route.method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(input.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    ...(input.form ? { body: input.form } : {}),
    ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
  });
  const answer: unknown = await response.json();
  if (response.ok) return route.data.parse(success.parse(answer).data);
  const failure = failureEnvelope.safeParse(answer);
  throw new RestFailure(response.status, failure.success ? failure.data.msg : `HTTP ${response.status}`);
}

function addressOf(baseUrl: string, path: string, { params = {}, query = {} }: CallInput): URL {
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name] ?? '')));
  const url = new URL(filled, baseUrl);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  return url;
}
