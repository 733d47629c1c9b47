import { type RawBuilder, sql } from 'kysely';

/** Of `jsonb_to_recordset`, as ContactOutcome names them. */
export const OUTCOME_COLUMNS = sql`"contactStatus" text, "retryAt" float8, "restsUntil" float8, "isUnreachable" boolean, "isCounted" boolean, "silentRepeats" int,
  "isLineFault" boolean`;

/**
 * Moves contacts as `ending` decides (id of the attempt, OUTCOME_COLUMNS) whose attempts `ended` returns (id, contact_id, caller_number).
 *
 * Why: a contact that a person moved meanwhile, or that has a later attempt, is left alone
 */
export function moveContacts(isUnmoved: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    update contact c set status = e."contactStatus", retry_at = to_timestamp(e."retryAt" / 1000), last_caller_number = a.caller_number,
      attempt_count = greatest(0, c.attempt_count - case when e."isCounted" then 0 else 1 end), silent_repeats = e."silentRepeats",
      hold_reason = case when e."isUnreachable" then 'invalid_number' when e."restsUntil" is not null then 'retry_wait'
        when c.hold_reason = 'invalid_number' then null else c.hold_reason end,
      hold_until = case when e."isUnreachable" then null when e."restsUntil" is null then c.hold_until else to_timestamp(e."restsUntil" / 1000) end
    from ended a join ending e on e.id = a.id
    where c.id = a.contact_id and c.last_attempt_id = a.id and ${isUnmoved}`;
}
