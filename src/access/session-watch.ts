import type { Clock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import type { SessionSignals, SessionStore } from './ports-session-store.ts';
import type { SessionWatch } from '#platform/http/stream-guards.ts';

/** Interval of the check that finds expired sessions and those whose signal was lost. */
const CHECK_EVERY_MS = 5_000;

/** Source: D3.2, D10 "The session's end closes the stream" */
export function createSessionWatch(deps: {
  sessions: Pick<SessionStore, 'findLiving'>;
  signals: SessionSignals;
  clock: Clock;
  log: Log;
}): SessionWatch {
  const watchers = new Map<string, Set<() => void>>();
  const end = (sessionIds: Iterable<string>) => {
    for (const sessionId of sessionIds) {
      const listeners = watchers.get(sessionId);
      watchers.delete(sessionId);
      for (const onEnd of listeners ?? []) onEnd();
    }
  };
  const check = async () => {
    const watched = [...watchers.keys()];
    const living = await deps.sessions.findLiving(watched);
    end(watched.filter(sessionId => !living.has(sessionId)));
  };
  const unsubscribe = deps.signals.subscribe(end);
  const stopChecking = repeat(deps, check);
  return {
    watch: (sessionId, onEnd) => register(watchers, sessionId, onEnd),
    close() {
      unsubscribe();
      stopChecking();
    },
  };
}

function register(watchers: Map<string, Set<() => void>>, sessionId: string | null, onEnd: () => void): () => void {
  if (sessionId === null) return () => undefined;
  const listeners = watchers.get(sessionId) ?? new Set();
  watchers.set(sessionId, listeners.add(onEnd));
  return () => {
    listeners.delete(onEnd);
    if (listeners.size === 0 && watchers.get(sessionId) === listeners) watchers.delete(sessionId);
  };
}

function repeat({ clock, log }: { clock: Clock; log: Log }, check: () => Promise<void>): () => void {
  let cancel = clock.schedule(CHECK_EVERY_MS, run);
  let stopped = false;
  function run() {
    check()
      // The cache is unavailable: which sessions still exist is unknown until a later check.
      .catch((err: unknown) => log.warn({ err }, 'sessions of open streams could not be checked'))
      .finally(() => {
        if (!stopped) cancel = clock.schedule(CHECK_EVERY_MS, run);
      });
  }
  return () => {
    stopped = true;
    cancel();
  };
}

/** Session signals within one process; several instances share them over the bus. */
export function localSessionSignals(): SessionSignals {
  const listeners = new Set<(sessionIds: readonly string[]) => void>();
  return {
    ended(sessionIds) {
      for (const listener of listeners) listener(sessionIds);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
