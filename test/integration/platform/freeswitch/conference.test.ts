import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { SwitchSimulator } from '#tools/switch/simulator.ts';
import type { SwitchEvent } from '#platform/freeswitch/switch.ts';
import { type Connected, connectTo, dial, startSimulator } from '#test/support/switch-rig.ts';
import { waitUntil } from '#test/support/wait-until.ts';

const PLACE = { name: 'callout-room', profile: 'default' };
type ConferenceEvent = Extract<SwitchEvent, { kind: 'conference' }>;

let simulator: SwitchSimulator;
let client: Connected;

beforeEach(async () => {
  simulator = await startSimulator();
  client = await connectTo(simulator.port);
});

afterEach(async () => {
  await client.port.close();
  await simulator.close();
});

const told = (action: ConferenceEvent['action'], size: number) =>
  waitUntil(`${action} ${size}`, () =>
    client.events.find((event): event is ConferenceEvent => event.kind === 'conference' && event.action === action && event.size === size),
  );

describe('conferences at the switch [recording d-conference-plain]', () => {
  test('a parked call and an originated leg meet; each step is reported with the size after it', async () => {
    const { conferences } = client.port;
    const [customer, agent] = [dial(), dial({ conference: { ...PLACE, muted: true } })];
    await client.port.originate(customer);
    await client.event('answered', customer.requestId);
    expect(await conferences.join('cell-1', customer.requestId, PLACE)).toBe('moved');
    await client.port.originate(agent);
    const joined = await told('joined', 2);
    expect(joined.member).toMatchObject({ channelUuid: agent.requestId, canSpeak: false, canHear: true });
    const listening = await conferences.members('cell-1', PLACE.name);
    expect(listening?.map(member => [member.channelUuid, member.canSpeak])).toEqual([
      [agent.requestId, false],
      [customer.requestId, true],
    ]);
    expect(await conferences.change('cell-1', PLACE.name, joined.member?.memberId ?? 0, 'unmute')).toBe('done');
    expect((await told('changed', 2)).member).toMatchObject({ channelUuid: agent.requestId, canSpeak: true });
    expect(await conferences.park('cell-1', customer.requestId)).toBe('moved');
    expect((await told('left', 1)).member?.channelUuid).toBe(customer.requestId);
    expect(await client.port.probe('cell-1', customer.requestId)).not.toEqual({ kind: 'absent' });
    expect(await conferences.change('cell-1', PLACE.name, joined.member?.memberId ?? 0, 'kick')).toBe('done');
    await client.event('hung_up', agent.requestId);
    await told('destroyed', 0);
    expect(await conferences.members('cell-1', PLACE.name)).toBeNull();
  });

  test('a member that is kept from another is heard by all others, until the relation is cleared or it leaves', async () => {
    const { conferences } = client.port;
    const legs = [dial({ conference: PLACE }), dial({ conference: PLACE }), dial({ conference: PLACE })];
    for (const leg of legs) await client.port.originate(leg);
    await told('joined', 3);
    const idOf = async (leg = 0) =>
      (await conferences.members('cell-1', PLACE.name))?.find(({ channelUuid }) => channelUuid === legs[leg]?.requestId)?.memberId ?? 0;
    const hearers = () => simulator.hearersOf(legs[0]?.requestId ?? '').sort();
    const both = legs
      .slice(1)
      .map(({ requestId }) => requestId)
      .sort();
    expect(hearers()).toEqual(both);
    const relate = async (otherId: number) => conferences.relate('cell-1', PLACE.name, await idOf(), { otherId, how: 'nospeak' });
    expect(await relate(await idOf(1))).toBe('done');
    expect(await relate(await idOf(1))).toBe('done');
    expect(hearers()).toEqual([legs[2]?.requestId]);
    expect(await relate(999)).toBe('absent');
    expect(await conferences.relate('cell-1', PLACE.name, await idOf(), { how: 'clear' })).toBe('done');
    expect(hearers()).toEqual(both);
  });

  test('missing conferences and members are reported as such', async () => {
    const { conferences } = client.port;
    expect(await conferences.join('cell-1', 'nobody', PLACE)).toBe('absent');
    expect(await conferences.change('cell-1', 'nowhere', 1, 'mute')).toBe('absent');
    expect(await conferences.relate('cell-1', 'nowhere', 1, { how: 'clear' })).toBe('absent');
    expect(await conferences.sendDigits('cell-1', 'nobody', '1')).toBe('absent');
    expect(await conferences.record('cell-1', 'nowhere', null)).toBe('absent');
  });

  test('digits reach the channel; a recording begins and ends', async () => {
    const call = dial({ conference: PLACE });
    await client.port.originate(call);
    await told('joined', 1);
    expect(await client.port.conferences.sendDigits('cell-1', call.requestId, '12#')).toBe('done');
    expect(simulator.record().channels[0]).toMatchObject({ digits: '12#' });
    expect(await client.port.conferences.record('cell-1', PLACE.name, 'a.wav')).toBe('done');
    expect(await client.port.conferences.record('cell-1', PLACE.name, null)).toBe('done');
  });
});
