import { type RawBuilder, sql } from 'kysely';
import type { GraphStore, ScriptVersion } from '#ports/graph-store.ts';
import type { AuditRow, DoNotCallEntry, User } from '#ports/records.ts';
import { AUDIT_COLUMNS, auditMatches } from './audit-repository.ts';
import type { Database, Sql } from './database.ts';
import { DO_NOT_CALL_COLUMNS, doNotCallMatches } from './do-not-call-repository.ts';
import { before, cut } from './graph-slice.ts';
import { SCRIPT_COLUMNS, scriptMatches } from './script-repository.ts';
import { USER_COLUMNS, userMatches } from './user-repository.ts';

type Management = Pick<
  GraphStore,
  'sliceDoNotCall' | 'countDoNotCall' | 'sliceScripts' | 'countScripts' | 'sliceAuditLogs' | 'countAuditLogs' | 'sliceUsers' | 'countUsers'
>;

/** What people manage: slices of the lists that REST gives in pages. */
export function graphManagement(db: Database): Management {
  return {
    sliceDoNotCall: slice =>
      cut(slice, limit =>
        db.rows(sql<DoNotCallEntry>`
          select ${DO_NOT_CALL_COLUMNS} from do_not_call d where ${doNotCallMatches(slice.q)} and ${before(sql`d.id`, slice)}
          order by d.id desc limit ${limit}`),
      ),
    countDoNotCall: ({ q }) => countRows(db, sql`do_not_call d where ${doNotCallMatches(q)}`),
    sliceScripts: slice =>
      cut(slice, limit =>
        db.rows(sql<ScriptVersion>`
          select ${SCRIPT_COLUMNS}, v.hash, v.body from script s
          join script_version v on v.script_id = s.id and v.version = s.current_version
          where ${scriptMatches(slice)} and ${before(sql`s.id`, slice)} order by s.id desc limit ${limit}`),
      ),
    countScripts: query => countRows(db, sql`script s where ${scriptMatches(query)}`),
    sliceAuditLogs: slice =>
      cut(slice, limit =>
        db.rows(sql<AuditRow>`
          select ${AUDIT_COLUMNS} from audit_log where ${auditMatches(slice)} and ${before(sql`id`, slice)} order by id desc limit ${limit}`),
      ),
    sliceUsers: slice =>
      cut(slice, limit =>
        db.rows(sql<User>`
          select ${USER_COLUMNS} from app_user where ${userMatches(slice.q)} and ${before(sql`id`, slice)} order by id desc limit ${limit}`),
      ),
    countUsers: ({ q }) => countRows(db, sql`app_user where ${userMatches(q)}`),
    countAuditLogs: search => countRows(db, sql`audit_log where ${auditMatches(search)}`),
  };
}

async function countRows(db: Sql, from: RawBuilder<unknown>): Promise<number> {
  return (await db.first(sql<{ total: number }>`select count(*) as total from ${from}`))?.total ?? 0;
}
