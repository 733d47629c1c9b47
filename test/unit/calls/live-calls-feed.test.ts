import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { LiveDelta } from '#platform/feeds/live-deltas.ts';
import type { LiveCallsEvent } from '#calls/live-calls-feed.ts';
import { listen, liveCallRig, scopeOf } from './live-call-rig.ts';

const answered = (at = 5) => ({ type: 'channelAnswered', at }) as const;
const hungUp = {
  type: 'channelHungUp',
  at: 9,
  cause: 'NORMAL_CLEARING',
  by: 'customer',
  callStatus: 'completed',
  answeredAt: null,
} as const;

describe('the live call feed', () => {
  test('sends a snapshot, then each change once and in order [A1.5, D9.2]', async () => {
    const rig = liveCallRig();
    rig.start('a');
    const client = listen(rig.feed, 1);
    await rig.clock.pass(10);
    rig.deltas.publish(rig.start('b'));
    rig.deltas.publish(rig.change('a', answered()));
    rig.deltas.publish(rig.say('a', 's1', '您好'));
    rig.deltas.publish(rig.change('a', hungUp));
    rig.deltas.publish(rig.change('a', { type: 'resultReported' }));
    expect(client.told()).toEqual([
      'snapshot a@1',
      'started b@1 dialing',
      'changed a@2 live',
      'segment a@3 您好',
      'changed a@4 settling',
      'ended a@5 ended',
    ]);
  });

  test('contains what subscribers need of a call and none of its other facts', async () => {
    const rig = liveCallRig();
    const client = listen(rig.feed, null);
    await rig.clock.pass(10);
    rig.deltas.publish(rig.start('a'));
    rig.deltas.publish(rig.say('a', 's1', '您好'));
    const last = client.events.at(-1);
    expect(last?.kind === 'change' && last.change.kind === 'segment' && last.change.call).toEqual({
      callKey: 'request:a',
      requestId: 'a',
      attemptId: 1,
      campaignId: 1,
      campaignName: '活动',
      contactId: 1,
      phoneNumber: '13900000001',
      customerName: '张三',
      cellId: 'cell-1',
      lineId: 1,
      callerNumber: null,
      startedAt: expect.any(Number),
      status: 'dialing',
      answeredAt: null,
      endedAt: null,
      hangupCause: null,
      hasLeft: false,
      monitor: null,
      retainedBy: [],
      waitingSince: null,
      people: [],
      intentHits: [],
      intervention: null,
      guidance: [],
      runtimeId: null,
      currentNodeId: 'node-s1',
      segments: [expect.objectContaining({ segmentId: 's1', text: '您好' })],
      version: 2,
    });
  });

  test('changes during the read of the snapshot are neither lost nor sent twice', async () => {
    const rig = liveCallRig();
    rig.start('a');
    const client = listen(rig.feed, 1);
    // Written before the store is read, published before the store has responded.
    rig.deltas.publish(rig.say('a', 's1', '一'));
    // Written after the read, before the response has arrived.
    rig.afterReading(() => {
      rig.deltas.publish(rig.start('b'));
      rig.deltas.publish(rig.say('a', 's2', '二'));
    });
    await rig.clock.pass(10);
    rig.deltas.publish(rig.say('a', 's3', '三'));
    expect(client.told()).toEqual(['snapshot a@3 b@1', 'segment a@4 三']);
  });

  test('a listener receives only its campaign', async () => {
    const rig = liveCallRig();
    const one = listen(rig.feed, 1);
    const all = listen(rig.feed, null);
    await rig.clock.pass(10);
    rig.deltas.publish(rig.start('a', 1));
    rig.deltas.publish(rig.start('b', 2));
    expect(one.told()).toEqual(['snapshot', 'started a@1 dialing']);
    expect(all.told()).toEqual(['snapshot', 'started a@1 dialing', 'started b@1 dialing']);
  });

  test('later listeners are served from memory without another read of the store', async () => {
    const rig = liveCallRig();
    rig.start('a');
    listen(rig.feed, 1);
    await rig.clock.pass(10);
    const reads = { ...rig.reads };
    expect(listen(rig.feed, 1).told()).toEqual(['snapshot a@1']);
    expect(rig.reads).toEqual(reads);
  });

  test('deltas of several instances may arrive out of order', async () => {
    const rig = liveCallRig();
    const client = listen(rig.feed, 1);
    await rig.clock.pass(10);
    const [one, two, three] = [rig.start('a'), rig.change('a', answered()), rig.say('a', 's', '您好')];
    for (const delta of [three, one, two]) rig.deltas.publish(delta);
    await rig.clock.pass(1_000);
    expect(client.told()).toEqual(['snapshot', 'started a@1 dialing', 'changed a@2 live', 'segment a@3 您好']);
  });

  test('a lost delta leads to a resync of its call [I8]', async () => {
    const rig = liveCallRig();
    const other = listen(rig.feed, 2);
    const client = listen(rig.feed, 1);
    await rig.clock.pass(10);
    rig.deltas.publish(rig.start('a'));
    rig.say('a', 's1', '没有送达');
    rig.deltas.publish(rig.say('a', 's2', '您好'));
    await rig.clock.pass(249);
    expect(client.told()).toEqual(['snapshot', 'started a@1 dialing']);
    await rig.clock.pass(10);
    expect(client.told().slice(2)).toEqual(['repaired a@3 GAP']);
    expect(other.told()).toEqual(['snapshot']);
    rig.deltas.publish(rig.say('a', 's3', '再见'));
    expect(client.told().at(-1)).toBe('segment a@4 再见');
  });

  test('a lost last delta is found by the audit, although no other delta follows [I8]', async () => {
    const rig = liveCallRig();
    const client = listen(rig.feed, 1);
    await rig.clock.pass(10);
    rig.deltas.publish(rig.start('a'));
    rig.change('a', answered());
    await rig.clock.pass(5_300);
    expect(client.told().slice(2)).toEqual(['repaired a@2 GAP']);
  });

  test('a call whose deltas were all lost is found by the audit', async () => {
    const rig = liveCallRig();
    const client = listen(rig.feed, 1);
    await rig.clock.pass(10);
    rig.start('a');
    await rig.clock.pass(5_300);
    expect(client.told()).toEqual(['snapshot', 'repaired a@1 GAP']);
  });

  test('a call that vanished from the store without an end is reported', async () => {
    const rig = liveCallRig();
    rig.start('a');
    const client = listen(rig.feed, 1);
    await rig.clock.pass(10);
    rig.forget('a');
    await rig.clock.pass(5_300);
    expect(client.told()).toEqual(['snapshot a@1', 'repaired a gone GAP']);
  });

  test('a delta in transit during the audit is no gap', async () => {
    const rig = liveCallRig();
    const client = listen(rig.feed, 1);
    await rig.clock.pass(10);
    rig.deltas.publish(rig.start('a'));
    const late = rig.change('a', answered());
    await rig.clock.pass(5_100);
    rig.deltas.publish(late);
    await rig.clock.pass(1_000);
    expect(client.told().slice(2)).toEqual(['changed a@2 live']);
  });

  test("an ended call stays while the store keeps it, then leaves every client's view [D9.2]", async () => {
    const rig = liveCallRig();
    const client = listen(rig.feed, 1);
    await rig.clock.pass(10);
    rig.deltas.publish(rig.start('a'));
    rig.deltas.publish(rig.change('a', hungUp));
    await rig.clock.pass(6_000);
    expect(heldOf(rig.feed, 1).map(call => call.status)).toEqual(['ended']);
    rig.forget('a');
    await rig.clock.pass(6_000);
    expect(heldOf(rig.feed, 1)).toEqual([]);
    expect(client.told()).toEqual(['snapshot', 'started a@1 dialing', 'ended a@2 ended', 'forgotten a']);
  });

  test('all clients are resynchronised after a reconnect of the bus [A4]', async () => {
    const rig = liveCallRig();
    const client = listen(rig.feed, 1);
    await rig.clock.pass(10);
    rig.start('a');
    rig.bus(false);
    rig.bus(true);
    await rig.clock.pass(10);
    expect(client.told()).toEqual(['snapshot', 'resync DISCONNECTED', 'snapshot a@1']);
  });

  test('reports an unavailable store, and recovers by itself', async () => {
    const rig = liveCallRig();
    rig.storeAway(true);
    rig.start('a');
    const client = listen(rig.feed, 1);
    await rig.clock.pass(10);
    expect(client.told()).toEqual(['resync SOURCE_UNAVAILABLE']);
    rig.storeAway(false);
    await rig.clock.pass(1_000);
    expect(client.told()).toEqual(['resync SOURCE_UNAVAILABLE', 'snapshot a@1']);
  });

  test('an outage of the store is reported once and at once, also to new listeners: nothing is served from memory [OCS 4.12 rule 5]', async () => {
    const rig = liveCallRig();
    rig.start('a');
    const client = listen(rig.feed, 1);
    await rig.clock.pass(10);
    rig.storeLost(true);
    expect(client.told()).toEqual(['snapshot a@1', 'resync SOURCE_UNAVAILABLE']);
    await rig.clock.pass(3_500);
    expect(listen(rig.feed, 1).told()).toEqual(['resync SOURCE_UNAVAILABLE']);
    expect(rig.feed.state()).toEqual({ source: 'unavailable', calls: 1 });
    rig.storeLost(false);
    await rig.clock.pass(10);
    expect(client.told()).toEqual(['snapshot a@1', 'resync SOURCE_UNAVAILABLE', 'snapshot a@1']);
  });

  test('a call that was lost and adopted again is sent as a whole, although its versions restarted', async () => {
    const rig = liveCallRig();
    rig.start('a');
    for (const said of ['一', '二', '三']) rig.say('a', said, said);
    const client = listen(rig.feed, 1);
    await rig.clock.pass(10);
    rig.forget('a');
    rig.deltas.publish(rig.start('a'));
    rig.deltas.publish(rig.say('a', '四', '四'));
    await rig.clock.pass(6_000);
    expect(client.told()).toEqual(['snapshot a@4', 'repaired a@2 GAP']);
    rig.deltas.publish(rig.say('a', '五', '五'));
    expect(client.told().at(-1)).toBe('segment a@3 五');
  });

  test('without the bus the store is polled every second, and changes are sent call by call', async () => {
    const rig = liveCallRig();
    rig.start('a');
    rig.start('b');
    const client = listen(rig.feed, 1);
    await rig.clock.pass(10);
    expect(rig.feed.state().source).toBe('bus');
    rig.bus(false);
    rig.say('a', 's1', '您好');
    rig.say('a', 's2', '再见');
    rig.start('c');
    await rig.clock.pass(1_010);
    expect(client.told().slice(1).sort()).toEqual(['repaired a@3 DISCONNECTED', 'repaired c@1 DISCONNECTED']);
    expect(rig.feed.state()).toEqual({ source: 'poll', calls: 3 });
    rig.say('b', 's1', '喂');
    await rig.clock.pass(1_010);
    expect(client.told().at(-1)).toBe('repaired b@2 DISCONNECTED');
    rig.bus(true);
    await rig.clock.pass(10);
    expect(client.told().slice(-2)).toEqual(['resync DISCONNECTED', 'snapshot a@3 b@2 c@1']);
    expect(rig.feed.state().source).toBe('bus');
  });

  test('subscribes to the bus only while it has listeners, and 30 s longer for those that come back', async () => {
    const rig = liveCallRig();
    const [one, two] = [listen(rig.feed, 1), listen(rig.feed, 2)];
    await rig.clock.pass(10);
    expect(rig.listening()).toBe(1);
    one.stop();
    expect(rig.listening()).toBe(1);
    two.stop();
    expect(rig.listening()).toBe(1);
    await rig.clock.pass(30_000);
    expect(rig.listening()).toBe(0);
    const lists = rig.reads.lists;
    await rig.clock.pass(60_000);
    expect(rig.reads.lists).toBe(lists);
  });

  test('whatever deltas are lost, late or repeated, a listener sees no unreported gap and ends up with the state of the store [I8]', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async steps => {
        const rig = liveCallRig();
        const client = listen(rig.feed, null);
        await rig.clock.pass(10);
        const late: LiveDelta[] = [];
        for (const [index, { call, outcome, ms }] of steps.entries()) {
          const delta = rig.truth().has(call) ? rig.say(call, `s${index}`, '话') : rig.start(call);
          if (outcome === 'late') late.push(delta);
          const times = { lost: 0, late: 0, arrives: 1, twice: 2 }[outcome];
          for (let time = 0; time < times; time++) rig.deltas.publish(delta);
          await rig.clock.pass(ms);
        }
        for (const delta of late) rig.deltas.publish(delta);
        await rig.clock.pass(20_000);
        expect(followed(client.events)).toEqual(rig.truth());
        rig.feed.close();
      }),
      { numRuns: 100 },
    );
  });
});

const step = fc.record({
  call: fc.constantFrom('a', 'b', 'c'),
  outcome: fc.constantFrom('arrives', 'arrives', 'lost', 'late', 'twice'),
  ms: fc.constantFrom(0, 1, 100, 300),
});

test('a listener that leaves after the close of the feed leaves no timer behind', () => {
  const rig = liveCallRig();
  const leave = rig.feed.channel(scopeOf(null)).follow(
    () => undefined,
    () => undefined,
  );
  rig.feed.close();
  leave();
  expect(rig.clock.pending()).toBe(0);
});

function heldOf(feed: ReturnType<typeof liveCallRig>['feed'], campaignId: number) {
  const [snapshot] = feed.channel(scopeOf(campaignId)).since(null);
  if (snapshot?.kind !== 'snapshot') throw new Error('no snapshot');
  return snapshot.state.calls;
}

/** Versions known to a client that trusts every event; fails on an unreported gap. */
function followed(events: readonly LiveCallsEvent[]): Map<string, number> {
  let known = new Map<string, number>();
  for (const event of events) {
    if (event.kind === 'resync') known = new Map();
    else if (event.kind === 'snapshot') known = new Map(event.state.calls.map(call => [call.requestId, call.version]));
    else if (event.change.kind === 'repaired' || event.change.kind === 'forgotten') {
      const { call, callKey } = event.change;
      if (call) known.set(call.requestId, call.version);
      else known.delete(callKey.slice('request:'.length));
    } else {
      const { call } = event.change;
      expect(call.version).toBe((known.get(call.requestId) ?? 0) + 1);
      known.set(call.requestId, call.version);
    }
  }
  return known;
}
