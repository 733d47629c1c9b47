import { i18next } from '../text/text.ts';
import { serverUrl } from './address.ts';
import { currentSession, endSession, openSession } from './session.ts';

const TIMEOUT_MS = 15_000;

/** A sign-in that the server refused, with its message for the user. */
export class SignInRefused extends Error {}

/** Errors: SignInRefused with the server's message; any other error when the server could not be reached */
export async function signIn(username: string, password: string): Promise<void> {
  const { data, msg } = await post('api/auth/login', { username, password });
  const { token, user } = Object(data) as { token?: string; user?: { username: string; displayName: string } };
  if (!token || !user) throw new SignInRefused(msg);
  openSession({ token, name: user.displayName || user.username });
}

/** Ends the session; the tab forgets it even when the request fails. */
export async function signOut(): Promise<void> {
  const token = currentSession()?.token;
  endSession('signedOut');
  if (token) await post('api/auth/logout', {}, token).catch(() => undefined);
}

interface Answer {
  data?: unknown;
  msg: string;
}

async function post(path: string, body: unknown, token?: string): Promise<Answer> {
  const response = await fetch(serverUrl(path), {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Accept-Language': i18next.language,
      ...(token ? { Authorization: `Bearer ${token}` } : {}),
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return (await response.json()) as Answer;
}
