import { describe, expect, test } from '@jest/globals';
import { CAMPAIGN_STATUSES, decideCampaignMove, isDrained } from '#rules/campaign-status.ts';
import type { CampaignStatus, CampaignWork } from '#rules/campaign-status.ts';

const NOTHING: CampaignWork = { pendingCount: 0, retryableCount: 0, activeCalls: 0 };
const SOME: CampaignWork = { ...NOTHING, pendingCount: 1 };

describe('decideCampaignMove', () => {
  test('these moves and no others [D5.2]', () => {
    const allowed = CAMPAIGN_STATUSES.flatMap(from =>
      CAMPAIGN_STATUSES.filter(to => decideCampaignMove(from, to, SOME).ok).map(to => `${from}→${to}`),
    );
    expect(allowed).toEqual([
      'draft→running',
      'draft→archived',
      'running→running',
      'running→paused',
      'paused→running',
      'paused→paused',
      'paused→archived',
      'completed→running',
      'completed→archived',
    ]);
  });

  test.each<Partial<CampaignWork>>([{ pendingCount: 1 }, { retryableCount: 1 }, { activeCalls: 1 }])('starts with %j [OCS §3]', work => {
    expect(decideCampaignMove('paused', 'running', { ...NOTHING, ...work })).toEqual({ ok: true, changes: true });
  });

  test.each<CampaignStatus>(['draft', 'running', 'paused', 'completed'])('%s does not start with nothing to call [OCS §3]', from => {
    expect(decideCampaignMove(from, 'running', NOTHING)).toEqual({
      ok: false,
      code: 'NOTHING_TO_CALL',
      message: expect.stringMatching(/[\u4e00-\u9fff]/),
    });
  });

  test.each(CAMPAIGN_STATUSES)('archived does not become %s [OCS §3, D5.2]', to => {
    expect(decideCampaignMove('archived', to, SOME)).toMatchObject({ ok: false, code: 'CAMPAIGN_ARCHIVED' });
  });

  test('is archived only without a live call [D5.2]', () => {
    expect(decideCampaignMove('paused', 'archived', { ...SOME, activeCalls: 1 })).toMatchObject({ ok: false, code: 'CONFLICT' });
    expect(decideCampaignMove('paused', 'archived', NOTHING)).toEqual({ ok: true, changes: true });
  });

  test('a running campaign is paused before it is archived [D5.2]', () => {
    expect(decideCampaignMove('running', 'archived', SOME)).toEqual({
      ok: false,
      code: 'CONFLICT',
      message: '活动当前为运行中，不能改为已归档',
    });
  });

  test('setting the status it has changes nothing', () => {
    expect(decideCampaignMove('paused', 'paused', NOTHING)).toEqual({ ok: true, changes: false });
    expect(decideCampaignMove('running', 'running', SOME)).toEqual({ ok: true, changes: false });
  });
});

test('a campaign is drained when nothing is pending, retryable or active [D5.2]', () => {
  expect(isDrained(NOTHING)).toBe(true);
  for (const member of ['pendingCount', 'retryableCount', 'activeCalls']) expect(isDrained({ ...NOTHING, [member]: 1 })).toBe(false);
});
