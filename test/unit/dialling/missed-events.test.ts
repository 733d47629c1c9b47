import { describe, expect, test } from '@jest/globals';
import { systemClock } from '#kernel/clock.ts';
import { CalloutError } from '#kernel/errors.ts';
import { silentLog } from '#kernel/log.ts';
import { type ReconcileApp, releaseOrphans, sweepCell, sweepChannels } from '#dialling/sweep.ts';
import type { OpenAttempt } from '#outcomes/outcome-store.ts';
import type { OwnedCall } from '#runtimes/runtime-pool.ts';
import type { ListedChannel } from '#platform/freeswitch/switch.ts';

const attempt = (requestId: string, change: Partial<OpenAttempt> = {}): OpenAttempt => ({
  id: 1,
  requestId,
  campaignId: 1,
  contactId: 1,
  lineId: 1,
  callerNumber: null,
  cellId: 'cell-1',
  status: 'accepted',
  claimedAgoMs: 60_000,
  dialingAgoMs: 60_000,
  answeredAt: null,
  heardRuntime: null,
  unheardMs: null,
  hasResult: false,
  ...change,
});

const listed = (uuid: string, change: Partial<ListedChannel> = {}): ListedChannel => ({
  uuid,
  isAnswered: false,
  isInConference: false,
  ...change,
});

interface Cells {
  /** Channels by cell; a missing cell does not respond. */
  [cellId: string]: readonly ListedChannel[];
}

/** Fakes for a sweep; they record which calls were suspected, which channels hung up and which slots released. */
function world({ attempts = [], cells = {}, actors = {} }: { attempts?: OpenAttempt[]; cells?: Cells; actors?: Record<string, object> }) {
  const suspected: [string, string][] = [];
  const reported: string[] = [];
  const ended: string[] = [];
  const released: string[] = [];
  const looked: string[] = [];
  const held: OwnedCall[] = [];
  const probed: string[] = [];
  let asked = 0;
  const channelsOf = (cellId: string) => {
    const channels = cells[cellId];
    if (!channels) throw new CalloutError('SWITCH_UNAVAILABLE', '交换机不可达');
    return channels;
  };
  const deps = {
    clock: systemClock,
    log: silentLog,
    dials: {
      openAttempts: async (afterId: number) => (afterId === 0 ? attempts : []),
      findAttempts: async (ids: readonly string[]) => {
        looked.push(...ids);
        return attempts.filter(({ requestId }) => ids.includes(requestId));
      },
      loadDetails: async () => [],
    },
    softphoneCalls: { findOpen: async () => [] },
    calls: {
      send: async (requestId: string, { type }: { type: string }, commandId: string) => {
        if (type === 'resultReported') reported.push(requestId);
        else suspected.push([requestId, commandId]);
        expect(['channelSuspected', 'resultReported']).toContain(type);
        return { kind: 'committed' };
      },
      find: async (requestId: string) => (requestId in actors ? { state: { context: actors[requestId] } } : null),
    },
    slots: {
      listHeld: async () => ({
        cursor: '0',
        held: attempts.map(({ requestId, cellId }) => ({ requestId, cellId })),
      }),
      release: async (ids: readonly string[]) => {
        released.push(...ids);
        return ids.length;
      },
    },
    wake: { campaign: () => undefined },
    pool: { hold: async (calls: readonly OwnedCall[]) => void held.push(...calls) },
    switchPort: {
      channels: async (cellId: string) => {
        asked += 1;
        return channelsOf(cellId);
      },
      probe: async (cellId: string, requestId: string) => {
        probed.push(requestId);
        return { kind: channelsOf(cellId).some(({ uuid }) => uuid === requestId) ? 'ringing' : 'absent' };
      },
      hangup: async (_cellId: string, requestId: string, cause: string) => void ended.push(`${requestId} ${cause}`),
    },
  } as unknown as ReconcileApp;
  return {
    deps,
    suspected,
    reported,
    ended,
    released,
    looked,
    held,
    probed,
    asked: () => asked,
    ids: () => suspected.map(([requestId]) => requestId),
  };
}

describe('a sweep over the channels [A6 steps 5, 6, 8, 11]', () => {
  test('suspects a call whose channel is answered although its attempt is not [I9]', async () => {
    const attempts = [
      attempt('heard', { status: 'answered' }),
      attempt('unheard'),
      attempt('ringing'),
      attempt('dialing', { status: 'dialing' }),
    ];
    const channels = [
      listed('heard', { isAnswered: true }),
      listed('unheard', { isAnswered: true }),
      listed('ringing'),
      listed('dialing', { isAnswered: true }),
    ];
    const { deps, ids, asked } = world({ attempts, cells: { 'cell-1': channels } });
    await sweepChannels(deps);
    expect(ids()).toEqual(['unheard', 'dialing']);
    expect(asked()).toBe(1);
  });

  test('suspects a call whose channel is missing 5 s after its mark, answered or not', async () => {
    const attempts = [
      attempt('young', { status: 'dialing', dialingAgoMs: 5_000 }),
      attempt('old', { dialingAgoMs: 5_001 }),
      attempt('gone', { status: 'answered' }),
      attempt('claimed', { status: 'claimed', dialingAgoMs: null }),
    ];
    const { deps, ids } = world({ attempts, cells: { 'cell-1': [] } });
    await sweepChannels(deps);
    expect(ids()).toEqual(['old', 'gone']);
  });

  test('adopts an answered call without an actor, if the sweep is thorough', async () => {
    const answered = { status: 'answered' } as const;
    const { deps, looked, ids } = world({
      attempts: [attempt('kept', answered), attempt('abandoned', answered)],
      cells: { 'cell-1': [listed('kept', { isAnswered: true }), listed('abandoned', { isAnswered: true })] },
      actors: { kept: {} },
    });
    await sweepChannels(deps);
    expect(looked).toEqual([]);
    await sweepChannels(deps, { isThorough: true });
    expect([looked, ids()]).toEqual([['abandoned'], []]);
  });

  test('restores the place of a served call at its runtime, so that the loss of the runtime is noticed [A5]', async () => {
    const owners = {
      served: { runtimeTaken: true, owner: 'runtime-1' },
      left: { runtimeTaken: false, owner: 'runtime-1' },
      unregistered: { runtimeTaken: true, owner: null },
    };
    const ids = Object.keys(owners);
    const { deps, held, looked } = world({
      attempts: ids.map(id => attempt(id, { status: 'answered' })),
      cells: { 'cell-1': ids.map(id => listed(id, { isAnswered: true })) },
      actors: owners,
    });
    await sweepChannels(deps);
    expect(held).toEqual([]);
    await sweepChannels(deps, { isThorough: true });
    expect([held, looked]).toEqual([[{ requestId: 'served', runtimeId: 'runtime-1' }], []]);
  });

  test('suspects a missed answer however young the attempt', async () => {
    const { deps, ids } = world({
      attempts: [attempt('young', { dialingAgoMs: 100 })],
      cells: { 'cell-1': [listed('young', { isAnswered: true })] },
    });
    await sweepChannels(deps);
    expect(ids()).toEqual(['young']);
  });

  test('concludes nothing from a cell that does not respond', async () => {
    const attempts = [attempt('away', { cellId: 'cell-2' }), attempt('here')];
    const { deps, ids } = world({ attempts, cells: { 'cell-1': [] } });
    await sweepChannels(deps);
    expect(ids()).toEqual(['here']);
  });

  test('repeats the same command id at the same moment', async () => {
    const { deps, suspected } = world({ attempts: [attempt('old', { dialingAgoMs: 61_200 })], cells: { 'cell-1': [] } });
    await sweepChannels(deps);
    await sweepChannels(deps);
    expect(suspected).toEqual([
      ['old', 'suspect:61'],
      ['old', 'suspect:61'],
    ]);
  });
});

describe('a sweep of a reconnected cell [I9]', () => {
  test('suspects every call of the cell except answered ones with an answered channel', async () => {
    const attempts = [
      attempt('heard', { status: 'answered' }),
      attempt('unheard'),
      attempt('ringing'),
      attempt('young', { status: 'dialing', dialingAgoMs: 10 }),
      attempt('gone', { status: 'answered' }),
      attempt('claimed', { status: 'claimed', dialingAgoMs: null }),
      attempt('elsewhere', { cellId: 'cell-2' }),
    ];
    const channels = [listed('heard', { isAnswered: true }), listed('unheard', { isAnswered: true }), listed('ringing')];
    const { deps, suspected } = world({ attempts, cells: { 'cell-1': channels, 'cell-2': [] } });
    await sweepCell(deps, { cellId: 'cell-1', at: 77 });
    expect(suspected).toEqual(['unheard', 'ringing', 'young', 'gone'].map(requestId => [requestId, 'reached:77']));
  });

  test('concludes nothing if the cell is gone again', async () => {
    const { deps, ids } = world({ attempts: [attempt('gone')] });
    await sweepCell(deps, { cellId: 'cell-1', at: 77 });
    expect(ids()).toEqual([]);
  });
});

describe('the slot of a closed attempt [A6 steps 7, 8]', () => {
  const closed = (requestId: string, change: Partial<OpenAttempt> = {}) => attempt(requestId, { status: 'completed', ...change });

  test('is released when the channel is gone', async () => {
    const { deps, ended, released } = world({ attempts: [closed('gone'), closed('never', { cellId: null })], cells: { 'cell-1': [] } });
    expect(await releaseOrphans(deps)).toBe(2);
    expect([released, ended]).toEqual([['gone', 'never'], []]);
  });

  test('costs one channel list per cell even for thousands; a dial of the last moment may not be listed yet and is probed', async () => {
    const many = Array.from({ length: 2_000 }, (_, index) => closed(`c${index}`, { cellId: index % 2 === 0 ? 'cell-1' : 'away' }));
    const { deps, asked, probed } = world({ attempts: [...many, closed('young', { dialingAgoMs: 300 })], cells: { 'cell-1': [] } });
    expect(await releaseOrphans(deps)).toBe(1_001);
    expect([asked(), probed]).toEqual([2, ['young']]);
  });

  test('is kept while the channel exists; a channel without an actor is hung up', async () => {
    const { deps, ended, released } = world({ attempts: [closed('lost')], cells: { 'cell-1': [listed('lost', { isAnswered: true })] } });
    expect(await releaseOrphans(deps)).toBe(0);
    expect([released, ended]).toEqual([[], ['lost NORMAL_CLEARING']]);
  });

  test.each<[string, Partial<ListedChannel>, Record<string, object>]>([
    ['agents talk to the customer', { isInConference: true }, {}],
    ['its actor exists and will end it', {}, { c: {} }],
  ])('is kept and its channel left alone when %s', async (_why, channel, actors) => {
    const { deps, ended, released } = world({ attempts: [closed('c')], cells: { 'cell-1': [listed('c', channel)] }, actors });
    expect(await releaseOrphans(deps)).toBe(0);
    expect([released, ended]).toEqual([[], []]);
  });

  test('is kept when its actor missed the result: the actor is notified, and ends the channel itself', async () => {
    const attempts = [closed('back', { hasResult: true }), closed('unreported')];
    const channels = ['back', 'unreported'].map(uuid => listed(uuid, { isAnswered: true }));
    const { deps, reported, ended } = world({ attempts, cells: { 'cell-1': channels }, actors: { back: {}, unreported: {} } });
    expect(await releaseOrphans(deps)).toBe(0);
    expect([reported, ended]).toEqual([['back'], []]);
  });

  test('is kept while the cell does not respond, like that of an open attempt', async () => {
    const attempts = [attempt('open'), closed('away', { cellId: 'cell-2' })];
    const { deps, ended, released } = world({ attempts, cells: { 'cell-1': [] } });
    expect(await releaseOrphans(deps)).toBe(0);
    expect([released, ended]).toEqual([[], []]);
  });
});
