import { needsMonitor } from '#campaigns/campaign.ts';
import type { AttemptRow, DialTables } from '../support/stores/dial-tables.ts';
import type { SimulatedMonitorRegistry } from '../support/stores/simulated-monitor-registry.ts';

type Room = ReturnType<SimulatedMonitorRegistry['roomNow']>;

/**
 * OCS 4.12 rule 4: there are never more calls of strict campaigns than monitors had capacity for when the last of them got its slot.
 *
 * Why: monitors may leave during a call, so the capacity at the reservation counts
 */
export class WatchChecks {
  /** Number of dials of strict campaigns. */
  dials = 0;
  readonly #tables: DialTables;
  readonly #rooms = new Map<string, Room>();

  constructor(tables: DialTables) {
    this.#tables = tables;
  }

  onGrants(requestIds: readonly string[], room: Room): void {
    for (const requestId of requestIds) if (!this.#rooms.has(requestId)) this.#rooms.set(requestId, room);
  }

  /** Violation that this dial causes together with the existing channels; null when there is none. */
  brokenBy(attempt: AttemptRow, others: readonly AttemptRow[]): string | null {
    if (!this.#isStrict(attempt)) return null;
    this.dials += 1;
    const strict = [attempt, ...others.filter(other => this.#isStrict(other))];
    const own = strict.filter(({ campaignId }) => campaignId === attempt.campaignId);
    return this.#tooMany('all strict campaigns', strict, 'all') ?? this.#tooMany(`campaign ${attempt.campaignId}`, own, 'shown');
  }

  #tooMany(whose: string, calls: readonly AttemptRow[], kind: keyof Room): string | null {
    const most = Math.max(...calls.map(({ requestId }) => this.#rooms.get(requestId)?.[kind] ?? 0));
    if (calls.length <= most) return null;
    return `${calls.length} calls of ${whose}, room for ${most}: ${calls.map(({ requestId }) => requestId).join()}`;
  }

  #isStrict({ campaignId }: AttemptRow): boolean {
    return needsMonitor(this.#tables.campaigns.get(campaignId)?.businessConfig ?? {});
  }
}
