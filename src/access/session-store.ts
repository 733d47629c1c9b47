import { z } from 'zod';
import { ROLE_KEYS } from '#kernel/caller.ts';
import type { Clock } from '#kernel/clock.ts';
import { parseUntrusted } from '#kernel/parse-untrusted.ts';
import type { Bus } from '#platform/nats/bus.ts';
import type { RedisLink } from '#platform/redis/client.ts';
import { gatheredTexts } from '#platform/redis/gathered-eval.ts';
import { SESSION_ENDED_SUBJECT } from '#protocol/subjects.ts';
import type { Session, SessionSignals, SessionStore } from './sessions.ts';

const body = z.object({ sessionIds: z.array(z.string().max(100)).max(10_000) });

/**
 * Sends signals over the bus to every instance, and to this instance directly.
 *
 * Why: while the bus is down, this instance's streams still end at once; other instances notice in their periodic check
 */
export function natsSessionSignals(bus: Bus, local: SessionSignals): SessionSignals {
  return {
    ended(sessionIds) {
      if (sessionIds.length === 0) return;
      local.ended(sessionIds);
      bus.publish(SESSION_ENDED_SUBJECT, { sessionIds });
    },
    subscribe(listener) {
      const stopLocal = local.subscribe(listener);
      const stopBus = bus.subscribe(SESSION_ENDED_SUBJECT, {}, message => {
        const parsed = parseUntrusted(body, message.body);
        if (parsed.success) listener(parsed.data.sessionIds);
      });
      return () => {
        stopLocal();
        stopBus();
      };
    },
  };
}

const stored = z.object({
  sessionId: z.string(),
  userId: z.int(),
  username: z.string(),
  displayName: z.string(),
  role: z.enum(ROLE_KEYS),
  expiresAt: z.number(),
});

/** Keys `session:<hash>` and, to end all sessions of a user, `sessions-of:<userId>` (A5). */
export function redisSessionStore(link: RedisLink, clock: Clock): SessionStore {
  // Every user request starts with this read.
  const read = gatheredTexts(link);
  return {
    create: (session, lifetimeMs) => create(link, session, lifetimeMs),
    find: async sessionId => livingOf(await read(sessionKey(sessionId)), clock),
    findLiving: sessionIds => findLiving(link, clock, sessionIds),
    remove: ({ sessionId, userId }) => end(link, userId, [sessionId]),
    removeAllOf: (userId, kept) => removeAllOf(link, userId, kept),
  };
}

/** Beyond this the oldest sessions end, so that a client that logs in for every request does not slow down later logins. */
const MAX_SESSIONS_OF_USER = 500;

/** Adds the session to the user's list first, so that `removeAllOf` finds every existing session. */
async function create(link: RedisLink, session: Session, lifetimeMs: number): Promise<void> {
  const key = userKey(session.userId);
  const replies = await link.run(redis =>
    redis
      .multi()
      .zadd(key, session.expiresAt, session.sessionId)
      .zremrangebyscore(key, '-inf', session.expiresAt - lifetimeMs)
      .pexpire(key, lifetimeMs)
      .zrange(key, '0', String(-1 - MAX_SESSIONS_OF_USER))
      .exec(),
  );
  await link.run(redis => redis.set(sessionKey(session.sessionId), JSON.stringify(session), 'PX', lifetimeMs));
  await end(link, session.userId, sessionIds.parse(replies?.[3]?.[1] ?? []));
}

const sessionIds = z.array(z.string());

/** Deletes sessions before their list entries, so that no living session is ever missing from the list. */
async function end(link: RedisLink, userId: number, ended: readonly string[]): Promise<void> {
  if (ended.length === 0) return;
  await Promise.all(ended.map(sessionId => link.run(redis => redis.del(sessionKey(sessionId)))));
  await link.run(redis => redis.zrem(userKey(userId), ...ended));
}

async function findLiving(link: RedisLink, clock: Clock, sessionIds: readonly string[]): Promise<Set<string>> {
  const found = await Promise.all(sessionIds.map(sessionId => link.run(redis => redis.get(sessionKey(sessionId)))));
  return new Set(sessionIds.filter((_, index) => livingOf(found[index] ?? null, clock) !== null));
}

/** The cache may return an expired session: after restoring a backup, or when its time to live was lost. */
function livingOf(text: string | null, clock: Clock): Session | null {
  const session = text === null ? null : stored.parse(JSON.parse(text));
  return session === null || session.expiresAt <= clock.now() ? null : session;
}

async function removeAllOf(link: RedisLink, userId: number, kept: string | null): Promise<string[]> {
  const listed = await link.run(redis => redis.zrange(userKey(userId), '0', '-1'));
  const ended = listed.filter(sessionId => sessionId !== kept);
  await end(link, userId, ended);
  return ended;
}

function sessionKey(sessionId: string): string {
  return `session:${sessionId}`;
}

function userKey(userId: number): string {
  return `sessions-of:${userId}`;
}
