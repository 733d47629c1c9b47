import { CalloutError } from '#kernel/errors.ts';
import type {
  CellState,
  ChannelState,
  ListedChannel,
  OriginateCommand,
  OriginateReply,
  SwitchEvent,
  SwitchPort,
} from '#platform/freeswitch/switch.ts';
import type { Arrival, Cell } from './cell.ts';
import type { Dice } from './dice.ts';
import type { Instance } from './instance.ts';
import type { Journal } from './journal.ts';
import type { Timeline } from './timeline.ts';
import type { Weather } from './weather.ts';
import { PAUSE_MS } from './wire.ts';

/** Same values as in adapters/freeswitch, ms. */
const REPLY_TIMEOUT_MS = 3_000;
const ANSWER_TIMEOUT_MS = 5_000;
const AFTER_LOSS_MS = 300;
/** Longest transit of a sent originate to the switch, whatever the network does, ms. */
export const MAX_TRANSIT_MS = 8_000;
/** Longest delay until a cut is detected, ms. */
const MAX_DETECTION_MS = 8_000;
const RECONNECT_MS = { min: 50, max: 2_000 };

export interface LineOptions {
  cell: Cell;
  instance: Instance;
  timeline: Timeline;
  dice: Dice;
  weather: Weather;
  journal: Journal;
  emit: (event: SwitchEvent) => void;
  /** Called just before an originate leaves the process. */
  onWrite: (command: OriginateCommand) => void;
}

/**
 * The connection of one life of an instance to one cell, with the faults that adapters/freeswitch must handle: cuts are detected late,
 * replies and events are lost, duplicated and reordered, and commands may arrive late.
 */
export class SwitchLine {
  readonly #options: LineOptions;
  readonly #pending = new Map<string, (reply: OriginateReply) => void>();
  readonly #life: number;
  #state: CellState['state'] = 'connecting';
  #since: number;
  #cutUntil = 0;
  #boot = 0;

  constructor(options: LineOptions) {
    this.#options = options;
    this.#life = options.instance.life;
    this.#since = options.timeline.now();
    const hear = (event: SwitchEvent) => {
      if (options.instance.life === this.#life) this.#hear(event);
      else options.cell.listeners.delete(hear);
    };
    options.cell.listeners.add(hear);
    this.#reconnect();
  }

  get state(): CellState {
    const { cellId, maxConcurrency, maxOriginatesPerSecond } = this.#options.cell.options;
    return { cellId, isEnabled: true, state: this.#state, since: this.#since, maxConcurrency, maxOriginatesPerSecond };
  }

  /** Whether this process and the cell can communicate. */
  reaches(cellId: string): boolean {
    const { cell } = this.#options;
    return cell.id === cellId && cell.isUp && this.#state === 'up' && !this.#isCut;
  }

  /** Interrupts all traffic for a while; the process detects it later, or never. */
  cut(forMs: number): void {
    const { timeline, instance, dice, journal, cell } = this.#options;
    journal.write(() => `${instance.name} is CUT from ${cell.id} for ${forMs} ms`);
    this.#cutUntil = Math.max(this.#cutUntil, timeline.now() + forMs);
    instance.after(dice.between(0, MAX_DETECTION_MS), () => {
      if (this.#isCut) this.#down('cut off');
    });
  }

  /** Resets the connection: the far end is gone, and the operating system reports it at once. */
  reset(): void {
    this.#options.instance.after(this.#options.dice.between(1, 500), () => this.#down('connection reset'));
  }

  async originate(command: OriginateCommand): Promise<OriginateReply> {
    const { instance, dice, weather } = this.#options;
    // The originate waits behind others, and the process may be paused meanwhile.
    const isHeldUp = weather.strikes('held_originate');
    if (isHeldUp && !instance.isPaused) instance.pause(PAUSE_MS);
    if (isHeldUp || weather.strikes('slow')) await new Promise<void>(resolve => instance.after(dice.between(5, 1_500), resolve));
    return this.#write(command);
  }

  /** Sends the originate. The deadline is checked in the same tick as the write. */
  #write(command: OriginateCommand): Promise<OriginateReply> {
    const { timeline, instance, dice, weather, cell, onWrite } = this.#options;
    const notSent = (reason: 'deadline' | 'disconnected', replyText: string) =>
      Promise.resolve({ kind: 'not_sent' as const, reason, replyText });
    if (this.#state !== 'up') return notSent('disconnected', '交换机连接不可用');
    if (this.#monotonic() > command.sendBefore) return notSent('deadline', '已超过发送时限');
    onWrite(command);
    const { requestId } = command;
    const { promise, resolve } = Promise.withResolvers<OriginateReply>();
    const settle = (reply: OriginateReply) => {
      this.#pending.delete(requestId);
      resolve(reply);
    };
    this.#pending.set(requestId, settle);
    instance.after(ANSWER_TIMEOUT_MS, () => settle({ kind: 'unknown', replyText: '交换机未在规定时间内应答' }));
    const { boot } = cell;
    const isStuck = this.#isCut || !cell.isUp;
    const transitMs = isStuck || weather.strikes('late_originate') ? dice.between(100, MAX_TRANSIT_MS) : dice.between(2, 60);
    timeline.after(transitMs, () => {
      if (cell.boot !== boot || !cell.isUp || this.#isCut) return;
      this.#answer(requestId, cell.originate(requestId));
    });
    return promise;
  }

  #answer(requestId: string, arrival: Arrival): void {
    const { instance, dice, weather } = this.#options;
    if (weather.strikes('lost_originate')) return;
    instance.after(dice.between(1, 40), () => this.#pending.get(requestId)?.(arrival));
  }

  async hangUp(requestId: string, cause: string): Promise<'ended' | 'absent'> {
    return this.#api(() => (this.#options.cell.hangUp(requestId, cause) ? 'ended' : 'absent'));
  }

  dismiss(requestId: string): Promise<'dismissed' | 'absent'> {
    return this.#api(() => (this.#options.cell.dismiss(requestId) ? 'dismissed' : 'absent'));
  }

  probe(requestId: string): Promise<ChannelState> {
    return this.#api(() => this.#options.cell.stateOf(requestId));
  }

  channels(): Promise<ListedChannel[]> {
    return this.#api(() => this.#options.cell.list());
  }

  #api<T>(ask: () => T): Promise<T> {
    const { timeline, instance, dice, weather, cell } = this.#options;
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const fail = () => reject(new CalloutError('SWITCH_UNAVAILABLE', `交换机 ${cell.id} 无应答`));
    if (this.#state !== 'up') {
      fail();
      return promise;
    }
    instance.after(REPLY_TIMEOUT_MS, fail);
    timeline.after(dice.between(1, 20), () => {
      if (this.#isCut || !cell.isUp || weather.strikes('refused')) return;
      const answer = ask();
      if (weather.strikes('lost_reply')) return;
      const replyMs = weather.strikes('slow') ? dice.between(20, REPLY_TIMEOUT_MS - 100) : dice.between(1, 20);
      instance.after(replyMs, () => resolve(answer));
      if (!instance.isPaused && weather.strikes('pause')) instance.pause(PAUSE_MS);
    });
    return promise;
  }

  #hear(event: SwitchEvent): void {
    const { weather } = this.#options;
    if (this.#state !== 'up' || this.#isCut || weather.strikes('event_loss')) return;
    this.#deliver(event);
    if (weather.strikes('event_duplicate')) this.#deliver(event);
  }

  /** Delivers an event after its own delay, so events can overtake each other. */
  #deliver(event: SwitchEvent): void {
    const { instance, dice, weather, emit } = this.#options;
    const delayMs = weather.strikes('slow') ? dice.between(50, 2_000) : dice.between(1, 30);
    instance.after(delayMs, () => {
      if ('requestId' in event) this.#pending.get(event.requestId)?.({ kind: 'accepted', replyText: `+OK ${event.requestId}` });
      emit(event);
    });
  }

  #down(reason: string): void {
    if (this.#state === 'down') return;
    const { timeline, instance, cell, emit } = this.#options;
    this.#state = 'down';
    this.#since = timeline.now();
    for (const settle of this.#pending.values())
      instance.after(AFTER_LOSS_MS, () => settle({ kind: 'unknown', replyText: '与交换机的连接中断' }));
    emit({ kind: 'cell_down', cellId: cell.id, at: this.#since, reason });
    this.#reconnect();
  }

  #reconnect(): void {
    const { timeline, instance, dice, cell, emit } = this.#options;
    instance.after(dice.between(RECONNECT_MS.min, RECONNECT_MS.max), () => {
      if (this.#isCut || !cell.isUp) return this.#reconnect();
      const restarted = this.#boot !== 0 && this.#boot !== cell.boot;
      this.#boot = cell.boot;
      this.#state = 'up';
      this.#since = timeline.now();
      emit({ kind: 'cell_up', cellId: cell.id, at: this.#since, coreUuid: cell.coreUuid, restarted });
    });
  }

  get #isCut(): boolean {
    return this.#cutUntil > this.#options.timeline.now();
  }

  #monotonic(): number {
    return this.#options.timeline.now() - this.#options.instance.bootedAt;
  }
}

/** The switch as seen by one life of an instance. */
export function switchPort(cells: readonly Cell[], options: Omit<LineOptions, 'cell' | 'emit'>): SwitchPort & { lines: SwitchLine[] } {
  const listeners = new Set<(event: SwitchEvent) => void>();
  const emit = (event: SwitchEvent) => listeners.forEach(listener => listener(event));
  const lines = new Map(cells.map(cell => [cell.id, new SwitchLine({ ...options, cell, emit })]));
  const line = (cellId: string): SwitchLine => {
    const found = lines.get(cellId);
    if (!found) throw new CalloutError('SWITCH_UNAVAILABLE', `交换机 ${cellId} 未配置`);
    return found;
  };
  return {
    lines: [...lines.values()],
    originate: command => line(command.cellId).originate(command),
    hangup: async (cellId, requestId, cause) => line(cellId).hangUp(requestId, cause),
    dismiss: async (cellId, requestId) => line(cellId).dismiss(requestId),
    probe: async (cellId, requestId) => line(cellId).probe(requestId),
    channels: async cellId => line(cellId).channels(),
    setVariables: async () => undefined,
    gatewayDomain: async () => null,
    gatewayStatus: async () => ({ state: 'unknown', since: 0, detail: null }),
    cells: () => [...lines.values()].map(one => one.state),
    subscribe: listener => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
