import { createHash } from 'node:crypto';
import type { AgentStore } from './agent-store.ts';
import type { Seal } from '#access/seal.ts';
import type { SipSettings } from './sip-config.ts';

export interface PhoneDirectoryDeps {
  agents: Pick<AgentStore, 'findByExtension' | 'findSealedPassword'>;
  seal: Pick<Seal, 'open'>;
  sipSettings: Pick<SipSettings, 'sipRealm'>;
}

/** A directory lookup by the switch, before it calls a phone or accepts its registration. */
export interface PhoneQuestion {
  domain: string;
  extension: string;
  /** Username that the phone authenticates with; null when the switch is about to call the extension. */
  authUsername: string | null;
}

export interface DirectoryPhone {
  /** Key of the lookup: the username, or the extension. */
  id: string;
  extension: string;
  domain: string;
  /** MD5 hash of username, domain and password; null when the phone is only to be called. */
  a1Hash: string | null;
}

/** A domain contains nothing that the switch's configuration would expand. */
const DOMAIN = /^[A-Za-z0-9.-]{1,253}$/;

/**
 * Finds the phone of an enabled agent; null when there is none, or this lookup may not use it.
 *
 * Why:    an agent's password opens its own extension only, and an agent without a stored password is not found, because FreeSWITCH accepts
 *         any phone whose user has no password. The hash is valid for this domain only, and the password itself never leaves the product
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

/** Digest hash (HA1) of RFC 2617 §3.2.2.2, as every SIP phone computes it. */
function hashOf(username: string, realm: string, password: string): string {
  return createHash('md5').update(`${username}:${realm}:${password}`).digest('hex');
}
