import type { Clock } from '#kernel/clock.ts';
import type { Phone } from './phone.ts';
import type { CalleePlan, Refusal } from './world.ts';

export interface PhonesOptions {
  clock: Clock;
  /** Emits a CUSTOM event of the running switch. */
  emit(subclass: string, headers: (readonly [string, string])[]): void;
  /** Domain of every extension. */
  realm?: string | undefined;
}

/** Default domain of every extension. */
const DEFAULT_REALM = '127.0.0.1';
const REGISTRATION_SECONDS = 3_600;
const NETWORK_MS = 1;
const REJECTED: Refusal = { cause: 'CALL_REJECTED', sipStatus: 603, sipPhrase: 'Decline', q850: 21 };
const BUSY: Refusal = { cause: 'USER_BUSY', sipStatus: 486, sipPhrase: 'Busy Here', q850: 17 };

/**
 * Agents' phones: extensions, registrations and behaviour. They survive a restart of the switch, as registrations do.
 *
 * Source: test/fixtures/esl/README.md §4 "show registrations", §5 "Registrations survive"
 */
export class Phones {
  readonly #phones = new Map<string, Phone>();
  /** Contact of the newest browser's phone, by extension. */
  readonly #browsers = new Map<string, string>();
  readonly #options: PhonesOptions;
  readonly realm: string;

  constructor(options: PhonesOptions, phones: readonly Phone[] = []) {
    this.#options = options;
    this.realm = options.realm ?? DEFAULT_REALM;
    for (const phone of phones) this.#phones.set(phone.extension, phone);
  }

  find(extension: string): Phone | undefined {
    return this.#phones.get(extension);
  }

  /** Adds an extension, or changes its settings. */
  put(extension: string, change: Partial<Omit<Phone, 'extension'>> = {}): void {
    const before = this.#phones.get(extension);
    const phone: Phone = { ...newPhone(extension), ...before, ...change, extension };
    this.#phones.set(extension, phone);
    if (phone.isRegistered === (before?.isRegistered ?? false)) return;
    this.#options.emit(phone.isRegistered ? 'sofia::register' : 'sofia::unregister', registrationHeaders(extension, this.realm));
  }

  register(extension: string): void {
    this.put(extension, { isRegistered: true });
  }

  unregister(extension: string): void {
    this.put(extension, { isRegistered: false });
  }

  /** A browser's phone of the extension has registered: it answers now, whatever the simulated one would do. */
  browserRegistered(extension: string, contact: string): void {
    if (!this.#phones.has(extension)) this.#phones.set(extension, newPhone(extension));
    this.#browsers.set(extension, contact);
    this.#options.emit('sofia::register', registrationHeaders(extension, this.realm, contact));
  }

  /** `left`: a phone of the extension that is still registered. */
  browserUnregistered(extension: string, contact: string, left: string | null): void {
    if (left === null) this.#browsers.delete(extension);
    else this.#browsers.set(extension, left);
    this.#options.emit('sofia::unregister', registrationHeaders(extension, this.realm, contact));
  }

  isRegistered(extension: string): boolean {
    return this.#browsers.has(extension) || this.#phones.get(extension)?.isRegistered === true;
  }

  /** Removes an extension from the directory without an event. */
  forgetSilently(extension: string): void {
    this.#phones.delete(extension);
  }

  /** `show registrations as json`; no recording has an empty list, so its format follows the other lists. */
  registrationsAsJson(): string {
    const rows = [...this.#phones.keys()].filter(extension => this.isRegistered(extension)).map(extension => this.#row(extension));
    return rows.length === 0 ? '{"row_count": 0}\n' : JSON.stringify({ row_count: rows.length, rows });
  }

  #row(extension: string) {
    const browser = this.#browsers.get(extension);
    const expires = Math.floor(this.#options.clock.now() / 1_000) + REGISTRATION_SECONDS;
    return {
      reg_user: extension,
      realm: this.realm,
      token: `${extension}@simulator`,
      url: browser === undefined ? `sofia/internal/sip:${extension}@127.0.0.1:5090` : `sofia/agents/${browser}`,
      expires: String(expires),
      network_ip: '127.0.0.1',
      network_port: '5071',
      network_proto: browser === undefined ? 'udp' : 'ws',
      hostname: 'simulator',
      metadata: '',
    };
  }
}

/** How a call to this phone proceeds. */
export function planPhone({ manner, ringMs, talkMs }: Phone): CalleePlan {
  switch (manner) {
    case 'answers':
      return { kind: 'answers', callee: 'person', progress: ['ringing'], networkMs: NETWORK_MS, ringMs, talkMs, talks: 'inCompany' };
    case 'rejects':
      return { kind: 'refuses', refusal: REJECTED, hasEarlyMedia: false, networkMs: NETWORK_MS + ringMs };
    case 'busy':
      return { kind: 'refuses', refusal: BUSY, hasEarlyMedia: false, networkMs: NETWORK_MS };
    case 'noAnswer':
      return { kind: 'never_answers', progress: ['ringing'], networkMs: NETWORK_MS };
    default:
      return manner satisfies never;
  }
}

function newPhone(extension: string): Phone {
  return { extension, isRegistered: false, manner: 'answers', ringMs: 50, talkMs: null };
}

/** `contact`: of a browser's phone. */
function registrationHeaders(extension: string, realm: string, contact?: string): (readonly [string, string])[] {
  return [
    ['profile-name', contact === undefined ? 'internal' : 'agents'],
    ['from-user', extension],
    ['from-host', realm],
    ['contact', `"" <${contact ?? `sip:${extension}@127.0.0.1:5090`}>`],
    ['call-id', `${extension}@simulator`],
    ['status', contact === undefined ? 'Registered(UDP)' : 'Registered(WS)'],
    ['expires', String(REGISTRATION_SECONDS)],
  ];
}
