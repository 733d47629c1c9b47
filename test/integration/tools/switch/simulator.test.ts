import { afterEach, describe, expect, test } from '@jest/globals';
import { FrameDecoder, type EslEvent, header } from '#platform/freeswitch/esl-codec.ts';
import { type EslConnection, openEsl } from '#platform/freeswitch/esl-connection.ts';
import { CommandDecoder } from '#tools/switch/command-decoder.ts';
import { type SimulatorOptions, type SwitchSimulator } from '#tools/switch/simulator.ts';
import { CALLEE_KINDS, DEFAULT_WORLD, planCallee } from '#tools/switch/world.ts';
import { systemClock } from '#kernel/clock.ts';
import { seededRandom } from '#kernel/random.ts';
import { readRecording } from '#test/unit/platform/freeswitch/recording.ts';
import { hastyClock, PASSWORD, startSimulator } from '#test/support/switch-rig.ts';
import { waitUntil } from '#test/support/wait-until.ts';

let simulator: SwitchSimulator;
let connection: EslConnection;
let events: EslEvent[];
let closedBecause: string | null;

async function begin(change: Partial<SimulatorOptions> = {}): Promise<void> {
  simulator = await startSimulator(change);
  events = [];
  closedBecause = null;
  connection = await openEsl({
    target: { host: '127.0.0.1', port: simulator.port, password: PASSWORD },
    clock: systemClock,
    connectTimeoutMs: 2_000,
    silenceLimitMs: null,
    signal: new AbortController().signal,
    onEvent: event => events.push(event),
    onClose: reason => (closedBecause = reason),
  });
}

afterEach(async () => {
  connection.destroy('end of the test');
  await simulator.close();
});

const api = (line: string) => connection.api(line, 5_000);
const say = (line: string) => connection.command(line, 5_000);
const originate = (uuid: string, number: string, more = '') =>
  say(`bgapi originate {origination_uuid=${uuid},ignore_early_media=true${more}}sofia/external/${number}@h &park()`);
const jobs = () => events.filter(event => event.name === 'BACKGROUND_JOB').map(event => event.body.trim());

/** Reply of the real switch to each API command of the recording, the first time. */
function recordedAnswers(): Map<string, string> {
  const [commands, frames] = [new CommandDecoder(), new FrameDecoder()];
  const lines: string[] = [];
  const answers: string[] = [];
  for (const { dir, bytes } of readRecording('c-api-commands')) {
    if (dir === 'C->S') lines.push(...commands.push(bytes).map(command => command.line));
    else {
      const replies = frames.push(bytes).filter(frame => /^(command\/reply|api\/response)$/.test(frame.contentType));
      answers.push(...replies.map(frame => frame.body.toString().trim()));
    }
  }
  return new Map(lines.map((line, index) => [line, answers[index] ?? ''] as const).toReversed());
}

describe('API texts are those of the real switch [fixtures/esl/README §4]', () => {
  const NOBODY = '00000000-0000-0000-0000-000000000000';
  const recorded = recordedAnswers();

  test.each([
    `uuid_exists ${NOBODY}`,
    'uuid_exists',
    `uuid_kill ${NOBODY}`,
    'uuid_kill',
    `uuid_dump ${NOBODY} json`,
    `uuid_setvar ${NOBODY} a b`,
    `uuid_getvar ${NOBODY} a`,
    'show channels as json',
    'show channels count',
    'show channels count as json',
    'echo 你好 世界',
    'echo',
    'hupall MANAGER_REQUEST',
  ])('%s', async line => {
    await begin();
    expect(recorded.has(`api ${line}`)).toBe(true);
    expect(await api(line)).toBe(recorded.get(`api ${line}`));
  });

  test('a live channel: exists, variables, list, dump, kill', async () => {
    await begin({ showLagMs: 0 });
    await originate('u1', '13800000005');
    expect(await api('uuid_setvar u1 foo bar baz')).toBe('+OK');
    expect(await api('uuid_getvar u1 foo')).toBe('bar baz');
    expect(await api('uuid_setvar u1 foo')).toBe('+OK');
    expect(await api('uuid_getvar u1 foo')).toBe('_undef_');
    expect(JSON.parse(await api('uuid_dump u1 json'))).toMatchObject({ 'Unique-ID': 'u1', variable_ignore_early_media: 'true' });
    expect(await api('uuid_kill u1 17')).toBe('+OK');
    expect(simulator.record().channels).toMatchObject([{ uuid: 'u1', cause: 'USER_BUSY' }]);
  });
});

describe('limits [fixtures/esl/README §5]', () => {
  test('sessions-per-second N admits N-1 in a second and refuses, never queues, the rest', async () => {
    const frozen = { ...systemClock, now: () => 1_795_000_000_500 };
    await begin({ sessionsPerSecond: 5, clock: frozen });
    await say('event plain BACKGROUND_JOB');
    for (let call = 0; call < 10; call += 1) await originate(`u${call}`, '13800000002');
    await waitUntil('the refusals', () => jobs().length === 6);
    expect(jobs()).toEqual(Array.from({ length: 6 }, () => '-ERR DESTINATION_OUT_OF_ORDER'));
    expect(simulator.record().totals).toMatchObject({ originates: 10, channels: 4 });
  });

  test('max_sessions refuses calls above it', async () => {
    await begin();
    expect(await api('fsctl max_sessions 3')).toBe('+OK max sessions: 3');
    for (let call = 0; call < 5; call += 1) await originate(`u${call}`, '13800000002');
    expect(simulator.record().totals).toMatchObject({ originates: 5, channels: 3 });
  });

  test('a client that does not authenticate is disconnected after 24.5 s', async () => {
    await begin({ clock: hastyClock(100) });
    const { connect } = await import('node:net');
    const chunks: Buffer[] = [];
    const socket = connect(simulator.port, '127.0.0.1');
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    await new Promise<void>(resolve => socket.once('close', () => resolve()));
    expect(Buffer.concat(chunks).toString()).toMatch(/^Content-Type: auth\/request\n\nContent-Type: text\/disconnect-notice\n/);
  });
});

describe('subscriptions [fixtures/esl/README §1]', () => {
  test('CUSTOM takes all words after it as subclasses', async () => {
    await begin();
    await say('event plain CUSTOM conference::maintenance CHANNEL_CREATE BACKGROUND_JOB');
    await originate('u1', '13800000001');
    await say('event plain BACKGROUND_JOB');
    await originate('u2', '13800000001');
    await waitUntil('a job', () => jobs().length > 0);
    expect(events.map(event => event.name)).not.toContain('CHANNEL_CREATE');
  });

  test('a filter drops events without its header', async () => {
    await begin();
    await say('event json CHANNEL_CREATE CHANNEL_HANGUP_COMPLETE BACKGROUND_JOB');
    await say('filter Unique-ID u2');
    await originate('u1', '13800000001');
    await originate('u2', '13800000001');
    await waitUntil('the hang-up', () => events.some(event => event.name === 'CHANNEL_HANGUP_COMPLETE'));
    expect(events.map(event => [event.name, header(event, 'Unique-ID')])).toEqual([
      ['CHANNEL_CREATE', 'u2'],
      ['CHANNEL_HANGUP_COMPLETE', 'u2'],
    ]);
  });

  test('a heartbeat every 20 s', async () => {
    await begin({ clock: hastyClock(100) });
    await say('event plain HEARTBEAT');
    await waitUntil('two heartbeats', () => events.length >= 2);
    expect(header(events[0] ?? neverEvent(), 'Session-Count')).toBe('0');
  });
});

function neverEvent(): EslEvent {
  throw new Error('no event');
}

describe('its own record [I1, I2]', () => {
  test('counts concurrent calls, by destination and by variable', async () => {
    await begin({ trackedVariables: ['callout_campaign_id'] });
    await originate('u1', '13800000005', ',callout_campaign_id=7');
    await originate('u2', '13800000105', ',callout_campaign_id=7');
    await api('uuid_kill u1');
    await originate('u3', '13800000005', ',callout_campaign_id=8');
    const { concurrency, totals } = simulator.record();
    expect(totals.channels).toBe(3);
    expect(concurrency.all).toEqual({ now: 2, max: 2 });
    expect(concurrency.by).toEqual({
      destination: { '13800000005': { now: 1, max: 1 }, '13800000105': { now: 1, max: 1 } },
      callout_campaign_id: { 7: { now: 1, max: 2 }, 8: { now: 1, max: 1 } },
    });
  });

  test('the control line returns the same record as the handle', async () => {
    await begin();
    await originate('u1', '13800000010');
    expect(JSON.parse(await api('callout_record 10'))).toEqual(JSON.parse(JSON.stringify(simulator.record(10))));
  });
});

describe('faults over the control line', () => {
  test('drop ends every connection', async () => {
    await begin();
    await api('callout_fault {"fault":"drop"}').catch(() => 'dropped');
    await waitUntil('the end', () => closedBecause !== null);
  });

  test('an unknown fault is refused with the list', async () => {
    await begin();
    expect(await api('callout_fault {"fault":"explode"}')).toMatch(/^-ERR fault must be one of freeze, thaw, drop/);
    expect(await api('callout_fault {"fault":"slow","durationMs":-1}')).toMatch(/^-ERR durationMs/);
    expect(await api('callout_fault nonsense')).toMatch(/^-ERR fault must be/);
  });

  test('duplicateEvents writes the next event twice', async () => {
    await begin();
    await say('event plain CHANNEL_CREATE');
    expect(await api('callout_fault {"fault":"duplicateEvents","count":1}')).toBe('+OK');
    await originate('u1', '13800000005');
    await waitUntil('both', () => events.length === 2);
    expect(new Set(events.map(event => header(event, 'Event-Sequence'))).size).toBe(1);
  });
});

describe('callees', () => {
  test('the same seed gives the same callees', async () => {
    await begin();
    const plans = (seed: number) => {
      const random = seededRandom(seed);
      return Array.from({ length: 50 }, () => planCallee(DEFAULT_WORLD, 'open', '13912345678', random));
    };
    expect(plans(4)).toEqual(plans(4));
    expect(plans(4)).not.toEqual(plans(5));
  });

  test.each(CALLEE_KINDS)('a world of only "%s"', async kind => {
    await begin();
    const rates = { answer: 0, busy: 0, noAnswer: 0, reject: 0, unreachable: 0, voicemail: 0, [kind]: 1 };
    const plan = planCallee({ ...DEFAULT_WORLD, rates }, 'open', '13912345678', seededRandom(1));
    const told = plan.kind === 'answers' ? plan.callee : plan.kind === 'refuses' ? plan.refusal.cause : 'silence';
    const expected = { answer: 'person', busy: 'USER_BUSY', noAnswer: 'silence', reject: 'CALL_REJECTED', unreachable: 'NO_USER_RESPONSE' };
    expect(told).toBe(kind === 'voicemail' ? 'voicemail' : expected[kind]);
  });
});
