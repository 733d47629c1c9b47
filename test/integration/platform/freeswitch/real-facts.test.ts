import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type EslEvent, header } from '#platform/freeswitch/esl-codec.ts';
import { sleep, systemClock } from '#kernel/clock.ts';
import { systemIds } from '#kernel/ids.ts';
import { openTarget, type Target, TARGETS, type Watcher } from '#test/support/switch-target.ts';
import { waitUntil } from '#test/support/wait-until.ts';

/** Every test leaves the switch without channels; the limit covers a ring of a second and a lagging list. */
const TIMEOUT_MS = 60_000;
/** Distance of a timestamp from a tick of 20 ms, with the switch's own delay, in µs. */
const WITHIN_TICK_MICROS = 5_000;
const NEXT_TICK_MICROS = 15_000;

let target: Target;
let watcher: Watcher;
let number = 0;

const api = (line: string) => watcher.api(line);
/** A unique number whose ending decides what its callee does. */
const callee = (ending: string) => target.dial(`1380000${String((number += 1)).padStart(2, '0')}${ending}`);

async function originate(ending: string, application = '&park()'): Promise<string> {
  const uuid = systemIds();
  await watcher.say(
    `bgapi originate {origination_uuid=${uuid},ignore_early_media=true,originate_timeout=20}${callee(ending)} ${application}`,
  );
  return uuid;
}

async function answered(application?: string): Promise<string> {
  const uuid = await originate('05', application);
  await watcher.event('CHANNEL_ANSWER', uuid);
  return uuid;
}

async function rowOf(uuid: string): Promise<Record<string, string> | undefined> {
  const { rows = [] }: { rows?: Record<string, string>[] } = JSON.parse(await api('show channels as json'));
  return rows.find(row => row['uuid'] === uuid);
}

const untilRow = (uuid: string, columns: Record<string, string>) =>
  waitUntil(`${uuid} to be ${JSON.stringify(columns)}`, async () => {
    const row = await rowOf(uuid);
    return row && Object.entries(columns).every(([name, value]) => row[name] === value);
  });

const stamp = (event: EslEvent) => Number(header(event, 'Event-Date-Timestamp'));
/** The switch's clock stands still between two ticks. */
const isOnTicks = (apart: number) => apart < WITHIN_TICK_MICROS || apart > NEXT_TICK_MICROS;
const sequence = (event: EslEvent) => Number(header(event, 'Event-Sequence'));
const size = (event: EslEvent) => [...event.headers].reduce((sum, [name, value]) => sum + name.length + String(value).length + 3, 0);

describe.each(TARGETS)('behaviour of a real switch, at $name [fixtures/esl/README §1a]', ({ open }) => {
  beforeAll(async () => {
    target = await open();
  }, TIMEOUT_MS);
  afterAll(() => target.close());
  beforeEach(async () => {
    watcher = await openTarget(target);
  });
  afterEach(async () => {
    await api('fsctl resume');
    await api('hupall');
    await waitUntil('no channels', async () => (await api('show channels count')).startsWith('0 total'));
    watcher.close();
  });

  test('the list shows the progress of a call, including an answer whose event was lost', async () => {
    const uuid = await originate('00');
    await untilRow(uuid, { state: 'CS_CONSUME_MEDIA', callstate: 'RINGING', application: '' });
    watcher.close();
    await sleep(systemClock, 1_500);
    watcher = await openTarget(target);
    await untilRow(uuid, { state: 'CS_EXECUTE', callstate: 'ACTIVE', application: 'park' });
    expect(watcher.events.filter(event => header(event, 'Unique-ID') === uuid)).toEqual([]);
  });

  test('early media is reported as EARLY', async () => {
    await untilRow(await originate('04'), { callstate: 'EARLY', application: '' });
  });

  test('the time of the answer: answered_time and the dump; answer_uepoch is undefined as long as the call lives', async () => {
    const uuid = await originate('00');
    await untilRow(uuid, { callstate: 'RINGING' });
    expect([await api(`uuid_getvar ${uuid} answered_time`), await api(`uuid_getvar ${uuid} answer_uepoch`)]).toEqual(['0', '_undef_']);
    const told = await watcher.event('CHANNEL_ANSWER', uuid);
    const answeredAt = await api(`uuid_getvar ${uuid} answered_time`);
    expect(Math.abs(Number(answeredAt) - stamp(told))).toBeLessThan(WITHIN_TICK_MICROS);
    expect(await api(`uuid_getvar ${uuid} answer_uepoch`)).toBe('_undef_');
    expect(JSON.parse(await api(`uuid_dump ${uuid} json`))).toMatchObject({ 'Caller-Channel-Answered-Time': answeredAt });
  });

  test('a call continues when the client that ordered it disconnects at once', async () => {
    const uuid = systemIds();
    const other = await openTarget(target);
    void other.say(`bgapi originate {origination_uuid=${uuid},ignore_early_media=true}${callee('05')} &park()`).catch(() => undefined);
    await waitUntil('the order to be written', async () => (await api(`uuid_exists ${uuid}`)) === 'true');
    other.close();
    await watcher.event('CHANNEL_ANSWER', uuid);
    await sleep(systemClock, 1_500);
    expect(await rowOf(uuid)).toMatchObject({ callstate: 'ACTIVE', application: 'park' });
  });

  test('a room is created after the reply to the transfer; commands for it before find no room', async () => {
    const uuid = await answered();
    const [room, file] = [`room-${systemIds()}`, target.recording(`${systemIds()}.wav`)];
    const [moved, early] = await Promise.all([
      api(`uuid_transfer ${uuid} conference:${room}@default inline`),
      api(`conference ${room} record ${file}`),
    ]);
    expect([moved, early]).toEqual(['+OK', `-ERR Conference ${room} not found`]);
    const [created, joined] = [await watcher.inRoom(room, 'conference-create'), await watcher.inRoom(room, 'add-member')];
    expect(sequence(created)).toBeLessThan(sequence(joined));
    expect(isOnTicks(stamp(joined) - stamp(created))).toBe(true);
    await untilRow(uuid, { state: 'CS_EXECUTE', callstate: 'ACTIVE', application: 'conference' });
  });

  test('a recording is a member without uuid, may run once per file, and ends with its room', async () => {
    const uuid = await answered();
    const [room, file] = [`room-${systemIds()}`, target.recording(`${systemIds()}.wav`)];
    await api(`uuid_transfer ${uuid} conference:${room}@default inline`);
    await watcher.inRoom(room, 'add-member');
    expect(await api(`conference ${room} record ${file}`)).toBe(`+OK Record file ${file}`);
    expect(header(await watcher.inRoom(room, 'start-recording'), 'Path')).toBe(file);
    expect(await api(`conference ${room} record ${file}`)).toBe(`-ERR file [${file}] is already being used for recording.`);
    const [listed]: { members: Record<string, unknown>[] }[] = JSON.parse(await api(`conference ${room} json_list`));
    const node = listed?.members.find(member => member['type'] === 'recording_node');
    expect(node).toMatchObject({ record_path: file });
    expect(node).not.toHaveProperty('uuid');
    await api(`uuid_kill ${uuid}`);
    const [stopped, destroyed] = [await watcher.inRoom(room, 'stop-recording'), await watcher.inRoom(room, 'conference-destroy')];
    expect(sequence(stopped)).toBeLessThan(sequence(destroyed));
    expect(Number(header(stopped, 'Samples-Out'))).toBeGreaterThanOrEqual(0);
  });

  test('the reply to a recording that cannot be written is success, and it begins and ends with one timestamp', async () => {
    const uuid = await answered();
    const room = `room-${systemIds()}`;
    await api(`uuid_transfer ${uuid} conference:${room}@default inline`);
    await watcher.inRoom(room, 'add-member');
    expect(await api(`conference ${room} record /dev/null/a.wav`)).toBe('+OK Record file /dev/null/a.wav');
    const [started, stopped] = [await watcher.inRoom(room, 'start-recording'), await watcher.inRoom(room, 'stop-recording')];
    expect(isOnTicks(stamp(stopped) - stamp(started))).toBe(true);
    expect(stamp(stopped) - stamp(started)).toBeLessThan(2 * NEXT_TICK_MICROS);
    expect(sequence(started)).toBeLessThan(sequence(stopped));
    expect(header(stopped, 'Samples-Out')).toBe('0');
  });

  test('the floor and talking members are reported too', async () => {
    const uuid = await answered();
    const room = `room-${systemIds()}`;
    await api(`uuid_transfer ${uuid} conference:${room}@default inline`);
    expect(header(await watcher.inRoom(room, 'floor-change'), 'Old-ID')).toBe('none');
    expect(header(await watcher.inRoom(room, 'start-talking'), 'Unique-ID')).toBe(uuid);
    await api(`uuid_transfer ${uuid} park inline`);
    await watcher.inRoom(room, 'conference-destroy');
    const order = watcher.events.filter(event => header(event, 'Conference-Name') === room).map(event => header(event, 'Action'));
    expect(order.lastIndexOf('floor-change')).toBeLessThan(order.indexOf('del-member'));
    await untilRow(uuid, { callstate: 'ACTIVE', application: 'park' });
  });

  test('an exclusion beside a filter that matches every event drops talk events, and nothing else', async () => {
    const filtered = await openTarget(target);
    for (const filter of ['Event-Name /^[A-Z]/', 'Action -start-talking', 'Action -stop-talking', 'Action -floor-change'])
      expect(await filtered.say(`filter ${filter}`)).toMatchObject({ text: `+OK filter added. [${filter.replace(' ', ']=[')}]` });
    const uuid = await answered();
    const room = `room-${systemIds()}`;
    await api(`uuid_transfer ${uuid} conference:${room}@default inline`);
    await watcher.inRoom(room, 'start-talking');
    await api(`uuid_kill ${uuid}`);
    await filtered.event('CHANNEL_HANGUP_COMPLETE', uuid);
    await Promise.all([watcher, filtered].map(each => each.inRoom(room, 'conference-destroy')));
    const heard = (events: readonly EslEvent[]) =>
      events
        .filter(event => header(event, 'Unique-ID') === uuid || header(event, 'Conference-Name') === room)
        .map(event => header(event, 'Action') ?? event.name);
    const isChatter = (name: string) => name.endsWith('-talking') || name === 'floor-change';
    const [all, some] = [heard(watcher.events), heard(filtered.events)].map(names => names.sort());
    expect(some).toEqual(all?.filter(name => !isChatter(name)));
    filtered.close();
  });

  test('two channels are bridged after the reply; transferring one ends the other', async () => {
    const [first, second] = [await answered(), await answered()];
    expect(await api(`uuid_bridge ${first} ${second}`)).toBe(`+OK ${second}`);
    await watcher.event('CHANNEL_BRIDGE', first);
    await untilRow(first, { state: 'CS_SOFT_EXECUTE', callstate: 'ACTIVE', application: 'uuid_bridge', application_data: second });
    await untilRow(second, { state: 'CS_EXCHANGE_MEDIA', callstate: 'ACTIVE', application: 'uuid_bridge', application_data: first });
    await api(`uuid_transfer ${first} park inline`);
    await watcher.event('CHANNEL_HANGUP_COMPLETE', second);
    await watcher.event('CHANNEL_UNBRIDGE', first);
    await untilRow(first, { state: 'CS_EXECUTE', callstate: 'ACTIVE', application: 'park' });
  });

  test('both transferred at once meet in the room: neither is lost', async () => {
    const [first, second] = [await answered(), await answered()];
    await api(`uuid_bridge ${first} ${second}`);
    await watcher.event('CHANNEL_BRIDGE', first);
    const room = `room-${systemIds()}`;
    await Promise.all([first, second].map(uuid => api(`uuid_transfer ${uuid} conference:${room}@default inline`)));
    await untilRow(first, { application: 'conference' });
    await untilRow(second, { application: 'conference' });
  });

  test('an inline dialplan with a separator of its own plays its tones and hangs up', async () => {
    const uuid = await answered();
    const orders = 'playback:tone_stream://%(330,15,950);%(330,15,1400);loops=1^hangup:NORMAL_CLEARING';
    expect((await api(`uuid_transfer ${uuid} m:^:${orders} inline`)).trim()).toBe('+OK');
    await untilRow(uuid, { application: 'playback' });
    const end = await watcher.event('CHANNEL_HANGUP_COMPLETE', uuid);
    expect(header(end, 'Hangup-Cause')).toBe('NORMAL_CLEARING');
  });

  test('a held channel is HELD and its row names no application', async () => {
    const uuid = await answered();
    await untilRow(uuid, { application: 'park' });
    expect(await api(`uuid_hold ${uuid}`)).toBe('+OK Success');
    await untilRow(uuid, { callstate: 'HELD', application: '' });
    expect(await api(`uuid_hold off ${uuid}`)).toBe('+OK Success');
    await untilRow(uuid, { callstate: 'ACTIVE' });
  });

  test.each([
    ['user/9999', 'SUBSCRIBER_ABSENT'],
    ['{domain_name=127.0.0.1}user/9999', 'SUBSCRIBER_ABSENT'],
    ['user/9999@nowhere.invalid', 'SUBSCRIBER_ABSENT'],
    ['sofia/no-such-profile/1@127.0.0.1', 'INVALID_PROFILE'],
    ['sofia/gateway/no-such-gateway/1', 'INVALID_GATEWAY'],
    ['no-such-endpoint/1', 'CHAN_NOT_IMPLEMENTED'],
  ])('%s is refused without a channel: %s', async (dialString, cause) => {
    expect(await refusalOf(dialString)).toEqual([`-ERR ${cause}`, 0]);
  });

  test('a paused switch refuses without a channel', async () => {
    await api('fsctl pause');
    expect(await refusalOf(callee('05'))).toEqual(['-ERR DESTINATION_OUT_OF_ORDER', 0]);
  });

  /** The job's result, and the number of channels reported before it. */
  async function refusalOf(dialString: string): Promise<[string, number]> {
    await watcher.say(`bgapi originate ${dialString} &park()`);
    const job = await watcher.event('BACKGROUND_JOB');
    return [job.body.trim(), watcher.events.filter(event => event.name === 'CHANNEL_CREATE').length];
  }

  test('events have a realistic size', async () => {
    const uuid = await answered();
    await api(`uuid_kill ${uuid}`);
    const ended = await watcher.event('CHANNEL_HANGUP_COMPLETE', uuid);
    const [created, told] = [await watcher.event('CHANNEL_CREATE', uuid), await watcher.event('CHANNEL_ANSWER', uuid)];
    expect([...created.headers].length).toBeGreaterThan(70);
    expect(size(created)).toBeGreaterThan(2_600);
    expect([...told.headers].length).toBeGreaterThan(120);
    expect(size(told)).toBeGreaterThan(5_000);
    expect([...ended.headers].length).toBeGreaterThan(200);
    expect(size(ended)).toBeGreaterThan(7_800);
  });
});
