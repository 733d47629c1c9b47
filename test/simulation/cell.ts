import type { Cancel } from '#kernel/clock.ts';
import type { CallRecord } from '#calls/settle-by-record.ts';
import type { ChannelState, ListedChannel, SwitchEvent } from '#platform/freeswitch/switch.ts';
import type { Dice } from './dice.ts';
import type { Journal } from './journal.ts';
import type { Timeline } from './timeline.ts';
import type { Weather } from './weather.ts';

/** A channel at the switch; all other facts of the call are in its attempt. */
export interface Channel {
  requestId: string;
  cellId: string;
  createdAt: number;
  answeredAt: number | null;
}

export interface CellOptions {
  cellId: string;
  /** 0 = unlimited. */
  maxConcurrency: number;
  maxOriginatesPerSecond: number;
  timeline: Timeline;
  /** Random behaviour of customers. */
  dice: Dice;
  weather: Weather;
  journal: Journal;
  /** The number of a dial. */
  dialKeyOf(requestId: string): string;
  /** Called with each channel before any event about it is sent. */
  onCreated(channel: Channel): void;
  onEnded(channel: Channel): void;
  /** Called with the call detail record of each channel that ended normally. */
  onRecord(record: CallRecord): void;
}

export type Arrival = { kind: 'accepted'; replyText: string } | { kind: 'refused'; replyText: string; cause: string };

type ChannelSwitchEvent = Extract<SwitchEvent, { requestId: string }>;
type Fact = ChannelSwitchEvent extends infer Event
  ? Event extends ChannelSwitchEvent
    ? Omit<Event, 'cellId' | 'requestId' | 'at' | 'eventId'>
    : never
  : never;

/** Greatest age of the list that `show channels` returns, ms. */
const LIST_AGE_MS = 300;
const APOLOGY_MS = 2_500;
const MAX_TALK_MS = 20_000;
/** Time after which the network ends an unanswered call, ms. */
const RING_LIMIT_MS = 9_000;
/** Numbers that end so have no subscriber: about one in ten. */
const UNALLOCATED_ENDING = '9';
/** Time after which a carrier without a listener refuses a call, and a network a number without a subscriber, ms. */
const REFUSED_MS = 30;

/** One FreeSWITCH: its channels, the customers at the far end, and the events that it sends to its listeners. */
export class Cell {
  readonly options: CellOptions;
  readonly channels = new Map<string, Channel>();
  /** Calls whose customers hear an apology. */
  readonly dismissed = new Set<string>();
  readonly listeners = new Set<(event: SwitchEvent) => void>();
  isUp = true;
  /** `silent`: the carrier does not respond until the time-out; `refusing`: nothing listens at its address. */
  carrier: 'alive' | 'silent' | 'refusing' = 'alive';
  /** Incremented by each restart, so that connections from before are recognised as lost. */
  boot = 1;
  restarts = 0;
  #sequence = 0;
  readonly #ended: { channel: Channel; endedAt: number }[] = [];
  readonly #running = new Map<string, Cancel>();

  constructor(options: CellOptions) {
    this.options = options;
  }

  get id(): string {
    return this.options.cellId;
  }

  get coreUuid(): string {
    return `${this.id}-${this.boot}`;
  }

  /** Handles an originate that has arrived. */
  originate(requestId: string): Arrival {
    const { weather, timeline, journal, maxConcurrency } = this.options;
    const refuse = (cause: string): Arrival => {
      journal.write(() => `${this.id} refuses ${requestId} ${cause}`);
      return { kind: 'refused', replyText: `-ERR ${cause}`, cause };
    };
    if (this.channels.has(requestId)) return refuse('DESTINATION_OUT_OF_ORDER');
    if (maxConcurrency > 0 && this.channels.size >= maxConcurrency + 5) return refuse('DESTINATION_OUT_OF_ORDER');
    if (weather.strikes('switch_refusal')) return refuse('NORMAL_TEMPORARY_FAILURE');
    const channel: Channel = { requestId, cellId: this.id, createdAt: timeline.now(), answeredAt: null };
    this.channels.set(requestId, channel);
    journal.write(() => `${this.id} RINGS ${requestId}`);
    this.options.onCreated(channel);
    this.#emit(channel, { kind: 'channel_created' });
    this.#live(channel);
    return { kind: 'accepted', replyText: `+OK ${requestId}` };
  }

  hangUp(requestId: string, cause: string, by: 'customer' | 'system' = 'system', isSilent = false): boolean {
    const channel = this.channels.get(requestId);
    if (!channel) return false;
    this.#end(channel);
    this.options.journal.write(() => `${this.id} HANGS UP ${requestId} ${cause}`);
    const { answeredAt } = channel;
    this.#emit(channel, { kind: 'hung_up', cause, by, answeredAt, progressAt: null, ...(isSilent ? { isSilent } : {}) });
    this.options.onRecord({ requestId, cause, by, answeredAt, endedAt: this.options.timeline.now(), isSilent });
    return true;
  }

  /** Plays an apology to the customer, then ends the channel. */
  dismiss(requestId: string): boolean {
    const channel = this.channels.get(requestId);
    if (!channel) return false;
    this.dismissed.add(requestId);
    this.options.timeline.after(APOLOGY_MS, () => void this.hangUp(requestId, 'NORMAL_CLEARING'));
    return true;
  }

  /** Lists the channels as `show channels` does: the list is up to LIST_AGE_MS old. */
  list(): ListedChannel[] {
    const { dice, timeline } = this.options;
    const at = timeline.now() - dice.between(0, LIST_AGE_MS);
    const ended = this.#ended.filter(({ endedAt }) => endedAt > at).map(({ channel }) => channel);
    return [...this.channels.values(), ...ended]
      .filter(({ createdAt }) => createdAt <= at)
      .map(({ requestId, answeredAt }) => ({
        uuid: requestId,
        isAnswered: answeredAt !== null && answeredAt <= at,
        isInConference: false,
      }));
  }

  /** Current state of the channel. */
  stateOf(requestId: string): ChannelState {
    const channel = this.channels.get(requestId);
    if (!channel) return { kind: 'absent' };
    return channel.answeredAt === null ? { kind: 'ringing' } : { kind: 'answered', answeredAt: channel.answeredAt };
  }

  /** Ends the process with all its calls, without events. */
  kill(): void {
    this.options.journal.write(() => `${this.id} DIES with ${this.channels.size} channels`);
    for (const channel of Array.from(this.channels.values())) this.#end(channel);
    this.isUp = false;
    this.restarts += 1;
  }

  revive(): void {
    this.options.journal.write(() => `${this.id} is back`);
    this.boot += 1;
    this.isUp = true;
  }

  #end(channel: Channel): void {
    this.#running.get(channel.requestId)?.();
    this.#running.delete(channel.requestId);
    this.channels.delete(channel.requestId);
    const now = this.options.timeline.now();
    while ((this.#ended[0]?.endedAt ?? now) < now - LIST_AGE_MS) this.#ended.shift();
    this.#ended.push({ channel, endedAt: now });
    this.options.onEnded(channel);
  }

  #emit({ requestId }: Channel, fact: Fact): void {
    const eventId = `${this.coreUuid}:${++this.#sequence}`;
    const event = { cellId: this.id, requestId, at: this.options.timeline.now(), eventId, ...fact };
    for (const listener of this.listeners) listener(event);
  }

  #then(channel: Channel, delayMs: number, task: () => void): void {
    this.#running.set(channel.requestId, this.options.timeline.after(delayMs, task));
  }

  /** Plays the customer's side of the call. */
  #live(channel: Channel): void {
    const { dice } = this.options;
    const { carrier } = this;
    if (carrier !== 'alive') {
      const [afterMs, cause] = carrier === 'silent' ? [RING_LIMIT_MS, 'NO_ANSWER'] : [REFUSED_MS, 'NORMAL_TEMPORARY_FAILURE'];
      return this.#then(channel, afterMs, () => void this.hangUp(channel.requestId, cause, 'system', true));
    }
    const { requestId } = channel;
    if (this.options.dialKeyOf(requestId).endsWith(UNALLOCATED_ENDING))
      return this.#then(channel, REFUSED_MS, () => void this.hangUp(requestId, 'UNALLOCATED_NUMBER'));
    this.#then(channel, dice.between(20, 1_500), () => {
      const busy = dice.chance(0.12);
      if (busy) return void this.hangUp(channel.requestId, 'USER_BUSY', 'customer');
      this.#emit(channel, { kind: 'ringing', earlyMedia: dice.chance(0.3) });
      if (dice.chance(0.15)) return this.#then(channel, RING_LIMIT_MS, () => void this.hangUp(channel.requestId, 'NO_ANSWER'));
      return this.#then(channel, dice.between(200, 6_000), () => this.#answer(channel));
    });
  }

  #answer(channel: Channel): void {
    const { dice, timeline } = this.options;
    if (dice.chance(0.1)) return void this.hangUp(channel.requestId, 'CALL_REJECTED', 'customer');
    channel.answeredAt = timeline.now();
    this.#emit(channel, { kind: 'answered' });
    // Most customers stay until the call is ended for them.
    if (dice.chance(0.6)) return undefined;
    return this.#then(channel, dice.between(300, MAX_TALK_MS), () => void this.hangUp(channel.requestId, 'NORMAL_CLEARING', 'customer'));
  }
}
