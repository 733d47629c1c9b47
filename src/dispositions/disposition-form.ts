import { sql } from 'kysely';
import { DISPOSITION_COLUMNS } from '#attempts/call-dispositions.ts';
import type { CallDisposition } from '#attempts/decisions/call-disposition.ts';
import type { Caller } from '#kernel/caller.ts';
import type { Sql } from '#platform/postgres/database.ts';
import type { ResultField } from '#scripts/decisions/result-field.ts';
import { resultFields } from '#scripts/result-fields.ts';
import type { Disposition } from './disposition.ts';
import { type DisposedCall, type Disposer, requireDisposer } from './disposed-call.ts';
import { effectiveSettings, type WrapUpPart } from './settings-store.ts';

/** The data that a form for a disposition needs. */
interface DispositionForm extends Pick<DisposedCall, 'requestId' | 'attemptId' | 'campaignId' | 'contactId'> {
  choices: Disposition[];
  fields: ResultField[];
  /** The disposition that this agent, or this user without an agent, has saved. */
  saved: CallDisposition | null;
}

/**
 * The form of a call's disposition.
 *
 * Errors: NOT_FOUND; FORBIDDEN for a call that the caller's agent has not spoken in
 * Source: D12.9
 */
export async function readForm(
  app: WrapUpPart & Parameters<typeof requireDisposer>[0],
  caller: Caller,
  callKey: string,
): Promise<DispositionForm> {
  const disposer = await requireDisposer(app, caller, callKey);
  const { requestId, attemptId, campaignId, contactId } = disposer.call;
  const { dispositions } = await effectiveSettings(app, campaignId);
  return {
    requestId,
    attemptId,
    campaignId,
    contactId,
    choices: dispositions.filter(({ isEnabled }) => isEnabled),
    fields: [...(await resultFields(app.db, disposer.call))],
    saved: await findSaved(app.db, disposer),
  };
}

async function findSaved(db: Sql, { call, agentId }: Disposer): Promise<CallDisposition | null> {
  const row = await db.first(sql<CallDisposition>`
    select ${DISPOSITION_COLUMNS} from call_disposition v where v.request_id = ${call.requestId} and coalesce(v.agent_id, 0) = ${agentId ?? 0}`);
  return row ?? null;
}
