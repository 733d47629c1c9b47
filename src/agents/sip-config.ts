import { notFound } from '#kernel/errors.ts';
import type { AgentStore } from './agent-store.ts';
import type { Agent } from './agent.ts';
import type { Caller } from '#kernel/caller.ts';
import type { AccessAuditDeps } from '#audit/access-audit.ts';
import type { Seal } from '#access/seal.ts';
import { MAX_AGENTS } from './agent-directory.ts';
import type { PhoneRegistry } from './phone-registry.ts';
import { findOwnAgent } from './require-own-agent.ts';

/** SIP settings of the installation. */
export interface SipSettings {
  /** When empty, the realm of each phone's registration applies. */
  sipRealm: string;
  wsServers: readonly string[];
  iceServers: readonly { urls: string; username: string; credential: string }[];
}

export interface SipConfigDeps extends AccessAuditDeps {
  agents: Pick<AgentStore, 'list' | 'findByUser' | 'findSealedPassword'>;
  phoneRegistry: PhoneRegistry;
  seal: Seal;
  sipSettings: SipSettings;
}

/** Source: D12.2 */
export interface SipConfig {
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
export async function getOwnSipConfig(deps: SipConfigDeps, caller: Caller): Promise<SipConfig & { password: string | null }> {
  const agent = await findOwnAgent(deps, caller);
  if (!agent || agent.phoneExtension === '') throw notFound('当前用户绑定的坐席分机');
  const sealed = await deps.agents.findSealedPassword(agent.id);
  const config = configOf(deps, agent);
  if (sealed === null) return { ...config, password: null };
  const password = deps.seal.open(sealed);
  await deps.accessAudit.read(caller, { action: 'sip_password.read', targetType: 'agent', targetId: agent.id, summary: '查看话机密码' });
  return { ...config, password };
}

/** Lists enabled agents with an extension: all of them for supervisors and administrators, else the caller's own. */
export async function listSipConfigs(deps: SipConfigDeps, caller: Caller): Promise<SipConfig[]> {
  const own = caller.role === 'agent' ? await findOwnAgent(deps, caller) : null;
  const agents = caller.role === 'agent' ? (own ? [own] : []) : await deps.agents.list(MAX_AGENTS);
  return agents.filter(agent => agent.isEnabled && agent.phoneExtension !== '').map(agent => configOf(deps, agent));
}

function configOf({ phoneRegistry, sipSettings }: SipConfigDeps, { id, name, phoneExtension, authUsername, cellId }: Agent): SipConfig {
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
