import type { RuntimeEventRow } from '#contract/rest/runtime-events.ts';
import type { RuntimeEvent } from '#ports/records.ts';
import { presentInstant } from './instant.ts';

/** Source: D10 */
export function presentRuntimeEvent(event: RuntimeEvent): RuntimeEventRow {
  return {
    id: event.id,
    level: event.level,
    type: event.type,
    title: event.title,
    message: event.message,
    campaignId: event.campaignId,
    attemptId: event.attemptId,
    cellId: event.cellId,
    detail: event.detail,
    acknowledgedAt: presentInstant(event.acknowledgedAt),
    acknowledgedBy: event.acknowledgedBy,
    createdAt: presentInstant(event.createdAt),
    updatedAt: presentInstant(event.updatedAt),
  };
}
