/** Who is signed in at this tab: kept for the tab alone, so that closing it signs out. GraphiQL of the same server reads it too. */
export interface Session {
  token: string;
  name: string;
}

/** Why there is no session any more. */
export type Farewell = 'signedOut' | 'expired';

const KEY = 'callout.session';
const listeners = new Set<() => void>();
let current: Session | null = read();
let farewell: Farewell | null = null;

export function currentSession(): Session | null {
  return current;
}

/** Told once: the sign-in page says it and nobody repeats it. */
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
    // Somebody else wrote there.
    return null;
  }
}
