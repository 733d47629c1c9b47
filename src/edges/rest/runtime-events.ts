import { acknowledgeRuntimeEventRoute } from '#contract/rest/runtime-events.ts';
import { acknowledgeEvent } from '#operations/runtime-events/acknowledge-event.ts';
import type { RuntimeEventStore } from '#ports/runtime-event-store.ts';
import { handler, type RouteHandler } from './handler.ts';

/** OCS 4.1; the stream itself is in edges/sse/runtime-events.ts. */
export function runtimeEventHandlers(deps: { events: Pick<RuntimeEventStore, 'acknowledge'> }): RouteHandler[] {
  return [
    handler(acknowledgeRuntimeEventRoute, async ({ params, caller }) => ({
      event: await acknowledgeEvent(deps, caller, params.id),
    })),
  ];
}
