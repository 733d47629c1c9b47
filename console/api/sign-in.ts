import { i18next } from '../text/text.ts';
import { serverUrl } from './address.ts';
import { currentSession, endSession, openSession } from './session.ts';

const TIMEOUT_MS = 15_000;

/** What the server said instead of opening a session: a message for people, as it came. */
export class SignInRefused extends Error {}

/** Errors: SignInRefused with the server's own words; anything else when it could not be reached */
export async function signIn(username: string, password: string): Promise<void> {
  const { data, msg } = await post('api/auth/login', { username, password });
  const { token, user } = Object(data) as { token?: string; user?: { username: string; displayName: string } };
  if (!token || !user) throw new SignInRefused(msg);
  openSession({ token, name: user.displayName || user.username });
}

/** The tab forgets the session whatever the server says. */
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
