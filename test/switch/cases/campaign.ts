import { systemIds } from '#kernel/ids.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { BUSINESS, type SwitchRig } from '../switch-rig.ts';

/** One dial as the product returns it. */
export interface AttemptRow {
  id: number;
  requestId: string;
  phoneNumber: string;
  status: string;
  callStatus: string | null;
  hangupCause: string | null;
  hangupBy: string | null;
  answeredAt: string | null;
  endedAt: string | null;
}

const OPEN = ['claimed', 'dialing', 'accepted', 'answered'];
const SETTLE_TIMEOUT_MS = 30_000;

/** Starts a campaign that dials these contacts at once, most of them only numbers, each of them once unless `maxRetries` allows more. */
export async function startCampaign(rig: SwitchRig, called: readonly (string | object)[], change: object = {}): Promise<number> {
  const contacts = called.map(contact => (typeof contact === 'string' ? { phoneNumber: contact } : contact));
  const { campaign } = await rig.rest('POST', '/api/campaigns', {
    name: `检查 ${systemIds().slice(0, 8)}`,
    businessCode: BUSINESS,
    lineIds: [rig.lineId],
    maxConcurrency: called.length,
    maxRetries: 0,
    ...change,
  });
  await rig.rest('POST', `/api/campaigns/${campaign.id}/contacts`, { contacts });
  await rig.rest('PATCH', `/api/campaigns/${campaign.id}`, { status: 'running' });
  return Number(campaign.id);
}

/** Excludes claims that were reverted before an originate. */
export async function attemptsOf({ rest }: Pick<SwitchRig, 'rest'>, campaignId: number): Promise<AttemptRow[]> {
  const { rows }: { rows: AttemptRow[] } = await rest('GET', `/api/call-attempts?campaignId=${campaignId}&pageSize=200`);
  return rows.filter(({ status }) => status !== 'cancelled');
}

/** Waits until every number has been dialled, and no attempt is open. */
export function settled(rig: SwitchRig, campaignId: number, count: number, timeoutMs = SETTLE_TIMEOUT_MS): Promise<AttemptRow[]> {
  return waitUntil(
    `${count} attempts to end`,
    async () => {
      const attempts = await attemptsOf(rig, campaignId);
      const open = attempts.filter(({ status }) => OPEN.includes(status));
      if (attempts.length < count || open.length > 0)
        throw new Error(`${attempts.length} attempts, open: ${JSON.stringify(open.slice(0, 2))}`);
      return attempts;
    },
    timeoutMs,
  );
}

export async function stopCampaign({ rest }: Pick<SwitchRig, 'rest'>, campaignId: number): Promise<void> {
  await rest('PATCH', `/api/campaigns/${campaignId}`, { status: 'paused' }).catch(() => undefined);
}

/** Ends every call at both switches, so that no case affects the next one. */
export async function hangUpAll({ cell, people }: Pick<SwitchRig, 'cell' | 'people'>): Promise<void> {
  await Promise.all([cell.api('hupall NORMAL_CLEARING').catch(() => ''), people.process.api('hupall NORMAL_CLEARING').catch(() => '')]);
}

/** Waits until the agent is free, as calls of an earlier case may still be ending. */
export async function freeAgent({ rest, agents }: Pick<SwitchRig, 'rest' | 'agents'>, extension: string): Promise<number> {
  const id = agents.get(extension) ?? 0;
  await waitUntil(
    `agent ${extension} to be free`,
    async () => {
      const roster: { id: number; status: string; currentCall: string | null; registrationStatus: string }[] = (
        await rest('GET', '/api/agents')
      ).agents;
      const agent = roster.find(each => each.id === id);
      if (agent?.status === 'idle' && agent.currentCall === null) return true;
      if (agent?.currentCall === null) await rest('PATCH', `/api/agents/${id}/status`, { status: 'idle' });
      throw new Error(JSON.stringify(agent));
    },
    SETTLE_TIMEOUT_MS,
  );
  return id;
}
