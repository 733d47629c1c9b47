import { cp, mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EslEvent } from '#platform/freeswitch/esl-codec.ts';
import { escapeXml } from '#agents/phone-directory-page.ts';
import { sleep, systemClock } from '#kernel/clock.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { type FreeswitchProcess, freeswitchProcess } from './freeswitch-process.ts';
import { type Heard, hearTone, readWav } from './tones.ts';

/** Customers and agents behind a FreeSWITCH of their own: every phone sends one tone and detects those it receives. */
export interface People {
  process: FreeswitchProcess;
  /** Every call that has reached a phone, oldest first. */
  legs: readonly PhoneLeg[];
  /** The newest call to a number or an extension that has not ended; waits for one. */
  ringing(to: string, timeoutMs?: number): Promise<PhoneLeg>;
  /** An agent answers the call that rings at their phone. */
  answer(extension: string): Promise<PhoneLeg>;
  hangUp(leg: PhoneLeg, cause?: string): Promise<void>;
  /** An agent's phone calls a number at the switch, as a browser would. */
  call(extension: string, number: string, headers: Readonly<Record<string, string>>): Promise<PhoneLeg>;
  /** The tones that each of them receives now. */
  listen(ears: Readonly<Record<string, PhoneLeg>>, tones: Readonly<Record<string, number>>): Promise<Record<string, string[]>>;
}

/** One call as seen by a phone. Units: UTC ms */
export interface PhoneLeg {
  uuid: string;
  /** The number, or the extension of an agent. */
  to: string;
  createdAt: number;
  answeredAt: number | null;
  endedAt: number | null;
  cause: string | null;
  /** Keys that the phone has received, in order. */
  digits: string;
}

export interface PeopleRequest {
  binary: string;
  folder: string;
  ports: { eventSocket: number; sip: number; rtp: { start: number; end: number } };
  /** Registrar of the agents' phones. */
  registrar: { port: number; domain: string };
  phones: readonly { extension: string; password: string }[];
}

const EVENTS = 'CHANNEL_CREATE CHANNEL_ANSWER CHANNEL_HANGUP_COMPLETE DTMF';
const RING_TIMEOUT_MS = 15_000;
const ANSWER_TIMEOUT_MS = 8_000;
/** Length of a recording for the analysis, including the time that a change needs to be heard, in ms. */
const LISTEN_MS = 900;
const SETTLE_MS = 500;
const FILE_TIMEOUT_MS = 5_000;
const MICROS_PER_MS = 1_000;

/** 1001 sends 501 Hz … 1009 sends 909 Hz. */
export function toneOfExtension(extension: string): number {
  return 400 + 101 * Number(extension.slice(-1));
}

/** A customer's tone derives from the number: 13 TTT … is 1TTT Hz. */
export function toneOfNumber(number: string): number {
  return 1_000 + Number(number.slice(2, 5));
}

/** A customer's number, which encodes the behaviour of the phone (people/freeswitch.xml). */
export function customerNumber(who: { tone: number; ringSeconds?: number; talkSeconds?: number; does?: number }): string {
  const { tone, ringSeconds = 0, talkSeconds = 0, does = 200 } = who;
  const digits = (value: number, count: number) => String(value).padStart(count, '0');
  return `13${digits(tone - 1_000, 3)}${digits(ringSeconds, 1)}${digits(talkSeconds, 2)}${digits(does, 3)}`;
}

export async function createPeople(request: PeopleRequest): Promise<People> {
  const { binary, folder, ports } = request;
  const configFolder = join(folder, 'people-conf');
  await writeConfig(configFolder, request);
  const process = freeswitchProcess({
    name: 'people',
    binary,
    configFolder,
    folder,
    port: ports.eventSocket,
    env: {
      PEOPLE_EVENT_SOCKET_PORT: String(ports.eventSocket),
      PEOPLE_SIP_PORT: String(ports.sip),
      PEOPLE_RTP_START: String(ports.rtp.start),
      PEOPLE_RTP_END: String(ports.rtp.end),
    },
    recordingFolder: join(folder, 'ears'),
    events: EVENTS,
  });
  const legs: PhoneLeg[] = [];
  process.onEvent(event => note(legs, event));
  return { process, legs, ...actsOf(process, legs), listen: listener(process, join(folder, 'ears')) };
}

async function writeConfig(configFolder: string, { registrar, phones }: PeopleRequest): Promise<void> {
  await cp(join(import.meta.dirname, 'people'), configFolder, { recursive: true });
  await mkdir(join(configFolder, 'phones'), { recursive: true });
  const params = (extension: string, password: string) => ({
    username: extension,
    password,
    realm: registrar.domain,
    'from-domain': registrar.domain,
    'from-user': extension,
    proxy: `127.0.0.1:${registrar.port}`,
    extension: `agent-${extension}`,
    'expire-seconds': 600,
    'retry-seconds': 5,
  });
  for (const { extension, password } of phones) {
    const lines = Object.entries(params(extension, password)).map(
      ([name, value]) => `<param name="${name}" value="${escapeXml(String(value))}"/>`,
    );
    // One element per line: the rest of the line of `<include>` is not read.
    const text = ['<include>', `<gateway name="${extension}">`, ...lines, '</gateway>', '</include>', ''].join('\n');
    await writeFile(join(configFolder, 'phones', `${extension}.xml`), text);
  }
}

function note(legs: PhoneLeg[], { name, headers }: EslEvent): void {
  const text = (header: string) => String(headers.get(header) ?? '');
  const uuid = text('Unique-ID');
  const at = Math.round(Number(text('Event-Date-Timestamp')) / MICROS_PER_MS);
  const known = legs.find(leg => leg.uuid === uuid);
  if (name === 'CHANNEL_CREATE' && !known) {
    const to = text('Caller-Destination-Number').replace(/^agent-/, '');
    legs.push({ uuid, to, createdAt: at, answeredAt: null, endedAt: null, cause: null, digits: '' });
  } else if (known && name === 'CHANNEL_ANSWER') known.answeredAt = at;
  else if (known && name === 'DTMF') known.digits += text('DTMF-Digit');
  else if (known && name === 'CHANNEL_HANGUP_COMPLETE') Object.assign(known, { endedAt: at, cause: text('Hangup-Cause') });
}

function actsOf(process: FreeswitchProcess, legs: readonly PhoneLeg[]): Pick<People, 'ringing' | 'answer' | 'hangUp' | 'call'> {
  const ringing: People['ringing'] = (to, timeoutMs = RING_TIMEOUT_MS) =>
    waitUntil(`a call to ${to}`, () => legs.findLast(leg => leg.to === to && leg.endedAt === null), timeoutMs);
  const answered = (leg: PhoneLeg) => waitUntil(`${leg.to} to be answered`, () => leg.answeredAt ?? leg.endedAt, ANSWER_TIMEOUT_MS);
  return {
    ringing,
    async answer(extension) {
      const leg = await ringing(extension);
      await order(process, `uuid_transfer ${leg.uuid} talk-${toneOfExtension(extension)} XML customers`);
      await answered(leg);
      return leg;
    },
    hangUp: (leg, cause = 'NORMAL_CLEARING') => order(process, `uuid_kill ${leg.uuid} ${cause}`),
    async call(extension, number, headers) {
      const uuid = (await process.api('create_uuid')).trim();
      const variables = Object.entries(headers).map(([name, value]) => `sip_h_${name}=${value}`);
      const group = [`origination_uuid=${uuid}`, 'RECORD_READ_ONLY=true', ...variables].join(',');
      await process.api(`bgapi originate {${group}}sofia/gateway/${extension}/${number} talk-${toneOfExtension(extension)} XML customers`);
      const leg = await waitUntil('the phone to call', () => legs.find(each => each.uuid === uuid), RING_TIMEOUT_MS);
      // The phone's own extension, not the called number.
      leg.to = extension;
      await answered(leg);
      return leg;
    },
  };
}

async function order(process: FreeswitchProcess, line: string): Promise<void> {
  const answer = await process.api(line);
  if (!answer.startsWith('+OK')) throw new Error(`${line}: ${answer.trim()}`);
}

function listener(process: FreeswitchProcess, folder: string): People['listen'] {
  let count = 0;
  return async (ears, tones) => {
    await sleep(systemClock, SETTLE_MS);
    const recordings = Object.entries(ears).map(([name, { uuid }]) => ({ name, uuid, file: join(folder, `ear-${++count}.wav`) }));
    for (const { uuid, file } of recordings) await order(process, `uuid_record ${uuid} start ${file}`);
    await sleep(systemClock, LISTEN_MS);
    for (const { uuid, file } of recordings) await order(process, `uuid_record ${uuid} stop ${file}`);
    const heard = await Promise.all(recordings.map(async ({ name, file }) => [name, await tonesIn(file, tones)] as const));
    return Object.fromEntries(heard);
  };
}

/** Names of the received tones; an intermittent one is marked with `?`. */
async function tonesIn(file: string, tones: Readonly<Record<string, number>>): Promise<string[]> {
  const sound = await waitUntil('a recording of an ear', () => finished(file), FILE_TIMEOUT_MS);
  const marks: Record<Heard, string | null> = { heard: '', partly: '?', silent: null };
  return Object.entries(tones).flatMap(([name, hertz]) => {
    const mark = marks[hearTone(sound, hertz)];
    return mark === null ? [] : [`${name}${mark}`];
  });
}

/** The header of a file contains its length only once it has been closed. */
async function finished(file: string) {
  const before = (await stat(file)).size;
  await sleep(systemClock, 50);
  const sound = readWav(file);
  return sound.samples.length > 0 && (await stat(file)).size === before ? sound : null;
}
