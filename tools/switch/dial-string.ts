import type { Phone } from './phone.ts';
import type { Troubles } from './troubles.ts';

/** Faults of carriers. */
type Carriers = Pick<Troubles, 'downGateways' | 'takeWay'>;

/** Environment of the simulated switch: its profiles, gateways, users and hosts. */
export interface Routes {
  /** Sofia profiles. */
  profiles: readonly string[];
  /**
   * Gateways by name; other names are unknown. `down`: the switch knows it is down; `dead`: only a call shows it; `self`: answers like
   * `null/`. `null`: every name works.
   */
  gateways: Readonly<Record<string, 'up' | 'down' | 'dead' | 'self'>> | null;
  /** Extensions by number. */
  users: Readonly<Record<string, 'registered' | 'unregistered'>>;
  /** Unreachable hosts (`address:port`): `silent` drops the call, `closed` refuses it. */
  hosts: Readonly<Record<string, 'silent' | 'closed'>>;
  /** The switch's `domain`, used for a `user/` without one. When absent, such a user is not found. */
  domain?: string;
}

export const DEFAULT_ROUTES: Routes = { profiles: ['external', 'internal'], gateways: null, users: {}, hosts: {} };

/** Path between the switch and the callee. */
export type Way = 'open' | 'silent' | 'closed' | 'congested';

export type Route =
  | { kind: 'callee'; number: string; channelName: string; gateway: string | null; endpoint: 'sofia'; way: Way; phone: Phone | null }
  /** `null/` and `loopback/`: the switch itself answers at once. */
  | { kind: 'self'; number: string; channelName: string; endpoint: 'null' | 'loopback' }
  | { kind: 'refused'; cause: string };

/** Agents' phones by extension. */
export interface Directory {
  /** The only domain that it knows. */
  readonly realm: string;
  find(extension: string): Phone | undefined;
  isRegistered(extension: string): boolean;
}

const refused = (cause: string): Route => ({ kind: 'refused', cause });

/**
 * Resolves a dial string; only its first leg counts, because the legs share one uuid.
 *
 * Source: test/fixtures/esl/README.md §3
 */
export function route(dialString: string, routes: Routes, phones: Directory, troubles: Carriers): Route {
  const leg = dialString.split(/[,|]/)[0] ?? '';
  const [endpoint = '', context = '', ...rest] = leg.split('/');
  const address = rest.join('/');
  switch (endpoint) {
    case 'sofia':
      return context === 'gateway' ? viaGateway(rest, routes, troubles) : viaProfile(leg, { profile: context, address }, routes, troubles);
    case 'user':
      return toUser(context, routes, phones);
    case 'null':
    case 'loopback':
      return { kind: 'self', number: context, channelName: leg, endpoint };
    default:
      return refused('CHAN_NOT_IMPLEMENTED');
  }
}

function viaGateway([gateway = '', number = '']: readonly string[], routes: Routes, troubles: Carriers): Route {
  const state = routes.gateways === null ? 'up' : routes.gateways[gateway];
  if (state === undefined) return refused('INVALID_GATEWAY');
  if (state === 'down' || troubles.downGateways.has(gateway)) return refused('GATEWAY_DOWN');
  if (state === 'self') return { kind: 'self', number, channelName: `null/${number}`, endpoint: 'null' };
  return {
    kind: 'callee',
    number,
    channelName: `sofia/external/${number}`,
    gateway,
    endpoint: 'sofia',
    way: troubles.takeWay(gateway) ?? (state === 'dead' ? 'closed' : 'open'),
    phone: null,
  };
}

function viaProfile(leg: string, { profile, address }: { profile: string; address: string }, routes: Routes, troubles: Carriers): Route {
  if (!routes.profiles.includes(profile)) return refused('INVALID_PROFILE');
  const [number = '', host = ''] = address.split('@');
  const way = troubles.takeWay(host) ?? routes.hosts[host] ?? 'open';
  return { kind: 'callee', number, channelName: leg, gateway: null, endpoint: 'sofia', way, phone: null };
}

function toUser(address: string, routes: Routes, phones: Directory): Route {
  const [number = '', domain = routes.domain] = address.split('@');
  if (domain !== phones.realm) return refused('SUBSCRIBER_ABSENT');
  const phone = phones.find(number) ?? null;
  const state = phone === null ? routes.users[number] : phones.isRegistered(number) ? 'registered' : 'unregistered';
  if (state === undefined) return refused('SUBSCRIBER_ABSENT');
  if (state === 'unregistered') return refused('USER_NOT_REGISTERED');
  return { kind: 'callee', number, channelName: `sofia/internal/${number}`, gateway: null, endpoint: 'sofia', way: 'open', phone };
}
