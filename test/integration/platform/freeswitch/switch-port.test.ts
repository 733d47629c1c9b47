import type { ListedChannel } from '#platform/freeswitch/switch.ts';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { DEFAULT_ROUTES, type Routes } from '#tools/switch/dial-string.ts';
import { startSwitchSimulator, type SwitchSimulator } from '#tools/switch/simulator.ts';
import { systemClock } from '#kernel/clock.ts';
import { silentLog } from '#kernel/log.ts';
import { seededRandom } from '#kernel/random.ts';
import { type Connected, connectTo, dial, newClient, PASSWORD, startSimulator } from '#test/support/switch-rig.ts';
import { waitUntil } from '#test/support/wait-until.ts';

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

async function useGateways(gateways: Routes['gateways']): Promise<void> {
  await client.port.close();
  await simulator.close();
  simulator = await startSimulator({ routes: { ...DEFAULT_ROUTES, gateways } });
  client = await connectTo(simulator.port);
}

describe('outcomes of an originate [fixtures/esl/README §3]', () => {
  test('accepted as soon as the channel exists; answer and hang-up come as events', async () => {
    const command = dial({ destinationNumber: '13800000012' });
    expect(await client.port.originate(command)).toMatchObject({ kind: 'accepted' });
    await client.event('answered', command.requestId);
    const end = await client.event('hung_up', command.requestId);
    expect(end).toMatchObject({ cause: 'NORMAL_CLEARING', by: 'customer', answeredAt: expect.any(Number) });
    expect(client.events.filter(event => 'requestId' in event).map(event => event.kind)).toEqual([
      'channel_created',
      'answered',
      'hung_up',
    ]);
  });

  test('busy is accepted: a channel existed', async () => {
    const command = dial({ destinationNumber: '13800000001' });
    expect(await client.port.originate(command)).toMatchObject({ kind: 'accepted' });
    expect(await client.event('hung_up', command.requestId)).toMatchObject({ cause: 'USER_BUSY', by: 'customer', answeredAt: null });
  });

  test('ringing is reported', async () => {
    const command = dial({ destinationNumber: '13800000002' });
    await client.port.originate(command);
    expect(await client.event('ringing', command.requestId)).toMatchObject({ earlyMedia: false });
  });

  test.each([
    ['sofia/nope/{{destinationNumber}}@127.0.0.1', 'INVALID_PROFILE'],
    ['user/{{destinationNumber}}', 'SUBSCRIBER_ABSENT'],
  ])('%s is refused with %s: no channel', async (dialStringTemplate, cause) => {
    const reply = await client.port.originate(dial({ dialStringTemplate }));
    expect(reply).toEqual({ kind: 'refused', replyText: `-ERR ${cause}`, cause });
    expect(simulator.record().totals.channels).toBe(0);
  });

  test('a duplicate uuid is refused by the switch while the first call lives', async () => {
    const command = dial();
    await client.port.originate(command);
    await client.event('answered', command.requestId);
    const again = await client.port.originate({ ...command, sendBefore: systemClock.monotonic() + 2_000 });
    // CHANNEL_CREATE of the first has passed, so only the refusal is received.
    expect(again).toMatchObject({ kind: 'refused', cause: 'DESTINATION_OUT_OF_ORDER' });
    expect(simulator.record().totals.channels).toBe(1);
  });

  test('a call that gets another uuid is ended and refused [§7.9]', async () => {
    await useGateways({ other: 'self' });
    const command = dial({ dialStringTemplate: 'sofia/gateway/other/{{destinationNumber}}' });
    await client.port.originate(command);
    await client.event('answered', command.requestId);
    const again = await client.port.originate({ ...command, sendBefore: systemClock.monotonic() + 2_000 });
    expect(again).toMatchObject({ kind: 'refused' });
    const channels = simulator.record().channels.map(({ uuid, cause }) => [uuid === command.requestId, cause]);
    expect(channels).toEqual([
      [true, null],
      [false, 'NORMAL_CLEARING'],
    ]);
  });

  test('after the deadline nothing is sent [A6 step 6]', async () => {
    const reply = await client.port.originate(dial({ sendBefore: systemClock.monotonic() - 1 }));
    expect(reply).toMatchObject({ kind: 'not_sent', reason: 'deadline' });
    expect(simulator.record().totals.originates).toBe(0);
  });

  test.each([
    'a\n\nb{{destinationNumber}}',
    'loopback/app=system:/x.sh;{{destinationNumber}}',
    '{exec_after_bridge_app=system}sofia/gateway/gw1/{{destinationNumber}}',
    'null/{{destinationNumber}}',
  ])('an unsafe template is not sent: %j [D4.1]', async dialStringTemplate => {
    const reply = await client.port.originate(dial({ dialStringTemplate }));
    expect(reply).toMatchObject({ kind: 'not_sent', reason: 'unsafe' });
    expect(simulator.record().totals.originates).toBe(0);
  });

  test('hundreds at once: each gets a reply, each is dialled once', async () => {
    const commands = Array.from({ length: 300 }, () => dial());
    const replies = await Promise.all(commands.map(command => client.port.originate(command)));
    expect(new Set(replies.map(reply => reply.kind))).toEqual(new Set(['accepted']));
    expect(new Set(simulator.record().channels.map(channel => channel.uuid)).size).toBe(300);
  });
});

describe('variables [D4.5]', () => {
  test('plain ones are part of the originate, the others follow when the channel exists', async () => {
    const variables = { callout_request_id: 'r1', customer_name: '王 小明, 经理', note: 'a}b $x \\ :_: it\'s "so"' };
    const command = dial({ variables });
    await client.port.originate(command);
    const wanted = { ...variables, origination_uuid: command.requestId };
    await waitUntil('the note', () => simulator.record().channels[0]?.variables['note'] === variables.note);
    expect(simulator.record().channels[0]?.variables).toMatchObject(wanted);
  });

  test('From is set through a gateway whose domain the switch reports, and not through an unknown one [D4.4]', async () => {
    const through = (gateway: string) =>
      dial({ callerIdHeaderMode: 'from_and_p_preferred_identity', dialStringTemplate: `sofia/gateway/${gateway}/{{destinationNumber}}` });
    const [known, unknown] = [through('gw1'), through('no-gw')];
    await Promise.all([client.port.originate(known), client.port.originate(unknown)]);
    const fromOf = ({ requestId }: { requestId: string }) =>
      simulator.record().channels.find(({ uuid }) => uuid === requestId)?.variables['sip_from_uri'];
    expect([fromOf(known), fromOf(unknown)]).toEqual([`sip:${known.callerIdNumber}@gw1.example`, undefined]);
    expect([await client.port.gatewayDomain('cell-1', 'gw1'), await client.port.gatewayDomain('cell-1', 'no-gw')]).toEqual([
      'gw1.example',
      null,
    ]);
  });

  test('setVariables reaches a live channel and ignores an unknown one', async () => {
    const command = dial();
    await client.port.originate(command);
    await client.port.setVariables('cell-1', command.requestId, { note: "it's $so", b: ' c ' });
    await client.port.setVariables('cell-1', 'absent', { note: 'x' });
    expect(simulator.record().channels[0]?.variables).toMatchObject({ note: "it's $so", b: ' c ' });
  });

  test('values that the switch would expand, or execute, are passed in neither way', async () => {
    const command = dial({ variables: { note: '${system(id > /tmp/x)}', city: 'a}b${x}', temp_hold_music: 'x', product: 'a}b' } });
    await client.port.originate(command);
    await client.port.setVariables('cell-1', command.requestId, { name: '$\u0001{system(id)}', drop_dtmf: 'true', b: 'c' });
    await waitUntil('the product', () => simulator.record().channels[0]?.variables['product'] === 'a}b');
    const variables = simulator.record().channels[0]?.variables ?? {};
    expect(variables['b']).toBe('c');
    expect(Object.keys(variables)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(?:note|city|name|temp_hold_music|drop_dtmf)$/)]),
    );
    expect(JSON.stringify(variables)).not.toContain('${');
  });
});

describe('queries and hang-ups [fixtures/esl/README §4]', () => {
  test('exists is exact, hangup ends, the second time the channel is absent', async () => {
    const command = dial();
    await client.port.originate(command);
    expect(await client.port.probe('cell-1', command.requestId)).not.toEqual({ kind: 'absent' });
    expect(await client.port.hangup('cell-1', command.requestId, 'NORMAL_CLEARING')).toBe('ended');
    expect(await client.port.hangup('cell-1', command.requestId, 'NORMAL_CLEARING')).toBe('absent');
    expect(await client.port.probe('cell-1', command.requestId)).toEqual({ kind: 'absent' });
    expect(await client.event('hung_up', command.requestId)).toMatchObject({ cause: 'NORMAL_CLEARING', by: 'system' });
  });

  test('channels lists uuids, late; none at all is an empty list', async () => {
    expect(await client.port.channels('cell-1')).toEqual([]);
    const command = dial();
    await client.port.originate(command);
    let seen: ListedChannel[] = [];
    while (seen.length === 0) seen = await client.port.channels('cell-1');
    expect(seen).toMatchObject([{ uuid: command.requestId }]);
  });

  test('a customer without a runtime hears the apology, and the switch ends the call [I9]', async () => {
    const command = dial({ destinationNumber: '13800000005' });
    await client.port.originate(command);
    await client.event('answered', command.requestId);
    expect(await client.port.dismiss('cell-1', command.requestId)).toBe('dismissed');
    await client.event('hung_up', command.requestId);
    expect(simulator.record().channels[0]?.played).toEqual([expect.stringMatching(/^tone_stream:/)]);
    expect(await client.port.dismiss('cell-1', command.requestId)).toBe('absent');
  });

  test('hostile ids never reach the switch', async () => {
    await expect(client.port.probe('cell-1', 'x\n\napi hupall')).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(client.port.hangup('cell-1', 'x', 'A\nb')).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  test('an unknown cell is unavailable, and nothing is sent', async () => {
    await expect(client.port.probe('cell-9', 'x')).rejects.toMatchObject({ code: 'SWITCH_UNAVAILABLE' });
    expect(await client.port.originate(dial({ cellId: 'cell-9' }))).toMatchObject({ kind: 'not_sent', reason: 'disconnected' });
  });
});

describe('faults of the switch', () => {
  test('frozen: unknown, the cell is down, and it is back after the thaw', async () => {
    const before = client.events.length;
    simulator.faults.freeze();
    const reply = await client.port.originate(dial({ sendBefore: systemClock.monotonic() + 2_000 }));
    expect(reply).toMatchObject({ kind: 'unknown' });
    await client.event('cell_down', undefined, before);
    expect(client.port.cells()).toMatchObject([{ cellId: 'cell-1', state: 'down' }]);
    expect(await client.port.originate(dial())).toMatchObject({ kind: 'not_sent', reason: 'disconnected' });
    await expect(client.port.probe('cell-1', 'x')).rejects.toMatchObject({ code: 'SWITCH_UNAVAILABLE' });
    simulator.faults.thaw();
    expect(await client.event('cell_up', undefined, before)).toMatchObject({ restarted: false });
    expect(client.port.cells()).toMatchObject([{ state: 'up' }]);
  });

  test('connections dropped in flight: unknown, never re-sent; after the reconnect the switch reports the outcome', async () => {
    const before = client.events.length;
    simulator.faults.loseReplies(1, 'bgapi');
    simulator.faults.loseEvents(3);
    const command = dial();
    const outcome = client.port.originate(command);
    await waitUntil('the originate', () => simulator.record().totals.channels === 1);
    simulator.faults.dropConnections();
    expect(await outcome).toMatchObject({ kind: 'unknown' });
    expect(await client.event('cell_up', undefined, before)).toMatchObject({ restarted: false });
    expect(await client.port.probe('cell-1', command.requestId)).not.toEqual({ kind: 'absent' });
    expect(simulator.record().totals.originates).toBe(1);
  });

  test('only the reply is lost: the channel itself is the answer', async () => {
    simulator.faults.loseReplies(1, 'bgapi');
    expect(await client.port.originate(dial())).toMatchObject({ kind: 'accepted' });
  });

  test('reply and events are lost: unknown, then it exists', async () => {
    simulator.faults.loseReplies(1, 'bgapi');
    simulator.faults.loseEvents(3);
    const before = client.events.length;
    const command = dial();
    expect(await client.port.originate(command)).toMatchObject({ kind: 'unknown' });
    await client.event('cell_up', undefined, before);
    expect(await client.port.probe('cell-1', command.requestId)).not.toEqual({ kind: 'absent' });
  });

  test('the reply to another command is not taken for a lost one', async () => {
    simulator.faults.loseReplies(1, 'bgapi');
    const before = client.events.length;
    const command = dial();
    const outcome = client.port.originate(command);
    await expect(client.port.probe('cell-1', 'nobody')).rejects.toMatchObject({ code: 'SWITCH_UNAVAILABLE' });
    expect(await outcome).toMatchObject({ kind: 'accepted' });
    await client.event('cell_up', undefined, before);
  });

  test('duplicated events: the same event id twice, one outcome', async () => {
    simulator.faults.duplicateEvents(10);
    const command = dial({ destinationNumber: '13800000001' });
    expect(await client.port.originate(command)).toMatchObject({ kind: 'accepted' });
    await waitUntil('both ends', () => client.events.filter(event => event.kind === 'hung_up').length === 2);
    const ids = client.events.flatMap(event => (event.kind === 'hung_up' ? [event.eventId] : []));
    expect(new Set(ids).size).toBe(1);
  });

  test('events out of order: CHANNEL_CREATE after the next event changes nothing', async () => {
    simulator.faults.swapEvents(1);
    const command = dial({ destinationNumber: '13800000001' });
    expect(await client.port.originate(command)).toMatchObject({ kind: 'accepted' });
    await client.event('channel_created', command.requestId);
    const kinds = client.events.flatMap(event => ('requestId' in event ? [event.kind] : []));
    expect(kinds).toEqual(['hung_up', 'channel_created']);
  });

  test('slow, but in time: accepted', async () => {
    simulator.faults.slow(300);
    expect(await client.port.originate(dial())).toMatchObject({ kind: 'accepted' });
  });

  test('killed: down, all channels lost, back with a new core', async () => {
    const command = dial();
    await client.port.originate(command);
    const before = client.events.length;
    const first = client.events.find(event => event.kind === 'cell_up');
    simulator.faults.kill(100);
    await client.event('cell_down', undefined, before);
    const up = await client.event('cell_up', undefined, before);
    expect(up.restarted).toBe(true);
    expect(up.coreUuid).not.toBe(first?.kind === 'cell_up' && first.coreUuid);
    expect(await client.port.probe('cell-1', command.requestId)).toEqual({ kind: 'absent' });
    expect(simulator.record().channels[0]).toMatchObject({ cause: 'LOST' });
  });

  test('an orderly restart: down at once, hang-ups are reported, back with a new core', async () => {
    const command = dial();
    await client.port.originate(command);
    const before = client.events.length;
    simulator.faults.restart(100);
    await client.event('cell_down', undefined, before);
    expect(await client.event('hung_up', command.requestId)).toMatchObject({ cause: 'SYSTEM_SHUTDOWN', by: 'system' });
    expect(await client.event('cell_up', undefined, before)).toMatchObject({ restarted: true });
  });
});

describe('cells', () => {
  test('a wrong password leaves the cell down', async () => {
    const other = newClient(simulator.port, { password: 'wrong' });
    expect(await other.event('cell_down')).toMatchObject({ reason: expect.stringContaining('password') });
    expect(other.port.cells()).toMatchObject([{ state: 'down', fault: 'auth_refused' }]);
    expect(other.port.cells()).toMatchObject([{ state: 'down' }]);
    await other.port.close();
  });

  test('a disabled cell dials nothing', async () => {
    const disabled = await connectTo(simulator.port, { isEnabled: false });
    expect(await disabled.port.originate(dial())).toMatchObject({ kind: 'not_sent', reason: 'disabled' });
    await disabled.port.close();
  });

  test('a cell that starts later is found', async () => {
    const free = await startSimulator();
    await free.close();
    const connecting = connectTo(free.port);
    const late = await startSwitchSimulator({
      host: '127.0.0.1',
      port: free.port,
      password: PASSWORD,
      random: seededRandom(3),
      clock: systemClock,
      log: silentLog,
    });
    const found = await connecting;
    expect(found.port.cells()).toMatchObject([{ state: 'up' }]);
    await found.port.close();
    await late.close();
  });
});
