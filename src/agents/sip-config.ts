import { createHash } from 'node:crypto';
import type { SealPart } from '#access/seal.ts';
import type { AccessAuditPart } from '#audit/access-audit.ts';
import type { Caller } from '#kernel/caller.ts';
import { notFound } from '#kernel/errors.ts';
import { MAX_AGENTS, type AgentsPart } from './agent-directory.ts';
import type { Agent } from './agent.ts';
import { findOwnAgent } from './status.ts';

/** SIP settings of the installation. */
export interface SipSettings {
  /** When empty, the realm of each phone's registration applies. */
  sipRealm: string;
  wsServers: readonly string[];
  iceServers: readonly { urls: string; username: string; credential: string }[];
}

export interface SipPart {
  sipSettings: SipSettings;
}

/** Source: D12.2 */
interface SipConfig {
  agentId: number;
  phoneExtension: string;
  displayName: string;
  sipUri: string;
  authUsername: string;
  wsServers: string[];
  realm: string;
  iceServers: { urls: string; username?: string; credential?: string }[];
}

/**
 * Returns the caller's own configuration with the password, which no other user sees.
 *
 * Errors: NOT_FOUND when no enabled agent with an extension is bound to the caller
 * Source: OCS 4.14, D12.2
 */
export async function getOwnSipConfig(
  app: AgentsPart & SipPart & SealPart & AccessAuditPart,
  caller: Caller,
): Promise<SipConfig & { password: string | null }> {
  const agent = await findOwnAgent(app, caller);
  if (!agent || agent.phoneExtension === '') throw notFound('当前用户绑定的坐席分机');
  const sealed = await app.agents.findSealedPassword(agent.id);
  const config = configOf(app, agent);
  if (sealed === null) return { ...config, password: null };
  const password = app.seal.open(sealed);
  await app.accessAudit.read(caller, { action: 'sip_password.read', targetType: 'agent', targetId: agent.id, summary: '查看话机密码' });
  return { ...config, password };
}

/** Lists enabled agents with an extension: all of them for supervisors and administrators, else the caller's own. */
export async function listSipConfigs(app: AgentsPart & SipPart & SealPart & AccessAuditPart, caller: Caller): Promise<SipConfig[]> {
  const own = caller.role === 'agent' ? await findOwnAgent(app, caller) : null;
  const agents = caller.role === 'agent' ? (own ? [own] : []) : await app.agents.list(MAX_AGENTS);
  return agents.filter(agent => agent.isEnabled && agent.phoneExtension !== '').map(agent => configOf(app, agent));
}

function configOf(
  { phoneRegistry, sipSettings }: SipPart & Pick<AgentsPart, 'phoneRegistry'>,
  { id, name, phoneExtension, authUsername, cellId }: Agent,
): SipConfig {
  const realm = sipSettings.sipRealm || (phoneRegistry.locate(phoneExtension, cellId)?.realm ?? '');
  return {
    agentId: id,
    phoneExtension,
    displayName: name,
    sipUri: realm === '' ? `sip:${phoneExtension}` : `sip:${phoneExtension}@${realm}`,
    authUsername: authUsername || phoneExtension,
    wsServers: [...sipSettings.wsServers],
    realm,
    iceServers: sipSettings.iceServers.map(({ urls, username, credential }) => ({
      urls,
      ...(username === '' ? {} : { username }),
      ...(credential === '' ? {} : { credential }),
    })),
  };
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
export async function findDirectoryPhone(
  app: SipPart & SealPart & Pick<AgentsPart, 'agents'>,
  question: PhoneQuestion,
): Promise<DirectoryPhone | null> {
  const { domain, extension, authUsername } = question;
  if (extension === '' || !DOMAIN.test(domain) || !isOurs(app, domain)) return null;
  const agent = await app.agents.findByExtension(extension);
  if (!agent?.isEnabled) return null;
  if (authUsername === null) return { id: extension, extension, domain, a1Hash: null };
  if (authUsername !== (agent.authUsername || extension)) return null;
  const sealed = await app.agents.findSealedPassword(agent.id);
  if (sealed === null) return null;
  return { id: authUsername, extension, domain, a1Hash: hashOf(authUsername, domain, app.seal.open(sealed)) };
}

function isOurs({ sipSettings }: SipPart, domain: string): boolean {
  return sipSettings.sipRealm === '' || sipSettings.sipRealm.toLowerCase() === domain.toLowerCase();
}

/** Digest hash (HA1) of RFC 2617 §3.2.2.2, as every SIP phone computes it. */
function hashOf(username: string, realm: string, password: string): string {
  return createHash('md5').update(`${username}:${realm}:${password}`).digest('hex');
}

/** SIP domain of an agent's phone at a cell: the domain of its registration, else the installation's; empty when neither is known. */
export function phoneRealm(
  { phoneRegistry, sipSettings }: SipPart & Pick<AgentsPart, 'phoneRegistry'>,
  phoneExtension: string,
  cellId: string,
): string {
  return phoneRegistry.locate(phoneExtension, cellId)?.realm || sipSettings.sipRealm;
}

/**
 * Builds the dial string of an agent's phone; null without a domain.
 *
 * Why:    the switch finds a user only within a domain, never by a bare extension
 * Source: test/fixtures/esl/README.md §1a
 */
export function phoneTemplate(realm: string): string | null {
  return realm === '' ? null : `user/{{destinationNumber}}@${realm}`;
}
