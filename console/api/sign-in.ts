import { i18next } from '../text/text.ts';
import { serverUrl } from './address.ts';
import { endSession, openSession, sessionHeaders } from './session.ts';

const TIMEOUT_MS = 15_000;

/** A sign-in that the server refused, with its message for the user. */
export class SignInRefused extends Error {}

/** Errors: SignInRefused with the server's message; any other error when the server could not be reached */
export async function signIn(username: string, password: string): Promise<void> {
  const response = await post('api/auth/login', { username, password }, { 'X-Callout-Session': 'cookie' });
  const { data, msg } = (await response.json()) as { data?: unknown; msg: string };
  const { user } = Object(data) as { user?: { username: string; displayName: string } };
  const proof = response.headers.get('X-Callout-Session');
  if (!user || proof === null) throw new SignInRefused(msg);
  openSession({ proof, name: user.displayName || user.username });
}

/** Ends the session; the browser forgets it even when the request fails. */
export async function signOut(): Promise<void> {
  const headers = sessionHeaders();
  endSession('signedOut');
  await post('api/auth/logout', {}, headers).catch(() => undefined);
}

function post(path: string, body: unknown, headers: Record<string, string>): Promise<Response> {
  return fetch(serverUrl(path), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Accept-Language': i18next.language, ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
}
