import { describe, expect, test } from '@jest/globals';
import type { CampaignEvent } from '#actors/campaign/events.ts';
import { campaignMachine } from '#actors/campaign/machine.ts';
import { campaignAggregate } from '#operations/campaigns/campaign-actor.ts';
import { givenMachine } from '#test/support/machine-given.ts';

const given = givenMachine<Record<string, never>, CampaignEvent>(campaignMachine);
const start: CampaignEvent = { type: 'startRequested', hasWork: true, by: 'admin' };
const pause: CampaignEvent = { type: 'pauseRequested', by: 'admin' };
const archive: CampaignEvent = { type: 'archiveRequested', activeCalls: 0, by: 'admin' };
const drained: CampaignEvent = { type: 'campaignDrained' };

const REACHED: Record<string, CampaignEvent[]> = {
  draft: [],
  running: [start],
  paused: [start, pause],
  completed: [start, drained],
  archived: [archive],
};

describe('campaign status [OCS §3, D5.2]', () => {
  test.each<[string, CampaignEvent, string]>([
    ['draft', start, 'running'],
    ['paused', start, 'running'],
    ['completed', start, 'running'],
    ['running', pause, 'paused'],
    ['running', drained, 'completed'],
    ['draft', archive, 'archived'],
    ['paused', archive, 'archived'],
    ['completed', archive, 'archived'],
  ])('%s + %o → %s', (from, event, to) => {
    expect(given(...(REACHED[from] ?? [])).when(event).value).toBe(to);
  });

  test.each<[string, CampaignEvent]>([
    ['archived', start],
    ['archived', pause],
    ['draft', pause],
    ['completed', pause],
    ['draft', drained],
    ['running', archive],
    ['draft', { ...start, hasWork: false }],
    ['draft', { ...archive, activeCalls: 1 }],
  ])('%s ignores %o', (from, event) => {
    expect(given(...(REACHED[from] ?? [])).when(event).ignored).toBe(true);
  });

  test('starting records the event and wakes the dispatcher', () => {
    expect(given().when(start).effects).toEqual([
      { type: 'recordEvent', params: { type: 'campaign.started', by: 'admin' } },
      { type: 'forgetScriptless', params: null },
      { type: 'wakeDispatch', params: null },
    ]);
  });

  test('pausing gives claims back that were not dialled', () => {
    expect(
      given(start)
        .when(pause)
        .effects.map(effect => effect.type),
    ).toEqual(['cancelClaims', 'recordEvent']);
  });

  test('a row of any status loads as its snapshot', () => {
    const aggregate = campaignAggregate();
    for (const status of Object.keys(REACHED)) expect(aggregate.parse(`{"v":1,"value":"${status}","context":{}}`).value).toBe(status);
  });
});
