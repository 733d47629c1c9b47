import { CalloutError, type ErrorCode } from '#kernel/errors.ts';
import type { Dice } from './dice.ts';
import type { Instance } from './instance.ts';
import type { Journal } from './journal.ts';
import type { Timeline } from './timeline.ts';
import type { Weather } from './weather.ts';

export interface Service {
  name: string;
  /** Error of a call without a reply. */
  error: ErrorCode;
  /** Time after which the caller gives up, ms. */
  timeoutMs: number;
  /** Longest delay with which an abandoned request may still take effect, ms. */
  lateMs: number;
}

export const CACHE: Service = { name: 'cache', error: 'CACHE_UNAVAILABLE', timeoutMs: 900, lateMs: 2_000 };
export const DATABASE: Service = { name: 'database', error: 'DATABASE_UNAVAILABLE', timeoutMs: 5_000, lateMs: 2_000 };
export const BUS: Service = { name: 'bus', error: 'BUS_UNAVAILABLE', timeoutMs: 3_000, lateMs: 1_000 };

/** Calls made continually by loops; faults there rarely matter, so they are less frequent. */
const IDLE_CALLS = new Set([
  'takeDueTimers',
  'takeDueEffects',
  'dueCampaigns',
  'isCold',
  'endDueHolds',
  'takeOutbox',
  'purgeExpired',
  'foldTallies',
  'lost',
  'beat',
  'probe',
  'list',
]);
const IDLE_SHARE = 0.05;
/** Duration of a pause of a process by the machine, a debugger or a garbage collector, ms. */
export const PAUSE_MS = 45_000;

export interface WireOptions {
  timeline: Timeline;
  instance: Instance;
  dice: Dice;
  weather: Weather;
  journal: Journal;
}

/** The connection of one instance to its stores: every call may be late, refused, lost, or the last action of the instance. */
export class Wire {
  readonly #options: WireOptions;

  constructor(options: WireOptions) {
    this.#options = options;
  }

  /** The port as the instance reaches it, through this connection. */
  to<Port extends object>(service: Service, port: Port): Port {
    const wrapped = Object.entries(port).map(([method, call]) => {
      if (typeof call !== 'function') return [method, call as unknown];
      const own = call as (...args: unknown[]) => Promise<unknown>;
      return [method, (...args: unknown[]) => this.call(service, method, args, () => own.apply(port, args))];
    });
    return Object.fromEntries(wrapped) as Port;
  }

  call<T>(service: Service, method: string, args: readonly unknown[], apply: () => Promise<T>): Promise<T> {
    const { timeline, instance, journal, weather } = this.#options;
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const isIdle = IDLE_CALLS.has(method);
    const { life } = instance;
    const reply = this.#drawReply(service, isIdle);
    const note = (word: string) => {
      if (!isIdle || word !== 'ok') journal.write(() => `${instance.name} ${service.name}.${method} ${word} ${shortened(args)}`);
    };
    const fail = () => reject(new CalloutError(service.error, `${service.name} 不可用`));
    const isLast = () => instance.life === life && !instance.isPaused && this.#strikes('crash', isIdle);

    if (reply.kind === 'refused') {
      instance.after(reply.sendMs, () => (note('REFUSED'), fail()));
      return promise;
    }
    if (reply.kind === 'late') instance.after(service.timeoutMs, fail);
    timeline.after(reply.sendMs, () => {
      if (instance.life === life && reply.kind === 'ok' && isLast()) {
        // The process dies before it sends the request.
        note('not sent');
        return instance.crash();
      }
      apply().then(
        value => {
          note(reply.kind === 'ok' ? 'ok' : reply.kind === 'late' ? 'LATE' : 'LOST REPLY');
          journalAnswer(journal, isIdle, value);
          if (isLast()) return instance.crash();
          if (weather.isActive && instance.life === life && !instance.isPaused && this.#strikes('pause', isIdle)) instance.pause(PAUSE_MS);
          if (reply.kind === 'ok') this.#deliver(life, reply.replyMs, () => resolve(value));
          else if (reply.kind === 'lost') instance.after(Math.max(0, service.timeoutMs - reply.sendMs), fail);
        },
        (error: unknown) => this.#deliver(life, reply.replyMs, () => reject(error instanceof Error ? error : new Error(String(error)))),
      );
    });
    return promise;
  }

  #deliver(life: number, delayMs: number, task: () => void): void {
    const { instance } = this.#options;
    if (instance.life !== life) return;
    if (delayMs === 0 && !instance.isPaused) task();
    else instance.after(delayMs, task);
  }

  #strikes(fault: 'crash' | 'pause' | 'slow' | 'lost_reply' | 'refused' | 'late', isIdle: boolean): boolean {
    const { dice, weather } = this.#options;
    return weather.isActive && dice.chance(weather.of(fault) * (isIdle ? IDLE_SHARE : 1));
  }

  #drawReply(service: Service, isIdle: boolean): { kind: 'ok' | 'refused' | 'lost' | 'late'; sendMs: number; replyMs: number } {
    const { dice } = this.#options;
    const sendMs = dice.between(1, 5);
    const replyMs = isIdle || dice.chance(0.5) ? 0 : dice.between(1, 5);
    if (this.#strikes('refused', isIdle)) return { kind: 'refused', sendMs, replyMs };
    if (this.#strikes('lost_reply', isIdle)) return { kind: 'lost', sendMs, replyMs };
    if (this.#strikes('late', isIdle)) return { kind: 'late', sendMs: service.timeoutMs + dice.between(1, service.lateMs), replyMs };
    if (!this.#strikes('slow', isIdle)) return { kind: 'ok', sendMs, replyMs };
    const slowMs = dice.between(5, service.timeoutMs - 20);
    return dice.chance(0.5) ? { kind: 'ok', sendMs: slowMs, replyMs } : { kind: 'ok', sendMs, replyMs: slowMs };
  }
}

const MAX_TEXT = 300;

function shortened(args: readonly unknown[]): string {
  return JSON.stringify(args).slice(0, MAX_TEXT);
}

function journalAnswer(journal: Journal, isIdle: boolean, value: unknown): void {
  if (!isIdle && value !== undefined && value !== null) journal.write(() => `    → ${JSON.stringify(value).slice(0, MAX_TEXT)}`);
}
