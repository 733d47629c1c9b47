import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { waitUntil } from '#test/support/wait-until.ts';
import { type ServeProcess, type ServeRig, startServeRig } from '#test/support/serve-process.ts';

const WAIT_MS = 60_000;
const CONTACTS = 20;

let rig: ServeRig;
const servers: ServeProcess[] = [];
beforeAll(async () => {
  rig = await startServeRig({ talkMs: { minMs: 100, maxMs: 200 }, logLevel: 'debug' });
  servers.push(await rig.serve(), await rig.serve());
}, 120_000);
afterAll(() => rig.close(), WAIT_MS);

interface Line {
  msg: string;
  trace?: string;
  actor?: string;
  event?: string;
  commandId?: string;
}

/** Log lines of a process about messages to campaigns. */
function linesOf(server: ServeProcess, message: string): Line[] {
  const lines = server
    .output()
    .split('\n')
    .filter(text => text.includes(message))
    .map(text => JSON.parse(text) as Line);
  return lines.filter(({ actor }) => actor === 'campaign');
}

test('a call that ends in one process notifies its campaign in the other, under one trace [A1.9]', async () => {
  const [one, other] = servers;
  if (!one || !other) throw new Error('two servers were started');
  // One call at a time: each waits for the end of the one before.
  const campaignId = await rig.start(one, CONTACTS, { maxConcurrency: 1 });
  await waitUntil(
    'every call to be over',
    async () => {
      const [row] = await rig.rows(sql<{ count: number }>`
        select count(*)::int as count from contact where campaign_id = ${campaignId} and status in ('pending', 'calling')`);
      if (row?.count !== 0) throw new Error(`${row?.count} contacts are left`);
      return true;
    },
    WAIT_MS,
  );
  const crossings = [
    [one, other],
    [other, one],
  ].flatMap(([from, to]) => {
    const heard = new Map(to ? linesOf(to, 'a message reached its actor').map(line => [line.commandId, line]) : []);
    return (from ? linesOf(from, 'a message was carried to an actor') : []).flatMap(sent => {
      const line = heard.get(sent.commandId);
      return line ? [{ sent, heard: line }] : [];
    });
  });
  expect(crossings.map(({ heard }) => heard.event)).toContain('callSettled');
  for (const { sent, heard } of crossings) {
    expect(sent.trace).toMatch(/^[0-9a-f]{32}$/);
    expect([heard.trace, heard.event]).toEqual([sent.trace, sent.event]);
  }
}, 180_000);
