import type { ActorCommit, ActorStore, CommitOutcome } from '#platform/actor-host/actor-store.ts';
import { type CampaignSnapshot, phaseOf, statusOf } from '#actors/campaign/context.ts';
import { actorOf, parseCampaign } from '#campaigns/campaign-actor.ts';
import { isDrained } from './dial-plans.ts';
import type { CampaignRow, DialTables } from './dial-tables.ts';

const KEPT_COMMANDS = 8;

/**
 * Mirrors campaigns/campaign-actor-store.ts: the row is the snapshot, and a commit refuses to complete a campaign with work
 * left.
 */
export function simulatedCampaignActorStore(tables: DialTables): ActorStore {
  return {
    async load(key) {
      const row = tables.campaigns.get(Number(key));
      if (!row) return null;
      const { actorVersion, actorCommands, phaseCause, phaseRefusal, breaker, scriptless: _scriptless, ...campaign } = row;
      return { ...actorOf({ campaign, actorVersion, phaseCause, phaseRefusal, breaker }), commandIds: [...actorCommands] };
    },
    commit: async (key, commit) => commitIn(tables, key, commit),
    takeDueTimers: async () => [],
    clearTimers: async () => undefined,
    async takeDueEffects(limit, leaseMs) {
      const now = tables.now();
      const due = [...tables.outbox.values()].filter(row => row.kind === 'campaign_effect' && row.dueAt <= now);
      due.sort((a, b) => a.dueAt - b.dueAt || a.id - b.id);
      return due.slice(0, limit).map(row => {
        row.dueAt = now + leaseMs;
        const split = row.key.indexOf('|');
        return { key: row.key.slice(0, split), effectId: row.key.slice(split + 1), body: String(row.payload['body']) };
      });
    },
    async clearEffects(effects) {
      const names = new Set(effects.map(({ key, effectId }) => `${key}|${effectId}`));
      for (const [id, row] of tables.outbox) if (row.kind === 'campaign_effect' && names.has(row.key)) tables.outbox.delete(id);
    },
    remove: async () => undefined,
  };
}

function commitIn(tables: DialTables, key: string, commit: ActorCommit): CommitOutcome {
  const row = tables.campaigns.get(Number(key));
  if (!row) return { kind: 'conflict' };
  if (row.actorCommands.includes(commit.commandId)) return { kind: 'duplicate' };
  if (row.actorVersion + 1 !== commit.expectedVersion) return { kind: 'conflict' };
  const after = parseCampaign(commit.snapshot);
  const { written } = after.context;
  if (written.includes('status') && statusOf(after.value) === 'completed' && !mayComplete(tables, row)) return { kind: 'conflict' };
  writeSnapshot(tables, row, { after, wakeUp: commit.timers['wakeUp'] });
  row.actorVersion += 1;
  row.actorCommands = [...row.actorCommands.filter(id => !id.startsWith('turn:')), commit.commandId].slice(-KEPT_COMMANDS);
  for (const { effectId, body } of commit.effects) {
    const id = tables.nextOutboxId++;
    tables.outbox.set(id, {
      id,
      kind: 'campaign_effect',
      key: `${key}|${effectId}`,
      payload: { body },
      dueAt: tables.now() + commit.effectLeaseMs,
    });
  }
  return { kind: 'committed', version: row.actorVersion + 1 };
}

function mayComplete(tables: DialTables, { id, scheduledEndAt }: CampaignRow): boolean {
  if (isDrained(tables, id)) return true;
  const isOpen = [...tables.open].some(attempt => attempt.campaignId === id);
  return !isOpen && scheduledEndAt !== null && scheduledEndAt <= tables.now();
}

function writeSnapshot(
  tables: DialTables,
  row: CampaignRow,
  { after, wakeUp }: { after: CampaignSnapshot; wakeUp: number | null | undefined },
): void {
  const { fields, reason, cause, refusal, breaker, written } = after.context;
  if (written.some(name => name !== 'status')) Object.assign(row, fields);
  Object.assign(row, {
    status: statusOf(after.value),
    phase: phaseOf(after.value),
    phaseReason: reason,
    phaseCause: cause,
    phaseRefusal: refusal,
    breaker,
  });
  if (wakeUp !== undefined) row.nextWakeAt = wakeUp === null ? null : tables.now() + wakeUp;
}
