/** What shows which event is over. */
export interface LastingEvent {
  id: string;
  type: string;
  detail: unknown;
  cellId: string | null;
  createdAt: string;
  /** The call that it concerns. */
  attempt?: { endedAt: string | null } | null;
}

const BACK: Readonly<Record<string, string>> = { 'cell.down': 'cell.up', 'dependency.down': 'dependency.up', 'runtime.down': 'runtime.up' };

/** A call that neither answers nor ends, until it does. */
const STUCK = 'call.stuck';

/**
 * Since when what some of the events tell of is over: the cell, the dependency or the runtime came back. A restart leaves the first event
 * unacknowledged, and what has mended itself asks nothing of anybody.
 *
 * Shape: by id of the event that is over; the events newest first
 */
export function overSince(events: readonly LastingEvent[]): ReadonlyMap<string, string> {
  const over = new Map<string, string>();
  /** By type and subject; of the earliest that is not yet passed. */
  const back = new Map<string, string>();
  for (const event of events) {
    const { id, type, createdAt } = event;
    const way = BACK[type];
    const at = way === undefined ? undefined : back.get(`${way} ${subjectOf(event)}`);
    const until = at ?? (type === STUCK ? event.attempt?.endedAt : null);
    if (until) over.set(id, until);
    // A campaign that found no runtime at all names none: any that comes will do.
    for (const subject of [subjectOf(event), '']) back.set(`${type} ${subject}`, createdAt);
  }
  return over;
}

function subjectOf({ cellId, detail }: LastingEvent): string {
  return cellId ?? (detail as { name?: string } | null)?.name ?? '';
}
