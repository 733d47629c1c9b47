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
 * Since when what some of the events tell of is over: the cell, the dependency or the runtime came back, the call ended. A restart leaves the
 * first event unacknowledged, and what has mended itself asks nothing of anybody.
 *
 * Shape: by id of the event that is over; the events newest first
 */
export function overSince(events: readonly LastingEvent[]): ReadonlyMap<string, string> {
  const over = events.flatMap((event, index) => {
    const back = event.type === STUCK ? event.attempt?.endedAt : backAt(event, events.slice(0, index));
    return back ? [[event.id, back] as const] : [];
  });
  return new Map(over);
}

function backAt(gone: LastingEvent, later: readonly LastingEvent[]): string | undefined {
  return later.findLast(event => event.type === BACK[gone.type] && [subjectOf(event), ''].includes(subjectOf(gone)))?.createdAt;
}

/** A campaign that found no runtime at all names none: any that comes will do. */
function subjectOf({ cellId, detail }: LastingEvent): string {
  return cellId ?? (detail as { name?: string } | null)?.name ?? '';
}
