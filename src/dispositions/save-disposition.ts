import { sql } from 'kysely';
import type { AgentsPart } from '#agents/agent-directory.ts';
import { DISPOSITION_COLUMNS } from '#attempts/call-dispositions.ts';
import type { CallDisposition } from '#attempts/decisions/call-disposition.ts';
import { audit, type AuditPart } from '#audit/audit.ts';
import type { Callback, CallbackPromise } from '#callbacks/callback.ts';
import { promiseWithin, tellPromise } from '#callbacks/promise-callbacks.ts';
import { type ListedNumber, listNumber, tellListed } from '#do-not-call/do-not-call-store.ts';
import type { Caller } from '#kernel/caller.ts';
import { invalidArgument, invalidInput } from '#kernel/errors.ts';
import type { JsonValue } from '#kernel/json.ts';
import type { DiallingPlace } from '#phone-numbers/short-code.ts';
import type { Platform } from '#platform/platform.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { json } from '#platform/postgres/values.ts';
import type { ResultField } from '#scripts/decisions/result-field.ts';
import { resultFields } from '#scripts/result-fields.ts';
import { choiceOf, dispositionFaults } from './decisions/fits.ts';
import type { Disposition } from './disposition.ts';
import { type DisposedCall, type Disposer, requireDisposer } from './disposed-call.ts';
import { noteFields } from './note-fields.ts';
import { effectiveSettings, type WrapUpPart } from './settings-store.ts';

/** A disposition as an agent enters it. */
export interface GivenDisposition {
  code: string;
  note: string;
  fields: Readonly<Record<string, JsonValue>>;
  /** A call that the agent has promised, to be made by this agent. */
  callback: Omit<CallbackPromise, 'agentId'> | null;
  /** The person asked not to be called any more. */
  doNotCall: boolean;
}

export type SaveApp = AuditPart &
  WrapUpPart &
  Pick<AgentsPart, 'agents' | 'agentHost'> &
  Pick<DiallingPlace, 'region'> &
  Pick<Platform, 'db' | 'wake' | 'clock' | 'ids' | 'log'> & { timeZone: string };

interface Written {
  disposition: CallDisposition;
  callback: Callback | null;
  listed: ListedNumber | null;
}

/**
 * Saves what an agent says of a call, with the callback and the do-not-call entry that go with it, all or nothing; a disposition of the same
 * agent is replaced. The agent's wrap-up of this call ends.
 *
 * Errors: NOT_FOUND; FORBIDDEN for a call that the caller's agent has not spoken in; INVALID_ARGUMENT for a code that is not enabled, a note or
 *         callback that it demands, or a field of another type; those of `promiseCallback` and `addDoNotCall`
 * Source: D12.9
 */
export async function saveDisposition(app: SaveApp, caller: Caller, callKey: string, given: GivenDisposition): Promise<CallDisposition> {
  const disposer = await requireDisposer(app, caller, callKey);
  const written = await app.db.transaction(tx => write({ ...app, db: tx }, caller, disposer, given));
  await tell(app, caller, written);
  await endWrapUp(app, disposer, written.disposition);
  return written.disposition;
}

type WithinApp = Omit<SaveApp, 'db'> & { db: Sql };

async function write(app: WithinApp, caller: Caller, disposer: Disposer, given: GivenDisposition): Promise<Written> {
  const { call, agentId } = disposer;
  const declared = await resultFields(app.db, call);
  const choice = await requireChoice(app, call, given, declared);
  await noteFields(app, disposer, { userId: caller.userId, declared, given: given.fields });
  return {
    disposition: await put(app.db, { ...disposer, userId: caller.userId, choice, given }),
    callback: given.callback === null ? null : await promise(app, { call, agentId, createdBy: caller.userId }, given.callback),
    listed: given.doNotCall ? await listNumber(app.db, app.region, entryOf(call, choice), caller.userId) : null,
  };
}

async function requireChoice(
  app: WithinApp,
  call: DisposedCall,
  given: GivenDisposition,
  declared: readonly ResultField[],
): Promise<Disposition> {
  const choice = choiceOf(await effectiveSettings(app, call.campaignId), given.code);
  if (choice === undefined) throw invalidArgument('code', 'unknownDisposition');
  const [first, ...others] = dispositionFaults(choice, given, declared);
  if (first) throw invalidInput([first, ...others]);
  return choice;
}

interface Put extends Disposer {
  userId: number | null;
  choice: Disposition;
  given: GivenDisposition;
}

async function put(tx: Sql, { call, agentId, userId, choice, given }: Put): Promise<CallDisposition> {
  const { requestId, attemptId, softphoneCallId, campaignId, contactId } = call;
  const row = await tx.first(sql<CallDisposition>`
    insert into call_disposition as v (request_id, attempt_id, softphone_call_id, campaign_id, contact_id, agent_id, user_id,
      code, label, category, note, fields)
    values (${requestId}, ${attemptId}, ${softphoneCallId}, ${campaignId}, ${contactId}, ${agentId}, ${userId},
      ${choice.code}, ${choice.label}, ${choice.category}, ${given.note}, ${json(given.fields)})
    on conflict (request_id, coalesce(agent_id, 0)) do update set user_id = excluded.user_id, code = excluded.code, label = excluded.label,
      category = excluded.category, note = excluded.note, fields = excluded.fields
    returning ${DISPOSITION_COLUMNS}`);
  if (!row) throw new Error('a saved disposition vanished');
  return row;
}

/** Personal to the agent, who knows what was spoken of. */
function promise(
  { db: tx, clock }: WithinApp,
  { call, agentId, createdBy }: Disposer & { createdBy: number | null },
  callback: NonNullable<GivenDisposition['callback']>,
): Promise<Callback> {
  const { campaignId, contactId } = call;
  if (campaignId === null || contactId === null) throw invalidArgument('callback', 'noContact');
  return promiseWithin({ tx, clock }, { campaignId, contactId, ...callback, agentId, source: 'agent', createdBy });
}

function entryOf({ phoneNumber }: DisposedCall, { label }: Disposition) {
  return { phoneNumber, reason: label, expiresAt: null };
}

async function tell(app: SaveApp, caller: Caller, { disposition, callback, listed }: Written): Promise<void> {
  const { id: dispositionId, code, category, requestId, agentId, campaignId } = disposition;
  await audit(app, caller, {
    action: 'call.disposed',
    targetType: 'call',
    targetId: requestId,
    summary: `通话结果选定为「${disposition.label}」`,
    detail: { dispositionId, code, category, agentId, campaignId, hasNote: disposition.note !== '' },
  });
  if (callback !== null) await tellPromise(app, caller, callback);
  if (listed !== null) await tellListed(app, caller, listed);
}

/** A disposition that is saved again ends the wrap-up too: the first message may have been lost. */
async function endWrapUp({ agentHost, clock, ids }: SaveApp, { call, agentId }: Disposer, { requestId }: CallDisposition): Promise<void> {
  if (agentId === null) return;
  const ofAttempt = call.attemptId === null ? [] : [`attempt:${call.attemptId}`];
  const event = { type: 'disposed', callKeys: [`request:${requestId}`, ...ofAttempt], at: clock.now() } as const;
  await agentHost.send(String(agentId), event, `disposed:${ids()}`);
}
