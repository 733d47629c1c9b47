import type { Dice } from './dice.ts';
import type { Journal } from './journal.ts';
import type { MonitorPlan } from './scenario.ts';
import type { Timeline } from './timeline.ts';
import type { Weather } from './weather.ts';

/** Requests of a monitor's page to a server; each rejects without a response. */
export interface WatcherRig {
  beat(userId: number, page: { capacity: number; campaignId: number | null }): Promise<unknown>;
  leave(userId: number): Promise<unknown>;
}

export interface WatcherOptions {
  timeline: Timeline;
  dice: Dice;
  weather: Weather;
  journal: Journal;
  rig: WatcherRig;
  monitors: readonly MonitorPlan[];
  campaigns: number;
}

/** Interval of heartbeats, a third of a presence (D9.4), ms. */
const BEAT_MS = 10_000;
/** Probability that a heartbeat is the last for some time. */
const GOES_AWAY = 0.2;
/** Probability that a monitor leaves by closing the page, which is reported; otherwise the machine sleeps and the presence expires. */
const SAYS_GOODBYE = 0.5;
const AWAY_MS = { min: 2_000, max: 60_000 };
const MAX_CAPACITY = 3;

/** The monitors of live calls: they arrive, change what they watch, leave, or vanish. */
export class Watchers {
  readonly #options: WatcherOptions;

  constructor(options: WatcherOptions) {
    this.#options = options;
  }

  start(): void {
    const { monitors, timeline, dice } = this.#options;
    for (const monitor of monitors) timeline.after(dice.between(1, BEAT_MS), () => this.#beat(monitor));
  }

  /**
   * Sends a heartbeat. During the storm a monitor may leave; afterwards each stays and watches every campaign, so that strict campaigns
   * finish too.
   */
  #beat(monitor: MonitorPlan): void {
    const { timeline, dice, weather, journal, rig } = this.#options;
    const { userId, capacity } = monitor;
    const campaignId = weather.isActive ? monitor.campaignId : null;
    rig.beat(userId, { capacity, campaignId }).catch((error: unknown) => journal.write(() => `monitor ${userId}: ${String(error)}`));
    if (!weather.isActive || !dice.chance(GOES_AWAY)) return void timeline.after(BEAT_MS, () => this.#beat(monitor));
    const returns = dice.between(AWAY_MS.min, AWAY_MS.max);
    timeline.after(dice.between(1, BEAT_MS), () => this.#goAway(userId));
    timeline.after(BEAT_MS + returns, () => this.#beat(this.#changed(monitor)));
  }

  #goAway(userId: number): void {
    const { dice, journal, rig } = this.#options;
    if (!dice.chance(SAYS_GOODBYE)) return journal.write(() => `monitor ${userId} is gone`);
    journal.write(() => `monitor ${userId} leaves`);
    rig.leave(userId).catch((error: unknown) => journal.write(() => `monitor ${userId}: ${String(error)}`));
  }

  #changed({ userId }: MonitorPlan): MonitorPlan {
    const { dice, campaigns } = this.#options;
    return { userId, capacity: dice.between(1, MAX_CAPACITY), campaignId: dice.chance(0.5) ? dice.between(1, campaigns) : null };
  }
}
