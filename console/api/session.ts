/**
 * The session of this browser. Its token is in a cookie that no script can read; `proof` shows the server that a request comes from its own
 * page. In local storage, so that a new tab is signed in and a sign-out ends every tab; GraphiQL of the same server reads it too.
 */
export interface Session {
  proof: string;
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

/** Headers that carry the session; none when signed out. */
export function sessionHeaders(): Record<string, string> {
  return current === null ? {} : { 'X-Callout-Session': current.proof };
}

/** Returns the reason once, so that the sign-in page shows it only the first time. */
export function takeFarewell(): Farewell | null {
  const said = farewell;
  farewell = null;
  return said;
}

export function openSession(session: Session): void {
  localStorage.setItem(KEY, JSON.stringify(session));
  change(session);
}

export function endSession(why: Farewell): void {
  if (current === null) return;
  localStorage.removeItem(KEY);
  farewell = why;
  change(null);
}

export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

// Another tab has signed out, or in as somebody else: of that user this tab knows nothing yet.
addEventListener('storage', ({ key }) => {
  if (key !== KEY && key !== null) return;
  const next = read();
  if (next?.proof === current?.proof) return;
  if (current !== null && next !== null) return location.reload();
  if (next === null) farewell = 'signedOut';
  change(next);
});

function change(session: Session | null): void {
  current = session;
  for (const listener of listeners) listener();
}

function read(): Session | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null');
    const { proof, name } = Object(kept) as Partial<Session>;
    return typeof proof === 'string' && typeof name === 'string' ? { proof, name } : null;
  } catch {
    // Something else wrote to this key.
    return null;
  }
}
