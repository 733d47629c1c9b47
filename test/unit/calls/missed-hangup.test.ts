import { describe, expect, test } from '@jest/globals';
import { agentEffects } from '#agents/agent-actor.ts';
import type { AgentEvent } from '#actors/agent/events.ts';
import { type CallEffectOptions, callEffects } from '#calls/effects.ts';
import { silentLog } from '#kernel/log.ts';
import { manualClock } from '#test/support/manual-clock.ts';

/** A switch whose channel has ended, and a host that collects events in the order of their arrival. */
function rig() {
  const clock = manualClock();
  const sent: { type: string; at?: number }[] = [];
  const host = () => ({ send: async (_id: string, event: { type: string }) => void sent.push(event) });
  const switchPort = { probe: async () => ({ kind: 'absent' }) };
  return { clock, sent, options: { clock, switchPort, host, log: silentLog } };
}

const META = JSON.stringify({ requestId: 'r', cellId: 'cell-1' });

describe('a channel that is gone before its hang-up event has arrived [D12.7, I9]', () => {
  test('an agent’s leg counts as missing only after the event could arrive', async () => {
    const { clock, sent, options } = rig();
    const began = clock.now();
    const probed = agentEffects(options as never).probeLeg({ fence: 'f', cellId: 'cell-1', legUuid: undefined }, {
      id: '7',
      effectId: 'e',
    } as never);
    await clock.pass(100);
    const ended: AgentEvent = { type: 'legEnded', fence: 'f', cause: 'USER_BUSY', at: began };
    await options.host().send('7', ended);
    await clock.until(Promise.resolve(probed));
    expect(sent.map(({ type }) => type)).toEqual(['legEnded', 'legMissing']);
    expect(sent[1]).toMatchObject({ at: began });
  });

  test('a call whose customer was busy is not one of unknown outcome', async () => {
    const { clock, sent, options } = rig();
    const context = { id: 'r', effectId: 'e', meta: META, state: { value: 'open', context: {} } };
    const probed = callEffects(options as unknown as CallEffectOptions).probeSwitch({ sightings: 1 }, context as never);
    await clock.pass(100);
    await options.host().send('r', { type: 'channelHungUp' });
    await clock.until(Promise.resolve(probed));
    expect(sent.map(({ type }) => type)).toEqual(['channelHungUp', 'channelMissing']);
  });
});
