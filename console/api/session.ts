/** The session of this tab. It lives in session storage, so that closing the tab signs out; GraphiQL of the same server reads it too. */
export interface Session {
  token: string;
  name: string;
}

/** Why the session ended. */
export type Farewell = 'signedOut' | 'expired';

const KEY = 'callout.session';
const listeners = new Set<() => void>();
let current: Session | null = read();
let farewell: Farewell | null = null;

export function currentSession(): Session | null {
  return current;
}

/** Returns the reason once, so that the sign-in page shows it only the first time. */
export function takeFarewell(): Farewell | null {
  const said = farewell;
  farewell = null;
  return said;
}

export function openSession(session: Session): void {
  sessionStorage.setItem(KEY, JSON.stringify(session));
  change(session);
}

export function endSession(why: Farewell): void {
  if (current === null) return;
  sessionStorage.removeItem(KEY);
  farewell = why;
  change(null);
}

export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function change(session: Session | null): void {
  current = session;
  for (const listener of listeners) listener();
}

function read(): Session | null {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? 'null');
    const { token, name } = Object(kept) as Partial<Session>;
    return typeof token === 'string' && typeof name === 'string' ? { token, name } : null;
  } catch {
    // Something else wrote to this key.
    return null;
  }
}
