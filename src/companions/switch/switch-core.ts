import type { Clock } from '#kernel/clock.ts';
import type { IdSource } from '#kernel/ids.ts';
import { randomInt, type Random } from '#kernel/random.ts';
import { beginCallee } from './callee.ts';
import { channelHeaders, endingHeaders } from './channel-event.ts';
import type { Channel, Ending } from './channel.ts';
import { Bridges } from './bridges.ts';
import { Conferences } from './conferences.ts';
import { type Route, route, type Routes } from './dial-string.ts';
import type { OutgoingEvent } from './frames.ts';
import { type ParsedOriginate, parseOriginate } from './originate-line.ts';
import type { Phones } from './phones.ts';
import type { Recorder } from './record.ts';
import type { World } from './world.ts';

export interface CoreOptions {
  clock: Clock;
  random: Random;
  ids: IdSource;
  world: World;
  routes: Routes;
  phones: Phones;
  recorder: Recorder;
  /** A session per second less than this is admitted in each second. */
  sessionsPerSecond: number;
  maxSessions: number;
  /** `show channels` tells of a channel, new or gone, this much later, ms. */
  showLagMs: number;
  emit(event: OutgoingEvent): void;
}

export const USAGE =
  '-USAGE: <call url> <exten>|&<application_name>(<app_args>) [<dialplan>] [<context>] [<cid_name>] [<cid_num>] [<timeout_sec>]\n';

const DEFAULT_ORIGINATE_TIMEOUT_SECONDS = 60;
/** A refusal reaches its job this much after CHANNEL_HANGUP_COMPLETE. */
const JOB_LAG_MS = 20;

/**
 * The switch itself: its channels, its limits and its events. Lives until the next restart.
 *
 * Source: fixtures/esl/README.md §2, §3, §5
 */
export class SwitchCore {
  readonly uuid: string;
  readonly startedAt: number;
  readonly channels = new Map<string, Channel>();
  /** What `show channels` knows: a copy that lags. */
  readonly shown = new Map<string, Channel>();
  readonly options: CoreOptions;
  readonly conferences: Conferences;
  readonly bridges: Bridges;
  /** `fsctl pause`, by direction. */
  readonly paused = { inbound: false, outbound: false };
  sessionsPerSecond: number;
  maxSessions: number;
  sessionsSinceStart = 0;
  #sequence = 0;
  #second = { at: 0, sessions: 0 };
  #isOver = false;

  constructor(options: CoreOptions) {
    this.options = options;
    this.uuid = options.ids();
    this.startedAt = options.clock.now();
    this.sessionsPerSecond = options.sessionsPerSecond;
    this.maxSessions = options.maxSessions;
    this.bridges = new Bridges(this);
    this.conferences = new Conferences({
      clock: options.clock,
      ids: options.ids,
      emit: (name, headers) => this.emit(name, headers),
      kill: (channel, cause) => this.kill(channel, cause),
    });
  }

  get sessionsThisSecond(): number {
    return Math.floor(this.options.clock.now() / 1_000) === this.#second.at ? this.#second.sessions : 0;
  }

  /** Emits an event with the headers that every event has. */
  emit(name: string, headers: OutgoingEvent['headers'], body?: string): void {
    if (this.#isOver) return;
    this.#sequence += 1;
    const now = this.options.clock.now();
    const common: OutgoingEvent['headers'] = [
      ['Event-Name', name],
      ['Core-UUID', this.uuid],
      ['FreeSWITCH-Hostname', 'simulator'],
      ['FreeSWITCH-Switchname', 'simulator'],
      ['FreeSWITCH-IPv4', '127.0.0.1'],
      ['Event-Date-Timestamp', String(Math.round(now * 1_000))],
      ['Event-Sequence', String(this.#sequence)],
    ];
    const event = { headers: [...common, ...headers] };
    this.options.emit(body === undefined ? event : { ...event, body });
  }

  /** Runs `originate`; `finish` gets the job's result when it is known, once. */
  originate(argument: string, finish: (result: string) => void): void {
    const parse = parseOriginate(argument);
    const attempt = this.options.recorder.originate(parse.kind === 'originate' ? parse.originate : null);
    const finishOnce = (result: string) => {
      if (attempt.result !== null) return;
      attempt.result = result.trim();
      finish(result);
    };
    if (parse.kind === 'usage') return finishOnce(USAGE);
    if (parse.kind === 'refused') return finishOnce(`-ERR ${parse.cause}\n`);
    const target = route(parse.originate.dialString, this.options.routes, this.options.phones);
    const refusedBecause = target.kind === 'refused' ? target.cause : this.#admissionRefusal(parse.originate, target);
    if (refusedBecause !== null || target.kind === 'refused') return finishOnce(`-ERR ${refusedBecause}\n`);
    this.#create(parse.originate, target, finishOnce);
  }

  /** Every local reason not to make a session looks the same to the client. */
  #admissionRefusal(originate: ParsedOriginate, target: Route): string | null {
    const second = Math.floor(this.options.clock.now() / 1_000);
    if (second !== this.#second.at) this.#second = { at: second, sessions: 0 };
    const uuid = originate.variables.get('origination_uuid');
    const isDuplicate = target.kind === 'callee' && uuid !== undefined && this.channels.has(uuid);
    const isOverRate = this.#second.sessions >= this.sessionsPerSecond - 1;
    if (this.paused.outbound || isDuplicate || isOverRate || this.channels.size >= this.maxSessions) return 'DESTINATION_OUT_OF_ORDER';
    this.#second.sessions += 1;
    return null;
  }

  #create(originate: ParsedOriginate, target: Exclude<Route, { kind: 'refused' }>, finish: (result: string) => void): void {
    const wanted = originate.variables.get('origination_uuid');
    const channel: Channel = {
      uuid: wanted === undefined || this.channels.has(wanted) ? this.options.ids() : wanted,
      channelName: target.channelName,
      number: target.number,
      gateway: target.kind === 'callee' ? target.gateway : null,
      endpoint: target.endpoint,
      way: target.kind === 'callee' ? target.way : 'open',
      phone: target.kind === 'callee' ? target.phone : null,
      dialString: originate.dialString,
      application: originate.application,
      variables: new Map(originate.variables),
      createdVariables: originate.variables,
      sessionId: (this.sessionsSinceStart += 1),
      plan: null,
      createdAt: this.options.clock.now(),
      progressAt: null,
      mediaAt: null,
      answeredAt: null,
      endedAt: null,
      cause: null,
      timers: new Set(),
      finish,
    };
    this.channels.set(channel.uuid, channel);
    this.options.recorder.began(channel);
    this.options.clock.schedule(this.options.showLagMs, () => this.shown.set(channel.uuid, channel));
    this.channelEvent(channel, 'CHANNEL_CREATE');
    this.#armTimeout(channel);
    beginCallee(this, channel);
  }

  /** A whole-second tick ends the attempt between N-1 and N seconds after its start. */
  #armTimeout(channel: Channel): void {
    const wanted = Number(channel.variables.get('originate_timeout'));
    const timeoutSeconds = wanted > 0 ? wanted : DEFAULT_ORIGINATE_TIMEOUT_SECONDS;
    const early = randomInt(this.options.random, 200, 950);
    this.later(channel, Math.max(40, timeoutSeconds * 1_000 - early), () => {
      if (channel.answeredAt !== null) return;
      channel.finish('-ERR NO_ANSWER\n');
      this.hangUp(channel, { cause: 'NO_ANSWER', disposition: 'send_cancel' });
    });
  }

  /** Runs `task` after `delayMs` unless the channel has ended. */
  later(channel: Channel, delayMs: number, task: () => void): void {
    const cancel = this.options.clock.schedule(delayMs, () => {
      channel.timers.delete(cancel);
      if (channel.endedAt === null) task();
    });
    channel.timers.add(cancel);
  }

  channelEvent(channel: Channel, name: string, more: OutgoingEvent['headers'] = []): void {
    this.emit(name, [...channelHeaders(channel, name), ...more]);
  }

  answer(channel: Channel): void {
    channel.answeredAt = this.options.clock.now();
    this.options.recorder.answered(channel);
    this.channelEvent(channel, 'CHANNEL_ANSWER');
    channel.finish(`+OK ${channel.uuid}\n`);
  }

  hangUp(channel: Channel, ending: Ending): void {
    if (channel.endedAt !== null) return;
    channel.endedAt = this.options.clock.now();
    channel.cause = ending.cause;
    for (const cancel of channel.timers) cancel();
    this.channels.delete(channel.uuid);
    this.conferences.leave(channel);
    this.options.clock.schedule(this.options.showLagMs, () => this.shown.delete(channel.uuid));
    this.options.recorder.ended(channel);
    const cause: OutgoingEvent['headers'] = [['Hangup-Cause', ending.cause]];
    this.emit('CHANNEL_HANGUP_COMPLETE', [
      ...cause,
      ...channelHeaders(channel, 'CHANNEL_HANGUP_COMPLETE'),
      ...endingHeaders(channel, ending),
    ]);
    // With one uuid for all legs, the second of `A|B` is refused as a duplicate.
    const result = channel.dialString.includes('|') ? 'DESTINATION_OUT_OF_ORDER' : ending.cause;
    this.options.clock.schedule(JOB_LAG_MS, () => channel.finish(`-ERR ${result}\n`));
    this.bridges.ended(channel);
  }

  /** Ends a channel from our side, as `uuid_kill` does. */
  kill(channel: Channel, cause: string): void {
    const disposition = channel.endpoint !== 'sofia' ? null : channel.answeredAt === null ? 'send_cancel' : 'send_bye';
    this.hangUp(channel, { cause, disposition });
  }

  killAll(cause: string): void {
    for (const channel of this.channels.values()) this.kill(channel, cause);
  }

  /** The process is gone: nothing is told any more, channels are lost. */
  vanish(): void {
    this.#isOver = true;
    for (const channel of this.channels.values()) {
      for (const cancel of channel.timers) cancel();
      channel.endedAt = this.options.clock.now();
      channel.cause = 'LOST';
      this.options.recorder.ended(channel);
    }
    this.channels.clear();
    this.shown.clear();
    this.conferences.rooms.clear();
    this.bridges.clear();
  }
}
