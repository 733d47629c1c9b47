import { NO_PHONE, type PhoneState } from './phone-state.ts';

/** A request to the tab that has the phone. Plain data, because tabs send it to each other. */
export type PhoneCommand =
  | { name: 'answer' }
  | { name: 'hangUp' }
  | { name: 'mute'; isMuted: boolean }
  | { name: 'hold'; isHeld: boolean }
  | { name: 'keys'; tones: string }
  | { name: 'dial'; target: string; headers: Readonly<Record<string, string>> }
  | { name: 'retry' };

/** The phone itself, in the tab that has it. */
export interface OwnPhone {
  run(command: PhoneCommand): void;
  close(): void;
}

/** Starts the phone in this tab; it reports every state. */
export type StartPhone = (report: (state: PhoneState) => void) => OwnPhone;

type Message = { type: 'hello' } | { type: 'state'; state: PhoneState } | { type: 'command'; command: PhoneCommand };

/** The parts of the browser by which tabs agree. */
export interface TabTools {
  /** Name of lock and channel: one for each user. */
  name: string;
  locks: { request(name: string, options: { signal: AbortSignal }, work: () => Promise<void>): Promise<unknown> };
  channel: {
    postMessage(message: unknown): void;
    addEventListener(type: 'message', listener: (event: { data: Message }) => void): void;
    close(): void;
  };
}

/**
 * One phone for all tabs of a user: one tab at a time has it, the others show its state and steer it. When that tab closes or reloads, the
 * browser gives its lock to the next one.
 */
export class SharedPhone {
  readonly #tools: TabTools;
  readonly #start: StartPhone;
  readonly #closing = new AbortController();
  readonly #listeners = new Set<() => void>();
  #state: PhoneState = NO_PHONE;
  #own: OwnPhone | null = null;

  constructor(tools: TabTools, start: StartPhone) {
    this.#tools = tools;
    this.#start = start;
    tools.channel.addEventListener('message', ({ data }) => this.#hear(data));
    this.#send({ type: 'hello' });
    void tools.locks.request(tools.name, { signal: this.#closing.signal }, () => this.#lead()).catch(() => undefined);
  }

  state = (): PhoneState => this.#state;

  /** Whether this tab has the phone: its sound comes from here. */
  isHere = (): boolean => this.#own !== null;

  onChange = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  run(command: PhoneCommand): void {
    if (this.#own) this.#own.run(command);
    else this.#send({ type: 'command', command });
  }

  /** Gives the phone to another tab, for instance after a sign-out. */
  close(): void {
    this.#closing.abort();
    this.#own?.close();
    this.#own = null;
    this.#tools.channel.close();
  }

  /** Holds the lock until this phone closes. */
  #lead(): Promise<void> {
    const { signal } = this.#closing;
    if (signal.aborted) return Promise.resolve();
    // The state that the last holder sent is no longer true, and nobody else will send another.
    this.#show(NO_PHONE);
    this.#own = this.#start(state => {
      this.#show(state);
      this.#send({ type: 'state', state });
    });
    return new Promise(resolve => signal.addEventListener('abort', () => resolve()));
  }

  #hear(message: Message): void {
    if (message.type === 'state' && !this.#own) this.#show(message.state);
    if (message.type === 'command') this.#own?.run(message.command);
    if (message.type === 'hello' && this.#own) this.#send({ type: 'state', state: this.#state });
  }

  #send(message: Message): void {
    if (this.#closing.signal.aborted) return;
    // A BroadcastChannel reaches only its own origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    this.#tools.channel.postMessage(message);
  }

  #show(state: PhoneState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}
