import { type RawBuilder, sql } from 'kysely';

/** Column list for `jsonb_to_recordset`, named as in ContactOutcome. */
export const OUTCOME_COLUMNS = sql`"contactStatus" text, "retryAt" float8, "restsUntil" float8, "isUnreachable" boolean, "isCounted" boolean, "silentRepeats" int,
  "isLineFault" boolean`;

/**
 * Updates the contacts of the attempts that `ended` returns (id, contact_id, caller_number) as `ending` decides (attempt id, OUTCOME_COLUMNS).
 *
 * Why: skips a contact that a user has moved meanwhile, or that has a later attempt
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
