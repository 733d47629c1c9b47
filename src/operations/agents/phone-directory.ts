import { createHash } from 'node:crypto';
import type { AgentStore } from '#adapters/postgres/agent-repository.ts';
import type { Seal } from '../access/seal.ts';
import type { SipSettings } from './sip-config.ts';

export interface PhoneDirectoryDeps {
  agents: Pick<AgentStore, 'findByExtension' | 'findSealedPassword'>;
  seal: Pick<Seal, 'open'>;
  sipSettings: Pick<SipSettings, 'sipRealm'>;
}

/** What a switch asks before it calls a phone, or lets one in. */
export interface PhoneQuestion {
  domain: string;
  extension: string;
  /** The name that a phone shows with its password; null when the switch wants to call the extension. */
  authUsername: string | null;
}

export interface DirectoryPhone {
  /** What the switch looked for: the name of the login, or the extension. */
  id: string;
  extension: string;
  domain: string;
  /** Hash of name, domain and password; null when the phone is only to be called. */
  a1Hash: string | null;
}

/** Also what may stand in the switch's configuration: nothing that it would expand. */
const DOMAIN = /^[A-Za-z0-9.-]{1,253}$/;

/**
 * The phone of an enabled agent; null when there is none, or it may not be used so.
 *
 * Why:    an agent's password opens its own extension alone, and one without a stored password opens none: FreeSWITCH lets everybody in who has none.
 *         The hash is good for this domain only, and the password itself never leaves the product
 * Errors: CONFLICT when the password cannot be unsealed
 * Source: D12.2
 */
export async function findDirectoryPhone(deps: PhoneDirectoryDeps, question: PhoneQuestion): Promise<DirectoryPhone | null> {
  const { domain, extension, authUsername } = question;
  if (extension === '' || !DOMAIN.test(domain) || !isOurs(deps, domain)) return null;
  const agent = await deps.agents.findByExtension(extension);
  if (!agent?.isEnabled) return null;
  if (authUsername === null) return { id: extension, extension, domain, a1Hash: null };
  if (authUsername !== (agent.authUsername || extension)) return null;
  const sealed = await deps.agents.findSealedPassword(agent.id);
  if (sealed === null) return null;
  return { id: authUsername, extension, domain, a1Hash: hashOf(authUsername, domain, deps.seal.open(sealed)) };
}

function isOurs({ sipSettings }: PhoneDirectoryDeps, domain: string): boolean {
  return sipSettings.sipRealm === '' || sipSettings.sipRealm.toLowerCase() === domain.toLowerCase();
}

/** RFC 2617 §3.2.2.2, as every SIP phone reckons it. */
function hashOf(username: string, realm: string, password: string): string {
  return createHash('md5').update(`${username}:${realm}:${password}`).digest('hex');
}
