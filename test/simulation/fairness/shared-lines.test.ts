import { describe, expect, test } from '@jest/globals';
import { randomInt, seededRandom } from '#kernel/random.ts';
import { weightOf } from '#campaigns/campaign.ts';
import { type SimulatedCampaign, simulateSharedLines, WAIT_MS } from './shared-lines.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Mean duration of the calls that `campaign` makes, ms. */
const MEAN_CALL_MS = 100_000;
const LONGEST_CALL_MS = 180_000;

function campaign(
  campaignId: number,
  priority: number,
  lines: readonly number[],
  more: Partial<SimulatedCampaign> = {},
): SimulatedCampaign {
  return {
    campaignId,
    weight: weightOf(priority),
    lines,
    maxConcurrency: 100,
    callMs: { min: 20_000, max: 180_000 },
    contacts: Infinity,
    ...more,
  };
}

const share = (grants: ReadonlyMap<number, number>, ids: readonly number[]) => {
  const total = ids.reduce((sum, id) => sum + (grants.get(id) ?? 0), 0);
  return ids.map(id => (grants.get(id) ?? 0) / total);
};

describe('campaigns on shared lines for 24 h of virtual time', () => {
  test.each([1, 2])(
    '50 campaigns: no limit is exceeded, each gets its share, no slot stays idle while a campaign wants it (seed %i)',
    seed => {
      const random = seededRandom(seed);
      const limits = [1, 4, 9, 16, 30];
      const campaigns = Array.from({ length: 50 }, (_, index) => {
        const lines = [...new Set(Array.from({ length: randomInt(random, 1, 3) }, () => randomInt(random, 0, limits.length - 1)))];
        const contacts = random.next() < 0.3 ? randomInt(random, 1, 400) : Infinity;
        const priority = random.next() < 0.5 ? 0 : randomInt(random, 1, 100);
        return campaign(index + 1, priority, lines, { contacts, maxConcurrency: randomInt(random, 1, 40) });
      });
      const observed = simulateSharedLines({ lines: limits, durationMs: DAY_MS, lostWakes: 0.01, random }, campaigns);
      for (const line of observed.lines) {
        expect(line.maxUsed).toBe(line.max);
        // A slot is reserved only as long as the campaign it is reserved for counts as waiting.
        expect(line.longestIdleMs).toBeLessThanOrEqual(WAIT_MS + 1_000);
      }
      for (const { campaignId, weight, contacts, lines, maxConcurrency } of campaigns) {
        const entitled = lines.map(index => {
          const rivals = campaigns.filter(rival => rival.lines.includes(index)).reduce((sum, rival) => sum + rival.weight, 0);
          return ((observed.lines[index]?.grants ?? 0) * weight) / rivals;
        });
        const due = Math.min(contacts, (maxConcurrency * DAY_MS) / MEAN_CALL_MS, Math.max(...entitled));
        expect(observed.grants.get(campaignId) ?? 0).toBeGreaterThanOrEqual(Math.floor(0.8 * due));
        // Between two calls of a campaign, each other campaign of the line has one turn, of which it may just have missed the first; then a
        // call must end.
        const longestMs = (3 * DAY_MS) / due + LONGEST_CALL_MS;
        if (contacts === Infinity) expect(observed.longestWaitMs.get(campaignId) ?? 0).toBeLessThanOrEqual(longestMs);
      }
    },
  );

  test('priorities 0, 0 and 3 get 1/6, 1/6 and 4/6 of the calls, with late and lost wakes', () => {
    const campaigns = [campaign(1, 0, [0]), campaign(2, 0, [0]), campaign(3, 3, [0])];
    const { grants } = simulateSharedLines({ lines: [12], durationMs: DAY_MS, lostWakes: 0.05, random: seededRandom(5) }, campaigns);
    const [first = 0, second = 0, third = 0] = share(grants, [1, 2, 3]);
    expect(first).toBeCloseTo(1 / 6, 2);
    expect(second).toBeCloseTo(1 / 6, 2);
    expect(third).toBeCloseTo(4 / 6, 2);
  });

  test('a campaign that needs little gets it, and the others share the rest by weight', () => {
    const campaigns = [campaign(1, 0, [0], { maxConcurrency: 1 }), campaign(2, 0, [0]), campaign(3, 1, [0])];
    const { grants } = simulateSharedLines({ lines: [20], durationMs: DAY_MS, lostWakes: 0, random: seededRandom(6) }, campaigns);
    const [little = 0] = share(grants, [1, 2, 3]);
    const [, double = 0] = share(grants, [2, 3]);
    expect(little).toBeCloseTo(1 / 20, 2);
    expect(double).toBeCloseTo(2 / 3, 2);
  });
});
