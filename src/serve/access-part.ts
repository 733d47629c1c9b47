import { randomBytes } from 'node:crypto';
import { proofKeyOf } from '#protocol/proof.ts';
import { seenProofs } from '#platform/nats/proof.ts';
import { natsSessionSignals, redisSessionStore } from '#access/session-store.ts';
import { countedAs, createRequestLimit, redisLoginLimit } from '#access/login-limit.ts';
import { accessHandlers } from '#users/routes.ts';
import type { AccessGate } from '#platform/http/authorize.ts';
import { bootstrapAdmin } from '#users/own-account.ts';
import { createPasswords } from '#access/passwords.ts';
import { callerOf, createSessionWatch, localSessionSignals } from '#access/sessions.ts';
import type { Caller } from '#kernel/caller.ts';
import { checkAgainst, ensureInternalToken, type InternalTokenCheck } from '#access/tokens.ts';
import { internalAccessOf } from '#platform/config/read-config.ts';
import type { Connections, ServerContext, Surroundings } from '#app/context.ts';

/** Key length for SHA-256. */
const PROOF_KEY_BYTES = 32;

/** Sessions, logins, users and access checks. */
export function accessPart(surroundings: Surroundings, connections: Connections, audits: Pick<ServerContext, 'audit' | 'accessAudit'>) {
  const { config, clock, ids, log } = surroundings;
  const { database: db, redis, bus } = connections;
  const sessions = redisSessionStore(redis, clock);
  const sessionSignals = natsSessionSignals(bus, localSessionSignals());
  const passwords = createPasswords();
  const loginLimit = redisLoginLimit(redis, ids);
  const app = { db, sessions, sessionSignals, passwords, loginLimit, clock, ids, ...audits, authEnabled: config.auth.enabled };
  const secureCookies = config.server.hstsMaxAgeSeconds > 0;
  const requestLimit = createRequestLimit({ perMinute: config.server.requestsPerMinute, clock });
  // Until the internal token is known, every request is refused.
  const internal: { check: InternalTokenCheck; proofKey: Buffer | null } = { check: () => false, proofKey: randomBytes(PROOF_KEY_BYTES) };
  const countRequest = (caller: Caller | null) => {
    const who = caller && countedAs(caller);
    if (who !== null) requestLimit.take(who);
  };
  const gate: AccessGate = {
    // Called by every edge once per request, except for the runtime's endpoints, which are not rate-limited.
    async callerOf(token, origin) {
      const caller = await callerOf(app, token, origin);
      countRequest(caller);
      return caller;
    },
    isInternalToken: token => internal.check(token),
  };
  const proofs = { proofKey: () => internal.proofKey, proofs: seenProofs() };
  return {
    handlers: accessHandlers({ ...app, secureCookies }),
    /** Counts towards the rate limit: the gate counts requests, sockets count their operations. Errors: RATE_LIMITED */
    countRequest,
    gate,
    /** Verification of signed bus messages. */
    proofs,
    /** Dependencies of user management, besides agents. */
    people: app,
    sessionWatch: createSessionWatch({ sessions, sessionSignals, clock, log }),
    /** Loads the internal token, or generates one when none is configured (D1.4); `print` shows it, once. */
    async ensureInternalToken(print: (line: string) => void) {
      if (internalAccessOf(config) !== 'made') {
        const token = config.server.serviceApi.authToken ?? '';
        internal.check = checkAgainst(token);
        internal.proofKey = token === '' ? null : proofKeyOf(token);
        return;
      }
      const { check, proofKey, made } = await ensureInternalToken(db);
      Object.assign(internal, { check, proofKey });
      if (made !== null)
        print(`callout: internal token created, CALLOUT_INTERNAL_TOKEN=${made} (shown only now; programs of yours need it)`);
    },
    /** Creates the first administrator when there is no user; `print` shows a generated password, once. */
    async ensureAdmin(print: (line: string) => void) {
      if (!config.auth.enabled) return;
      const { bootstrapAdminUsername: username, bootstrapAdminPassword: password } = config.auth;
      const created = await bootstrapAdmin({ db, passwords, ...audits }, { username, password });
      if (created?.generatedPassword) {
        print(`callout: administrator "${created.username}" created, password ${created.generatedPassword} (shown only now)`);
      }
    },
  };
}
