import type { Cancel, Clock } from '#kernel/clock.ts';
import type { IdSource } from '#kernel/ids.ts';
import { randomInt, type Random } from '#kernel/random.ts';
import type { Speech } from './media/speech.ts';
import { beginCallee } from './callee.ts';
import { channelHeaders, endingHeaders, paddingOf } from './channel-event.ts';
import {
  type BrowserPhoneSide,
  type Channel,
  type ChannelState,
  type Ending,
  newChannel,
  type PhoneCallParts,
  type RunningApplication,
} from './channel.ts';
import { Bridges } from './bridges.ts';
import { dateText, stampText } from './clock-ticks.ts';
import { Conferences } from './conferences.ts';
import { type Route, route, type Routes } from './dial-string.ts';
import type { Padding } from './event-padding.ts';
import type { OutgoingEvent } from './frames.ts';
import type { SwitchSound } from './media/switch-sound.ts';
import { Moves } from './moves.ts';
import { type ParsedOriginate, parseOriginate } from './originate-line.ts';
import type { Phones } from './phones.ts';
import type { Recorder } from './record.ts';
import type { RecordingFolder } from './recording-folder.ts';
import { ScheduledCommands } from './scheduled-commands.ts';
import { ShowTable } from './show-table.ts';
import { runTalk } from './talk.ts';
import type { Troubles } from './troubles.ts';
import type { World } from './world.ts';

export interface CoreOptions {
  clock: Clock;
  /** Selects callees and their behaviour. */
  random: Random;
  /** Delays of the switch itself. */
  timing: Random;
  ids: IdSource;
  world: World;
  routes: Routes;
  phones: Phones;
  recorder: Recorder;
  troubles: Troubles;
  recordingFolder: RecordingFolder;
  sound: SwitchSound;
  /** The sound of simulated people, and of a runtime that speaks beside the switch. */
  speech: Speech;
  /** Browsers' phones; null where the switch has none. */
  browserPhones: BrowserPhoneSide | null;
  /** The switch admits one session per second less than this. */
  sessionsPerSecond: number;
  maxSessions: number;
  /** Delay of a change in `show channels`, in ms. */
  showLagMs: number;
  /** Whether a client listens for events of that name; other events are numbered and dropped. */
  isWanted(name: string): boolean;
  emit(event: OutgoingEvent): void;
  /** Receives the headers of each channel's last event, even when no client listens. */
  recordEnd?(uuid: string, headers: () => OutgoingEvent['headers']): void;
}

export const USAGE =
  '-USAGE: <call url> <exten>|&<application_name>(<app_args>) [<dialplan>] [<context>] [<cid_name>] [<cid_num>] [<timeout_sec>]\n';

const DEFAULT_ORIGINATE_TIMEOUT_SECONDS = 60;
/** Length of a key's tone, in samples at 8000 Hz. */
const DIGIT_SAMPLES = 2_000;
/** Delay between CHANNEL_HANGUP_COMPLETE and the job's result for a refusal, in ms. */
const JOB_LAG_MS = 20;

/**
 * The switch itself: channels, limits and events. A restart replaces it.
 *
 * Source: test/fixtures/esl/README.md §2, §3, §5
 */
export class SwitchCore {
  readonly uuid: string;
  readonly startedAt: number;
  readonly channels = new Map<string, Channel>();
  readonly shown: ShowTable;
  readonly options: CoreOptions;
  readonly conferences: Conferences;
  readonly bridges: Bridges;
  readonly moves: Moves;
  /** `fsctl pause`, by direction. */
  readonly paused = { inbound: false, outbound: false };
  readonly globals = new Map<string, string>();
  readonly scheduled: ScheduledCommands;
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
    this.shown = new ShowTable({ clock: options.clock, random: options.timing, lagMs: options.showLagMs });
    this.globals.set('core_uuid', this.uuid).set('hostname', 'simulator');
    this.scheduled = new ScheduledCommands(options.clock);
    this.bridges = new Bridges(this);
    this.moves = new Moves(this);
    this.conferences = new Conferences(this);
  }

  get sessionsThisSecond(): number {
    return Math.floor(this.options.clock.now() / 1_000) === this.#second.at ? this.#second.sessions : 0;
  }

  /** Emits an event with the common headers. */
  emit(name: string, headers: OutgoingEvent['headers'], { body, padding }: { body?: string; padding?: Padding } = {}): void {
    if (this.#isOver) return;
    this.#sequence += 1;
    if (!this.options.isWanted(name)) return;
    const event = { headers: [...this.commonHeaders(name), ...headers], ...(padding ? { padding } : {}) };
    this.options.emit(body === undefined ? event : { ...event, body });
  }

  commonHeaders(name: string): OutgoingEvent['headers'] {
    const now = this.options.clock.now();
    return [
      ['Event-Name', name],
      ['Core-UUID', this.uuid],
      ['FreeSWITCH-Hostname', 'simulator'],
      ['FreeSWITCH-Switchname', 'simulator'],
      ['FreeSWITCH-IPv4', '127.0.0.1'],
      ['FreeSWITCH-IPv6', '::1'],
      ['Event-Date-Local', dateText(now)],
      ['Event-Date-GMT', new Date(now).toUTCString()],
      ['Event-Date-Timestamp', stampText(now)],
      ['Event-Calling-File', 'simulator.ts'],
      ['Event-Calling-Function', 'emit'],
      ['Event-Calling-Line-Number', '1'],
      ['Event-Sequence', String(this.#sequence)],
    ];
  }

  /** Runs `originate`; calls `finish` once with the job's result. */
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
    const { routes, phones, troubles } = this.options;
    const target = route(parse.originate.dialString, routes, phones, troubles);
    const refusedBecause = target.kind === 'refused' ? target.cause : this.#admissionRefusal(parse.originate, target);
    if (refusedBecause !== null || target.kind === 'refused') return finishOnce(`-ERR ${refusedBecause}\n`);
    this.#create(parse.originate, target, finishOnce);
  }

  /** Every local reason to refuse a session looks the same to the client. */
  #admissionRefusal(originate: ParsedOriginate, target: Route): string | null {
    const second = Math.floor(this.options.clock.now() / 1_000);
    if (second !== this.#second.at) this.#second = { at: second, sessions: 0 };
    const uuid = originate.variables.get('origination_uuid');
    const isDuplicate = target.kind === 'callee' && uuid !== undefined && this.channels.has(uuid);
    const isOverRate = this.#second.sessions >= this.sessionsPerSecond - 1;
    if (this.paused.outbound || isDuplicate || isOverRate || this.channels.size >= this.maxSessions) return 'DESTINATION_OUT_OF_ORDER';
    const ordered = this.options.troubles.takeRefusal();
    if (ordered !== null) return ordered;
    this.#second.sessions += 1;
    return null;
  }

  #create(originate: ParsedOriginate, target: Exclude<Route, { kind: 'refused' }>, finish: (result: string) => void): void {
    const wanted = originate.variables.get('origination_uuid');
    const channel = newChannel({
      uuid: wanted === undefined || this.channels.has(wanted) ? this.options.ids() : wanted,
      direction: 'outbound',
      channelName: target.channelName,
      number: target.number,
      gateway: target.kind === 'callee' ? target.gateway : null,
      endpoint: target.endpoint,
      way: target.kind === 'callee' ? target.way : 'open',
      phone: target.kind === 'callee' ? target.phone : null,
      dialString: originate.dialString,
      application: originate.application,
      createdVariables: originate.variables,
      sessionId: (this.sessionsSinceStart += 1),
      createdAt: this.options.clock.now(),
      finish,
    });
    this.#enter(channel);
    this.#armTimeout(channel);
    beginCallee(this, channel);
  }

  /** A phone calls the switch: a channel that runs the application once it is answered. */
  accept({ extension, number, application, variables }: PhoneCallParts): Channel {
    const channel = newChannel({
      uuid: this.options.ids(),
      direction: 'inbound',
      channelName: `sofia/agents/${extension}@${this.options.phones.realm}`,
      number,
      gateway: null,
      endpoint: 'sofia',
      way: 'open',
      phone: this.options.phones.find(extension) ?? null,
      dialString: '',
      application,
      createdVariables: variables,
      sessionId: (this.sessionsSinceStart += 1),
      createdAt: this.options.clock.now(),
      finish: () => undefined,
    });
    this.#enter(channel);
    return channel;
  }

  #enter(channel: Channel): void {
    this.channels.set(channel.uuid, channel);
    this.options.recorder.began(channel);
    this.shown.note(channel);
    this.channelEvent(channel, 'CHANNEL_CREATE');
    this.mark(channel, { state: 'CS_CONSUME_MEDIA' });
  }

  /** A tick on whole seconds ends the attempt between N-1 and N seconds after its start. */
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
  later(channel: Channel, delayMs: number, task: () => void): Cancel {
    const cancel = this.options.clock.schedule(delayMs, () => {
      channel.timers.delete(stop);
      if (channel.endedAt === null) task();
    });
    const stop = () => {
      cancel();
      channel.timers.delete(stop);
    };
    channel.timers.add(stop);
    return stop;
  }

  channelEvent(channel: Channel, name: string, more: OutgoingEvent['headers'] = []): void {
    if (!this.options.isWanted(name)) return this.emit(name, []);
    this.emit(name, [...channelHeaders(channel), ...more], { padding: paddingOf(channel) });
  }

  /** Changes the channel's row in the lists. */
  mark(channel: Channel, change: Partial<Pick<Channel, 'state' | 'callState' | 'running'>>, callUuid = channel.uuid): void {
    Object.assign(channel, change);
    this.shown.note(channel, callUuid);
  }

  /** Starts an application on the channel. */
  execute(channel: Channel, running: RunningApplication, state: ChannelState = 'CS_EXECUTE', callUuid = channel.uuid): void {
    this.mark(channel, { running, state }, callUuid);
    this.channelEvent(channel, 'CHANNEL_EXECUTE', [
      ['Application', running.name],
      ['Application-Data', running.data],
    ]);
    if (running.name === 'park') this.channelEvent(channel, 'CHANNEL_PARK');
  }

  /** `uuid_hold`: the row of a held channel names no application. */
  hold(channel: Channel, isHeld: boolean): void {
    this.mark(channel, { callState: isHeld ? 'HELD' : 'ACTIVE', running: null });
    this.channelEvent(channel, isHeld ? 'CHANNEL_HOLD' : 'CHANNEL_UNHOLD');
  }

  /** The far end has pressed a key. */
  digit(channel: Channel, digit: string): void {
    this.options.recorder.heardDigit(channel.uuid, digit);
    this.channelEvent(channel, 'DTMF', [
      ['DTMF-Digit', digit],
      ['DTMF-Duration', String(DIGIT_SAMPLES)],
      ['DTMF-Source', 'RTP'],
    ]);
  }

  /** Sends the answer event at once; the job's result and the application follow a little later. */
  answer(channel: Channel): void {
    channel.answeredAt = this.options.clock.now();
    this.options.recorder.answered(channel);
    this.channelEvent(channel, 'CHANNEL_ANSWER');
    this.mark(channel, { callState: 'ACTIVE' });
    this.options.clock.schedule(this.moves.delayMs, () => {
      channel.finish(`+OK ${channel.uuid}\n`);
      if (channel.endedAt === null) this.moves.start(channel);
    });
  }

  /** Called when a party joins or leaves a channel. */
  companyChanged(channel: Channel): void {
    if (channel.endedAt === null) runTalk(this, channel);
  }

  /** Marks that a runtime outside the switch serves the callee. */
  attend(channel: Channel): void {
    channel.isAttended = true;
    this.companyChanged(channel);
  }

  hangUp(channel: Channel, ending: Ending): void {
    if (channel.endedAt !== null) return;
    channel.endedAt = this.options.clock.now();
    channel.cause = ending.cause;
    for (const cancel of channel.timers) cancel();
    this.channels.delete(channel.uuid);
    this.options.browserPhones?.released(channel);
    this.conferences.leave(channel);
    this.mark(channel, { state: 'CS_REPORTING', callState: 'HANGUP' });
    this.options.recorder.ended(channel);
    const headers = [['Hangup-Cause', ending.cause] as const, ...endingHeaders(channel, ending)];
    this.channelEvent(channel, 'CHANNEL_HANGUP_COMPLETE', headers);
    this.options.recordEnd?.(channel.uuid, () => [...channelHeaders(channel), ...paddingOf(channel).headers, ...headers]);
    // All legs share one uuid, so the second leg of `A|B` is refused as a duplicate.
    const result = channel.dialString.includes('|') ? 'DESTINATION_OUT_OF_ORDER' : ending.cause;
    this.options.clock.schedule(JOB_LAG_MS, () => channel.finish(`-ERR ${result}\n`));
    this.bridges.ended(channel);
    this.#endListeners(channel);
  }

  /** Listeners of the channel have nothing more to hear. */
  #endListeners({ uuid }: Channel): void {
    for (const listener of this.channels.values())
      if (listener.running?.name === 'eavesdrop' && listener.running.data === uuid) this.kill(listener, 'NORMAL_CLEARING');
  }

  /** Ends a channel from our side, like `uuid_kill`. */
  kill(channel: Channel, cause: string): void {
    const disposition = channel.endpoint !== 'sofia' ? null : channel.answeredAt === null ? 'send_cancel' : 'send_bye';
    this.hangUp(channel, { cause, disposition });
  }

  killAll(cause: string): void {
    for (const channel of this.channels.values()) this.kill(channel, cause);
  }

  /** Simulates the death of the process: no more events, and all channels are lost. */
  vanish(): void {
    this.#isOver = true;
    this.scheduled.clear();
    for (const channel of this.channels.values()) {
      for (const cancel of channel.timers) cancel();
      channel.endedAt = this.options.clock.now();
      channel.cause = 'LOST';
      this.options.browserPhones?.released(channel);
      this.options.recorder.ended(channel);
    }
    this.channels.clear();
    this.shown.clear();
    this.conferences.clear();
    this.bridges.clear();
  }
}
