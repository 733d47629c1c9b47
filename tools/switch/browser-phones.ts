import type { Log } from '#kernel/log.ts';
import type { BrowserPhoneSide, Channel, PhoneCallParts } from './channel.ts';
import { PhoneLeg, type PhoneLegOptions, type PhoneLegSide } from './phone-leg.ts';
import type { Phones } from './phones.ts';
import { headersNamed } from './sip/message.ts';
import type { PhoneCallEvents } from './sip/phone-call.ts';
import type { Binding } from './sip/registrar.ts';
import type { IncomingCall, SipServer } from './sip/sip-server.ts';

export interface BrowserPhonesOptions extends Pick<PhoneLegOptions, 'clock' | 'sound'> {
  log: Log;
  phones: Phones;
  /** The switch as it runs now. */
  core(): PhoneLegSide & { accept(call: PhoneCallParts): Channel };
}

/** Number that browsers dial, and the header that names a conference: the dialplan of docker/freeswitch. */
const SERVICE_NUMBER = '8800';
const CONFERENCE_HEADER = 'x-callout-conference';
const CONFERENCE = /^callout-[0-9a-f-]{36}@[A-Za-z0-9_-]+$/;

/** Browsers' phones at the switch: their registrations, the channels that they answer, and the ones that they place. */
export class BrowserPhones implements BrowserPhoneSide {
  readonly #options: BrowserPhonesOptions;
  readonly #legs = new Map<string, PhoneLeg>();
  #server: SipServer | null = null;

  constructor(options: BrowserPhonesOptions) {
    this.#options = options;
  }

  serve(server: SipServer): void {
    this.#server = server;
  }

  registered({ extension, contact }: Binding): void {
    this.#options.phones.browserRegistered(extension, contact);
  }

  /** Another tab of the extension may still be registered. */
  unregistered({ extension, contact }: Binding): void {
    this.#options.phones.browserUnregistered(extension, contact, this.#server?.registrar.of(extension).at(0)?.contact ?? null);
  }

  rings(channel: Channel): boolean {
    const server = this.#server;
    const bindings = channel.phone ? (server?.registrar.of(channel.phone.extension) ?? []) : [];
    if (server === null || bindings.length === 0) return false;
    const leg = this.#enter(channel);
    for (const binding of bindings) void this.#ring(server, leg, binding);
    return true;
  }

  released(channel: Channel): void {
    this.#legs.get(channel.uuid)?.release();
    this.#legs.delete(channel.uuid);
  }

  /** A phone calls the switch: it may enter the conference of its session, and nothing else. */
  called({ extension, number, headers }: IncomingCall): PhoneCallEvents | null {
    const place = headersNamed({ headers }, CONFERENCE_HEADER).at(0) ?? '';
    if (number !== SERVICE_NUMBER || !CONFERENCE.test(place)) return null;
    const variables = new Map([['sip_h_X-Callout-Conference', place]]);
    return this.#enter(this.#options.core().accept({ extension, number, application: `&conference(${place})`, variables }));
  }

  #enter(channel: Channel): PhoneLeg {
    const { clock, sound } = this.#options;
    const leg = new PhoneLeg(channel, { clock, sound, core: this.#options.core() });
    this.#legs.set(channel.uuid, leg);
    return leg;
  }

  async #ring(server: SipServer, leg: PhoneLeg, binding: Binding): Promise<void> {
    const { variables } = leg.channel;
    const callerName = variables.get('origination_caller_id_name') ?? '';
    const callerNumber = variables.get('origination_caller_id_number') || '0000000000';
    try {
      await leg.ring(await server.call({ binding, callerName, callerNumber }, leg));
    } catch (error) {
      this.#options.log.warn({ err: error }, 'a phone could not be rung');
      leg.onFailed();
    }
  }
}
