/** Remaining capacity of a monitor, as monitoring/lua/mirror-monitors-1.lua stores it. */
export interface MonitorRoom {
  /** End of the presence, ms. */
  untilMs: number;
  room: number;
  /** Null: every campaign. */
  campaigns: readonly number[] | null;
}

/** Monitor capacity for calls of strict campaigns, kept with the slots. */
export class SlotMonitors {
  #revision = 0;
  #rooms: readonly MonitorRoom[] = [];
  /** Strict campaigns that may have calls. */
  readonly #campaigns = new Set<number>();

  mirror(revision: number, rooms: readonly MonitorRoom[]): void {
    if (this.#revision >= revision) return;
    this.#revision = revision;
    this.#rooms = rooms;
  }

  add(campaignId: number): void {
    this.#campaigns.add(campaignId);
  }

  /** How many more calls of the campaign could be watched. */
  left(campaignId: number, callsOf: (campaignId: number) => number, now: number): number {
    const alive = this.#rooms.filter(({ untilMs }) => untilMs > now);
    const shown = alive.filter(({ campaigns }) => campaigns === null || campaigns.includes(campaignId));
    for (const id of this.#campaigns) if (callsOf(id) === 0) this.#campaigns.delete(id);
    const taken = [...this.#campaigns].reduce((sum, id) => sum + callsOf(id), 0);
    return Math.min(sumOf(shown) - callsOf(campaignId), sumOf(alive) - taken);
  }

  clear(): void {
    this.#revision = 0;
    this.#rooms = [];
    this.#campaigns.clear();
  }
}

function sumOf(rooms: readonly MonitorRoom[]): number {
  return rooms.reduce((sum, { room }) => sum + room, 0);
}
