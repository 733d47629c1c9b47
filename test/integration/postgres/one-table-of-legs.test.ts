import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { conferenceRepository } from '#conferences/conference-repository.ts';
import { softphoneRepository } from '#agent-calls/softphone-repository.ts';
import { migrationRig } from './migration-rig.ts';

const NAME = '20261125030700-legs';

const rig = migrationRig(NAME);

/** The two old tables, as far as the rows need them. */
const BEFORE = [
  sql`drop table leg`,
  sql`create table softphone_leg (id bigint generated always as identity primary key, softphone_call_id bigint, leg_uuid text, role text, agent_id int,
    cell_id text, status text, dialing_at timestamptz(3), answered_at timestamptz(3), ended_at timestamptz(3), hangup_cause text,
    created_at timestamptz(3) default now(), updated_at timestamptz(3) default now())`,
  sql`create table conference_leg (softphone_call_id bigint, conference_id int, role text, mode text, agent_id int, target_number text default '',
    leg_uuid text, asked_by_call_id bigint, holds_slot boolean default false, status text, member_id int, can_speak boolean default true,
    joined_at timestamptz(3), ended_at timestamptz(3), end_cause text,
    created_at timestamptz(3) default now(), updated_at timestamptz(3) default now())`,
];

test('legs of agents’ calls keep their ids and content; those of conferences stay with their conference [D12.3, D12.5]', async () => {
  const db = rig.db();
  for (const statement of BEFORE) await db.run(statement);
  const insert = async (statement: ReturnType<typeof sql<{ id: number }>>) => (await db.first(statement))?.id ?? 0;
  const call = (direction: string) =>
    insert(
      sql`insert into softphone_call (request_id, direction, status) values (gen_random_uuid(), ${direction}, 'answered') returning id`,
    );
  const room = await insert(
    sql`insert into conference_session (conference_name, kind, status, customer_state) values ('callout-a', 'transfer', 'live', 'inside') returning id`,
  );
  const [own, part] = [await call('manual_call'), await call('conference')];
  await db.run(sql`insert into softphone_leg (softphone_call_id, leg_uuid, role, cell_id, status, answered_at, hangup_cause) values
    (${own}, 'agent', 'agent', 'cell-1', 'answered', '2026-11-25T01:00:00Z', null), (${own}, 'customer', 'customer', 'cell-1', 'ended', null, 'USER_BUSY')`);
  await db.run(sql`insert into conference_leg (softphone_call_id, conference_id, role, mode, leg_uuid, status, member_id, can_speak)
    values (${part}, ${room}, 'supervisor', 'listen', 'listener', 'joined', 7, false)`);
  await rig.migrate();
  const find = (id: number) => softphoneRepository(db).find(id);
  expect((await find(own))?.legs).toMatchObject([
    { id: 1, legUuid: 'agent', status: 'answered', answeredAt: Date.parse('2026-11-25T01:00:00Z'), hangupCause: null },
    { id: 2, legUuid: 'customer', status: 'ended', hangupCause: 'USER_BUSY' },
  ]);
  expect((await find(part))?.legs).toEqual([]);
  expect((await conferenceRepository(db).find(room))?.legs).toMatchObject([
    { softphoneCallId: part, legUuid: 'listener', role: 'supervisor', mode: 'listen', status: 'joined', memberId: 7, canSpeak: false },
  ]);
});
