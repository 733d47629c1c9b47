import { sql } from 'kysely';
import { z } from 'zod';
import { audit, type AuditPart } from '#audit/audit.ts';
import { localTimeAt, startOfDay } from '#kernel/calendar.ts';
import type { Caller } from '#kernel/caller.ts';
import { notFound } from '#kernel/errors.ts';
import { instant, rowId } from '#kernel/fields.ts';
import { ALARM_SCORE } from '#lines/decisions/answer-test.ts';
import { cap, MAX_REST_HOURS, numberAlarm } from '#lines/decisions/number-rules.ts';
import { placeInChina } from '#phone-numbers/china-places.ts';
import { dialKey, type Region } from '#phone-numbers/dial-key.ts';
import type { Platform } from '#platform/platform.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { instant as timestamp } from '#platform/postgres/values.ts';

/** The dials of a line's caller number, and how often it was answered beside the others. Source: D4.7, D4.9 */
export const numberUse = z
  .object({
    numberId: rowId,
    number: z.string(),
    province: z.string().nullable(),
    city: z.string().nullable().meta({ description: '号码归属地' }),
    dialsLastHour: z.int().meta({ description: '最近 60 分钟的呼叫次数' }),
    dialsToday: z.int(),
    hourlyCap: cap.meta({ description: '生效的每小时上限；空：不限' }),
    dailyCap: cap.meta({ description: '生效的每天上限；空：不限' }),
    restingUntil: instant.nullable(),
    suspicion: z.number().meta({ description: '接通率偏低的证据，0 到 1，到 1 时提醒或休息' }),
    alarm: numberAlarm.nullable().meta({ description: '接通率明显偏低的提醒；空：没有，或已处理' }),
    hours: z.array(z.object({ at: instant, dials: z.int(), answered: z.int(), expected: z.number() })).meta({
      description: '最近 48 小时每小时的呼叫、接通，以及按同线路其他号码应接通的次数；没有呼叫的小时不列',
    }),
  })
  .meta({ id: 'NumberUse' });

export type NumberUse = z.output<typeof numberUse>;

export const restInput = z.object({ hours: z.int().min(1).max(MAX_REST_HOURS) });

interface UseRow extends Omit<NumberUse, 'province' | 'city' | 'suspicion'> {
  score: number;
}

type NumbersApp = Pick<Platform, 'db' | 'clock'> & { timeZone: string; region: Region };
type ChangeApp = AuditPart & NumbersApp & Pick<Platform, 'wake'>;

/** A number of the line `id`. */
interface NumberOfLine {
  id: number;
  numberId: number;
}

/** The numbers of a line in the order of their rotation, with their dials of the hour and the day. Errors: NOT_FOUND */
export async function listNumberUse(app: NumbersApp, lineId: number): Promise<NumberUse[]> {
  const line = await app.db.first(sql`select 1 from line where id = ${lineId} and deleted_at is null`);
  if (!line) throw notFound('线路');
  return (await readUse(app, app.db, lineId)).map(row => presented(row, app.region));
}

function presented({ score, ...row }: UseRow, region: Region): NumberUse {
  const { province = null, city = null } = placeInChina(dialKey(row.number, region)) ?? {};
  return { ...row, province, city, suspicion: Math.min(1, score / ALARM_SCORE) };
}

/** A dial leaves at most this long after its attempt was written. */
export const UNSENT = sql`interval '10 minutes'`;

function readUse({ clock, timeZone }: NumbersApp, db: Sql, lineId: number): Promise<UseRow[]> {
  const now = clock.now();
  const today = timestamp(startOfDay(timeZone, localTimeAt(timeZone, now).day));
  return db.rows(sql<UseRow>`
    with made as (
      select a.caller_number, count(*) filter (where a.dialing_at > now() - interval '1 hour') as last_hour,
        count(*) filter (where a.dialing_at >= ${today}) as today
      from attempt a
      where a.created_at > least(${today}, now() - interval '1 hour') - ${UNSENT} and a.dialing_at is not null
        and a.caller_number in (select number from line_number where line_id = ${lineId})
      group by a.caller_number)
    select n.id as number_id, n.number, coalesce(m.last_hour, 0)::int as dials_last_hour, coalesce(m.today, 0)::int as dials_today,
      coalesce(n.hourly_cap, (l.number_rules ->> 'hourlyCap')::int) as hourly_cap,
      coalesce(n.daily_cap, (l.number_rules ->> 'dailyCap')::int) as daily_cap,
      case when n.resting_until > now() then n.resting_until end as resting_until, coalesce(t.score, 0) as score,
      case when t.alarm ->> 'action' = 'ask' or n.resting_until > now() then t.alarm end as alarm,
      (select coalesce(jsonb_agg(jsonb_build_object('at', epoch_ms(h.hour), 'dials', h.dials, 'answered', h.answered, 'expected', h.expected)
         order by h.hour), '[]') from number_hour h where h.line_number_id = n.id and h.hour > now() - interval '48 hours') as hours
    from line_number n join line l on l.id = n.line_id left join made m on m.caller_number = n.number
    left join number_test t on t.line_number_id = n.id
    where n.line_id = ${lineId} order by n.position, n.id`);
}

/**
 * Lets a number rest for some hours: no campaign dials with it meanwhile.
 *
 * Errors: NOT_FOUND
 * Source: D4.9
 */
export async function restNumber(
  app: ChangeApp,
  caller: Caller,
  which: NumberOfLine,
  { hours }: z.output<typeof restInput>,
): Promise<NumberUse> {
  const until = app.clock.now() + hours * MS_PER_HOUR;
  const { use, name } = await changeRest(app, which, until);
  const entry = { action: 'line.number_rested', targetType: 'line', targetId: which.id } as const;
  await audit(app, caller, {
    ...entry,
    summary: `线路「${name}」的号码 ${use.number} 休息 ${hours} 小时`,
    detail: { numberId: which.numberId, hours },
  });
  return use;
}

/**
 * Puts a number back to work, and begins its test anew; also the answer to an alarm that asks: the number goes on.
 *
 * Errors: NOT_FOUND
 * Source: D4.9
 */
export async function resumeNumber(app: ChangeApp, caller: Caller, which: NumberOfLine): Promise<NumberUse> {
  const { use, name } = await changeRest(app, which, null);
  const entry = { action: 'line.number_resumed', targetType: 'line', targetId: which.id } as const;
  await audit(app, caller, { ...entry, summary: `线路「${name}」的号码 ${use.number} 恢复使用`, detail: { numberId: which.numberId } });
  return use;
}

const MS_PER_HOUR = 3_600_000;

/** The decision of a user ends the alarm. */
async function changeRest(
  app: ChangeApp,
  { id: lineId, numberId }: NumberOfLine,
  until: number | null,
): Promise<{ use: NumberUse; name: string }> {
  const name = await app.db.transaction(async tx => {
    const line = await tx.first(sql<{ name: string }>`
      update line_number n set resting_until = ${timestamp(until)} from line l
      where n.id = ${numberId} and n.line_id = ${lineId} and l.id = n.line_id and l.deleted_at is null returning l.name`);
    if (!line) throw notFound('号码');
    await tx.run(sql`
      update number_test set alarm = null, is_told = true, score = 0, since = null, dials = 0, answered = 0, expected = 0
      where line_number_id = ${numberId}`);
    return line.name;
  });
  app.wake.campaign(null);
  const row = (await readUse(app, app.db, lineId)).find(use => use.numberId === numberId);
  if (!row) throw notFound('号码');
  return { use: presented(row, app.region), name };
}
