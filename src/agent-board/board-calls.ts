import { sql } from 'kysely';
import { isUuid } from '#kernel/ids.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { ids, uuids } from '#platform/postgres/values.ts';
import type { BoardCall } from './agent-board.ts';

const ATTEMPT = 'attempt:';
const REQUEST = 'request:';

type Found = Omit<BoardCall, 'callKey'> & { requestId: string };

/** Finds calls with their customers by their keys; keys of no call, such as that of a leg, are missing. */
export async function readBoardCalls(db: Sql, callKeys: readonly string[]): Promise<Map<string, BoardCall>> {
  const attemptIds = idsOf(callKeys, ATTEMPT).map(Number).filter(Number.isSafeInteger);
  const requestIds = idsOf(callKeys, REQUEST).filter(isUuid);
  if (attemptIds.length + requestIds.length === 0) return new Map();
  const found = await db.rows(sql<Found>`
    select a.request_id, a.id as attempt_id, null::bigint as softphone_call_id, a.campaign_id, a.contact_id,
      coalesce(k.customer_name, '') as customer_name, a.phone_number
    from attempt a left join contact k on k.id = a.contact_id
    where a.id = any(${ids(attemptIds)}) or a.request_id = any(${uuids(requestIds)})
    union all select s.request_id, s.attempt_id, s.id, s.campaign_id, s.contact_id, coalesce(k.customer_name, ''), s.phone_number
    from softphone_call s left join contact k on k.id = s.contact_id
    where s.request_id = any(${uuids(requestIds)}) and s.direction <> 'conference'`);
  return byKey(callKeys, found);
}

function idsOf(callKeys: readonly string[], prefix: string): string[] {
  return callKeys.filter(key => key.startsWith(prefix)).map(key => key.slice(prefix.length));
}

function byKey(callKeys: readonly string[], found: readonly Found[]): Map<string, BoardCall> {
  const known = new Map<string, Found>();
  for (const call of found) known.set(`${ATTEMPT}${call.attemptId}`, call).set(`${REQUEST}${call.requestId}`, call);
  return new Map(
    callKeys.flatMap(callKey => {
      const call = known.get(callKey);
      if (call === undefined) return [];
      const { requestId: _requestId, ...customer } = call;
      return [[callKey, { callKey, ...customer }] as const];
    }),
  );
}
