import { describe, expect, test } from '@jest/globals';
import { CalloutError } from '#kernel/errors.ts';
import { systemCaller } from '#operations/access/caller.ts';
import { type CampaignChanges, updateCampaign } from '#operations/campaigns/update-campaign.ts';
import type { CampaignFields } from '#ports/campaign-store.ts';
import type { DialPlan } from '#ports/dial-store.ts';
import type { Campaign, CampaignStatus } from '#ports/records.ts';

const CAMPAIGN: Campaign = {
  id: 7,
  name: '旧名',
  businessCode: 'b',
  cellId: null,
  lineIds: [1],
  maxConcurrency: 1,
  maxRetries: 0,
  retryIntervalSeconds: 300,
  callIntervalMs: 0,
  retryAnsweredWithoutResult: false,
  workdayStart: null,
  workdayEnd: null,
  scheduledStartAt: null,
  scheduledEndAt: null,
  businessConfig: {},
  description: '',
  status: 'paused',
  phase: 'IDLE',
  phaseReason: null,
  nextWakeAt: null,
  createdAt: 0,
  updatedAt: 0,
};

/** One stored campaign with work to do; `actor` decides what a command meets. */
class World {
  stored = CAMPAIGN;
  moves: CampaignStatus[] = [];
  audited = 0;
  released: string[] = [];
  actor: () => void = () => undefined;

  update(changes: CampaignChanges): Promise<Campaign> {
    return updateCampaign(this.deps(), systemCaller('t'), CAMPAIGN.id, changes);
  }

  private deps(): Parameters<typeof updateCampaign>[0] {
    const move = (status: CampaignStatus) => async () => {
      this.actor();
      this.moves.push(status);
      this.stored = { ...this.stored, status };
      return this.stored;
    };
    return {
      campaigns: {
        find: async () => this.stored,
        update: async (_, edit) => {
          const before = this.stored;
          const fields: CampaignFields | null = edit.change(before);
          if (fields) this.stored = { ...before, ...fields };
          return { before, after: this.stored };
        },
      },
      dials: {
        loadPlan: async () => ({ counts: { pending: 1, held: 0, retryable: 0, dueRetries: 0, active: 0 } }) as DialPlan,
        cancelClaims: async () => ['claimed'],
      },
      slots: { release: async ids => this.released.push(...ids) },
      campaignActor: { start: move('running'), pause: move('paused'), archive: move('archived') },
      wake: { campaign: () => undefined },
      audit: { record: async () => void (this.audited += 1) },
      cellIds: new Set(),
    };
  }
}

describe('claims that wait for their turn', () => {
  test.each<[string, CampaignChanges]>([
    ['hours', { workdayStart: '09:00', workdayEnd: '18:00' }],
    ['plan', { scheduledEndAt: 1_000 }],
    ['lines', { lineIds: [2] }],
  ])('are taken back when the %s change: they were decided by what the campaign was [I4]', async (_name, changes) => {
    const world = new World();
    await world.update(changes);
    expect(world.released).toEqual(['claimed']);
  });

  test('stay when nothing changes by what they were decided', async () => {
    const world = new World();
    await world.update({ name: '新名', lineIds: [1] });
    expect(world.released).toEqual([]);
  });
});

describe('fields and status in one edit', () => {
  test('a move that is known to be refused writes nothing and asks no actor [OCS §3]', async () => {
    const world = new World();
    world.stored = { ...CAMPAIGN, status: 'completed' };
    await expect(world.update({ status: 'paused', name: '新名' })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(world).toMatchObject({ stored: { name: '旧名', status: 'completed' }, moves: [], audited: 0 });
  });

  test('a move that the actor refuses after a race takes the fields back [OCS §3]', async () => {
    const world = new World();
    world.actor = () => {
      throw new CalloutError('NOTHING_TO_CALL', '没有可呼叫的联系人');
    };
    await expect(world.update({ status: 'running', name: '新名', maxConcurrency: 9 })).rejects.toMatchObject({ code: 'NOTHING_TO_CALL' });
    expect(world.stored).toEqual(CAMPAIGN);
  });

  test('taking back spares what somebody else wrote meanwhile', async () => {
    const world = new World();
    world.actor = () => {
      world.stored = { ...world.stored, maxConcurrency: 5 };
      throw new CalloutError('CONFLICT', '已被他人修改');
    };
    await expect(world.update({ status: 'running', name: '新名', maxConcurrency: 9 })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(world.stored).toMatchObject({ name: '旧名', maxConcurrency: 5 });
  });

  test('after a lost answer of the actor the fields stay: the move may have happened', async () => {
    const world = new World();
    world.actor = () => {
      throw new CalloutError('DATABASE_UNAVAILABLE', '数据库暂时不可用');
    };
    await expect(world.update({ status: 'running', name: '新名' })).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
    expect(world.stored).toMatchObject({ name: '新名', status: 'paused' });
  });

  test('the status that it already has asks no move and leaves no row, except running which is looked at again [OCS §3, D3.7]', async () => {
    const world = new World();
    await world.update({ status: 'paused', name: '新名' });
    expect(world.moves).toEqual([]);
    await world.update({ status: 'running' });
    await world.update({ status: 'running' });
    expect(world).toMatchObject({ moves: ['running', 'running'], audited: 2 });
  });
});
