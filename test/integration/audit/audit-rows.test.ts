import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { auditRepository } from '#audit/audit-store.ts';
import { connectDatabase } from '#platform/postgres/database.ts';
import { ENTITIES } from '#app/connect.ts';
import { freshDatabase } from '#test/support/database.ts';

const ROW = {
  actorId: null,
  actorName: 'a',
  action: 'call.watched',
  targetType: 'call',
  targetId: null,
  summary: '',
  ip: null,
  requestId: null,
};

test('concurrent rows are written together, and each lasting row is closed by its own id [D3.7]', async () => {
  const fresh = await freshDatabase();
  await using stack = new AsyncDisposableStack();
  stack.defer(() => fresh.drop());
  const db = await connectDatabase({ entities: ENTITIES, url: fresh.url, poolSize: 2, statementTimeoutMs: 20_000 });
  stack.defer(() => db.close());
  const audit = auditRepository(db);
  const details = [{ n: 0 }, { n: 1 }, { n: 2 }];
  const [ids] = await Promise.all([
    Promise.all(details.map(detail => audit.open({ ...ROW, detail }))),
    Promise.all([audit.record({ ...ROW, detail: null }), audit.record({ ...ROW, detail: null })]),
  ]);
  await Promise.all(ids.map((id, index) => audit.close(id, { closed: index })));
  expect(await db.rows(sql`select id, detail from audit_log where detail is not null order by id`)).toEqual(
    ids.map((id, index) => ({ id, detail: { n: index, closed: index } })),
  );
  expect(await db.first(sql`select count(*) as rows from audit_log`)).toEqual({ rows: 5 });
});
