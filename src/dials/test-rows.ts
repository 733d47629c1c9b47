import { sql } from 'kysely';
import { isInCall, lockNumbers } from '#dialling/queue-conditions.ts';
import type { DialPlan } from '#dialling/dial-store.ts';
import type { JsonObject } from '#kernel/json.ts';
import type { Database } from '#platform/postgres/database.ts';
import { isUniqueViolation } from '#platform/postgres/failures.ts';
import type { SlotGrant } from '#slots/slot-registry.ts';

/** A test call to write. */
export interface NewTestCall {
  plan: DialPlan;
  contactId: number;
  /** The user; 0 where there are none. */
  testedBy: number;
  phoneNumber: string;
  dialKey: string;
  instanceId: string;
  grant: SlotGrant;
  /** Null: no line of the campaign carries it. */
  lineId: number | null;
}

export interface WrittenTestCall {
  attemptId: number;
  customerName: string;
  metadata: JsonObject;
}

/**
 * Writes a claimed attempt with the data of a contact, which stays as it is: the attempt belongs to a deleted contact of its own.
 *
 * Shape: `not_found`: no such contact of the campaign; `busy`: the number is in a call; `testing`: the user has another test call
 */
export async function insertTestCall(db: Database, call: NewTestCall): Promise<WrittenTestCall | 'not_found' | 'busy' | 'testing'> {
  try {
    return await db.transaction(async tx => {
      await tx.run(lockNumbers([call.dialKey]));
      if (await tx.first(sql`select 1 where ${isInCall(sql`${call.dialKey}::text`)}`)) return 'busy';
      const { plan, grant } = call;
      const row = await tx.first(sql<WrittenTestCall>`
        with tested as (
          select k.id, k.campaign_id, k.customer_name, k.metadata from contact k
          where k.id = ${call.contactId} and k.campaign_id = ${plan.campaign.id} and k.deleted_at is null),
        anchor as (
          insert into contact (campaign_id, phone_number, dial_key, status, is_repeat, deleted_at)
          select campaign_id, ${call.phoneNumber}, ${call.dialKey}, 'completed', true, now() from tested returning id)
        insert into attempt (request_id, campaign_id, contact_id, line_id, caller_number, cell_id, phone_number, dial_key, status, script_id,
          script_version, instance_id, policy_version, tested_by, tested_contact_id, deleted_at)
        select ${grant.requestId}::uuid, t.campaign_id, n.id, ${call.lineId}::int, ${grant.number}, ${grant.cellId}, ${call.phoneNumber}, ${call.dialKey},
          'claimed', ${plan.script?.scriptId ?? null}::int, ${plan.script?.version ?? null}::int, ${call.instanceId}, ${plan.policyVersion},
          ${call.testedBy}::int, t.id, now()
        from tested t cross join anchor n
        returning id as attempt_id, (select customer_name from tested) as customer_name, (select metadata from tested) as metadata`);
      return row ?? 'not_found';
    });
  } catch (error) {
    if (isUniqueViolation(error, 'attempt_one_test')) return 'testing';
    throw error;
  }
}
