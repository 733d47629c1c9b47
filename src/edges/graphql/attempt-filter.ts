import type { AttemptFilter as AttemptQuery } from '#operations/attempts/attempt-filter.ts';
import { rowIdOf } from './row-id.ts';
import type { AttemptFilter } from './schema-types.generated.ts';

/** Null and absent members filter nothing. */
export function attemptFilterOf(filter: AttemptFilter | null | undefined): AttemptQuery {
  const { campaignId, status, callStatus, emotionStatus, resultMissing } = filter ?? {};
  return {
    campaignId: campaignId === null || campaignId === undefined ? undefined : rowIdOf('filter.campaignId', campaignId),
    status: status ?? undefined,
    callStatus: callStatus ?? undefined,
    emotionStatus: emotionStatus ?? undefined,
    resultMissing: resultMissing ?? undefined,
  };
}
