import { z } from 'zod';
import { ROLE_KEYS } from '#rules/permissions.ts';
import type { Session, SessionStore } from '#ports/session-store.ts';
import type { RedisLink } from './client.ts';

const stored = z.object({
  sessionId: z.string(),
  userId: z.int(),
  username: z.string(),
  displayName: z.string(),
  role: z.enum(ROLE_KEYS),
  expiresAt: z.number(),
});

/** Keys `session:<hash>` and, to end all of one user's, `sessions-of:<userId>` (A5). */
export function redisSessionStore(link: RedisLink): SessionStore {
  return {
    create: (session, lifetimeMs) => create(link, session, lifetimeMs),
    async find(sessionId) {
      const text = await link.run(redis => redis.get(sessionKey(sessionId)));
      return text === null ? null : stored.parse(JSON.parse(text));
    },
    findLiving: sessionIds => findLiving(link, sessionIds),
    async remove({ sessionId, userId }) {
      await link.run(redis => redis.del(sessionKey(sessionId)));
      await link.run(redis => redis.srem(userKey(userId), sessionId));
    },
    removeAllOf: userId => removeAllOf(link, userId),
  };
}

/** Listed under the user first: a session that exists is always found by `removeAllOf`. */
async function create(link: RedisLink, session: Session, lifetimeMs: number): Promise<void> {
  await link.run(redis =>
    redis.multi().sadd(userKey(session.userId), session.sessionId).pexpire(userKey(session.userId), lifetimeMs).exec(),
  );
  await link.run(redis => redis.set(sessionKey(session.sessionId), JSON.stringify(session), 'PX', lifetimeMs));
  await forgetExpired(link, session.userId);
}

/** Keeps a user's list from growing with every login that was never logged out. */
async function forgetExpired(link: RedisLink, userId: number): Promise<void> {
  const listed = await link.run(redis => redis.smembers(userKey(userId)));
  const living = await findLiving(link, listed);
  const expired = listed.filter(sessionId => !living.has(sessionId));
  if (expired.length > 0) await link.run(redis => redis.srem(userKey(userId), ...expired));
}

async function findLiving(link: RedisLink, sessionIds: readonly string[]): Promise<Set<string>> {
  if (sessionIds.length === 0) return new Set();
  const found = await Promise.all(sessionIds.map(sessionId => link.run(redis => redis.exists(sessionKey(sessionId)))));
  return new Set(sessionIds.filter((_, index) => found[index] === 1));
}

async function removeAllOf(link: RedisLink, userId: number): Promise<string[]> {
  const sessionIds = await link.run(redis => redis.smembers(userKey(userId)));
  for (const sessionId of sessionIds) await link.run(redis => redis.del(sessionKey(sessionId)));
  if (sessionIds.length > 0) await link.run(redis => redis.srem(userKey(userId), ...sessionIds));
  return sessionIds;
}

function sessionKey(sessionId: string): string {
  return `session:${sessionId}`;
}

function userKey(userId: number): string {
  return `sessions-of:${userId}`;
}
