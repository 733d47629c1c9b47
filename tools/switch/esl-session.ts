import type { Socket } from 'node:net';
import type { Cancel, Clock } from '#kernel/clock.ts';
import type { IdSource } from '#kernel/ids.ts';
import { type ApiReach, runApi } from './api-commands.ts';
import { type ClientCommand, CommandDecoder } from './command-decoder.ts';
import { AUTH_REQUEST, apiResponse, commandReply, disconnectNotice, eventFrame, GOODBYE, type OutgoingEvent } from './frames.ts';
import { speakCommand } from './speech-commands.ts';
import { Subscriptions } from './subscriptions.ts';

export interface SessionOptions {
  socket: Socket;
  password: string;
  clock: Clock;
  ids: IdSource;
  /** Interval at which events are written, in ms; 0 writes them at once. */
  eventPollMs: number;
  authTimeoutMs: number;
  reach(): ApiReach;
  /** Whether to drop the reply to a command of this kind. */
  losesReply(kind: 'bgapi' | 'api' | 'other'): boolean;
  /** Delay of everything written, in ms. */
  delayMs(): number;
  onClose(session: EslSession): void;
}

/** Most unsent bytes before a client that does not read is disconnected, as a real switch should do. */
const MAX_UNSENT_BYTES = 67_108_864;

/**
 * One client of the simulated Event Socket.
 *
 * Source: test/fixtures/esl/README.md §1, recordings a1…a7
 */
export class EslSession {
  readonly #options: SessionOptions;
  readonly #decoder = new CommandDecoder();
  readonly #subscriptions = new Subscriptions();
  readonly #commands: ClientCommand[] = [];
  #isAuthenticated = false;
  #isBusy = false;
  #isFrozen = false;
  #isEnding = false;
  /** Output written while frozen. */
  #frozenOutput: string[] = [];
  #events: string[] = [];
  #cancelPoll: Cancel | null = null;
  #cancelAuth: Cancel;
  #releaseAt = 0;

  constructor(options: SessionOptions, isFrozen: boolean) {
    this.#options = options;
    const { socket } = options;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#closed());
    this.#cancelAuth = options.clock.schedule(options.authTimeoutMs, () => {
      if (!this.#isAuthenticated) this.disconnect(GOODBYE);
    });
    if (isFrozen) this.freeze();
    this.#write(AUTH_REQUEST);
  }

  freeze(): void {
    this.#isFrozen = true;
    this.#options.socket.pause();
  }

  thaw(): void {
    this.#isFrozen = false;
    for (const text of this.#frozenOutput.splice(0)) this.#write(text);
    this.#options.socket.resume();
    this.#work();
  }

  /** Closes the connection without a notice. */
  destroy(): void {
    this.#options.socket.destroy();
  }

  /** Sends a disconnect notice and closes the connection. */
  disconnect(notice: string): void {
    this.#isEnding = true;
    this.#write(disconnectNotice(notice));
    if (!this.#isFrozen) this.#afterDelay(() => this.#options.socket.end());
  }

  /** Whether the client listens for events of that name. */
  listensFor(name: string): boolean {
    return this.#isAuthenticated && !this.#isEnding && this.#subscriptions.has(name);
  }

  deliver(event: OutgoingEvent): void {
    if (!this.#isAuthenticated || this.#isEnding || !this.#subscriptions.wants(event)) return;
    this.#events.push(eventFrame(event, this.#subscriptions.format));
    if (this.#options.eventPollMs === 0) this.#flushEvents();
    else this.#cancelPoll ??= this.#options.clock.schedule(this.#options.eventPollMs, () => this.#flushEvents());
  }

  #flushEvents(): void {
    this.#cancelPoll?.();
    this.#cancelPoll = null;
    if (this.#events.length > 0) this.#write(this.#events.splice(0).join(''));
  }

  #read(chunk: Buffer): void {
    try {
      this.#commands.push(...this.#decoder.push(chunk));
    } catch {
      this.destroy(); // a command without an end
      return;
    }
    this.#work();
  }

  /** Runs one command after another; `api originate` blocks the rest of its connection. */
  #work(): void {
    while (!this.#isBusy && !this.#isFrozen && !this.#isEnding) {
      const command = this.#commands.shift();
      if (!command) return;
      this.#run(command);
    }
  }

  #run(command: ClientCommand): void {
    const [verb = '', ...words] = command.line.trim().split(/ +/);
    const rest = command.line.trim().slice(verb.length + 1);
    const name = verb.toLowerCase();
    if (name === 'exit' || name === '...') return this.#exit();
    if (!this.#isAuthenticated) return this.#authenticate(name, rest);
    if ((name === 'api' || name === 'bgapi') && rest !== '') return name === 'api' ? this.#api(rest) : this.#bgapi(rest, command);
    this.#reply('other', commandReply(this.#control(name, words)));
  }

  #exit(): void {
    this.#write(commandReply('+OK bye'));
    this.disconnect(GOODBYE);
  }

  #authenticate(name: string, password: string): void {
    if (name !== 'auth' && name !== 'userauth') return this.#reply('other', commandReply('-ERR command not found'));
    if (name === 'userauth' || password !== this.#options.password) {
      this.#write(commandReply('-ERR invalid'));
      return this.disconnect(GOODBYE);
    }
    this.#isAuthenticated = true;
    this.#cancelAuth();
    this.#write(commandReply('+OK accepted'));
  }

  #control(name: string, words: readonly string[]): string {
    switch (name) {
      case 'event':
        return this.#subscribe(words);
      case 'nixevent':
        this.#subscriptions.remove(words);
        return '+OK events nixed';
      case 'noevents':
        this.#events = [];
        return this.#subscriptions.clear() ? '+OK no longer listening for events' : '-ERR not listening for events';
      case 'filter':
        return this.#filter(words);
      case 'log':
        return `+OK log level ${words[0] ?? ''} [${words[0] ?? ''}]`;
      case 'nolog':
        return '+OK no longer logging';
      case 'myevents':
        return '+OK Events Enabled';
      case 'sendmsg':
        return `-ERR invalid session id [${words[0] ?? ''}]`;
      case 'divert_events':
        return '-ERR not controlling a session.';
      case 'linger':
      case 'nolinger':
        return '-ERR not controlling a session';
      default:
        return '-ERR command not found';
    }
  }

  #subscribe(words: readonly string[]): string {
    const [first = '', ...rest] = words;
    const format = first.toLowerCase();
    const isFormat = format === 'plain' || format === 'json' || format === 'xml';
    if (!this.#subscriptions.add(isFormat ? rest : words)) return '-ERR no keywords supplied';
    if (format === 'plain' || format === 'json') this.#subscriptions.format = format;
    return `+OK event listener enabled ${isFormat ? format : 'plain'}`;
  }

  #filter([first, ...rest]: readonly string[]): string {
    if (first === undefined) return '-ERR command not found';
    if (first.toLowerCase() === 'delete') {
      const [header = '', ...values] = rest;
      const value = values.join(' ');
      this.#subscriptions.deleteFilter(header, value);
      return `+OK filter deleted. [${header}][${value}]`;
    }
    if (rest.length === 0) return '-ERR invalid syntax';
    this.#subscriptions.addFilter(first, rest.join(' '));
    return `+OK filter added. [${first}]=[${rest.join(' ')}]`;
  }

  #api(line: string): void {
    const begin = this.#lengthy(line);
    if (begin === null) return this.#reply('api', apiResponse(runApi(line, this.#options.reach())));
    this.#isBusy = true;
    begin(result => {
      this.#isBusy = false;
      this.#reply('api', apiResponse(result));
      this.#work();
    });
  }

  #bgapi(line: string, command: ClientCommand): void {
    const jobId = command.headers.get('job-uuid') ?? this.#options.ids();
    this.#reply('bgapi', commandReply(`+OK Job-UUID: ${jobId}`, [['Job-UUID', jobId]]));
    const reach = this.#options.reach();
    const space = line.indexOf(' ');
    const [name, argument] = space === -1 ? [line, ''] : [line.slice(0, space), line.slice(space + 1)];
    const report = (result: string) => {
      const headers = [['Job-UUID', jobId], ['Job-Command', name], ['Job-Command-Arg', argument]] as const; // biome-ignore format: one row a header
      reach.core.emit('BACKGROUND_JOB', headers, { body: result });
    };
    const begin = this.#lengthy(line);
    if (begin === null) report(runApi(line, reach));
    else begin(report);
  }

  /** Begins a command whose result comes later; null for the others. */
  #lengthy(line: string): ((finish: (result: string) => void) => void) | null {
    const { core } = this.#options.reach();
    const originate = originateArgument(line);
    if (originate !== null) return finish => core.originate(originate, finish);
    const speaking = speakCommand(line, core);
    return speaking && (finish => void speaking.then(finish));
  }

  #reply(kind: 'bgapi' | 'api' | 'other', text: string): void {
    if (!this.#options.losesReply(kind)) this.#write(text);
  }

  #write(text: string): void {
    if (this.#isFrozen) return void this.#frozenOutput.push(text);
    const { socket } = this.#options;
    this.#afterDelay(() => {
      if (!socket.destroyed && socket.writable) socket.write(text);
      if (socket.writableLength > MAX_UNSENT_BYTES) socket.destroy();
    });
  }

  /** At once, or after the delay of a slow switch, in order. */
  #afterDelay(task: () => void): void {
    const { clock } = this.#options;
    const now = clock.monotonic();
    this.#releaseAt = Math.max(this.#releaseAt, now + this.#options.delayMs());
    if (this.#releaseAt <= now) task();
    else clock.schedule(this.#releaseAt - now, task);
  }

  #closed(): void {
    this.#cancelAuth();
    this.#cancelPoll?.();
    this.#options.onClose(this);
  }
}

function originateArgument(line: string): string | null {
  return /^originate( |$)/i.test(line) ? line.slice('originate '.length) : null;
}
