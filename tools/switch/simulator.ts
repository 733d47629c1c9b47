import { createServer, type Server, type Socket } from 'node:net';
import { systemIds, type IdSource } from '#kernel/ids.ts';
import type { Cancel, Clock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import { type Random, seededRandom } from '#kernel/random.ts';
import { DEFAULT_ROUTES, type Routes } from './dial-string.ts';
import { BrowserPhones } from './browser-phones.ts';
import { CallRecords, type CallRecordTarget } from './call-records.ts';
import { EslSession } from './esl-session.ts';
import { type Faults, StreamFaults } from './faults.ts';
import { SHUTTING_DOWN } from './frames.ts';
import { createSpeech, type Speech } from './media/speech.ts';
import { hearingOf } from './hearing.ts';
import type { OpenPeer } from './media/peer.ts';
import { SwitchSound } from './media/switch-sound.ts';
import { openWeriftPeer } from './media/werift-peer.ts';
import type { Phone } from './phone.ts';
import { Phones } from './phones.ts';
import { Recorder, type SwitchRecord } from './record.ts';
import { recordingFolder } from './recording-folder.ts';
import type { FindA1Hash } from './sip/directory.ts';
import { SipServer } from './sip/sip-server.ts';
import { SmallTalk } from './small-talk.ts';
import { SwitchCore } from './switch-core.ts';
import { uptime } from './status-text.ts';
import { Troubles } from './troubles.ts';
import { DEFAULT_WORLD, type World } from './world.ts';

export interface SimulatorOptions {
  host: string;
  /** 0: any free port. */
  port: number;
  password: string;
  /** Selects callees and their behaviour. */
  random: Random;
  /** Delays of the switch itself. */
  timing?: Random;
  clock: Clock;
  log: Log;
  world?: World;
  routes?: Routes;
  /** Agents' phones. */
  phones?: readonly Phone[];
  /** Domain of the agents' phones. */
  realm?: string;
  /** Folder for recordings, written as tones; absent: recordings are only reported. */
  recordings?: string;
  /** Serves browsers' phones; absent: none. */
  browserPhones?: BrowserPhoneOptions;
  /** Destination of call detail records; absent: none are sent. */
  callRecords?: CallRecordTarget;
  ids?: IdSource;
  /** `sessions-per-second`; the switch admits one less. */
  sessionsPerSecond?: number;
  maxSessions?: number;
  /** Interval at which events are written, in ms; 0: at once. */
  eventPollMs?: number;
  heartbeatMs?: number;
  /** Time for a client to authenticate, in ms. */
  authTimeoutMs?: number;
  showLagMs?: number;
  /** Variables whose concurrency is counted, beside the destination. */
  trackedVariables?: readonly string[];
}

export interface BrowserPhoneOptions {
  /** Port of SIP over WebSocket; 0: any free port. */
  port: number;
  findA1Hash: FindA1Hash;
  openPeer?: OpenPeer;
  /** Finds the program that speaks, by its path; absent or null: tones mark the sentences. */
  findSynthesis?(): string | null;
}

export interface SwitchSimulator {
  port: number;
  /** Port of SIP over WebSocket; null without browsers' phones. */
  phonePort: number | null;
  /** Everything that the switch observed, newest last. */
  record(limit?: number): SwitchRecord;
  faults: Faults;
  phones: Phones;
  callRecords: CallRecords;
  /** Hangs up the far end of a channel. */
  hangUp(uuid: string): void;
  /** Marks that a runtime outside the switch serves the callee of a channel: its talk time begins to run. */
  attend(uuid: string): void;
  isBridged(uuid: string): boolean;
  /** Channels that hear this one in its conference. */
  hearersOf(uuid: string): string[];
  /** The sound of calls by browsers' phones. */
  sound: SwitchSound;
  close(): Promise<void>;
}

const TUNABLES = [
  'sessionsPerSecond',
  'maxSessions',
  'eventPollMs',
  'heartbeatMs',
  'authTimeoutMs',
  'showLagMs',
  'trackedVariables',
] as const;

const DEFAULTS: Required<Pick<SimulatorOptions, (typeof TUNABLES)[number]>> = {
  sessionsPerSecond: 30,
  maxSessions: 1_000,
  eventPollMs: 20,
  heartbeatMs: 20_000,
  authTimeoutMs: 24_500,
  showLagMs: 195,
  trackedVariables: ['callout_campaign_id', 'origination_caller_id_number'],
};
/** Seed of the switch's own delays; callees use `random`. */
const TIMING_SEED = 20;
/** Delay between the hang-ups of a shutdown and the disconnect notice, in ms. */
const SHUTDOWN_NOTICE_MS = 1_800;

/**
 * Starts a simulated switch with an Event Socket and simulated callees.
 *
 * Errors: any, when the port cannot be opened
 * Source: test/fixtures/esl/README.md, A10
 */
export async function startSwitchSimulator(options: SimulatorOptions): Promise<SwitchSimulator> {
  const simulator = new Simulator(options);
  const port = await simulator.open(options.port);
  const phonePort = await simulator.openPhones();
  return {
    port,
    phonePort,
    record: limit => simulator.recorder.read(simulator.core.uuid, limit),
    faults: simulator,
    phones: simulator.phones,
    callRecords: simulator.callRecords,
    hangUp: uuid => {
      const channel = simulator.core.channels.get(uuid);
      if (channel) simulator.core.hangUp(channel, { cause: 'NORMAL_CLEARING', disposition: 'recv_bye' });
    },
    attend: uuid => {
      const channel = simulator.core.channels.get(uuid);
      if (channel) simulator.core.attend(channel);
    },
    isBridged: uuid => simulator.core.bridges.has(uuid),
    hearersOf: uuid => {
      const channel = simulator.core.channels.get(uuid);
      return channel ? simulator.core.conferences.hearersOf(channel) : [];
    },
    sound: simulator.sound,
    close: () => simulator.close(),
  };
}

class Simulator implements Faults {
  readonly #options: SimulatorOptions & typeof DEFAULTS;
  readonly #sessions = new Set<EslSession>();
  readonly #stream: StreamFaults;
  readonly recorder: Recorder;
  readonly callRecords: CallRecords;
  readonly phones: Phones;
  readonly troubles = new Troubles();
  readonly sound: SwitchSound;
  readonly #speech: Speech;
  readonly #smallTalk: SmallTalk;
  readonly #browserPhones: BrowserPhones;
  readonly #timing: Random;
  #sipServer: SipServer | null = null;
  core: SwitchCore;
  #server: Server | null = null;
  #port = 0;
  #isFrozen = false;
  #isCut = false;
  #isClosed = false;
  #delayMs = 0;
  #cancelHeartbeat: Cancel = () => undefined;

  constructor(options: SimulatorOptions) {
    this.#options = { ...DEFAULTS, ...options };
    this.#timing = options.timing ?? seededRandom(TIMING_SEED);
    this.#stream = new StreamFaults(options.clock, event => {
      for (const session of this.#sessions) session.deliver(event);
    });
    this.recorder = new Recorder(options.clock, this.#options.trackedVariables);
    this.phones = new Phones(
      {
        clock: options.clock,
        realm: options.realm,
        emit: (subclass, headers) => this.core.emit('CUSTOM', [['Event-Subclass', subclass], ...headers]),
      },
      options.phones,
    );
    this.callRecords = new CallRecords(options.callRecords ?? null, options);
    const { clock, log } = options;
    this.#speech = createSpeech(() => options.browserPhones?.findSynthesis?.() ?? null);
    this.sound = new SwitchSound({ clock, hearingOf: uuid => hearingOf(this.core, this.sound, uuid) });
    const channels = () => this.core.channels.values();
    this.#smallTalk = new SmallTalk({ clock, random: this.#timing, channels, sound: this.sound, speech: this.#speech });
    this.#browserPhones = new BrowserPhones({ clock, log, phones: this.phones, sound: this.sound, core: () => this.core });
    this.core = this.#newCore();
  }

  async open(port: number): Promise<number> {
    const server = createServer(socket => this.#accept(socket));
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, this.#options.host, resolve);
    });
    const address = server.address();
    this.#port = typeof address === 'object' && address !== null ? address.port : port;
    this.#server = server;
    this.#beat();
    return this.#port;
  }

  /** Resolves to the port of SIP over WebSocket; null when no phones are wanted. */
  async openPhones(): Promise<number | null> {
    const { browserPhones, host, clock, log } = this.#options;
    if (browserPhones === undefined) return null;
    this.#sipServer = new SipServer({
      host,
      clock,
      log,
      ids: this.#options.ids ?? systemIds,
      realm: this.phones.realm,
      openPeer: openWeriftPeer,
      ...browserPhones,
      isOpen: () => !this.core.paused.inbound,
      onRegistered: binding => this.#browserPhones.registered(binding),
      onUnregistered: binding => this.#browserPhones.unregistered(binding),
      onCall: call => this.#browserPhones.called(call),
    });
    this.#browserPhones.serve(this.#sipServer);
    this.#smallTalk.start();
    return await this.#sipServer.open();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.callRecords.close();
    this.core.vanish();
    this.#smallTalk.stop();
    await this.#sipServer?.close();
    this.sound.close();
    await this.#stopListening();
  }

  freeze(durationMs?: number): void {
    this.#isFrozen = true;
    for (const session of this.#sessions) session.freeze();
    if (durationMs !== undefined) this.#options.clock.schedule(durationMs, () => this.thaw());
  }

  thaw(): void {
    this.#isFrozen = false;
    for (const session of this.#sessions) session.thaw();
  }

  dropConnections(): void {
    for (const session of this.#sessions) session.destroy();
  }

  cut(durationMs: number): void {
    this.#isCut = true;
    this.dropConnections();
    this.#options.clock.schedule(durationMs, () => (this.#isCut = false));
  }

  loseReplies(count: number, kind: 'bgapi' | 'api' | 'any' = 'any'): void {
    this.#stream.loseReplies(count, kind);
  }

  loseEvents(count: number, name?: string): void {
    this.#stream.loseEvents(count, name);
  }

  duplicateEvents(count: number): void {
    this.#stream.duplicateEvents(count);
  }

  swapEvents(count: number): void {
    this.#stream.swapEvents(count);
  }

  slow(delayMs: number): void {
    this.#delayMs = delayMs;
  }

  kill(downMs: number): void {
    this.core.vanish();
    this.#comeBack(downMs);
  }

  restart(downMs: number): void {
    this.core.emit('SHUTDOWN', [['Event-Info', 'System Shutting Down']]);
    this.core.killAll('SYSTEM_SHUTDOWN');
    this.#options.clock.schedule(SHUTDOWN_NOTICE_MS, () => {
      this.core.vanish();
      for (const session of this.#sessions) session.disconnect(SHUTTING_DOWN);
      this.#options.clock.schedule(1, () => this.#comeBack(downMs));
    });
  }

  #comeBack(downMs: number): void {
    this.#isFrozen = false;
    void this.#stopListening().then(() => {
      this.#options.clock.schedule(downMs, () => {
        if (this.#isClosed) return;
        this.core = this.#newCore();
        this.open(this.#port).catch((error: unknown) =>
          this.#options.log.error({ error: String(error) }, 'the simulated switch could not restart'),
        );
      });
    });
  }

  async #stopListening(): Promise<void> {
    this.#cancelHeartbeat();
    const server = this.#server;
    this.#server = null;
    const closed = new Promise<void>(resolve => (server ? server.close(() => resolve()) : resolve()));
    this.dropConnections();
    await closed;
  }

  #accept(socket: Socket): void {
    if (this.#isCut) return void socket.destroy();
    const { clock, password, eventPollMs, authTimeoutMs } = this.#options;
    const session = new EslSession(
      {
        socket,
        password,
        clock,
        eventPollMs,
        authTimeoutMs,
        ids: this.core.options.ids,
        reach: () => ({ core: this.core, recorder: this.recorder, faults: this }),
        losesReply: kind => this.#stream.losesReply(kind),
        delayMs: () => this.#delayMs,
        onClose: closed => this.#sessions.delete(closed),
      },
      this.#isFrozen,
    );
    this.#sessions.add(session);
  }

  #newCore(): SwitchCore {
    const { clock, random, sessionsPerSecond, maxSessions, showLagMs } = this.#options;
    return new SwitchCore({
      clock,
      random,
      timing: this.#timing,
      ids: this.#options.ids ?? systemIds,
      world: this.#options.world ?? DEFAULT_WORLD,
      routes: this.#options.routes ?? DEFAULT_ROUTES,
      phones: this.phones,
      browserPhones: this.#browserPhones,
      sound: this.sound,
      speech: this.#speech,
      recorder: this.recorder,
      troubles: this.troubles,
      recordingFolder: recordingFolder(this.#options.recordings ?? null),
      sessionsPerSecond,
      maxSessions,
      showLagMs,
      isWanted: name => [...this.#sessions].some(session => session.listensFor(name)),
      emit: event => this.#stream.pass(event),
      recordEnd: (uuid, headers) => this.callRecords.ended(uuid, headers),
    });
  }

  #beat(): void {
    const { clock, heartbeatMs } = this.#options;
    this.#cancelHeartbeat = clock.schedule(heartbeatMs, () => {
      const { core } = this;
      core.emit('HEARTBEAT', [
        ['Event-Info', 'System Ready'],
        ['Up-Time', `0 years, ${uptime(core).days} days, ${uptime(core).hours} hours, ${uptime(core).minutes} minutes`],
        ['Session-Count', String(core.channels.size)],
        ['Max-Sessions', String(core.maxSessions)],
        ['Session-Per-Sec', String(core.sessionsPerSecond)],
        ['Session-Since-Startup', String(core.sessionsSinceStart)],
        ['Idle-CPU', '96.666667'],
      ]);
      this.#beat();
    });
  }
}
