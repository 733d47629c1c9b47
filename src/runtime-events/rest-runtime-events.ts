import { acknowledgeRuntimeEventRoute } from './runtime-events.ts';
import { acknowledgeEvent } from './acknowledge-event.ts';
import type { RuntimeEventStore } from './runtime-event-store.ts';
import { handler, type RouteHandler } from '#platform/http/handler.ts';

/** OCS 4.1; the stream itself is in runtime-events/sse-runtime-events.ts. */
export function runtimeEventHandlers(deps: { events: Pick<RuntimeEventStore, 'acknowledge'> }): RouteHandler[] {
  return [
    handler(acknowledgeRuntimeEventRoute, async ({ params, caller }) => ({
      event: await acknowledgeEvent(deps, caller, params.id),
    })),
  ];
}
