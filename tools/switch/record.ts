import type { Clock } from '#kernel/clock.ts';
import type { Channel } from './channel.ts';
import type { ParsedOriginate } from './originate-line.ts';

/** One originate that reached the switch. Instants are UTC ms. */
export interface OriginateRecord {
  at: number;
  uuid: string | null;
  dialString: string | null;
  /** `+OK <uuid>`, `-ERR …`, or null while it runs. */
  result: string | null;
}

export interface ChannelRecord {
  uuid: string;
  number: string;
  dialString: string;
  variables: Readonly<Record<string, string>>;
  startedAt: number;
  answeredAt: number | null;
  endedAt: number | null;
  /** Hang-up cause; `LOST` when the switch was killed. */
  cause: string | null;
  /** `person` or `voicemail` when the call was, or would have been, answered. */
  callee: string | null;
  /** Digits sent into the call. */
  digits: string;
  /** Digits that its far end has pressed. */
  pressed: string;
  /** Files and phrases played into it. */
  played: readonly string[];
}

export interface Concurrency {
  now: number;
  max: number;
}

/** Everything that the switch observed, for assertions. */
export interface SwitchRecord {
  coreUuid: string;
  /** Newest last, bounded; the totals count all. */
  originates: readonly OriginateRecord[];
  channels: readonly ChannelRecord[];
  totals: { originates: number; channels: number; answered: number };
  /** Concurrent channels: in total, and by tracked variable and value. `destination` is the called number. */
  concurrency: { all: Concurrency; by: Readonly<Record<string, Readonly<Record<string, Concurrency>>>> };
}

const MAX_KEPT = 50_000;
const MAX_VALUES_PER_VARIABLE = 20_000;
const DESTINATION = 'destination';

/** Records every originate and channel, across restarts. */
export class Recorder {
  readonly #clock: Clock;
  readonly #tracked: readonly string[];
  readonly #originates: OriginateRecord[] = [];
  readonly #channels: Channel[] = [];
  readonly #digits = new Map<string, string>();
  readonly #pressed = new Map<string, string>();
  readonly #played = new Map<string, string[]>();
  readonly #totals = { originates: 0, channels: 0, answered: 0 };
  readonly #all: Concurrency = { now: 0, max: 0 };
  readonly #by = new Map<string, Map<string, Concurrency>>();

  constructor(clock: Clock, tracked: readonly string[]) {
    this.#clock = clock;
    this.#tracked = tracked;
  }

  originate(parsed: ParsedOriginate | null): OriginateRecord {
    const uuid = parsed?.variables.get('origination_uuid') ?? null;
    const entry: OriginateRecord = { at: this.#clock.now(), uuid, dialString: parsed?.dialString ?? null, result: null };
    this.#totals.originates += 1;
    keep(this.#originates, entry);
    return entry;
  }

  began(channel: Channel): void {
    this.#totals.channels += 1;
    keep(this.#channels, channel);
    for (const counter of this.#countersOf(channel)) {
      counter.now += 1;
      counter.max = Math.max(counter.max, counter.now);
    }
  }

  sentDigits(uuid: string, digits: string): void {
    this.#digits.set(uuid, (this.#digits.get(uuid) ?? '') + digits);
  }

  heardDigit(uuid: string, digit: string): void {
    this.#pressed.set(uuid, (this.#pressed.get(uuid) ?? '') + digit);
  }

  played(uuid: string, path: string): void {
    this.#played.set(uuid, [...(this.#played.get(uuid) ?? []), path]);
  }

  answered(_channel: Channel): void {
    this.#totals.answered += 1;
  }

  ended(channel: Channel): void {
    for (const counter of this.#countersOf(channel)) counter.now -= 1;
  }

  /** The newest `limit` originates and channels. */
  read(coreUuid: string, limit = MAX_KEPT): SwitchRecord {
    const by = [...this.#by].map(([variable, values]) => [variable, copyCounters(values)] as const);
    return {
      coreUuid,
      originates: this.#originates.slice(-limit).map(entry => ({ ...entry })),
      channels: this.#channels.slice(-limit).map(channel => ({
        ...presentChannel(channel),
        digits: this.#digits.get(channel.uuid) ?? '',
        pressed: this.#pressed.get(channel.uuid) ?? '',
        played: this.#played.get(channel.uuid) ?? [],
      })),
      totals: { ...this.#totals },
      concurrency: { all: { ...this.#all }, by: Object.fromEntries(by) },
    };
  }

  /** Counters of a channel, by its initial values: later changes must not unbalance them. */
  #countersOf(channel: Channel): Concurrency[] {
    const counters = [this.#all, this.#counter(DESTINATION, channel.number)];
    for (const variable of this.#tracked) {
      const value = channel.createdVariables.get(variable);
      if (value !== undefined) counters.push(this.#counter(variable, value));
    }
    return counters;
  }

  #counter(variable: string, value: string): Concurrency {
    const values = this.#by.get(variable) ?? new Map<string, Concurrency>();
    this.#by.set(variable, values);
    const counter = values.get(value) ?? { now: 0, max: 0 };
    if (!values.has(value)) {
      if (values.size >= MAX_VALUES_PER_VARIABLE) forgetIdle(values);
      values.set(value, counter);
    }
    return counter;
  }
}

function keep<T>(list: T[], entry: T): void {
  list.push(entry);
  if (list.length > MAX_KEPT) list.splice(0, MAX_KEPT / 10);
}

function forgetIdle(values: Map<string, Concurrency>): void {
  for (const [value, counter] of values) {
    if (counter.now === 0) return void values.delete(value);
  }
}

function copyCounters(values: ReadonlyMap<string, Concurrency>): Record<string, Concurrency> {
  return Object.fromEntries([...values].map(([value, counter]) => [value, { ...counter }]));
}

function presentChannel(channel: Channel): Omit<ChannelRecord, 'digits' | 'pressed' | 'played'> {
  const { uuid, number, dialString, createdAt, answeredAt, endedAt, cause, plan } = channel;
  const callee = plan?.kind === 'answers' ? plan.callee : null;
  return {
    uuid,
    number,
    dialString,
    variables: Object.fromEntries(channel.variables),
    startedAt: createdAt,
    answeredAt,
    endedAt,
    cause,
    callee,
  };
}
