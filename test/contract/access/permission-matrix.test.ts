import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { systemClock } from '#kernel/clock.ts';
import { redisSessionStore } from '#access/session-store.ts';
import { newToken } from '#access/tokens.ts';
import type { Role, RouteAccess } from '#kernel/caller.ts';
import { INTERNAL_TOKEN, startTestServer, type TestServer } from '#test/support/server.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { INTERFACE_ROWS, NOT_SERVED, OWN_ROWS } from '../coverage/interface-rows.ts';

/** The matrix of D3.1, repeated here independently. */
const HELD: Record<Role, readonly string[]> = {
  admin: [
    'admin',
    'audit:read',
    'line:write',
    'campaign:write',
    'campaign:dispatch',
    'policy:write',
    'compliance:write',
    'import:write',
    'contact:write',
    'agent:write',
    'agent:operate',
  ],
  supervisor: [
    'audit:read',
    'campaign:write',
    'campaign:dispatch',
    'policy:write',
    'compliance:write',
    'import:write',
    'contact:write',
    'agent:write',
    'agent:operate',
  ],
  agent: ['agent:operate'],
};

const ROLES = Object.keys(HELD) as Role[];
const HOUR_MS = 3_600_000;

let server: TestServer;
let expiredToken: string;
const userIds = new Map<Role, number>();

beforeAll(async () => {
  server = await startTestServer();
  for (const role of ROLES) userIds.set(role, await server.createUser({ username: `matrix-${role}`, password: 'test-password', role }));
  expiredToken = await openSession('admin', 1);
  await waitUntil('the session to expire', async () => {
    const me = await server.api('GET', '/api/auth/me', undefined, expiredToken);
    return me.data.authenticated === false;
  });
});
afterAll(() => server.close());

/**
 * Opens a session like a login, without the cost of hashing a password; each request gets its own token, because one route ends its
 * session.
 */
async function openSession(role: Role, lifetimeMs = HOUR_MS): Promise<string> {
  const { token, sessionId } = newToken();
  const userId = userIds.get(role) ?? 0;
  const session = { sessionId, userId, username: `matrix-${role}`, displayName: '', role, expiresAt: Date.now() + lifetimeMs };
  await redisSessionStore(server.running.context.redis, systemClock).create(session, lifetimeMs);
  return token;
}

/**
 * Status with which a request was denied; null when it was let through. Ids match no row and there is no body, so an authorised request
 * fails later and changes nothing. An agent who requests another agent has the permission; that rule has its own tests (OCS 4.13).
 */
async function refusalOf(name: string, headers: Record<string, string>): Promise<number | null> {
  const [method = '', template = ''] = name.split(' ');
  const path = template.replaceAll(/:callKey/g, 'attempt:999999999').replaceAll(/:\w+/g, '999999999');
  const answer = await fetch(`${server.url}${path}`, { method, headers });
  if (answer.status === 401) return 401;
  if (answer.status !== 403) {
    await answer.body?.cancel();
    return null;
  }
  const { msg } = (await answer.json()) as { msg: string };
  return msg === '坐席只能操作自己' ? null : 403;
}

function expectedRefusal(access: RouteAccess, role: Role): number | null {
  if (access === 'internal') return 401;
  if (access === 'public' || access === 'session' || HELD[role].includes(access)) return null;
  return 403;
}

/** Access to routes outside the table: orchestrators have no token; Prometheus has the internal one. */
const ACCESS_OF_OWN: Readonly<Record<string, RouteAccess>> = {
  'POST /api/live-calls/:callKey/hint': 'agent:operate',
  'POST /api/live-calls/:callKey/say': 'agent:operate',
  'POST /api/live-calls/:callKey/hand-back': 'agent:operate',
  'POST /api/live-calls/:callKey/listen': 'agent:operate',
  'POST /api/live-calls/:callKey/control': 'agent:operate',
  'GET /api/campaigns/:id/import-files/:importId': 'import:write',
  'GET /metrics': 'internal',
  'DELETE /api/contacts/by-number/:number': 'admin',
  'PATCH /api/auth/me/password': 'session',
  'GET /api/recordings/:attemptId': 'campaign:dispatch',
  'GET /api/recording-health': 'session',
  'GET /api/agents/:id/day': 'agent:operate',
  'GET /api/exports/calls': 'campaign:dispatch',
  'GET /api/exports/contacts': 'campaign:dispatch',
  'GET /api/lines/:id/numbers': 'session',
  'POST /api/lines/:id/numbers/:numberId/rest': 'line:write',
  'POST /api/lines/:id/numbers/:numberId/resume': 'line:write',
  'GET /api/lines/:id/prices': 'session',
  'POST /api/lines/:id/prices': 'line:write',
  'DELETE /api/lines/:id/prices/:priceId': 'line:write',
  'GET /api/callbacks': 'session',
  'POST /api/campaigns/:id/contacts/:contactId/callback': 'contact:write',
  'DELETE /api/callbacks/:id': 'contact:write',
  'GET /api/campaigns/:id/outcome-rules': 'session',
  'PUT /api/campaigns/:id/outcome-rules': 'policy:write',
  'DELETE /api/campaigns/:id/outcome-rules': 'policy:write',
  'GET /api/campaigns/:id/outcome-rules/versions': 'session',
  'POST /api/campaigns/:id/outcome-rules/preview': 'session',
  'GET /api/outcome-rules': 'session',
  'PUT /api/outcome-rules': 'policy:write',
  'DELETE /api/outcome-rules': 'policy:write',
  'GET /api/outcome-rules/versions': 'session',
  'GET /api/outcome-rules/templates': 'session',
  'POST /api/campaigns/:id/dials': 'contact:write',
  'GET /api/campaigns/:id/dials': 'session',
  'GET /api/campaigns/:id/dials/:contactId': 'session',
  'POST /api/agents/:id/promised-callbacks': 'agent:operate',
  'DELETE /api/agents/:id/promised-callbacks/:callbackId': 'agent:operate',
  'POST /api/campaigns/:id/contacts/:contactId/test-call': 'campaign:dispatch',
  'POST /api/businesses': 'campaign:write',
  'PATCH /api/businesses/:id': 'campaign:write',
  'GET /api/consents': 'session',
  'POST /api/consents': 'compliance:write',
  'POST /api/consents/import': 'compliance:write',
  'GET /api/consents/evidence/:number': 'compliance:write',
  'GET /api/rule-packs': 'session',
  'POST /api/rule-packs/:packId/preview': 'policy:write',
  'POST /api/rule-packs/:packId/switch': 'admin',
  'GET /api/campaigns/:id/dispositions': 'session',
  'PUT /api/campaigns/:id/dispositions': 'campaign:write',
  'GET /api/businesses/:businessCode/dispositions': 'session',
  'PUT /api/businesses/:businessCode/dispositions': 'campaign:write',
  'POST /api/agents/:id/wrap-up': 'agent:operate',
  'GET /api/campaigns/:id/pre-dial-hook': 'session',
  'PUT /api/campaigns/:id/pre-dial-hook': 'campaign:write',
  'DELETE /api/campaigns/:id/pre-dial-hook': 'campaign:write',
  'GET /api/webhook-events': 'session',
  'GET /api/webhooks': 'admin',
  'POST /api/webhooks': 'admin',
  'PATCH /api/webhooks/:id': 'admin',
  'DELETE /api/webhooks/:id': 'admin',
  'POST /api/webhooks/:id/rotate-secret': 'admin',
  'POST /api/webhooks/:id/test': 'admin',
  'POST /api/webhooks/:id/replay': 'admin',
  'GET /api/webhooks/:id/deliveries': 'admin',
  'GET /api/break-reasons': 'session',
  'PUT /api/break-reasons': 'agent:write',
  'GET /api/agent-state-seconds': 'agent:operate',
  'GET /api/agent-board': 'campaign:dispatch',
  'GET /api/reports/call-stats': 'session',
  'GET /api/reports/saved': 'session',
  'POST /api/reports/saved': 'session',
  'PATCH /api/reports/saved/:id': 'session',
  'DELETE /api/reports/saved/:id': 'session',
  'GET /api/report-schedules': 'campaign:dispatch',
  'POST /api/report-schedules': 'campaign:dispatch',
  'PATCH /api/report-schedules/:id': 'campaign:dispatch',
  'DELETE /api/report-schedules/:id': 'campaign:dispatch',
  'POST /api/report-schedules/:id/run': 'campaign:dispatch',
  'GET /api/report-schedules/:id/runs': 'campaign:dispatch',
  'GET /api/report-channels': 'campaign:dispatch',
  'GET /api/report-schedule-times': 'campaign:dispatch',
  'GET /api/reports/measures': 'session',
  'GET /api/reports/agent-stats': 'agent:operate',
  'GET /api/reports/node-stats': 'session',
  'GET /api/reports/campaign-funnel': 'session',
  'POST /api/agents/:id/message': 'campaign:dispatch',
  'POST /api/agents/me/messages/:messageId/read': 'agent:operate',
  'GET /api/calls/:callKey/disposition': 'agent:operate',
  'PUT /api/calls/:callKey/disposition': 'agent:operate',
  'POST /api/calls/:callKey/do-not-call': 'agent:operate',
  'POST /api/users/with-agent': 'admin',
  'GET /api/call-attempts/:id/dispositions': 'session',
  'GET /api/disposition-counts': 'session',
  'POST /api/exports': 'session',
  'GET /api/call-attempts/:id/vcon': 'campaign:dispatch',
  'GET /api/export-columns': 'session',
  'POST /api/exports/:id/link': 'session',
  'GET /api/runtime/event-runs': 'session',
  'GET /api/transcripts': 'session',
  'GET /api/call-attempts/:id/steps': 'session',
  'GET /api/jobs': 'session',
  'GET /api/jobs/:id': 'session',
  'DELETE /api/jobs/:id': 'session',
  'GET /api/result-fields': 'session',
  'GET /api/follow-up-lists': 'session',
  'GET /api/follow-up-lists/:id': 'session',
  'POST /api/follow-up-lists': 'session',
  'PATCH /api/follow-up-lists/:id': 'session',
  'DELETE /api/follow-up-lists/:id': 'session',
  'POST /api/follow-up-lists/:id/feed': 'contact:write',
  'PATCH /api/call-attempts/:id/result': 'contact:write',
  'GET /api/call-attempts/:id/result-corrections': 'session',
  'GET /api/lists': 'session',
  'POST /api/lists': 'import:write',
  'GET /api/lists/:id': 'session',
  'PATCH /api/lists/:id': 'import:write',
  'DELETE /api/lists/:id': 'import:write',
  'GET /api/lists/:id/rows': 'import:write',
  'POST /api/lists/:id/campaigns': 'import:write',
  'POST /api/list-files': 'import:write',
  'GET /api/list-files/:fileId/preview': 'import:write',
  'POST /api/imports': 'import:write',
  'GET /api/imports': 'import:write',
  'GET /api/imports/:id': 'import:write',
  'GET /api/imports/:id/refusals': 'import:write',
  'GET /api/holidays': 'session',
  'GET /api/holidays/:country': 'session',
};
const accessOfOwn = (name: string): RouteAccess => ACCESS_OF_OWN[name] ?? 'public';

const rows = [...INTERFACE_ROWS, ...OWN_ROWS.map(name => ({ name, access: accessOfOwn(name) }))].filter(
  ({ name }) => !NOT_SERVED.includes(name),
);

describe('every route for every role [OCS 2.3, 4, 5; D3.1, D3.2, D3.6]', () => {
  test.each(rows.map(({ name, access }) => [name, access] as const))('%s (%s)', async (name, access) => {
    const seen: Record<string, number | null> = {};
    const told: Record<string, number | null> = {};
    const ask = async (who: string, refusal: number | null, headers: Record<string, string>) => {
      seen[who] = await refusalOf(name, headers);
      told[who] = refusal;
    };
    for (const role of ROLES) {
      await ask(role, expectedRefusal(access, role), { Authorization: `Bearer ${await openSession(role)}` });
    }
    const withoutSession = access === 'public' ? null : 401;
    await ask('no token', withoutSession, {});
    await ask('expired token', withoutSession, { Authorization: `Bearer ${expiredToken}` });
    await ask('internal token', access === 'internal' || access === 'public' ? null : 401, { 'X-Callout-Internal-Token': INTERNAL_TOKEN });
    await ask('wrong internal token', withoutSession, { 'X-Callout-Internal-Token': 'wrong' });
    expect(seen).toEqual(told);
  });
});
