import { createHash } from 'node:crypto';
import { connect } from '@nats-io/transport-node';
import { median } from '#bench/support/measure.ts';
import { INTERNAL_TOKEN, processFolder, startServe } from '#bench/support/server-process.ts';
import { oneSessionServer, openSession } from '#bench/support/session.ts';
import { systemClock } from '#kernel/clock.ts';
import { silentLog } from '#kernel/log.ts';
import { seededRandom } from '#kernel/random.ts';
import { runtimeAddress } from '#protocol/address.ts';
import { runtimeSubject, START_PROBE_SUBJECT, START_SUBJECTS } from '#protocol/subjects.ts';
import { signedBy } from '#test/support/signed.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { type BrowserPhone, launchPhoneBrowser } from '#test/switch/browser/browser-phone.ts';
import type { BenchContext } from '#tools/commands/bench-context.ts';
import type { Figure } from '#tools/commands/bench-report.ts';
import { loudnessOf } from '#tools/switch/media/frame.ts';
import type { SwitchSound } from '#tools/switch/media/switch-sound.ts';
import { startSwitchSimulator, type SwitchSimulator } from '#tools/switch/simulator.ts';
import { DEFAULT_WORLD } from '#tools/switch/world.ts';

/** Longest time from the request until the customer hears the first sound, ms. */
const LIMIT_MS = 700;
const ROUNDS = 20;
/** Rounds in which the phone rings first. */
const RINGS = 5;
/** The customer has heard nobody for so long: the change before is over. */
const SILENT_MS = 400;
const [PASSWORD, EXTENSION, REALM] = ['bench', '1001', '127.0.0.1'];
/** By its last digits a customer who answers at once and stays. */
const CUSTOMER = '13800000005';
const MICROPHONE_HZ = 700;
/** Loudness of a frame in which somebody speaks. */
const LOUD = 1_000;

/**
 * From a person's request to the customer's ear: a listener of a call that the bot has is put through, over the simulated switch, with a
 * phone in Chromium, SIP over a WebSocket and RTP.
 */
export async function measureBarge(context: BenchContext): Promise<Figure[]> {
  await using stack = new AsyncDisposableStack();
  const folder = await processFolder(stack);
  const simulator = await startSwitch(stack);
  const server = await startServe(folder, context, { ...oneSessionServer(), ...configOf(simulator) });
  stack.defer(() => server.stop());
  await startRuntime(stack, context.natsUrl);
  const ask = askerOf(server.port, await openSession(context.redisUrl));
  const browser = await launchPhoneBrowser(folder, MICROPHONE_HZ);
  stack.defer(() => browser.close());
  const phone = await registeredPhone(browser, simulator);
  await hire(ask);
  const requestId = await callCustomer(ask);
  const ear = earOf(simulator.sound, requestId);
  const listen = (mode: string) => ask('POST', `/api/live-calls/request:${requestId}/listen`, { mode });
  const scene = { ear, listen, phone };
  return [
    ...figuresOf('listener to customer', await bargeWhileListening(scene), LIMIT_MS),
    ...figuresOf('the same with a ring', await bargeAtOnce(scene)),
  ];
}

type Ask = (method: string, path: string, body?: object) => Promise<Record<string, unknown>>;

interface Ear {
  /** Monotonic time of the first loud frame since `forget`; null before. */
  heardAt(): number | null;
  silentMs(): number;
  forget(): void;
}

interface Scene {
  ear: Ear;
  listen: (mode: string) => Promise<unknown>;
  phone: BrowserPhone;
}

async function bargeWhileListening({ ear, listen, phone }: Scene): Promise<number[]> {
  await Promise.all([listen('listen'), answered(phone)]);
  const tookMs: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    tookMs.push(await untilHeard(ear, () => listen('barge')));
    await listen('listen');
    await waitUntil('the customer to hear nobody', () => ear.silentMs() > SILENT_MS);
  }
  await listen('off');
  await phone.until('the phone to be released', ({ state }) => state === 'ended');
  return tookMs;
}

async function bargeAtOnce({ ear, listen, phone }: Scene): Promise<number[]> {
  const tookMs: number[] = [];
  for (let round = 0; round < RINGS; round++) {
    tookMs.push(await untilHeard(ear, () => Promise.all([listen('barge'), answered(phone)])));
    await listen('off');
    await phone.until('the phone to be released', ({ state }) => state === 'ended');
    await waitUntil('the customer to hear nobody', () => ear.silentMs() > SILENT_MS);
  }
  return tookMs;
}

async function answered(phone: BrowserPhone): Promise<void> {
  await phone.until('the phone to ring', ({ state }) => state === 'ringing');
  await phone.answer();
  await phone.until('the answer', ({ state }) => state === 'talking');
}

async function untilHeard(ear: Ear, act: () => Promise<unknown>): Promise<number> {
  ear.forget();
  const askedAt = systemClock.monotonic();
  await act();
  return (await waitUntil('the customer to hear the agent', () => ear.heardAt())) - askedAt;
}

function figuresOf(what: string, tookMs: readonly number[], limitMs?: number): Figure[] {
  const sorted = tookMs.toSorted((a, b) => a - b);
  const slowest = sorted[Math.ceil(sorted.length * 0.95) - 1] ?? Number.NaN;
  return [
    { what: `barge, ${what}, p95`, value: slowest, unit: 'ms', ...(limitMs === undefined ? {} : { bar: { atMost: limitMs } }) },
    { what: `barge, ${what}, median`, value: median(sorted), unit: 'ms' },
  ];
}

async function startSwitch(stack: AsyncDisposableStack): Promise<SwitchSimulator> {
  const simulator = await startSwitchSimulator({
    host: '127.0.0.1',
    port: 0,
    password: PASSWORD,
    random: seededRandom(1),
    clock: systemClock,
    log: silentLog,
    world: { ...DEFAULT_WORLD, byNumber: true },
    eventPollMs: 0,
    browserPhones: { port: 0, findA1Hash: ({ authUsername, realm }) => Promise.resolve(hashOf(authUsername, realm)) },
  });
  stack.defer(() => simulator.close());
  return simulator;
}

function hashOf(username: string, realm: string): string {
  return createHash('md5').update(`${username}:${realm}:${PASSWORD}`).digest('hex');
}

function configOf({ port, phonePort }: SwitchSimulator) {
  return {
    businesses: [{ businessCode: 'bench', businessName: 'bench', runtimeBringsFlow: true }],
    cells: [{ id: 'cell-1', host: '127.0.0.1', port, password: PASSWORD, maxOriginatesPerSecond: 100 }],
    agents: { secretKey: 'ab'.repeat(32), sipRealm: REALM, wsServers: [`ws://127.0.0.1:${phonePort}`] },
  };
}

/** Takes every call and says nothing: the customer hears the agent alone. */
async function startRuntime(stack: AsyncDisposableStack, natsUrl: string): Promise<void> {
  const connection = await connect(runtimeAddress(natsUrl));
  stack.defer(() => connection.close());
  connection.subscribe(START_SUBJECTS, {
    callback: (_error, message) => {
      if (message.subject === START_PROBE_SUBJECT) return void message.respond('{"ok":false,"code":"INVALID","msg":"no call"}');
      const requestId = message.subject.split('.')[3] ?? '';
      message.respond('{"ok":true}');
      const [subject, text] = [runtimeSubject('started', requestId), JSON.stringify({ requestId, kind: 'started', seq: 0 })];
      return connection.publish(subject, text, signedBy(INTERNAL_TOKEN, { subject, text }));
    },
  });
  await connection.flush();
}

function askerOf(port: number, token: string): Ask {
  return async (method, path, body) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return Object(JSON.parse(text)).data;
  };
}

async function registeredPhone(browser: { open: Awaited<ReturnType<typeof launchPhoneBrowser>>['open'] }, { phonePort }: SwitchSimulator) {
  const account = {
    url: `ws://127.0.0.1:${phonePort}`,
    uri: `sip:${EXTENSION}@${REALM}`,
    user: EXTENSION,
    password: PASSWORD,
    realm: REALM,
  };
  const phone = await browser.open(account);
  await phone.until('the phone to register', ({ isRegistered }) => isRegistered);
  return phone;
}

/** The user of the session as an agent at this phone, free for calls as soon as the server knows the phone. */
async function hire(ask: Ask): Promise<void> {
  await ask('POST', '/api/agents', { name: 'bench', phoneExtension: EXTENSION, userId: 1 });
  await waitUntil('the agent to be idle', () => ask('PATCH', '/api/agents/me/status', { status: 'idle' }));
}

/** Dials the customer by a campaign; the call's request id once it is answered. */
async function callCustomer(ask: Ask): Promise<string> {
  const { line } = await ask('POST', '/api/lines', {
    name: 'bench',
    code: 'bench',
    dialStringTemplate: 'sofia/gateway/gw1/{{destinationNumber}}',
    maxConcurrency: 10,
    allocationMode: 'single_shared',
    callerIdNumber: '02166660000',
  });
  const { campaign } = await ask('POST', '/api/campaigns', {
    name: 'bench',
    businessCode: 'bench',
    lineIds: [Object(line).id],
    maxConcurrency: 10,
  });
  const { id } = Object(campaign);
  await ask('POST', `/api/campaigns/${id}/contacts`, { contacts: [{ phoneNumber: CUSTOMER }] });
  await ask('PATCH', `/api/campaigns/${id}`, { status: 'running' });
  const answered = async () => {
    const { rows } = await ask('GET', `/api/call-attempts?campaignId=${id}`);
    const [attempt] = Array.isArray(rows) ? rows : [];
    return attempt?.status === 'answered' ? String(attempt.requestId) : null;
  };
  return waitUntil('the customer to answer', answered);
}

/** An ear on the customer's channel, which notes when it first hears a voice. */
function earOf(sound: SwitchSound, uuid: string): Ear {
  const heard: { firstAt: number | null; lastAt: number } = { firstAt: null, lastAt: systemClock.monotonic() };
  sound.join(uuid, {
    take: () => null,
    give(frame) {
      if (loudnessOf(frame) < LOUD) return;
      heard.lastAt = systemClock.monotonic();
      heard.firstAt ??= heard.lastAt;
    },
  });
  return {
    heardAt: () => heard.firstAt,
    silentMs: () => systemClock.monotonic() - heard.lastAt,
    forget: () => {
      heard.firstAt = null;
    },
  };
}
