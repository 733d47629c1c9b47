import { deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { askFor } from '#test/contract/graphql/graphql-client.ts';
import { insertAttempt, insertCampaign, insertContact } from '#test/support/rows.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await startTestServer();
  token = await server.loginAs('agent');
});
afterAll(() => server.close());

const database = () => server.running.context.database;

const SNAPSHOT = { v: 5, value: { open: 'dialing' }, context: { dialTimeoutMs: 1 } };
const TIMER = 'xstate.after.dialTimeout.call.open.dialing';

/** A call with these entries in its journal; without any it has none. */
async function call(...entries: unknown[]): Promise<number> {
  const campaignId = await insertCampaign(database());
  const contactId = await insertContact(database(), { campaignId });
  const id = await insertAttempt(database(), { campaignId, contactId });
  if (entries.length === 0) return id;
  const text = JSON.stringify({ missing: 2, snapshot: SNAPSHOT, entries });
  const body = deflateRawSync(text).toString('base64');
  await database().run(sql`insert into call_journal (attempt_id, actor, body) values (${id}, 'call', decode(${body}, 'base64'))`);
  return id;
}

const AT = 1_800_000_000_000;
const CREATED = [1, AT, ['00aa00aa', 10, { dialTimeoutMs: 1 }, '0.1.0']];
const TWO_AT_ONCE = [3, AT + 250, ['00aa00aa', 12, [['channelCreated'], [TIMER, 0, 'probeSwitch', 'open.verifying.probing']]]];
const CLAIMED = [
  9,
  AT + 4_000,
  ['00aa00aa', 14, [['interventionClaimed', { id: 'i', userId: 7, at: AT }, 'signalIntervene', 'open.live.served|requested']]],
];

const ask = (id: number, query = '') => server.api('GET', `/api/call-attempts/${id}/steps${query}`, undefined, token);

test('GET /api/call-attempts/:id/steps tells each event of the actors, what they decided and where it led [D14.9]', async () => {
  const { status, data } = await ask(await call(CREATED, TWO_AT_ONCE, CLAIMED));
  const nothing = { isTimer: false, detail: null, decisions: [], takeOver: null, actor: 'call' };
  expect([status, data]).toEqual([
    200,
    {
      next: null,
      total: 4,
      missing: 2,
      rows: [
        { ...nothing, number: 1, at: new Date(AT).toISOString(), sinceMs: 0, event: 'created', state: 'open.dialing' },
        { ...nothing, number: 2, at: new Date(AT + 250).toISOString(), sinceMs: 250, event: 'channelCreated', state: 'open.dialing' },
        {
          ...nothing,
          number: 3,
          at: new Date(AT + 250).toISOString(),
          sinceMs: 250,
          event: 'dialTimeout',
          isTimer: true,
          decisions: ['probeSwitch'],
          state: 'open.verifying.probing',
        },
        {
          ...nothing,
          number: 4,
          at: new Date(AT + 4_000).toISOString(),
          sinceMs: 4_000,
          actor: 'intervention',
          event: 'interventionClaimed',
          detail: { id: 'i', userId: 7, at: AT },
          decisions: ['signalIntervene'],
          state: 'open.live.served',
          takeOver: 'requested',
        },
      ],
    },
  ]);
});

test('pages go on after a number, and GraphQL answers the same', async () => {
  const id = await call(CREATED, TWO_AT_ONCE, CLAIMED);
  const first = await ask(id, '?limit=3');
  expect([first.data.rows.length, first.data.next]).toEqual([3, 3]);
  const rest = await ask(id, '?limit=3&after=3');
  expect([rest.data.rows.map(({ number }: { number: number }) => number), rest.data.next]).toEqual([[4], null]);
  const { attempt } = await askFor(
    server,
    token,
    'query ($id: ID!) { attempt(id: $id) { steps(after: 2, limit: 1) { rows { number actor event sinceMs } next total missing } } }',
    { id },
  );
  expect(attempt.steps).toEqual({
    rows: [{ number: 3, actor: 'CALL', event: 'dialTimeout', sinceMs: 250 }],
    next: 3,
    total: 4,
    missing: 2,
  });
  expect((await ask(id, '?limit=501')).status).toBe(400);
});

test('a call without a journal has no steps, and an unknown or deleted one is not found', async () => {
  const id = await call();
  expect((await ask(id)).data).toEqual({ rows: [], next: null, total: 0, missing: 0 });
  await database().run(sql`update attempt set deleted_at = now() where id = ${id}`);
  expect((await ask(id)).status).toBe(404);
});

test('the reader is audited once', async () => {
  const id = await call(CREATED);
  for (const _ of [1, 2]) await ask(id);
  await askFor(server, token, 'query ($id: ID!) { attempt(id: $id) { steps { total } } }', { id });
  const rows = await database().rows(sql`
    select target_type as type from audit_log where action = 'steps.read' and target_id = ${String(id)}`);
  expect(rows).toEqual([{ type: 'attempt' }]);
});
