import { only } from '#test/support/only.ts';
import { describe, expect, test } from '@jest/globals';
import { silentLog } from '#kernel/log.ts';
import { type AgentChange, type AgentRoster, agentSource, agentView } from '#agents/agent-feed.ts';
import { FanOut } from '#platform/feeds/fan-out.ts';
import { intentAlertSource } from '#monitoring/alerts.ts';
import { EVERY_CALL } from '#calls/live-call-scope.ts';
import type { RuntimeEventsEvent } from '#runtime-events/runtime-event-feed.ts';
import { Feed } from '#platform/feeds/feed.ts';
import { polledSource } from '#platform/feeds/polled-source.ts';
import type { RuntimeEvent } from '#runtime-events/runtime-event.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import type { LiveCallStore } from '#calls/live-call-store.ts';

const ids = () => 'life';

function alertEvent(id: number, campaignId = 1): RuntimeEvent {
  const detail = { requestId: `call-${id}`, keyword: '投诉', segmentId: 's1', at: id };
  const stamps = { createdAt: id, updatedAt: id, acknowledgedAt: null, acknowledgedBy: null };
  return { id, level: 'warning', type: 'intent.alert', title: '', message: '', campaignId, attemptId: id, cellId: null, detail, ...stamps };
}

/** Intent alerts of one scope over runtime events written by the test; no call is assigned to a user. */
function alertRig(scope: Partial<typeof EVERY_CALL> = {}) {
  const clock = manualClock();
  const events: RuntimeEvent[] = [];
  let next: (event: RuntimeEventsEvent) => void = () => undefined;
  const world = { isAway: false };
  const snapshot = () => ({ kind: 'snapshot' as const, state: events.toReversed(), at: 0, cursor: String(events.length) });
  const runtimeEvents = (isAsked: (event: RuntimeEvent) => boolean) => ({
    key: 'runtime-events',
    follow(listener: (event: RuntimeEventsEvent) => void) {
      next = event => {
        if (event.kind !== 'change' || isAsked(event.change.event)) listener(event);
      };
      return () => undefined;
    },
    since: () => [{ ...snapshot(), state: snapshot().state.filter(isAsked) }],
    catchUp: () => [],
  });
  const deps = {
    runtimeEventFeed: { channel: (_view?: string, isAsked: (event: RuntimeEvent) => boolean = () => true) => runtimeEvents(isAsked) },
    liveCalls: only<LiveCallStore>({
      listIds: async () => [],
      async read() {
        if (world.isAway) throw new Error('away');
        return [];
      },
    }),
    clock,
    log: silentLog,
  };
  const feed = new Feed<readonly { id: number }[], { kind: string; alert: { id: number } }>({ clock, ids });
  const channel = feed.channel('alerts', () => intentAlertSource(deps, { ...EVERY_CALL, ...scope }));
  const told: string[] = [];
  channel.follow(
    event => {
      if (event.kind === 'snapshot') told.push(`=${event.state.map(({ id }) => id).join()}`);
      else told.push(event.kind === 'change' ? `${event.change.kind} ${event.change.alert.id}` : event.reason);
    },
    () => undefined,
  );
  return {
    clock,
    world,
    told,
    events,
    write(event: RuntimeEvent, kind: 'recorded' | 'acknowledged' = 'recorded') {
      if (kind === 'recorded') events.push(event);
      next({ kind: 'change', change: { position: events.length, kind, event }, at: 0, cursor: String(events.length) });
    },
    disorder() {
      next({ kind: 'resync', reason: 'GAP', at: 0, cursor: String(events.length) });
      next(snapshot());
    },
  };
}

describe('intent alerts [D9.3, D14.3]', () => {
  test('are the runtime events of their type, of the requested campaign', async () => {
    const rig = alertRig({ campaignId: 1 });
    await rig.clock.pass(1);
    rig.write(alertEvent(1));
    rig.write(alertEvent(2, 2));
    rig.write({ ...alertEvent(3), type: 'campaign.started' });
    rig.write({ ...alertEvent(1), acknowledgedAt: 5 }, 'acknowledged');
    await rig.clock.pass(1);
    expect(rig.told).toEqual(['=', 'raised 1', 'acknowledged 1']);
  });

  test('are resynchronised when events became visible out of order [I8]', async () => {
    const rig = alertRig();
    await rig.clock.pass(1);
    rig.events.push(alertEvent(1), alertEvent(2));
    rig.disorder();
    await rig.clock.pass(1);
    expect(rig.told).toEqual(['=', 'GAP', '=2,1']);
  });

  test('are not sent to a user who does not monitor the call', async () => {
    const rig = alertRig({ viewerId: 7 });
    await rig.clock.pass(1);
    rig.write(alertEvent(1));
    await rig.clock.pass(1);
    expect(rig.told).toEqual(['=']);
  });

  test('are resynchronised when calls can be read again after an outage [I8]', async () => {
    const rig = alertRig({ viewerId: 7 });
    await rig.clock.pass(1);
    rig.world.isAway = true;
    rig.write(alertEvent(1));
    await rig.clock.pass(3_000);
    rig.world.isAway = false;
    await rig.clock.pass(1_100);
    expect(rig.told).toEqual(['=', 'SOURCE_UNAVAILABLE', '=']);
  });
});

describe('agents [OCS 2.13, 4.13]', () => {
  test('are read once for all filters; each filter sees agents enter and leave it', async () => {
    const clock = manualClock();
    const roster = [1, 2].map(id => ({ id, groupId: id, name: `agent ${id}`, phoneExtension: `100${id}` }));
    let reads = 0;
    const deps = {
      agents: {
        async list() {
          reads += 1;
          return roster.map(agent => ({ ...agent }));
        },
      },
      agentHost: { find: async () => null },
      phoneRegistry: { registration: () => 'unknown', locate: () => null },
      clock,
      log: silentLog,
    };
    const feed = new Feed<AgentRoster, AgentChange>({ clock, ids });
    const watch = (groupId: number | null) => {
      const told: string[] = [];
      // Only the ports that the source uses.
      const source = () => agentSource(deps as unknown as Parameters<typeof agentSource>[0]);
      const channel = feed.channel('agents', source, agentView({ groupId }));
      channel.follow(
        event => {
          if (event.kind === 'snapshot') told.push(`=${event.state.map(agent => agent.id).join()}`);
          else if (event.kind === 'change') told.push(`${event.change.before?.id ?? '-'}>${event.change.after?.id ?? '-'}`);
        },
        () => undefined,
      );
      return told;
    };
    const [all, first, second] = [watch(null), watch(1), watch(2)];
    await clock.pass(1);
    expect([all, first, second, reads]).toEqual([['=1,2'], ['=1'], ['=2'], 1]);
    for (const agent of roster) agent.groupId = 2;
    await clock.pass(1_000);
    roster.pop();
    await clock.pass(1_000);
    expect([all, first, second]).toEqual([
      ['=1,2', '1>1', '2>-'],
      ['=1', '1>-'],
      ['=2', '->1', '2>-'],
    ]);
  });
});

describe('a state with an end', () => {
  test('is sent in full before the end, even if its encoding takes time', async () => {
    const clock = manualClock();
    const feed = new Feed<string, string>({ clock, ids });
    const channel = feed.channel('ended', () =>
      polledSource<string, string>(
        { clock, log: silentLog },
        {
          what: 'a word',
          read: async () => 'over',
          changes: () => [],
          isLast: () => true,
          listen: () => () => undefined,
          pollMs: 1_000,
          spacingMs: 1_000,
        },
      ),
    );
    const got: string[] = [];
    const sink = { put: (message: string) => void got.push(message), end: () => void got.push('end') };
    new FanOut<{ kind: string }, string>(clock).join(channel, async ({ kind }) => kind, { cursor: null, sink });
    await clock.pass(1);
    expect(got).toEqual(['snapshot', 'end']);
  });
});
