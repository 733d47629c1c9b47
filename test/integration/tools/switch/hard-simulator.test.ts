import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { type EslEvent, header } from '#platform/freeswitch/esl-codec.ts';
import { DEFAULT_ROUTES } from '#tools/switch/dial-string.ts';
import type { SimulatorOptions, SwitchSimulator } from '#tools/switch/simulator.ts';
import { DEFAULT_WORLD, type World } from '#tools/switch/world.ts';
import { type Clock, sleep, systemClock } from '#kernel/clock.ts';
import { startSimulator } from '#test/support/switch-rig.ts';
import { openTarget, type Watcher } from '#test/support/switch-target.ts';
import { waitUntil } from '#test/support/wait-until.ts';

const PASSWORD = 'hard';
const TALK_MS = 150;
/** Long enough that a short company on a stalled machine does not look like a whole talk. */
const LONG_TALK_MS = 2_000;
/** Everybody answers at once and talks for a moment. */
const TALKERS: World = {
  ...DEFAULT_WORLD,
  rates: { answer: 1, busy: 0, noAnswer: 0, reject: 0, unreachable: 0, voicemail: 0 },
  networkMs: { minMs: 1, maxMs: 1 },
  ringMs: { minMs: 1, maxMs: 1 },
  talkMs: { minMs: TALK_MS, maxMs: TALK_MS },
};

let simulator: SwitchSimulator;
let watcher: Watcher;

async function begin(change: Partial<SimulatorOptions> = {}): Promise<void> {
  simulator = await startSimulator({ password: PASSWORD, world: TALKERS, showLagMs: 0, ...change });
  watcher = await watch();
}

const watch = () =>
  openTarget({
    host: '127.0.0.1',
    port: simulator.port,
    password: PASSWORD,
  });

afterEach(async () => {
  watcher.close();
  await simulator.close();
});

const api = (line: string) => watcher.api(line);
const order = async (fault: object) => expect(await api(`callout_fault ${JSON.stringify(fault)}`)).toBe('+OK');
const originate = (uuid: string, to = 'sofia/external/13900000050@h', more = '', application = '&park()') =>
  watcher.say(`bgapi originate {origination_uuid=${uuid},ignore_early_media=true${more}}${to} ${application}`);

async function answered(uuid: string): Promise<string> {
  await originate(uuid);
  await watcher.event('CHANNEL_ANSWER', uuid);
  return uuid;
}

const endOf = (uuid: string) => simulator.record().channels.find(channel => channel.uuid === uuid)?.endedAt ?? null;
const untilEnded = (uuid: string) => waitUntil(`${uuid} to end`, () => endOf(uuid) !== null);

describe('a callee who is answered and then forgotten stays [fixtures/esl/README §1a]', () => {
  test('in silence, parked, for ever', async () => {
    await begin();
    await answered('u1');
    await sleep(systemClock, 4 * TALK_MS);
    expect(endOf('u1')).toBeNull();
    expect(JSON.parse(await api('show channels as json')).rows).toMatchObject([{ callstate: 'ACTIVE', application: 'park' }]);
  });

  test.each([
    ['a runtime speaks', () => api('callout_attend u1')],
    ['something is played', () => api('uuid_broadcast u1 tone_stream://%(300,0,440) aleg')],
  ])('its talk time runs once %s', async (_what, act) => {
    await begin();
    await answered('u1');
    await act();
    await untilEnded('u1');
    expect(header(await watcher.event('CHANNEL_HANGUP_COMPLETE', 'u1'), 'variable_sip_hangup_disposition')).toBe('recv_bye');
  });

  test('its talk time runs once bridged', async () => {
    await begin();
    await Promise.all(['u1', 'u2'].map(answered));
    await api('uuid_bridge u1 u2');
    await untilEnded('u1');
  });

  test('alone in a conference is silence; in company the talk time runs, and pauses afterwards', async () => {
    await begin({ world: { ...TALKERS, talkMs: { minMs: LONG_TALK_MS, maxMs: LONG_TALK_MS } } });
    await Promise.all(['u1', 'u2'].map(answered));
    await api('uuid_transfer u1 conference:room@default inline');
    await sleep(systemClock, LONG_TALK_MS + TALK_MS);
    expect(endOf('u1')).toBeNull();
    await api('uuid_transfer u2 conference:room@default inline');
    await sleep(systemClock, TALK_MS);
    await api('uuid_kill u2');
    await sleep(systemClock, LONG_TALK_MS + TALK_MS);
    expect(endOf('u1')).toBeNull();
  });

  test('impatient callees hang up all the same', async () => {
    await begin({ world: { ...TALKERS, impatientShare: 1 } });
    await answered('u1');
    await untilEnded('u1');
  });
});

describe('an agent without a domain is not found [fixtures/esl/README §1a]', () => {
  const phones = [{ extension: '1001', isRegistered: true, manner: 'answers', ringMs: 1, talkMs: null }] as const;
  const jobOf = async (to: string) => {
    await originate('u1', to);
    return (await watcher.event('BACKGROUND_JOB')).body.trim();
  };

  test.each(['', ',domain_name=pbx.example'])('user/1001 with "%s" before it', async more => {
    await begin({ phones, realm: 'pbx.example' });
    await originate('u1', 'user/1001', more);
    expect((await watcher.event('BACKGROUND_JOB')).body.trim()).toBe('-ERR SUBSCRIBER_ABSENT');
    expect(watcher.events.map(event => event.name)).toEqual(['BACKGROUND_JOB']);
  });

  test('the domain in the dial string, or that of the switch, finds it; another does not', async () => {
    await begin({ phones, realm: 'pbx.example' });
    expect(await jobOf('user/1001@pbx.example')).toBe('+OK u1');
    watcher.close();
    await simulator.close();
    await begin({ phones, realm: 'pbx.example' });
    expect(await jobOf('user/1001@127.0.0.1')).toBe('-ERR SUBSCRIBER_ABSENT');
    watcher.close();
    await simulator.close();
    await begin({ phones, realm: 'pbx.example', routes: { ...DEFAULT_ROUTES, domain: 'pbx.example' } });
    expect(await jobOf('user/1001')).toBe('+OK u1');
  });
});

describe('faults of the switch itself', () => {
  test('slowRooms: the room is created long after the reply', async () => {
    await begin();
    await answered('u1');
    await order({ fault: 'slowRooms', count: 1, durationMs: 2_000 });
    await api('uuid_transfer u1 conference:room@default inline');
    await sleep(systemClock, 200);
    expect(await api('conference room record a.wav')).toBe('-ERR Conference room not found');
    await watcher.inRoom('room', 'add-member');
  });

  test('unwritableRecordings: begins and ends with one timestamp, and the room is not recorded', async () => {
    const frozen: Clock = { ...systemClock, now: () => 1_795_000_000_500 };
    await begin({ clock: frozen });
    await answered('u1');
    await api('uuid_transfer u1 conference:room@default inline');
    await watcher.inRoom('room', 'add-member');
    await order({ fault: 'unwritableRecordings', count: 1 });
    expect(await api('conference room record a.wav')).toBe('+OK Record file a.wav');
    const [started, stopped] = [await watcher.inRoom('room', 'start-recording'), await watcher.inRoom('room', 'stop-recording')];
    const stamp = (event: EslEvent) => header(event, 'Event-Date-Timestamp');
    expect(stamp(stopped)).toBe(stamp(started));
    expect(JSON.parse(await api('conference room json_list'))).toMatchObject([{ recording: false, members: [{ type: 'caller' }] }]);
  });

  test('refuse and gatewayDown: the job fails, and there was no channel', async () => {
    await begin();
    await order({ fault: 'refuse', count: 1, cause: 'NO_ROUTE_DESTINATION' });
    await order({ fault: 'gatewayDown', gateway: 'carrier' });
    await originate('u1');
    await originate('u2', 'sofia/gateway/carrier/13900000050');
    await waitUntil('both jobs', () => watcher.events.length === 2);
    expect(watcher.events.map(event => event.body.trim())).toEqual(['-ERR NO_ROUTE_DESTINATION', '-ERR GATEWAY_DOWN']);
    await order({ fault: 'gatewayUp', gateway: 'carrier' });
    await originate('u3', 'sofia/gateway/carrier/13900000050');
    await watcher.event('CHANNEL_ANSWER', 'u3');
  });

  test('cut: connections are refused meanwhile, calls go on, and events of that time are lost', async () => {
    await begin({ world: { ...TALKERS, ringMs: { minMs: 100, maxMs: 100 } } });
    await originate('u1');
    await watcher.event('CHANNEL_PROGRESS', 'u1');
    await api('callout_fault {"fault":"cut","durationMs":2000}').catch(() => 'cut off');
    await expect(watch()).rejects.toThrow();
    watcher = await waitUntil('the switch to be reached again', () => watch());
    expect(JSON.parse(await api('show channels as json')).rows).toMatchObject([{ uuid: 'u1', callstate: 'ACTIVE' }]);
    expect(watcher.events).toEqual([]);
  });

  test('loseEvents with a name drops that event only', async () => {
    await begin();
    await order({ fault: 'loseEvents', count: 1, event: 'CHANNEL_ANSWER' });
    await originate('u1');
    await watcher.event('BACKGROUND_JOB');
    expect(watcher.events.map(event => event.name)).toEqual(['CHANNEL_CREATE', 'CHANNEL_PROGRESS', 'BACKGROUND_JOB']);
  });
});

describe('the clock ticks every 20 ms [fixtures/esl/README §1a]', () => {
  test('simultaneous events have one timestamp, and Event-Sequence orders them', async () => {
    const startedAt = systemClock.now();
    await begin({ clock: { ...systemClock, now: () => startedAt } });
    await originate('u1', undefined, '', '&conference(room@default)');
    await watcher.inRoom('room', 'add-member');
    const stamps = new Set(watcher.events.map(event => header(event, 'Event-Date-Timestamp')));
    expect(stamps.size).toBe(1);
    const [stamp = ''] = stamps;
    expect(Math.floor(Number(stamp) / 1_000)).toBe(Math.floor(startedAt / 20) * 20);
    const sequences = watcher.events.map(event => Number(header(event, 'Event-Sequence')));
    expect(sequences).toEqual(sequences.toSorted((a, b) => a - b));
    expect(new Set(sequences).size).toBe(sequences.length);
  });
});

describe('recordings are audible', () => {
  test('the folder contains a WAV of tones as long as the recording', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'callout-recordings-'));
    try {
      await begin({ recordings: join(folder, 'new') });
      await answered('u1');
      await api('uuid_transfer u1 conference:room@default inline');
      await watcher.inRoom('room', 'add-member');
      await api('conference room record /var/lib/switch/one.wav');
      await watcher.inRoom('room', 'start-recording');
      await sleep(systemClock, 300);
      await api('conference room norecord all');
      const stopped = await watcher.inRoom('room', 'stop-recording');
      const file = await readFile(join(folder, 'new', 'one.wav'));
      expect(file.toString('latin1', 0, 12)).toMatch(/^RIFF[\s\S]{4}WAVE$/);
      expect(file.length).toBe(Number(header(stopped, 'Record-File-Size')));
      expect(Number(header(stopped, 'Milliseconds-Elapsed'))).toBeGreaterThanOrEqual(250);
      expect(new Set(file.subarray(44)).size).toBeGreaterThan(50);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
