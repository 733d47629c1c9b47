import { type EslEvent, header } from '#platform/freeswitch/esl-codec.ts';
import { openEsl } from '#platform/freeswitch/esl-connection.ts';
import { systemClock } from '#kernel/clock.ts';
import { PASSWORD, startSimulator } from './switch-rig.ts';
import { waitUntil } from './wait-until.ts';

/** A simulated or real switch whose callees behave according to the last two digits of their number. */
export interface Target {
  host: string;
  port: number;
  password: string;
  /** Dial string that reaches this callee. */
  dial(number: string): string;
  /** A writable path on the switch. */
  recording(name: string): string;
  close(): Promise<void>;
}

/** A connection that receives every event that the tests need. */
export interface Watcher {
  events: EslEvent[];
  api(line: string): Promise<string>;
  say(line: string): Promise<unknown>;
  event(name: string, uuid?: string): Promise<EslEvent>;
  inRoom(room: string, action: string): Promise<EslEvent>;
  close(): void;
}

const REPLY_TIMEOUT_MS = 10_000;
const EVENTS =
  'CHANNEL_CREATE CHANNEL_PROGRESS CHANNEL_PROGRESS_MEDIA CHANNEL_ANSWER CHANNEL_BRIDGE CHANNEL_UNBRIDGE CHANNEL_HANGUP_COMPLETE BACKGROUND_JOB CUSTOM conference::maintenance';

/**
 * The simulator, and a real switch when the environment names one: CALLOUT_REAL_SWITCH `host:port`, CALLOUT_REAL_SWITCH_PASSWORD,
 * CALLOUT_REAL_SWITCH_CALLEE `sofia/external/{{destinationNumber}}@127.0.0.1:5090`, CALLOUT_REAL_SWITCH_RECORDINGS (a writable folder). The
 * tests hang up all its channels: never use a switch in production.
 */
export const TARGETS: readonly { name: string; open: () => Promise<Target> }[] = [
  { name: 'the simulator', open: openSimulated },
  ...(process.env['CALLOUT_REAL_SWITCH'] === undefined ? [] : [{ name: 'a real switch', open: openReal }]),
];

async function openSimulated(): Promise<Target> {
  const simulator = await startSimulator({ routes: { profiles: ['external', 'internal'], gateways: {}, users: {}, hosts: {} } });
  return {
    host: '127.0.0.1',
    port: simulator.port,
    password: PASSWORD,
    dial: number => `sofia/external/${number}@127.0.0.1:5090`,
    recording: name => `/var/lib/recordings/${name}`,
    close: () => simulator.close(),
  };
}

function openReal(): Promise<Target> {
  const { env } = process;
  const [host = '', port = ''] = (env['CALLOUT_REAL_SWITCH'] ?? '').split(':');
  const template = env['CALLOUT_REAL_SWITCH_CALLEE'] ?? 'sofia/external/{{destinationNumber}}@127.0.0.1:5090';
  const folder = env['CALLOUT_REAL_SWITCH_RECORDINGS'] ?? '/tmp';
  return Promise.resolve({
    host,
    port: Number(port),
    password: env['CALLOUT_REAL_SWITCH_PASSWORD'] ?? 'ClueCon',
    dial: number => template.replaceAll('{{destinationNumber}}', number),
    recording: name => `${folder}/${name}`,
    close: () => Promise.resolve(),
  });
}

export async function openTarget({ host, port, password }: Pick<Target, 'host' | 'port' | 'password'>): Promise<Watcher> {
  const events: EslEvent[] = [];
  const connection = await openEsl({
    target: { host, port, password },
    clock: systemClock,
    connectTimeoutMs: REPLY_TIMEOUT_MS,
    silenceLimitMs: null,
    signal: new AbortController().signal,
    onEvent: event => events.push(event),
    onClose: () => undefined,
  });
  await connection.command(`event plain ${EVENTS}`, REPLY_TIMEOUT_MS);
  const first = (what: string, fits: (event: EslEvent) => boolean) => waitUntil(what, () => events.find(fits));
  return {
    events,
    api: line => connection.api(line, REPLY_TIMEOUT_MS),
    say: line => connection.command(line, REPLY_TIMEOUT_MS),
    event: (name, uuid) =>
      first(`${name} ${uuid ?? ''}`, event => event.name === name && (uuid === undefined || header(event, 'Unique-ID') === uuid)),
    inRoom: (room, action) =>
      first(`${action} of ${room}`, event => header(event, 'Conference-Name') === room && header(event, 'Action') === action),
    close: () => connection.destroy('the test has heard enough'),
  };
}
