import { type Random, randomInt } from '#kernel/random.ts';
import {
  type Asker,
  EMPTY_SHARE,
  mayTake,
  nextInLine,
  type Share,
  stopWaiting,
  takeSlot,
  waitForSlot,
} from '#test/support/stores/fair-share.ts';

/** Five times as long as in reserve-slots-1.lua, so that a day is simulated faster; a lost wake costs more. ms */
const RETRY_MS = 10_000;
export const WAIT_MS = 2 * RETRY_MS;
/** Delay from a wake to the campaign's turn, inclusive, ms. */
const TURN_MS = { min: 5, max: 80 };

export interface SimulatedCampaign extends Asker {
  lines: readonly number[];
  maxConcurrency: number;
  callMs: { min: number; max: number };
  /** Contacts left; Infinity: never runs out. */
  contacts: number;
}

interface Line {
  max: number;
  used: number;
  share: Share;
  idleSince: number | null;
  /** Longest time for which a slot was free while a campaign waited for it, ms. */
  longestIdleMs: number;
  maxUsed: number;
  grants: number;
}

export interface Observed {
  grants: Map<number, number>;
  /** Longest time from wanting a slot to getting one, ms. */
  longestWaitMs: Map<number, number>;
  lines: readonly Pick<Line, 'max' | 'maxUsed' | 'longestIdleMs' | 'grants'>[];
}

type Event = { at: number; run: () => void };

/** Simulates campaigns on shared lines under a virtual clock: calls end, wakes are late or lost, and the fair-share rules decide. */
export function simulateSharedLines(
  options: { lines: readonly number[]; durationMs: number; lostWakes: number; random: Random },
  campaigns: readonly SimulatedCampaign[],
): Observed {
  const { random } = options;
  const lines = options.lines.map(
    (max): Line => ({ max, used: 0, share: EMPTY_SHARE, idleSince: null, longestIdleMs: 0, maxUsed: 0, grants: 0 }),
  );
  const byId = new Map(
    campaigns.map(campaign => [campaign.campaignId, { ...campaign, active: 0, since: null as number | null, turns: 0, isWoken: false }]),
  );
  const grants = new Map<number, number>();
  const longestWaitMs = new Map<number, number>();
  const queue = eventQueue();
  let now = 0;

  const later = (delayMs: number, run: () => void) => queue.push({ at: now + delayMs, run });

  function wake(campaignId: number): void {
    const campaign = byId.get(campaignId);
    if (!campaign || campaign.isWoken || random.next() < options.lostWakes) return;
    campaign.isWoken = true;
    later(randomInt(random, TURN_MS.min, TURN_MS.max), () => turn(campaignId));
  }

  function turn(campaignId: number): void {
    const campaign = byId.get(campaignId);
    if (!campaign) return;
    campaign.isWoken = false;
    campaign.turns += 1;
    const turns = campaign.turns;
    const wanted = () => Math.min(50, campaign.contacts, campaign.maxConcurrency - campaign.active);
    const own = campaign.lines.map(index => lines[index]).filter(line => line !== undefined);
    for (;;) {
      if (wanted() <= 0) break;
      const line = own
        .filter(candidate => mayTake(candidate.share, campaign, candidate.max - candidate.used, now))
        .toSorted((a, b) => b.max - b.used - (a.max - a.used))[0];
      if (!line) break;
      dial(campaign, line);
    }
    for (const line of own) {
      line.share =
        wanted() > 0
          ? waitForSlot(line.share, campaign, { wanted: wanted(), at: now, until: now + WAIT_MS })
          : stopWaiting(line.share, campaignId);
      watchIdle(line);
      if (line.used < line.max) {
        const next = nextInLine(line.share, now).filter(id => id !== campaignId);
        next.slice(0, line.max - line.used).forEach(wake);
      }
    }
    if (wanted() > 0) later(RETRY_MS, () => (campaign.turns === turns ? turn(campaignId) : undefined));
    campaign.since = wanted() > 0 ? (campaign.since ?? now) : null;
  }

  function dial(campaign: NonNullable<ReturnType<typeof byId.get>>, line: Line): void {
    line.share = takeSlot(line.share, campaign, now);
    line.used += 1;
    line.grants += 1;
    line.maxUsed = Math.max(line.maxUsed, line.used);
    campaign.active += 1;
    campaign.contacts -= 1;
    const { campaignId } = campaign;
    grants.set(campaignId, (grants.get(campaignId) ?? 0) + 1);
    longestWaitMs.set(campaignId, Math.max(longestWaitMs.get(campaignId) ?? 0, now - (campaign.since ?? now)));
    campaign.since = now;
    later(randomInt(random, campaign.callMs.min, campaign.callMs.max), () => {
      line.used -= 1;
      campaign.active -= 1;
      watchIdle(line);
      wake(campaignId);
    });
  }

  function watchIdle(line: Line): void {
    const isIdle = line.used < line.max && nextInLine(line.share, now).length > 0;
    if (line.idleSince !== null) line.longestIdleMs = Math.max(line.longestIdleMs, now - line.idleSince);
    line.idleSince = isIdle ? (line.idleSince ?? now) : null;
  }

  for (const { campaignId } of campaigns) later(randomInt(random, 0, 1_000), () => turn(campaignId));
  for (let event = queue.pop(); event && event.at <= options.durationMs; event = queue.pop()) {
    now = event.at;
    event.run();
  }
  for (const [campaignId, { since }] of byId) {
    if (since !== null) longestWaitMs.set(campaignId, Math.max(longestWaitMs.get(campaignId) ?? 0, now - since));
  }
  return { grants, longestWaitMs, lines };
}

/** A binary heap of events, ordered by time. */
function eventQueue() {
  const heap: Event[] = [];
  const at = (index: number) => heap[index]?.at ?? Infinity;
  const swap = (a: number, b: number) => {
    const [left, right] = [heap[a], heap[b]];
    if (left && right) [heap[a], heap[b]] = [right, left];
  };
  return {
    push(event: Event): void {
      heap.push(event);
      for (let index = heap.length - 1; index > 0; ) {
        const parent = (index - 1) >> 1;
        if (at(parent) <= at(index)) return;
        swap(parent, index);
        index = parent;
      }
    },
    pop(): Event | undefined {
      const first = heap[0];
      const last = heap.pop();
      if (!first || !last || heap.length === 0) return first;
      heap[0] = last;
      for (let index = 0; ; ) {
        const child = at(2 * index + 1) <= at(2 * index + 2) ? 2 * index + 1 : 2 * index + 2;
        if (at(child) >= at(index)) return first;
        swap(child, index);
        index = child;
      }
    },
  };
}
