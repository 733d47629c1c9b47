import type { AttemptQuery } from '#ports/attempt-store.ts';
import type { PageRequest } from '#ports/records.ts';
import { rowIdOf } from './row-id.ts';
import type { AttemptFilter } from './schema-types.generated.ts';

/** Null and absent members filter nothing. */
export function attemptFilterOf(filter: AttemptFilter | null | undefined): Omit<AttemptQuery, keyof PageRequest> {
  const { campaignId, status, callStatus, emotionStatus, resultMissing } = filter ?? {};
  return {
    campaignId: campaignId === null || campaignId === undefined ? undefined : rowIdOf('filter.campaignId', campaignId),
    status: status ?? undefined,
    callStatus: callStatus ?? undefined,
    emotionStatus: emotionStatus ?? undefined,
    resultMissing: resultMissing ?? undefined,
  };
}
