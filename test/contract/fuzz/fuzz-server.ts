import { Agent, request } from 'node:http';
import { systemClock } from '#kernel/clock.ts';
import { connectRedis } from '#platform/redis/client.ts';
import { redisSessionStore } from '#access/session-store.ts';
import { newToken } from '#access/tokens.ts';
import type { SessionStore } from '#access/sessions.ts';
import { type AnswerCheck, answerCheck, type OpenApiJson, type SeenAnswer } from '#test/support/openapi/answer-check.ts';
import { INTERNAL_TOKEN, startTestServer } from '#test/support/server.ts';
import { ACCESS_ACTIONS } from '../audit-logs/audit-case.ts';
import { batchJudge, type Verdict } from './batch-judge.ts';
import { type ChangeWatch, watchChanges } from './change-watch.ts';
import type { FuzzRequest } from './fuzz-request.ts';
import { seedRows } from './seed-rows.ts';
import script from '../../../examples/spring-visit.script.json' with { type: 'json' };

const ANSWER_TIMEOUT_MS = 60_000;
const SESSION_LIFETIME_MS = 24 * 3_600_000;

const LOGIN_PATH = '/api/auth/login';
const UNAUTHENTICATED = 401;
const UNAVAILABLE = 503;
/** On a stalled machine the server's own calls time out: a repeated request succeeds, unless the request itself is the cause. */
const MAX_TRIES = 5;
/** Command timeout of this client of Redis, long enough for such a machine, in ms. */
const CACHE_TIMEOUT_MS = 30_000;

/** Routes that may report a dependency that this test does not run, with the allowed statuses. */
const DEPENDENT: Readonly<Record<string, readonly number[]>> = {
  'GET /api/nlu/capabilities': [502, 504],
  // It asks the call's switch whether the customer is still there.
  'POST /api/transfers/route': [502],
};

/** Audit rows of reads and failures, which are not changes; the row for the end of watching may come at any time. */
const ACCESS_ROW = new RegExp(`^(?:INSERT|UPDATE) audit_log .*"action": "(?:${ACCESS_ACTIONS.join('|').replaceAll('.', String.raw`\.`)})"`);

/** Reports of internal programs, actions of users for themselves, and files that wait for their import: none of the mutations of D3.7. */
const UNAUDITED = /^\S+ \/api\/(?:call-results|call-progress|transfers|live-monitor|list-files)\b|\/acknowledge$/;

export interface FuzzServer {
  document: OpenApiJson;
  /** Creates the judge of a route's requests. */
  judge(row: string): (asked: readonly FuzzRequest[]) => Promise<Verdict[]>;
  close(): Promise<void>;
}

/** Starts the real server with some rows of every kind; nothing listens at its switches. */
export async function startFuzzServer(): Promise<FuzzServer> {
  const server = await startTestServer({
    config: {
      server: { trustedProxies: ['loopback'], requestsPerMinute: 0 },
      businesses: ['demo-business', 'kb-audio-chat-business'].map(businessCode => ({
        businessCode,
        businessName: businessCode,
        runtimeBringsFlow: true,
      })),
      // Jobs would change rows in the background, and the watch would attribute these changes to a request.
      jobs: { concurrency: 0 },
      cells: ['cell-a', 'cell-b'].map(id => ({ id, host: '127.0.0.1', port: 1, password: 'none' })),
    },
  });
  const { database } = server.running.context;
  await seedRows(database);
  await server.api('POST', '/api/v1/scripts', script, await server.loginAs('admin'));
  const watch = await watchChanges(database);
  const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as OpenApiJson;
  const agent = new Agent({ keepAlive: true });
  const cache = await connectRedis({
    url: server.config.cache.url,
    connectTimeoutMs: CACHE_TIMEOUT_MS,
    commandTimeoutMs: CACHE_TIMEOUT_MS,
  });
  const exchange = exchanger({ url: server.url, agent, sessions: redisSessionStore(cache, systemClock) }, watch);
  const check = answerCheck(document);
  return {
    document,
    judge: row =>
      batchJudge<FuzzRequest, SeenAnswer>({
        isReader: row.startsWith('GET '),
        ask: exchange,
        changes: async () => (await watch.changes()).filter(change => !ACCESS_ROW.test(change)),
        faultOf: (answer, changes) => faultOf(row, answer, { check, changes }),
      }),
    async close() {
      agent.destroy();
      await cache.close();
      await server.close();
    },
  };
}

/**
 * Sends requests as an administrator.
 *
 * Why: failed logins block addresses, so each request has its own. Some routes end sessions, including the one in use: a request that
 *      gets this response is sent again with a new session. Writes of a request without a response are unknown and count as no fault
 */
function exchanger(
  { url, agent, sessions }: { url: string; agent: Agent; sessions: SessionStore },
  watch: ChangeWatch,
): (asked: FuzzRequest) => Promise<SeenAnswer> {
  let count = 0;
  let token = openSession(sessions);
  return async asked => {
    for (let tries = 1; ; tries++) {
      count++;
      const address = `10.${(count >> 16) % 256}.${(count >> 8) % 256}.${count % 256}`;
      const used = token;
      const answer = await send(url, agent, asked, { Authorization: `Bearer ${await used}`, 'X-Forwarded-For': address });
      const isSessionOver = answer.status === UNAUTHENTICATED && !asked.path.startsWith(LOGIN_PATH);
      if ((!isSessionOver && answer.status !== UNAVAILABLE) || tries === MAX_TRIES) return answer;
      if (!isSessionOver) await watch.changes();
      // Another request of the same batch may have opened the next session already.
      else if (used === token) token = openSession(sessions);
    }
  };
}

async function openSession(sessions: SessionStore): Promise<string> {
  const { token, sessionId } = newToken();
  const person = { userId: 1, username: 'admin', displayName: '', role: 'admin' as const };
  await sessions.create({ sessionId, ...person, expiresAt: Date.now() + SESSION_LIFETIME_MS }, SESSION_LIFETIME_MS);
  return token;
}

function send(url: string, agent: Agent, asked: FuzzRequest, caller: Record<string, string>): Promise<SeenAnswer> {
  const { hostname, port } = new URL(url);
  const headers = {
    ...caller,
    'X-Callout-Internal-Token': INTERNAL_TOKEN,
    ...(asked.contentType === null ? {} : { 'Content-Type': asked.contentType }),
    ...(asked.body === null ? {} : { 'Content-Length': asked.body.length }),
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { hostname, port, agent, method: asked.method, path: asked.path, headers, timeout: ANSWER_TIMEOUT_MS },
      answer => {
        const contentType = answer.headers['content-type'] ?? '';
        const chunks: Buffer[] = [];
        const done = () =>
          resolve({
            method: asked.method,
            path: asked.path,
            status: answer.statusCode ?? 0,
            contentType,
            text: Buffer.concat(chunks).toString(),
          });
        answer
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .once('end', done)
          .once('error', reject);
        if (!contentType.startsWith('text/event-stream')) return;
        done();
        answer.destroy();
      },
    );
    outgoing.once('timeout', () => outgoing.destroy(new Error(`no answer within ${ANSWER_TIMEOUT_MS} ms`))).once('error', reject);
    outgoing.end(asked.body ?? undefined);
  });
}

export function faultOf(
  row: string,
  answer: SeenAnswer,
  { check, changes }: { check: AnswerCheck; changes: readonly string[] },
): string | null {
  const { status } = answer;
  const told = `${status} ${answer.text.slice(0, 300)}`;
  if (status >= 500) return DEPENDENT[row]?.includes(status) ? null : `answers ${told}`;
  if (status >= 400) {
    const envelope = envelopeFault(answer);
    if (envelope !== null) return `${envelope}: ${told}`;
    if (changes.length > 0) return `answers ${told} and has changed ${changes.join(' | ')}`;
  }
  const isAudited = changes.some(change => change.startsWith('INSERT audit_log')) || UNAUDITED.test(row);
  if (status === 200 && changes.length > 0 && !isAudited) return `has changed without an audit row [D3.7]: ${changes.join(' | ')}`;
  // A path that matches no route, because a segment was empty or had a slash, is refused like any unknown path.
  const fault = check(answer);
  return fault === null ? null : `${fault}: ${told}`;
}

/** Source: D2.1 */
function envelopeFault({ status, contentType, text }: SeenAnswer): string | null {
  if (!contentType.startsWith('application/json')) return `a failure without envelope, ${contentType}`;
  const { code, data, msg } = JSON.parse(text) as Record<string, unknown>;
  if (code !== String(status) || data !== null) return 'a failure with another code or with data';
  return typeof msg === 'string' && /[一-鿿]/.test(msg) ? null : 'a failure without Chinese text';
}
