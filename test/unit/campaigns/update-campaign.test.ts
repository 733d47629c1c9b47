import { simulatedSlotRegistry } from '#test/support/stores/simulated-slot-registry.ts';
import { rowsOnly } from '#test/support/rows-only.ts';
import { describe, expect, test } from '@jest/globals';
import { CalloutError } from '#kernel/errors.ts';
import { systemIds } from '#kernel/ids.ts';
import { systemCaller } from '#kernel/caller.ts';
import { type CampaignChanges, updateCampaign } from '#campaigns/change-campaigns.ts';
import type { Campaign } from '#campaigns/campaign.ts';
import { campaignHostOver } from '#test/support/campaign-host.ts';
import { addCampaign, addContact, type CampaignRow, dialTables } from '#test/support/stores/dial-tables.ts';
import { simulatedCampaignActorStore } from '#test/support/stores/simulated-campaign-actor-store.ts';
import { simulatedDialStore } from '#test/support/stores/simulated-dial-store.ts';

/** One stored campaign with contacts to call. */
class World {
  readonly tables = dialTables(() => 1_000);
  readonly row: CampaignRow;
  readonly effects: string[] = [];
  commits = 0;
  audited = 0;
  released: string[] = [];
  /** Runs once before the next commit, to simulate a concurrent change. */
  slipIn: (() => void) | null = null;
  /** Number of next commits that are applied although their reply is lost. */
  lostReplies = 0;

  constructor(fields: Partial<CampaignRow> = {}) {
    this.row = addCampaign(this.tables, { name: '旧名', status: 'paused', lineIds: [1], ...fields });
    addContact(this.tables, { campaignId: this.row.id, phoneNumber: '13800000001' });
  }

  update(changes: CampaignChanges): Promise<Campaign> {
    return updateCampaign(this.#deps(), systemCaller('t'), this.row.id, changes);
  }

  /** A concurrent commit of another user. */
  overtake(changes: Partial<CampaignRow>): void {
    Object.assign(this.row, changes, { actorVersion: this.row.actorVersion + 1 });
  }

  #deps(): Parameters<typeof updateCampaign>[0] {
    const store = simulatedCampaignActorStore(this.tables);
    const commit: typeof store.commit = async (key, step) => {
      this.slipIn?.();
      this.slipIn = null;
      const outcome = await store.commit(key, step);
      if (outcome.kind === 'committed') this.commits += 1;
      if (this.lostReplies-- > 0) throw new CalloutError('DATABASE_UNAVAILABLE', '回复丢失');
      return outcome;
    };
    return {
      db: rowsOnly(this.row),
      dials: { ...simulatedDialStore(this.tables), cancelClaims: async () => ['claimed'] },
      slots: { ...simulatedSlotRegistry({ now: () => 0, leaseMs: 1_000 }), release: async ids => this.released.push(...ids) },
      campaignHost: campaignHostOver({ ...store, commit }, this.effects),
      ids: systemIds,
      wake: { campaign: () => undefined },
      audit: { record: async () => void (this.audited += 1) },
      cellIds: new Set(),
    };
  }
}

describe('claims that are not yet dialled', () => {
  test.each<[string, CampaignChanges]>([
    ['hours', { workdayStart: '09:00', workdayEnd: '18:00' }],
    ['plan', { scheduledEndAt: 1_000 }],
    ['lines', { lineIds: [2] }],
  ])('are taken back when the %s change, because the old values decided them [I4]', async (_name, changes) => {
    const world = new World();
    await world.update(changes);
    expect(world.released).toEqual(['claimed']);
  });

  test('stay when the change could not affect them', async () => {
    const world = new World();
    await world.update({ name: '新名', lineIds: [1] });
    expect(world.released).toEqual([]);
  });
});

describe('fields and status in one edit', () => {
  test('are one commit [OCS 4.5]', async () => {
    const world = new World();
    await world.update({ status: 'running', name: '新名', maxConcurrency: 9 });
    expect(world).toMatchObject({ row: { name: '新名', maxConcurrency: 9, status: 'running' }, commits: 1, audited: 1 });
  });

  test('a refused status change writes nothing [OCS §3]', async () => {
    const world = new World({ status: 'completed' });
    await expect(world.update({ status: 'paused', name: '新名' })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(world).toMatchObject({ row: { name: '旧名', status: 'completed' }, commits: 0, audited: 0 });
  });

  test('a status change that a concurrent change makes impossible writes nothing [OCS §3]', async () => {
    const world = new World();
    world.slipIn = () => world.overtake({ status: 'archived' });
    await expect(world.update({ status: 'running', name: '新名', maxConcurrency: 9 })).rejects.toMatchObject({ code: 'CAMPAIGN_ARCHIVED' });
    expect(world).toMatchObject({ row: { name: '旧名', maxConcurrency: 1, status: 'archived' }, commits: 0, audited: 0 });
  });

  test('an invalid field changes no status, even if only a concurrent change made it invalid [D5.3]', async () => {
    const world = new World({ workdayStart: '09:00', workdayEnd: '18:00' });
    world.slipIn = () => world.overtake({ workdayStart: '10:00' });
    await expect(world.update({ status: 'running', workdayEnd: '10:00' })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(world).toMatchObject({ row: { workdayEnd: '18:00', status: 'paused' }, commits: 0 });
  });

  test('an edit keeps the concurrent changes of other fields', async () => {
    const world = new World();
    world.slipIn = () => world.overtake({ maxConcurrency: 5 });
    await world.update({ status: 'running', name: '新名' });
    expect(world.row).toMatchObject({ name: '新名', maxConcurrency: 5, status: 'running' });
  });

  test('a commit with a lost reply is retried under the same command id and applied once', async () => {
    const world = new World();
    world.lostReplies = 1;
    await world.update({ status: 'running', name: '新名' });
    expect(world).toMatchObject({ row: { name: '新名', status: 'running' }, commits: 1, audited: 1 });
  });

  test('setting the current status changes nothing and writes no audit row, but running makes the dispatcher run [OCS §3, D3.7]', async () => {
    const world = new World();
    await world.update({ status: 'paused' });
    expect(world).toMatchObject({ commits: 0, audited: 0 });
    await world.update({ status: 'paused', name: '新名' });
    expect(world.effects).toEqual([]);
    await world.update({ status: 'running' });
    await world.update({ status: 'running' });
    expect(world.effects.filter(name => name === 'wakeDispatch')).toHaveLength(2);
    expect(world).toMatchObject({ commits: 3, audited: 2 });
  });
});
