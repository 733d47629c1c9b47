import { natsSessionSignals } from '#adapters/nats/session-signals.ts';
import { userRepository } from '#adapters/postgres/user-repository.ts';
import { redisLoginLimit } from '#adapters/redis/login-limit.ts';
import { redisSessionStore } from '#adapters/redis/session-store.ts';
import { accessHandlers } from '#edges/rest/access.ts';
import type { AccessGate } from '#edges/rest/authorize.ts';
import type { AuditStore } from '#ports/audit-store.ts';
import { bootstrapAdmin } from '#operations/access/bootstrap-admin.ts';
import { createPasswords } from '#operations/access/password.ts';
import { createSessionWatch, localSessionSignals, type SessionWatch } from '#operations/access/session-watch.ts';
import { createRequestLimit } from '#operations/access/request-limit.ts';
import { callerOf, isInternalToken } from '#operations/access/sessions.ts';
import type { Connections } from './connect.ts';
import type { PeopleParts, ServerPart, Surroundings } from './context.ts';

export interface AccessPart extends ServerPart {
  gate: AccessGate;
  sessionWatch: SessionWatch;
  /** What managing users takes beside their agents. */
  people: PeopleParts;
  /** Creates the first administrator when nobody exists; `tell` shows a generated password, once. */
  ensureAdmin(tell: (line: string) => void): Promise<void>;
}

/** Sessions, logins, users and who may pass. */
export function accessPart(surroundings: Surroundings, connections: Connections, audit: AuditStore): AccessPart {
  const { config, clock, ids, log } = surroundings;
  const users = userRepository(connections.database);
  const sessions = redisSessionStore(connections.redis);
  const signals = natsSessionSignals(connections.bus, localSessionSignals());
  const passwords = createPasswords();
  const loginLimit = redisLoginLimit(connections.redis, ids);
  const deps = { users, sessions, signals, passwords, loginLimit, clock, ids, audit, authEnabled: config.auth.enabled };
  const requestLimit = createRequestLimit({ perMinute: config.server.requestsPerMinute, clock });
  const internalToken = config.server.serviceApi.authToken;
  return {
    handlers: accessHandlers(deps),
    gate: {
      // Every edge asks here once per request; the runtime's endpoints do not, and are not limited.
      async callerOf(token, origin) {
        const caller = await callerOf(deps, token, origin);
        if (caller?.sessionId) requestLimit.take(caller.sessionId);
        return caller;
      },
      isInternalToken: token => isInternalToken(internalToken, token),
    },
    people: deps,
    sessionWatch: createSessionWatch({ sessions, signals, clock, log }),
    async ensureAdmin(tell) {
      if (!config.auth.enabled) return;
      const { bootstrapAdminUsername: username, bootstrapAdminPassword: password } = config.auth;
      const created = await bootstrapAdmin({ users, audit, passwords }, { username, password });
      if (created?.generatedPassword) {
        tell(`callout: administrator "${created.username}" created, password ${created.generatedPassword} (shown only now)`);
      }
    },
  };
}
