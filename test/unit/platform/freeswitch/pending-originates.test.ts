import { beforeEach, describe, expect, test } from '@jest/globals';
import type { EslEvent } from '#platform/freeswitch/esl-codec.ts';
import { PendingOriginates } from '#platform/freeswitch/originates.ts';
import type { Clock } from '#kernel/clock.ts';
import type { OriginateReply } from '#platform/freeswitch/switch.ts';

/** A clock that advances only when the test says so. */
function handClock(): Clock & { pass(ms: number): void } {
  let now = 0;
  const tasks = new Set<{ at: number; task: () => void }>();
  return {
    now: () => now,
    monotonic: () => now,
    schedule(delayMs, task) {
      const entry = { at: now + delayMs, task };
      tasks.add(entry);
      return () => void tasks.delete(entry);
    },
    pass(ms) {
      now += ms;
      for (const entry of [...tasks].sort((a, b) => a.at - b.at)) {
        if (entry.at > now || !tasks.delete(entry)) continue;
        entry.task();
      }
    },
  };
}

const event = (name: string, headers: Record<string, string>, body = ''): EslEvent => ({
  name,
  headers: new Map(Object.entries(headers)),
  body,
});
const created = event('CHANNEL_CREATE', { 'Unique-ID': 'r1' });
const job = (body: string) => event('BACKGROUND_JOB', { 'Job-UUID': 'j1' }, body);

let clock: ReturnType<typeof handClock>;
let registry: PendingOriginates;
let reply: OriginateReply | null;
let foreign: string[];

beforeEach(() => {
  clock = handClock();
  registry = new PendingOriginates(clock);
  reply = null;
  foreign = [];
  void registry
    .register('r1', 'j1', uuid => foreign.push(uuid))
    .then(value => {
      reply = value;
      return value;
    });
});

/** The outcome after `ms`; null while it is open. */
async function after(ms: number): Promise<OriginateReply | null> {
  clock.pass(ms);
  await Promise.resolve();
  await Promise.resolve();
  return reply;
}

describe('the first deciding event wins [fixtures/esl/README §3]', () => {
  test('CHANNEL_CREATE: accepted', async () => {
    registry.take(created);
    expect(await after(0)).toEqual({ kind: 'accepted', replyText: '+OK r1' });
  });

  test('a hang-up whose CHANNEL_CREATE was lost: accepted', async () => {
    registry.take(event('CHANNEL_HANGUP_COMPLETE', { 'Unique-ID': 'r1' }));
    expect(await after(0)).toMatchObject({ kind: 'accepted' });
  });

  test('an event of another channel decides nothing', async () => {
    registry.take(event('CHANNEL_CREATE', { 'Unique-ID': 'r2', variable_origination_uuid: 'r1' }));
    expect(await after(0)).toBeNull();
  });

  test('a local refusal waits 200 ms for a CHANNEL_CREATE that arrives out of order', async () => {
    registry.take(job('-ERR DESTINATION_OUT_OF_ORDER\n'));
    expect(await after(199)).toBeNull();
    expect(await after(1)).toEqual({ kind: 'refused', replyText: '-ERR DESTINATION_OUT_OF_ORDER', cause: 'DESTINATION_OUT_OF_ORDER' });
  });

  test('a CHANNEL_CREATE within the 200 ms means accepted', async () => {
    registry.take(job('-ERR DESTINATION_OUT_OF_ORDER\n'));
    clock.pass(150);
    registry.take(created);
    expect(await after(0)).toMatchObject({ kind: 'accepted' });
  });

  test.each(['-ERR USER_BUSY\n', '-ERR NO_ANSWER\n', '-ERR SYSTEM_SHUTDOWN\n', '+OK r1\n'])(
    'the reply %j implies a channel',
    async body => {
      registry.take(job(body));
      expect(await after(0)).toEqual({ kind: 'accepted', replyText: body.trim() });
    },
  );

  test('a malformed command is refused', async () => {
    registry.take(job('-USAGE: <call url> <exten>\n'));
    expect(await after(200)).toMatchObject({ kind: 'refused', cause: 'INVALID_MSG_UNSPECIFIED' });
  });

  test('a channel with another UUID must be ended by the cell [§7.9]', async () => {
    registry.take(job('+OK other\n'));
    expect([foreign, await after(0)]).toEqual([['other'], null]);
  });
});

describe('without a deciding event the outcome is unknown, never refused', () => {
  test('after 5 s', async () => {
    expect(await after(4_999)).toBeNull();
    expect(await after(1)).toMatchObject({ kind: 'unknown' });
  });

  test('300 ms after the command connection is lost', async () => {
    registry.lost('j1');
    expect(await after(299)).toBeNull();
    expect(await after(1)).toMatchObject({ kind: 'unknown' });
  });

  test('at once when the event connection is lost', async () => {
    registry.deaf();
    expect(await after(0)).toMatchObject({ kind: 'unknown' });
  });

  test('a late event after the outcome changes nothing', async () => {
    registry.deaf();
    registry.take(created);
    expect(await after(0)).toMatchObject({ kind: 'unknown' });
  });
});
