/** REST interface of the server under test, as an administrator and with the internal token. */
export interface Rest {
  // Responses of every shape; the contract tests check their content.
  // oxlint-disable-next-line typescript/no-explicit-any
  (method: string, path: string, body?: unknown): Promise<any>;
}

const REQUEST_TIMEOUT_MS = 15_000;

/** Errors: Error with status and text of a refusal */
export function restOf(url: string, internalToken: string): Rest {
  return async (method, path, body) => {
    const response = await fetch(`${url}${path}`, {
      method,
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      headers: { 'X-Callout-Internal-Token': internalToken, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { data, msg, errors } = (await response.json()) as { data: unknown; msg: string; errors?: unknown };
    if (errors !== undefined) throw new Error(`${path}: ${JSON.stringify(errors)}`);
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${msg}`);
    return data;
  };
}
