import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { type NewRuntimeEvent, runtimeEventRepository } from '#runtime-events/runtime-event-store.ts';
import { recordOutages } from '#runtime-events/outages.ts';
import type { SwitchEvent } from '#platform/freeswitch/switch.ts';
import { type DispatchRig, everybody, numbers, startDispatchRig } from '#test/support/dispatch-rig.ts';
import { type EventReader, readEvents } from '#test/support/read-events.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { natsRuntimeEventSignals } from '#runtime-events/runtime-event-signals.ts';

// Runtime events for operators, from the fault itself to the row and the stream [D10, D14.3].

let rig: DispatchRig;
let reader: EventReader;
beforeAll(async () => {
  rig = await startDispatchRig({
    reportsResults: false,
    world: everybody('answer', { talkMs: { minMs: 60_000, maxMs: 60_000 } }),
  });
  reader = await readEvents(`${rig.server.url}/api/runtime/events`, { token: rig.token });
  await reader.next('snapshot');
});
afterAll(async () => {
  reader.close();
  await rig.close();
});

/** The event of this type and subject in the stream, and its row in the overview. */
async function told(type: string, about: Record<string, unknown> = {}) {
  const isIt = (row: Record<string, unknown>) => row['type'] === type && Object.entries(about).every(([key, value]) => row[key] === value);
  const streamed = await waitUntil(`${type} on the stream`, () => reader.events.find(({ data }) => isIt(data)));
  const { data } = await rig.server.api('GET', '/api/runtime/overview', undefined, rig.token);
  const listed = (data.recentEvents as Record<string, unknown>[]).find(row => row['id'] === streamed.data.id);
  expect(listed).toMatchObject({ type, level: streamed.data.level, title: streamed.data.title });
  return { event: streamed.event, ...streamed.data };
}

describe('runtime events of a running server [D14.3]', () => {
  test('campaign.started, campaign.paused and campaign.completed name the user', async () => {
    const { id } = await rig.campaign({ contacts: numbers(1), maxConcurrency: 1 });
    await rig.start(id);
    expect(await told('campaign.started', { campaignId: id })).toMatchObject({
      event: 'runtime-event',
      level: 'info',
      message: '操作人：admin',
    });
    await waitUntil('the call', () => rig.taken.length === 1);
    await rig.server.api('PATCH', `/api/campaigns/${id}`, { status: 'paused' }, rig.token);
    expect(await told('campaign.paused', { campaignId: id })).toMatchObject({
      event: 'runtime-event',
      level: 'info',
      message: '操作人：admin',
    });
    await rig.start(id);
    await rig.server.internal('POST', '/api/call-results', { requestId: rig.taken[0], callStatus: 'completed' });
    expect(await told('campaign.completed', { campaignId: id })).toMatchObject({ event: 'runtime-event', level: 'info', message: '' });
    expect((await rig.server.internal('GET', '/metrics')).text).toContain('callout_calls_settled_total{call_status="completed"} 1\n');
  });

  test('call.result_conflict names the fields of the later result, once', async () => {
    const before = rig.taken.length;
    const { id } = await rig.campaign({ contacts: numbers(1, 13_510_000_000) });
    await rig.start(id);
    await waitUntil('the call', () => rig.taken.length > before);
    const requestId = rig.taken.at(-1);
    const report = (fields: Record<string, unknown>) => rig.server.internal('POST', '/api/call-results', { requestId, ...fields });
    await report({ callStatus: 'completed', classification: 'A' });
    for (let again = 0; again < 2; again++) await report({ callStatus: 'failed', classification: 'B', intent: '改期' });
    const alert = await told('call.result_conflict', { campaignId: id });
    expect(alert).toMatchObject({ event: 'alert', level: 'warning', detail: { conflicts: ['callStatus', 'classification'] } });
    const [attempt] = await rig.attempts(id);
    expect(attempt).toMatchObject({ id: alert.attemptId, status: 'completed', classification: 'A', intent: '改期' });
    expect(reader.events.filter(({ data }) => data.type === 'call.result_conflict')).toHaveLength(1);
  });

  test('dispatch.variables_left_out names once the variables that a channel cannot carry [D4.5]', async () => {
    const before = rig.taken.length;
    const { id } = await rig.campaign();
    const contacts = numbers(2, 13_520_000_000).map(phoneNumber => ({
      phoneNumber,
      metadata: { 产品: '畅享', context: 'x', city: '上海', note: '${system(id)}' },
    }));
    await rig.server.api('POST', `/api/campaigns/${id}/contacts`, { contacts }, rig.token);
    await rig.start(id);
    await waitUntil('both calls', () => rig.taken.length === before + 2);
    const notice = await told('dispatch.variables_left_out', { campaignId: id });
    expect(notice).toMatchObject({ event: 'runtime-event', level: 'info', title: '部分变量未写入通道' });
    expect(new Set(notice.detail.names)).toEqual(new Set(['context', '产品', 'note']));
    expect(notice.detail.renamed).toEqual({ context: 'callout_var_context' });
    expect(notice.message).toMatch(/产品.*context/);
    expect(reader.events.filter(({ data }) => data.type === 'dispatch.variables_left_out')).toHaveLength(1);
  });

  test('dispatch.variables_left_out comes for a manual dispatch too [D4.5]', async () => {
    const { id } = await rig.campaign();
    const contacts = numbers(1, 13_530_000_000).map(phoneNumber => ({ phoneNumber, metadata: { 产品: '畅享', comma: ',' } }));
    await rig.server.api('POST', `/api/campaigns/${id}/contacts`, { contacts }, rig.token);
    await rig.ask('POST', `/api/campaigns/${id}/dispatch`, { limit: 1 });
    expect((await told('dispatch.variables_left_out', { campaignId: id })).detail).toEqual({ names: ['产品'], renamed: {} });
  });

  test('cell.down and cell.up mark the beginning and the end of each outage of the switch; a start reports neither', async () => {
    const told = () => reader.events.map(({ event, data }) => ({ event, ...data })).filter(({ type }) => String(type).startsWith('cell.'));
    expect(told()).toEqual([]);
    for (const times of [1, 2]) {
      rig.simulator.faults.kill(300);
      await waitUntil('the cell to be told back', () => told().length === 2 * times);
    }
    const down = { event: 'alert', level: 'error', type: 'cell.down', cellId: 'cell-1', title: '交换机 cell-1 不可达' };
    const up = { event: 'runtime-event', level: 'info', type: 'cell.up', cellId: 'cell-1', title: '交换机 cell-1 已恢复' };
    expect(told()).toMatchObject([down, up, down, up]);
  });

  test('several instances that see an outage of a cell write one row each for its beginning and end', async () => {
    const { database, bus, log } = rig.server.running.context;
    const store = runtimeEventRepository(database, natsRuntimeEventSignals(bus));
    let [looked, told] = [0, 0];
    const events = {
      lastOfCell: (cellId: string, type: string) => store.lastOfCell(cellId, type).finally(() => (looked += 1)),
      lastOfDependency: async () => null,
      record: (event: NewRuntimeEvent) => store.record(event).finally(() => (told += 1)),
    };
    const listeners: ((event: SwitchEvent) => void)[] = [];
    const switchPort = {
      subscribe(listener: (event: SwitchEvent) => void) {
        listeners.push(listener);
        return () => undefined;
      },
    };
    const quiet = { onChange: () => () => undefined };
    for (let instance = 0; instance < 3; instance++) recordOutages({ events, switchPort, bus: quiet, cache: quiet, log });
    const all = async (event: SwitchEvent, toldThen: number) => {
      const lookedThen = looked + listeners.length;
      for (const listener of listeners) listener(event);
      await waitUntil('every instance to have seen it', () => looked === lookedThen && told === toldThen);
    };
    await all({ kind: 'cell_up', cellId: 'elsewhere', at: 1, coreUuid: 'a', restarted: false }, 0);
    await all({ kind: 'cell_down', cellId: 'elsewhere', at: 2, reason: 'lost' }, 3);
    await all({ kind: 'cell_up', cellId: 'elsewhere', at: 3, coreUuid: 'a', restarted: false }, 6);
    await all({ kind: 'cell_down', cellId: 'elsewhere', at: 4, reason: 'lost' }, 9);
    const rows = await database.rows(sql<{ type: string }>`select type from runtime_event where cell_id = 'elsewhere' order by id`);
    expect(rows.map(({ type }) => type)).toEqual(['cell.down', 'cell.up', 'cell.down']);
  });

  test('dependency.down and dependency.up mark the beginning and the end of an outage of the bus', async () => {
    await rig.server.nats.kill();
    await rig.server.nats.restart();
    expect(await told('dependency.up')).toMatchObject({
      event: 'runtime-event',
      level: 'info',
      title: '消息总线已恢复',
      detail: { name: 'bus' },
    });
    expect(await told('dependency.down')).toMatchObject({
      event: 'alert',
      level: 'error',
      title: '消息总线不可用',
      detail: { name: 'bus' },
    });
  });

  test('several instances that see an outage of the bus or the cache write one row each for its beginning and end', async () => {
    const { database, log } = rig.server.running.context;
    const store = runtimeEventRepository(database, { publish: () => undefined });
    const rows = () => database.rows(sql<{ type: string }>`select type from runtime_event where type like 'dependency.%' order by id`);
    const before = (await rows()).length;
    const written = async () => (await rows()).slice(before).map(({ type }) => type);
    let [asked, settled] = [0, 0];
    const events = {
      lastOfCell: async () => null,
      lastOfDependency(name: string, type: 'dependency.down' | 'dependency.up') {
        asked += 1;
        return store.lastOfDependency(name, type).finally(() => (settled += 1));
      },
      record: (event: NewRuntimeEvent) => store.record(event).finally(() => (settled += 1)),
    };
    const start = () => {
      const listeners: { bus?: (isUp: boolean) => void; cache?: (isUp: boolean) => void } = {};
      const hear = (name: 'bus' | 'cache') => ({
        onChange(listener: (isUp: boolean) => void) {
          listeners[name] = listener;
          return () => undefined;
        },
      });
      recordOutages({ events, switchPort: { subscribe: () => () => undefined }, bus: hear('bus'), cache: hear('cache'), log });
      return listeners;
    };
    const instances = [start(), start(), start()];
    const all = async (name: 'bus' | 'cache', isUp: boolean) => {
      const settledThen = settled + 2 * instances.length;
      for (const instance of instances) instance[name]?.(isUp);
      await waitUntil('every instance to have told it', () => settled === settledThen);
    };
    // The bus was down before, so its return is reported. The cache was not.
    await waitUntil('every start to have looked', () => asked === 6 && settled === 9);
    expect(await written()).toEqual([]);
    await all('bus', false);
    await all('cache', false);
    await all('bus', true);
    await all('bus', false);
    expect(await written()).toEqual(['dependency.down', 'dependency.down', 'dependency.up', 'dependency.down']);
    // All instances die during the outage: the next start reports its end, once.
    const settledThen = settled;
    start();
    start();
    await waitUntil('both starts to have told it', () => settled === settledThen + 8);
    expect((await written()).slice(4)).toEqual(['dependency.up', 'dependency.up']);
  });
});
