import { randomUUID } from 'node:crypto';
import { systemClock } from '#kernel/clock.ts';
import { connectRedis } from '#platform/redis/client.ts';
import { redisSessionStore } from '#access/session-store.ts';
import { newToken } from '#access/tokens.ts';

const SESSION_MS = 3_600_000;

/** Configuration under which one session can send all requests: sessions are checked, their rate is not limited. */
export const oneSessionServer = () => ({
  auth: { enabled: true, bootstrapAdminPassword: randomUUID() },
  server: { requestsPerMinute: 0, streamsPerSession: 0, streamsPerUser: 0 },
});

/** Opens a supervisor's session as a login does; returns its token. */
export async function openSession(redisUrl: string): Promise<string> {
  const redis = await connectRedis({ url: redisUrl, connectTimeoutMs: 2_000, commandTimeoutMs: 999 });
  const { token, sessionId } = newToken();
  // The administrator that the server creates at its first start.
  const user = { userId: 1, username: 'bench', displayName: 'bench', role: 'supervisor' } as const;
  await redisSessionStore(redis, systemClock).create({ sessionId, ...user, expiresAt: Date.now() + SESSION_MS }, SESSION_MS);
  await redis.close();
  return token;
}
