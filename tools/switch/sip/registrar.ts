import type { Cancel, Clock } from '#kernel/clock.ts';
import { headerOf, headersNamed, partsOfUri, respondTo, sequenceOf, type SipRequest, type SipResponse, uriOf } from './message.ts';
import type { PhoneSocket } from './phone-socket.ts';

/** A phone that is registered: one tab of a browser. */
export interface Binding {
  extension: string;
  /** URI under which the phone is called. */
  contact: string;
  socket: PhoneSocket;
}

interface Kept extends Binding {
  callId: string;
  sequence: number;
  expiresAt: number;
  cancelExpiry: Cancel;
}

export interface RegistrarOptions {
  clock: Clock;
  onRegistered(binding: Binding): void;
  onUnregistered(binding: Binding): void;
}

const DEFAULT_SECONDS = 600;
const MAX_SECONDS = 3_600;
/** Most tabs of one extension, and of all. */
const MAX_PER_EXTENSION = 5;
const MAX_BINDINGS = 500;

/** Identity of a phone over several sockets: the user part of its contact is random, and parameters differ between requests. */
export function contactKey(contact: string): string {
  const { user, host } = partsOfUri(contact);
  return `${user}@${host}`;
}

/** Registrations of the browsers' phones; a closed socket ends those that came on it. Source: RFC 3261 §10.3, RFC 7118 §5.2 */
export class Registrar {
  readonly #options: RegistrarOptions;
  /** By extension, then by contact. */
  readonly #bindings = new Map<string, Map<string, Kept>>();

  constructor(options: RegistrarOptions) {
    this.#options = options;
  }

  /** The phones of an extension, the newest first. */
  of(extension: string): Binding[] {
    return [...(this.#bindings.get(extension)?.values() ?? [])].toReversed();
  }

  find(extension: string, contact: string): Binding | undefined {
    return this.#bindings.get(extension)?.get(contactKey(contact));
  }

  /** Carries out an authorized REGISTER. */
  register(socket: PhoneSocket, extension: string, request: SipRequest): SipResponse {
    const contact = headersNamed(request, 'contact').at(0) ?? '';
    if (contact.trim() === '*') for (const binding of this.#kept(extension)) this.#remove(binding);
    const uri = contact.trim() === '*' ? null : uriOf(contact);
    if (contact !== '' && contact.trim() !== '*' && uri === null) return respondTo(request, 400);
    const isKept = uri === null || this.#keep({ socket, extension, contact: uri }, request, secondsOf(request, contact));
    return isKept ? respondTo(request, 200, { headers: this.#contactHeaders(extension) }) : respondTo(request, 503);
  }

  socketClosed(socket: PhoneSocket): void {
    for (const bindings of this.#bindings.values())
      for (const binding of bindings.values()) if (binding.socket === socket) this.#remove(binding);
  }

  clear(): void {
    for (const bindings of this.#bindings.values()) for (const binding of bindings.values()) binding.cancelExpiry();
    this.#bindings.clear();
  }

  /** Returns whether there was room. */
  #keep(binding: Binding, request: SipRequest, seconds: number): boolean {
    const bindings = this.#bindings.get(binding.extension) ?? new Map<string, Kept>();
    const key = contactKey(binding.contact);
    const before = bindings.get(key);
    const { number: sequence } = sequenceOf(request);
    const callId = headerOf(request, 'call-id');
    if (before && before.callId === callId && sequence <= before.sequence) return true;
    if (seconds === 0) {
      if (before) this.#remove(before);
      return true;
    }
    if (!before && (bindings.size >= MAX_PER_EXTENSION || this.#count() >= MAX_BINDINGS)) return false;
    before?.cancelExpiry();
    this.#bindings.set(binding.extension, bindings);
    const { clock } = this.#options;
    const kept: Kept = { ...binding, callId, sequence, expiresAt: clock.now() + seconds * 1_000, cancelExpiry: () => undefined };
    kept.cancelExpiry = clock.schedule(seconds * 1_000, () => this.#remove(kept));
    bindings.delete(key);
    bindings.set(key, kept);
    this.#options.onRegistered(kept);
    return true;
  }

  #remove(binding: Kept): void {
    const bindings = this.#bindings.get(binding.extension);
    if (bindings?.get(contactKey(binding.contact)) !== binding) return;
    binding.cancelExpiry();
    bindings.delete(contactKey(binding.contact));
    if (bindings.size === 0) this.#bindings.delete(binding.extension);
    this.#options.onUnregistered(binding);
  }

  #kept(extension: string): Kept[] {
    return [...(this.#bindings.get(extension)?.values() ?? [])];
  }

  #count(): number {
    return [...this.#bindings.values()].reduce((sum, bindings) => sum + bindings.size, 0);
  }

  /** A phone finds its own contact among these. */
  #contactHeaders(extension: string): (readonly [string, string])[] {
    const now = this.#options.clock.now();
    return this.#kept(extension).map(({ contact, expiresAt }) => {
      const seconds = Math.max(1, Math.round((expiresAt - now) / 1_000));
      return ['contact', `<${contact}>;expires=${seconds}`] as const;
    });
  }
}

/** Lifetime that a REGISTER asks for, within bounds, in s. */
function secondsOf(request: SipRequest, contact: string): number {
  const asked = /;\s*expires=(\d{1,10})/i.exec(contact)?.[1] ?? /^(\d{1,10})$/.exec(headerOf(request, 'expires'))?.[1];
  return Math.min(MAX_SECONDS, asked === undefined ? DEFAULT_SECONDS : Number(asked));
}
