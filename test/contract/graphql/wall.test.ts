import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MONITORED_BUSINESS } from '#campaigns/campaign.ts';
import { type ConferenceRig, startConferenceRig } from '#test/support/conference-rig.ts';
import { numbers } from '#test/support/dispatch-rig.ts';
import { connectClient, follow } from './graphql-client.ts';
import { ask, provesStream, type Question, type Told } from './stream-proof.ts';

const BUSINESSES = [
  { businessCode: 'demo', businessName: '演示', runtimeBringsFlow: true },
  { businessCode: MONITORED_BUSINESS, businessName: '知识库语音', runtimeBringsFlow: true },
];

let rig: ConferenceRig;
beforeAll(async () => {
  rig = await startConferenceRig({ businesses: BUSINESSES });
});
afterAll(() => rig?.close());

const NOW = `now { overview { campaigns { name } cells { state } } recentMinutes { dials }
  waiting { forMonitor { count since } claims { count since } forAgent { count since } } }`;
const runtimeOverview: Question = {
  field: 'runtimeOverview',
  selection: `... on RuntimeOverviewSnapshot { cursor ${NOW} } ... on RuntimeOverviewChanged { cursor ${NOW} }`,
};

describe('runtimeOverview [OCS 2.12]', () => {
  test('snapshot, delta, resume, resync: the campaigns, the last minutes, and no waiting calls', async () => {
    const { first, delta } = await provesStream(
      rig.server,
      { ...runtimeOverview, token: rig.token },
      {
        change: () => rig.campaign({ name: '墙上的活动', contacts: numbers(2, 13_050_000_000) }),
        isDelta: told => told['now']?.overview.campaigns.some(({ name }: { name: string }) => name === '墙上的活动'),
      },
    );
    expect(first).toMatchObject({ __typename: 'RuntimeOverviewSnapshot', now: { overview: { cells: [{ state: 'UP' }] } } });
    expect(first['now'].recentMinutes).toHaveLength(15);
    const nobody = { count: 0, since: null };
    expect(delta).toMatchObject({
      __typename: 'RuntimeOverviewChanged',
      now: { waiting: { forMonitor: nobody, claims: nobody, forAgent: nobody } },
    });
  });

  test('reports waiting calls: for a monitor until somebody watches the call', async () => {
    const { client } = connectClient(rig.server, rig.token);
    const watched = follow<Told>(client, ask(runtimeOverview), 'runtimeOverview');
    const businessConfig = { monitoringMode: 'elastic', intentKeywords: ['投诉'] };
    const { id } = await rig.campaign({ businessCode: MONITORED_BUSINESS, businessConfig, contacts: numbers(1, 13_060_000_000) });
    await rig.start(id);
    const waits = await watched.until('the call that waits', told => told['now']?.waiting?.forMonitor.count > 0);
    expect(Date.parse(waits['now'].waiting.forMonitor.since)).not.toBeNaN();
    const agent = await rig.agent();
    await rig.server.api('POST', '/api/live-monitor/heartbeat', { campaignId: id, tabId: 'tab-1' }, agent.token);
    await watched.until('the call that is watched', told => told !== waits && told['now']?.waiting?.forMonitor.count === 0);
    await rig.server.api('DELETE', '/api/live-monitor/presence', undefined, agent.token);
    await client.dispose();
  });
});

describe('health [D14.1]', () => {
  test('begins with the current state, in a query and in a subscription alike', async () => {
    const { client } = connectClient(rig.server, rig.token);
    const watched = follow<Told>(
      client,
      `subscription { health { __typename ... on HealthSnapshot { parts { part level state } } } }`,
      'health',
    );
    const { parts } = await watched.until('the snapshot', () => true);
    expect(parts).toContainEqual({ part: 'CACHE', level: 'GREEN', state: 'WORKS' });
    expect(parts).toContainEqual({ part: 'SWITCH', level: 'GREEN', state: 'WORKS' });
    // No NLU service runs beside a test.
    expect(parts).toContainEqual({ part: 'NLU', level: 'AMBER', state: 'NLU_AWAY' });
    await client.dispose();
  });
});
