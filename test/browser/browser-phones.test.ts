import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { header } from '#platform/freeswitch/esl-codec.ts';
import { startTcpProxy, type TcpProxy } from '#test/chaos/tcp-proxy.ts';
import { CALLER, ringPhone, toneCustomer } from '#test/support/tone-people.ts';
import { openTarget, type Watcher } from '#test/support/switch-target.ts';
import { PASSWORD, startSimulator } from '#test/support/switch-rig.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { type BrowserPhone, launchPhoneBrowser, type PhoneBrowser } from '#test/switch/browser/browser-phone.ts';
import { amplitudeOf, readWav } from '#test/switch/tones.ts';
import type { SwitchSimulator } from '#tools/switch/simulator.ts';

const DOMAIN = '127.0.0.1';
const PHONE_PASSWORD = 'secret-of-the-phone';
const [AGENT_HZ, CUSTOMER_HZ] = [700, 900];
/** Amplitudes above which a tone is heard, and below which it is not. */
const [LOUD, QUIET] = [0.05, 0.01];
const SESSION_ROOM = 'callout-0b5ec5a6-9a0b-4a35-8d3f-6b8f5a6c1d2e';

const stack = new AsyncDisposableStack();
let simulator: SwitchSimulator;
let watcher: Watcher;
let wire: TcpProxy;
let browser: PhoneBrowser;
let folder: string;
const phones: BrowserPhone[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callout-browser-phones-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  simulator = await startSimulator({
    recordings: folder,
    phones: [{ extension: '1001', isRegistered: true, manner: 'answers', ringMs: 50, talkMs: null }],
    browserPhones: { port: 0, findA1Hash: ({ authUsername, realm }) => Promise.resolve(hashOf(authUsername, realm)) },
  });
  stack.defer(() => simulator.close());
  watcher = await openTarget({ host: '127.0.0.1', port: simulator.port, password: PASSWORD });
  stack.defer(() => watcher.close());
  await watcher.say('event plain DTMF CHANNEL_HOLD CHANNEL_UNHOLD CUSTOM sofia::register sofia::unregister');
  wire = await startTcpProxy({ host: '127.0.0.1', port: simulator.phonePort ?? 0 });
  stack.defer(() => wire.close());
  browser = await launchPhoneBrowser(folder, AGENT_HZ);
  stack.defer(() => browser.close());
});

afterEach(async () => {
  await watcher.api('hupall');
  for (const phone of phones.splice(0)) await phone.close();
  await waitUntil('the phones to be gone', async () => !(await watcher.api('show registrations as json')).includes('"ws"'));
});

afterAll(() => stack.disposeAsync());

function hashOf(username: string, realm: string): string {
  return createHash('md5').update(`${username}:${realm}:${PHONE_PASSWORD}`).digest('hex');
}

async function open(extension: string, password = PHONE_PASSWORD): Promise<BrowserPhone> {
  const url = `ws://127.0.0.1:${wire.port}`;
  const phone = await browser.open({ url, uri: `sip:${extension}@${DOMAIN}`, user: extension, password, realm: DOMAIN });
  phones.push(phone);
  return phone;
}

async function openRegistered(extension: string): Promise<BrowserPhone> {
  const phone = await open(extension);
  await phone.until('the phone to register', ({ isRegistered }) => isRegistered);
  return phone;
}

const ring = (extension: string, application: string) => ringPhone(watcher, extension, application);
const customerIn = (room: string) => toneCustomer(watcher, simulator.sound, { room, hertz: CUSTOMER_HZ });

/** A phone and a customer who talk in a room of this name. */
async function talkIn(room: string) {
  const phone = await openRegistered('1001');
  const customer = await customerIn(room);
  const uuid = await ring('1001', `&conference(${room}@default)`);
  await phone.until('the phone to ring', ({ state }) => state === 'ringing');
  await phone.answer();
  await bothHear(phone, customer);
  return { phone, customer, uuid };
}

async function bothHear(phone: BrowserPhone, customer: { hears(hertz: number): number }): Promise<void> {
  await waitUntil('the customer to hear the agent', () => customer.hears(AGENT_HZ) > LOUD);
  await waitUntil('the agent to hear the customer', async () => (await phone.hears({ customer: CUSTOMER_HZ })).length > 0);
}

function endOf(uuid: string): string | null | undefined {
  return simulator.record().channels.find(channel => channel.uuid === uuid)?.cause;
}

test('a browser registers by digest, the switch tells it, and a wrong password is refused', async () => {
  const from = watcher.events.length;
  await openRegistered('1005');
  const told = () => watcher.events.slice(from).find(event => header(event, 'Event-Subclass') === 'sofia::register');
  expect(header(await waitUntil('the registration', told), 'from-user')).toBe('1005');
  expect(JSON.parse(await watcher.api('show registrations as json')).rows).toContainEqual(
    expect.objectContaining({ reg_user: '1005', network_proto: 'ws' }),
  );
  const wrong = await open('1006', 'wrong');
  const { failures } = await wrong.until('the refusal', seen => seen.failures.length > 0);
  expect(failures[0]?.status).toBe(403);
});

test('it rings instead of the simulated phone, shows the caller, and both hear each other; hold, mute and keys', async () => {
  const { phone, customer, uuid } = await talkIn('room-1');
  expect((await phone.state()).from).toBe(CALLER);
  await phone.mute(true);
  await waitUntil('the agent to be silent', () => customer.hears(AGENT_HZ) < QUIET);
  await phone.mute(false);
  await bothHear(phone, customer);
  await phone.hold(true);
  await waitUntil('the agent to be silent', () => customer.hears(AGENT_HZ) < QUIET);
  expect(watcher.events.some(event => event.name === 'CHANNEL_HOLD' && header(event, 'Unique-ID') === uuid)).toBe(true);
  await phone.hold(false);
  await bothHear(phone, customer);
  await phone.press('12#', 'INFO');
  await waitUntil('the keys', () => pressedAt(uuid) === '12#');
  await phone.press('45', 'RFC2833');
  await waitUntil('the keys beside the sound', () => pressedAt(uuid) === '12#45');
});

function pressedAt(uuid: string): string | undefined {
  return simulator.record().channels.find(channel => channel.uuid === uuid)?.pressed;
}

test('a bridge carries sound too, and a hang-up by either side ends both', async () => {
  const phone = await openRegistered('1001');
  const customer = await customerIn('room-2');
  const uuid = await ring('1001', '&park()');
  await phone.until('the phone to ring', ({ state }) => state === 'ringing');
  await phone.answer();
  await phone.until('the answer', ({ state }) => state === 'talking');
  await watcher.api(`uuid_bridge ${customer.uuid} ${uuid}`);
  await bothHear(phone, customer);
  await phone.hangUp();
  await waitUntil('both legs to end', () => endOf(uuid) === 'NORMAL_CLEARING' && endOf(customer.uuid) === 'NORMAL_CLEARING');
  const again = await ring('1001', '&park()');
  await phone.until('the phone to ring', ({ state }) => state === 'ringing');
  await phone.answer();
  await phone.until('the answer', ({ state }) => state === 'talking');
  await watcher.api(`uuid_kill ${again}`);
  await phone.until('the phone to be let go', ({ state }) => state === 'ended');
});

test('a phone that declines, and a call that is given up while it rings', async () => {
  const phone = await openRegistered('1001');
  const declined = await ring('1001', '&park()');
  await phone.until('the phone to ring', ({ state }) => state === 'ringing');
  await phone.hangUp();
  await waitUntil('the refusal', () => endOf(declined) === 'NO_USER_RESPONSE');
  const givenUp = await ring('1001', '&park()');
  await phone.until('the phone to ring', ({ state }) => state === 'ringing');
  await watcher.api(`uuid_kill ${givenUp} ORIGINATOR_CANCEL`);
  await phone.until('the ringing to end', ({ state }) => state === 'ended');
});

test('two tabs ring together; one answers, and the other is released', async () => {
  const [first, second] = [await openRegistered('1001'), await openRegistered('1001')];
  const uuid = await ring('1001', '&park()');
  await Promise.all([first, second].map(phone => phone.until('both to ring', ({ state }) => state === 'ringing')));
  await first.answer();
  await first.until('the answer', ({ state }) => state === 'talking');
  await second.until('the other to end', ({ state }) => state === 'ended');
  expect(endOf(uuid)).toBeNull();
});

test('it enters the conference of its session, and no other number or room', async () => {
  const phone = await openRegistered('1001');
  const customer = await customerIn(SESSION_ROOM);
  await phone.call('8800', { 'X-Callout-Conference': `${SESSION_ROOM}@default` });
  await bothHear(phone, customer);
  await phone.hangUp();
  for (const [number, room] of [
    ['8800', 'room-1@default'],
    ['8801', `${SESSION_ROOM}@default`],
  ] as const) {
    await phone.call(number, { 'X-Callout-Conference': room });
    const { endCause } = await phone.until('the refusal', ({ state }) => state === 'ended');
    expect(endCause).toContain('403');
  }
});

test('what the bot and the customer say is heard, in tones where nothing speaks, and a recording has both directions', async () => {
  const { phone, customer } = await talkIn('room-3');
  customer.leave();
  await watcher.api('conference room-3 record /recordings/both.wav');
  // Each character is a syllable; this one has the pitch of the voice itself.
  const spoken = await watcher.api(`callout_speak ${JSON.stringify({ uuid: customer.uuid, speaker: 'customer', text: 'a'.repeat(20) })}`);
  expect(spoken).toBe('+OK 3600');
  await waitUntil('the agent to hear the customer', async () => (await phone.hears({ voice: 330 })).length > 0);
  const before = await spokenMsTo(customer.uuid);
  await waitUntil('the person to have spoken for a second', async () => (await spokenMsTo(customer.uuid)) - before > 1_000);
  await watcher.api('conference room-3 norecord all');
  const file = join(folder, 'both.wav');
  await waitUntil('the recording of more than a second', async () => (await readFile(file)).length > 16_000);
  const { rate, samples } = readWav(file);
  expect(amplitudeOf(samples, rate, AGENT_HZ)).toBeGreaterThan(LOUD);
  expect(amplitudeOf(samples, rate, 330)).toBeGreaterThan(QUIET);
  expect(await watcher.api('callout_speak {"uuid":"nobody","speaker":"bot","text":"a"}')).toBe('+OK unheard');
});

async function spokenMsTo(uuid: string): Promise<number> {
  const people = JSON.parse(await watcher.api(`callout_people ${uuid}`));
  return people.spokenMs;
}

test('a listener hears both sides of a call, and is not heard', async () => {
  const phone = await openRegistered('1001');
  const customer = await customerIn('room-6');
  await ring('1001', `&eavesdrop(${customer.uuid})`);
  await phone.until('the phone to ring', ({ state }) => state === 'ringing');
  await phone.answer();
  await waitUntil('the agent to hear the customer', async () => (await phone.hears({ customer: CUSTOMER_HZ })).length > 0);
  await watcher.api(`callout_speak ${JSON.stringify({ uuid: customer.uuid, speaker: 'bot', text: 'a'.repeat(40) })}`);
  await waitUntil('the agent to hear the bot', async () => (await phone.hears({ bot: 210 })).length > 0);
  expect(customer.hears(AGENT_HZ)).toBeLessThan(QUIET);
});

test('its socket drops and returns: the call goes on, and the switch still reaches it', async () => {
  const { phone, customer, uuid } = await talkIn('room-4');
  wire.reset();
  await phone.until('the phone to notice', ({ isRegistered }) => !isRegistered);
  await phone.until('the phone to register again', ({ isRegistered }) => isRegistered);
  await bothHear(phone, customer);
  await watcher.api(`uuid_kill ${uuid}`);
  await phone.until('the phone to be let go', ({ state }) => state === 'ended');
});

test('a reload ends its leg as a lost phone, and the page takes the next call', async () => {
  const { phone, customer, uuid } = await talkIn('room-5');
  await phone.reload();
  await waitUntil('the leg to end', () => endOf(uuid) === 'MEDIA_TIMEOUT');
  expect(endOf(customer.uuid)).toBeNull();
  await phone.until('the phone to register', ({ isRegistered }) => isRegistered);
  await ring('1001', '&conference(room-5@default)');
  await phone.until('the phone to ring', ({ state }) => state === 'ringing');
  await phone.answer();
  await bothHear(phone, customer);
});
