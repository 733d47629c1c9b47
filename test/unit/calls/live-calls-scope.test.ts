import { describe, expect, test } from '@jest/globals';
import { listen, liveCallRig, scopeOf, wordOf } from './live-call-rig.ts';

const answered = { type: 'channelAnswered', at: 5 } as const;

describe('a client that resumes with a cursor', () => {
  const after = (rig: ReturnType<typeof liveCallRig>, cursor: string) => rig.feed.channel(scopeOf(1)).since(cursor).map(wordOf);

  test('receives what followed the cursor, and nothing twice [D10, I8]', async () => {
    const rig = liveCallRig();
    const client = listen(rig.feed, 1);
    await rig.clock.pass(10);
    rig.deltas.publish(rig.start('a'));
    const { cursor } = client.events.at(-1) ?? { cursor: '' };
    client.stop();
    listen(rig.feed, 2);
    rig.deltas.publish(rig.start('x', 2));
    rig.deltas.publish(rig.say('a', 's1', '您好'));
    rig.deltas.publish(rig.change('a', answered));
    expect(after(rig, cursor)).toEqual(['segment a@2 您好', 'changed a@3 live']);
    expect(after(rig, rig.feed.channel(scopeOf(1)).since(null)[0]?.cursor ?? '')).toEqual([]);
  });

  test.each(['life.zzzz', 'other-life.1', 'nonsense', ''])(
    'learns that the cursor %j is not held, then receives a snapshot',
    async cursor => {
      const rig = liveCallRig();
      rig.start('a');
      listen(rig.feed, 1);
      await rig.clock.pass(10);
      expect(after(rig, cursor)).toEqual(['resync CURSOR_NOT_HELD', 'snapshot a@1']);
    },
  );

  test('receives nothing from before a resynchronisation of all clients', async () => {
    const rig = liveCallRig();
    const client = listen(rig.feed, 1);
    await rig.clock.pass(10);
    rig.deltas.publish(rig.start('a'));
    const { cursor } = client.events.at(-1) ?? { cursor: '' };
    rig.bus(false);
    rig.bus(true);
    await rig.clock.pass(10);
    expect(after(rig, cursor)).toEqual(['resync CURSOR_NOT_HELD', 'snapshot a@1']);
  });

  test('is resynchronised when more has happened than the feed holds', async () => {
    const rig = liveCallRig();
    const client = listen(rig.feed, 1);
    await rig.clock.pass(10);
    rig.deltas.publish(rig.start('a'));
    const { cursor } = client.events.at(-1) ?? { cursor: '' };
    for (let index = 0; index < 4_096; index++) rig.deltas.publish(rig.say('a', `s${index % 200}`, String(index)));
    expect(after(rig, cursor)).toHaveLength(4_096);
    rig.deltas.publish(rig.say('a', 's', '再见'));
    expect(after(rig, cursor)).toEqual(['resync CURSOR_NOT_HELD', 'snapshot a@4098']);
  });
});

describe('a user without `campaign:dispatch`', () => {
  const assignedTo = (userId: number) => ({ monitor: { userId, agentId: null, displayName: '监听', assignedAt: 1 } });

  test('receives only the calls assigned to them or kept by them, and only for that time [OCS 4.12]', async () => {
    const rig = liveCallRig();
    const [seven, eight, all] = [listen(rig.feed, { viewerId: 7 }), listen(rig.feed, { viewerId: 8 }), listen(rig.feed, null)];
    await rig.clock.pass(10);
    rig.deltas.publish(rig.start('a'));
    rig.deltas.publish(rig.watch('a', assignedTo(7)));
    rig.deltas.publish(rig.say('a', 's1', '您好'));
    rig.deltas.publish(rig.watch('a', assignedTo(8)));
    rig.deltas.publish(rig.say('a', 's2', '喂'));
    rig.deltas.publish(rig.watch('a', { ...assignedTo(8), retainedBy: [7] }));
    expect(seven.told()).toEqual(['snapshot', 'joined a@2 dialing', 'segment a@3 您好', 'left a@4 dialing', 'joined a@6 dialing']);
    expect(eight.told()).toEqual(['snapshot', 'joined a@4 dialing', 'segment a@5 喂', 'changed a@6 dialing']);
    expect(all.told()).toHaveLength(7);
    expect(listen(rig.feed, { viewerId: 7 }).told()).toEqual(['snapshot a@6']);
    expect(listen(rig.feed, { viewerId: 9 }).told()).toEqual(['snapshot']);
  });
});

describe('an agent without `campaign:dispatch`', () => {
  const leg = (userId: number, joinedAt: number | null, leftAt: number | null) => ({
    legUuid: `leg-${userId}`,
    agentId: userId,
    userId,
    joinedAt,
    leftAt,
    hasHandedOver: false,
  });
  const report = (...people: ReturnType<typeof leg>[]) => ({ type: 'legsReported', people }) as const;

  test('receives a call from the ring of their phone to the end of their leg, as it is handed from one to the next [D9.7]', async () => {
    const rig = liveCallRig();
    const [seven, eight, nine] = [7, 8, 9].map(viewerId => listen(rig.feed, { viewerId }));
    await rig.clock.pass(10);
    rig.deltas.publish(rig.start('a'));
    rig.deltas.publish(rig.change('a', answered));
    rig.deltas.publish(rig.change('a', report(leg(7, null, null))));
    rig.deltas.publish(rig.change('a', report(leg(7, 10, null))));
    rig.deltas.publish(rig.say('a', 's1', '您好'));
    rig.deltas.publish(rig.change('a', report(leg(7, 10, 50_000), leg(8, 40_000, null))));
    rig.deltas.publish(rig.say('a', 's2', '喂'));
    expect(seven?.told()).toEqual(['snapshot', 'joined a@3 live', 'changed a@4 live', 'segment a@5 您好', 'left a@6 live']);
    expect(eight?.told()).toEqual(['snapshot', 'joined a@6 live', 'segment a@7 喂']);
    expect(nine?.told()).toEqual(['snapshot']);
  });

  test('may read a call that is over when they were among the last to talk, and not when it was handed on or never answered [D9.7]', async () => {
    const rig = liveCallRig();
    rig.start('a');
    rig.change('a', answered);
    rig.change(
      'a',
      report(leg(6, null, 20_000), { ...leg(7, 10, 85_000), hasHandedOver: true }, leg(8, 40_000, null), leg(9, 41_000, null)),
    );
    rig.change('a', report(leg(5, 60_000, 70_000), leg(8, 40_000, 90_000), leg(9, 41_000, 95_000)));
    const before = [5, 6, 7, 8, 9].map(viewerId => listen(rig.feed, { viewerId }));
    await rig.clock.pass(10);
    expect(before.flatMap(listener => listener.told())).toEqual(Array(5).fill('snapshot'));
    rig.deltas.publish(rig.change('a', { type: 'resultReported' }));
    expect(before.map(listener => listener.told().at(-1))).toEqual([
      'snapshot',
      'snapshot',
      'snapshot',
      'joined a@5 ended',
      'joined a@5 ended',
    ]);
  });
});

test('a listener to one call receives only that call', async () => {
  const rig = liveCallRig();
  rig.start('a');
  const client = listen(rig.feed, { requestId: 'a' });
  await rig.clock.pass(10);
  rig.deltas.publish(rig.start('b'));
  rig.deltas.publish(rig.say('a', 's1', '您好'));
  expect(client.told()).toEqual(['snapshot a@1', 'segment a@2 您好']);
});
