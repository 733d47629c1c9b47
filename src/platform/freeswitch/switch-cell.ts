import type { Cancel, Clock } from '#kernel/clock.ts';
import { CalloutError, invalidArgument } from '#kernel/errors.ts';
import type { IdSource } from '#kernel/ids.ts';
import type { Log } from '#kernel/log.ts';
import type { Random } from '#kernel/random.ts';
import type { CellState, ChannelState, GatewayStatus, ListedChannel, OriginateCommand, OriginateReply, SwitchEvent } from './switch.ts';
import { isChannelVariable } from './channel-variables.ts';
import { readDialTemplate } from './dial-template.ts';
import { CellOutage, EslLink, SHUTTING_DOWN } from './esl-link.ts';
import { buildOriginate, setVariableLine, withoutControls } from './originate-command.ts';
import { CommandGate, PendingOriginates } from './originates.ts';
import { type EslEvent, EslUnsafeCommandError } from './esl-codec.ts';
import { type EslConnection, EslUnavailableError } from './esl-connection.ts';
import { isRegistration, toSwitchEvent } from './events.ts';
import { gatewayDomains, gatewayStatuses, readChannels, readChannelState } from './status-commands.ts';
import { RecordingWatch } from './conference-switch.ts';

/** A FreeSWITCH server of the configuration (D1.3). */
export interface CellConfig {
  id: string;
  host: string;
  port: number;
  password: string;
  /** 0: unlimited. */
  maxConcurrency: number;
  maxOriginatesPerSecond: number;
  originateTimeoutSeconds: number;
  isEnabled: boolean;
  /** Absolute path of the switch's recording folder. */
  recordingFolder?: string;
  /** SIP profile that `{{sipProfile}}` stands for at this switch. */
  sipProfile?: string;
}

/** Optional hooks for metrics. */
export interface SwitchMetrics {
  /** Time from the request to its outcome, ms. */
  originated?(cellId: string, outcome: OriginateReply['kind'], latencyMs: number): void;
  cellState?(cellId: string, state: CellState['state']): void;
}

export interface SwitchCellOptions {
  config: CellConfig;
  clock: Clock;
  random: Random;
  ids: IdSource;
  log: Log;
  metrics: SwitchMetrics;
  /** Announcement for a customer whose call no runtime accepts: a file at the switch or a tone, without `^` and spaces. */
  apology: string;
  emit(event: SwitchEvent): void;
  /** A phone has registered or unregistered at this cell. */
  onRegistration?(): void;
}

/** CUSTOM must be last, because every word after it is a subclass. */
const SUBSCRIPTION =
  'event plain CHANNEL_CREATE CHANNEL_PROGRESS CHANNEL_PROGRESS_MEDIA CHANNEL_ANSWER CHANNEL_HANGUP_COMPLETE BACKGROUND_JOB HEARTBEAT SHUTDOWN CUSTOM conference::maintenance sofia::register sofia::unregister sofia::expire';
/**
 * Excludes conference events about talking and floor changes, which come several times a second and are not needed. An exclusion alone would
 * block everything: an event must match at least one inclusive filter.
 *
 * Source: test/fixtures/esl/README.md §1 "filter"
 */
const FILTERS = ['Event-Name /^[A-Z]/', ...['start-talking', 'stop-talking', 'floor-change'].map(action => `Action -${action}`)];
const REPLY_TIMEOUT_MS = 3_000;
/** HEARTBEAT comes every 20 s; one may be lost. */
const SILENCE_LIMIT_MS = 45_000;
/** Interval of probes on an idle command connection. */
const PROBE_INTERVAL_MS = 5_000;
const MAX_ORIGINATES_IN_FLIGHT = 32;
const MAX_ORIGINATES_WAITING = 512;
const CORE_UUID_COMMAND = 'global_getvar core_uuid';

const CONNECTED = 'connected';

const CHANNEL_ID = /^[0-9a-zA-Z-]{1,64}$/;
const CAUSE = /^[A-Z0-9_]{1,64}$/;

/**
 * A cell: a connection for events, a connection for commands, and the pending originates.
 *
 * Why:    on a shared connection events wait for pending commands, up to seconds
 * Source: A10, test/fixtures/esl/README.md §7.1
 */
export class SwitchCell {
  readonly #options: SwitchCellOptions;
  readonly #events: EslLink;
  readonly #commands: EslLink;
  readonly #pending: PendingOriginates;
  readonly #outage: CellOutage;
  readonly #recordings = new RecordingWatch();
  /** Domain of a gateway's From header; null when the switch does not report it. */
  readonly gatewayDomain: (gateway: string) => Promise<string | null>;
  readonly gatewayStatus: (gateway: string) => Promise<GatewayStatus>;
  readonly #gate = new CommandGate(MAX_ORIGINATES_IN_FLIGHT, MAX_ORIGINATES_WAITING);
  #state: CellState['state'] = 'connecting';
  #since: number;
  #coreUuid: string | null = null;
  /** Core-UUID at the latest `cell_up`. */
  #knownCoreUuid: string | null = null;
  #isShuttingDown = false;
  #cancelProbe: Cancel = () => undefined;

  constructor(options: SwitchCellOptions) {
    this.#options = options;
    this.#since = options.clock.now();
    this.#outage = new CellOutage(options.log);
    this.gatewayDomain = gatewayDomains(line => this.api(line), options.clock);
    this.gatewayStatus = gatewayStatuses(line => this.api(line), options.clock);
    this.#pending = new PendingOriginates(options.clock);
    this.#events = this.#link(
      SILENCE_LIMIT_MS,
      connection => this.#subscribe(connection),
      () => this.#pending.deaf(),
    );
    this.#commands = this.#link(
      null,
      connection => this.#identify(connection),
      () => this.#gate.clear(),
    );
  }

  start(): void {
    this.#events.start();
    this.#commands.start();
    this.#probeLater();
  }

  stop(): void {
    this.#cancelProbe();
    this.#events.stop();
    this.#commands.stop();
    this.#gate.clear();
    this.#pending.deaf();
  }

  get state(): CellState {
    const { id, isEnabled, maxConcurrency, maxOriginatesPerSecond } = this.#options.config;
    const fault = this.#state === 'down' ? this.#outage.fault : undefined;
    return { cellId: id, isEnabled, state: this.#state, since: this.#since, fault, maxConcurrency, maxOriginatesPerSecond };
  }

  async originate(command: OriginateCommand): Promise<OriginateReply> {
    const { clock, metrics, config } = this.#options;
    const startedAt = clock.monotonic();
    const reply = await this.#originate(command);
    metrics.originated?.(config.id, reply.kind, clock.monotonic() - startedAt);
    return reply;
  }

  async #originate(command: OriginateCommand): Promise<OriginateReply> {
    if (!this.#options.config.isEnabled) return notSent('disabled', '该交换机单元已停用');
    const gateway = gatewayToAsk(command);
    const gatewayDomain = gateway === null ? null : await this.gatewayDomain(gateway);
    const built = buildOriginate(command, { sipProfile: this.#options.config.sipProfile, gatewayDomain });
    if (built.kind === 'unsafe') return notSent('unsafe', `呼叫参数不合法：${built.problem}`);
    if (built.leftOut.length > 0) this.#options.log.debug({ names: built.leftOut.length }, 'channel variables left out');
    const entering = this.#gate.enter();
    const isAdmitted = typeof entering === 'boolean' ? entering : await entering;
    if (!isAdmitted) return notSent('disconnected', '交换机连接不可用');
    const outcome = this.#write(command, built.line);
    if (built.later.size > 0) this.#setLater(command.requestId, built.later, outcome);
    return outcome;
  }

  /** Checks the deadline and sends in the same tick; leaves the gate on the reply, not on the outcome. */
  #write(command: OriginateCommand, line: string): Promise<OriginateReply> {
    const { clock, ids } = this.#options;
    const connection = this.#state === 'up' ? this.#commands.connection : null;
    const refusal =
      connection === null
        ? notSent('disconnected', '交换机连接不可用')
        : clock.monotonic() > command.sendBefore
          ? notSent('deadline', '已超过发送时限')
          : null;
    if (connection === null || refusal !== null) {
      this.#gate.leave();
      return Promise.resolve(refusal ?? notSent('disconnected', '交换机连接不可用'));
    }
    const jobId = ids();
    const outcome = this.#pending.register(command.requestId, jobId, (uuid, text) => this.#endForeignChannel(jobId, uuid, text));
    connection.command(line, REPLY_TIMEOUT_MS, { 'Job-UUID': jobId }).then(
      reply => {
        this.#gate.leave();
        if (!reply.text.startsWith('+OK')) this.#pending.refuse(jobId, reply.text);
        else if (reply.headers.get('Job-UUID') !== jobId) connection.destroy('replies out of order');
      },
      (error: unknown) => {
        this.#gate.leave();
        this.#failed(jobId, error);
      },
    );
    return outcome;
  }

  #failed(jobId: string, error: unknown): void {
    if (error instanceof EslUnsafeCommandError) this.#pending.decide(jobId, notSent('unsafe', '呼叫参数不合法'));
    else if (error instanceof EslUnavailableError && !error.wasWritten)
      this.#pending.decide(jobId, notSent('disconnected', '交换机连接不可用'));
    else this.#pending.lost(jobId);
  }

  /** `null/`, `loopback/` and a duplicate may get another uuid; such an untraceable call is hung up. */
  #endForeignChannel(jobId: string, uuid: string, replyText: string): void {
    this.hangup(uuid, 'NORMAL_CLEARING').then(
      () => this.#pending.decide(jobId, { kind: 'refused', replyText, cause: 'DESTINATION_OUT_OF_ORDER' }),
      () => this.#pending.decide(jobId, { kind: 'unknown', replyText }),
    );
  }

  #setLater(requestId: string, variables: ReadonlyMap<string, string>, outcome: Promise<OriginateReply>): void {
    outcome
      .then(reply => (reply.kind === 'accepted' ? this.setVariables(requestId, variables) : undefined))
      .catch((error: unknown) => this.#options.log.warn({ error: String(error), requestId }, 'channel variables not set'));
  }

  async hangup(requestId: string, cause: string): Promise<'ended' | 'absent'> {
    const answer = await this.api(`uuid_kill ${checked(CHANNEL_ID, requestId, 'requestId')} ${checked(CAUSE, cause, 'cause')}`);
    if (answer === '+OK') return 'ended';
    if (answer === '-ERR No such channel!') return 'absent';
    throw unavailable(this.#options.config.id);
  }

  async dismiss(requestId: string): Promise<'dismissed' | 'absent'> {
    const uuid = checked(CHANNEL_ID, requestId, 'requestId');
    const answer = await this.api(`uuid_transfer ${uuid} m:^:playback:${this.#options.apology}^hangup:NORMAL_CLEARING inline`);
    if (answer.startsWith('+OK')) return 'dismissed';
    if (answer === '-ERR No such channel!') return 'absent';
    throw unavailable(this.#options.config.id);
  }

  async probe(requestId: string): Promise<ChannelState> {
    const state = readChannelState(await this.api(`uuid_dump ${checked(CHANNEL_ID, requestId, 'requestId')} json`));
    if (state === null) throw unavailable(this.#options.config.id);
    return state;
  }

  async channels(): Promise<ListedChannel[]> {
    const channels = readChannels(await this.api('show channels as json'));
    if (channels === null) throw unavailable(this.#options.config.id);
    return channels;
  }

  async setVariables(requestId: string, variables: Iterable<readonly [string, string]>): Promise<void> {
    const uuid = checked(CHANNEL_ID, requestId, 'requestId');
    const allowed = [...variables].filter(([name, value]) => isChannelVariable(name, withoutControls(value)));
    await Promise.all(allowed.map(([name, value]) => this.api(setVariableLine(uuid, name, value))));
  }

  /**
   * Runs a short API command and returns its whole reply, trimmed.
   *
   * Errors: SWITCH_UNAVAILABLE
   */
  async api(line: string): Promise<string> {
    const connection = this.#commands.connection;
    if (connection === null) throw unavailable(this.#options.config.id);
    try {
      return await connection.api(line, REPLY_TIMEOUT_MS);
    } catch (error) {
      throw unavailable(this.#options.config.id, error);
    }
  }

  #link(silenceLimitMs: number | null, prepare: (connection: EslConnection) => Promise<void>, onLoss: () => void): EslLink {
    const { config, clock, random } = this.#options;
    return new EslLink({
      target: config,
      clock,
      random,
      silenceLimitMs,
      prepare,
      onEvent: event => this.#take(event),
      onUp: () => this.#refresh(CONNECTED),
      onDown: reason => {
        onLoss();
        this.#refresh(reason);
      },
    });
  }

  async #subscribe(connection: EslConnection): Promise<void> {
    const commands = [...FILTERS.map(filter => `filter ${filter}`), SUBSCRIPTION];
    const replies = await Promise.all(commands.map(command => connection.command(command, REPLY_TIMEOUT_MS)));
    if (!replies.every(({ text }) => text.startsWith('+OK'))) throw new Error('the switch refuses the subscription');
    this.#isShuttingDown = false;
  }

  async #identify(connection: EslConnection): Promise<void> {
    const uuid = await connection.api(CORE_UUID_COMMAND, REPLY_TIMEOUT_MS);
    if (!CHANNEL_ID.test(uuid)) throw new Error('the switch does not tell its Core-UUID');
    this.#coreUuid = uuid;
  }

  #take(event: EslEvent): void {
    if (event.name === 'SHUTDOWN') {
      this.#isShuttingDown = true;
      this.#refresh(SHUTTING_DOWN);
    }
    this.#pending.take(event);
    if (isRegistration(event)) this.#options.onRegistration?.();
    const fact = toSwitchEvent(this.#options.config.id, event);
    if (fact !== null) this.#options.emit(fact.kind === 'conference' ? this.#recordings.judge(fact) : fact);
  }

  #refresh(reason: string): void {
    if (reason !== CONNECTED) this.#outage.note(reason);
    const isUp = this.#events.connection !== null && this.#commands.connection !== null && !this.#isShuttingDown;
    const next = isUp ? 'up' : 'down';
    if (next === this.#state || (next === 'down' && this.#state === 'connecting' && reason === CONNECTED)) return;
    const { config, clock, log, metrics } = this.#options;
    this.#state = next;
    this.#since = clock.now();
    metrics.cellState?.(config.id, next);
    if (next === 'up') {
      this.#outage.end();
      log.info({ state: next, reason }, 'cell state');
    }
    if (next === 'down') return this.#options.emit({ kind: 'cell_down', cellId: config.id, at: this.#since, reason });
    const coreUuid = this.#coreUuid ?? '';
    const restarted = this.#knownCoreUuid !== null && this.#knownCoreUuid !== coreUuid;
    this.#knownCoreUuid = coreUuid;
    return this.#options.emit({ kind: 'cell_up', cellId: config.id, at: this.#since, coreUuid, restarted });
  }

  #probeLater(): void {
    this.#cancelProbe = this.#options.clock.schedule(PROBE_INTERVAL_MS, () => {
      const connection = this.#commands.connection;
      // With a command in flight its time-out watches the connection. A failed probe closes its connection itself.
      if (connection !== null && connection.inFlight === 0) connection.api(CORE_UUID_COMMAND, REPLY_TIMEOUT_MS).catch(() => undefined);
      this.#probeLater();
    });
  }
}

/** Gateway whose domain must be requested; null when this call sets no From or the dial string names the host. */
function gatewayToAsk({ callerIdHeaderMode, dialStringTemplate }: OriginateCommand): string | null {
  if (callerIdHeaderMode !== 'from_and_p_preferred_identity') return null;
  const read = readDialTemplate(dialStringTemplate);
  return read.kind === 'allowed' ? read.closedGateway : null;
}

function notSent(reason: Extract<OriginateReply, { kind: 'not_sent' }>['reason'], replyText: string): OriginateReply {
  return { kind: 'not_sent', reason, replyText };
}

function unavailable(cellId: string, cause?: unknown): CalloutError {
  return new CalloutError('SWITCH_UNAVAILABLE', `交换机 ${cellId} 无应答，请稍后重试`, { cause });
}

function checked(shape: RegExp, text: string, field: string): string {
  if (!shape.test(text)) throw invalidArgument(field, 'wrongForm');
  return text;
}
