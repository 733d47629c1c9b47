import { sql } from 'kysely';
import type { Database } from '#platform/postgres/database.ts';
import { json } from '#platform/postgres/values.ts';
import type { OutcomeStore } from '#outcomes/outcome-store.ts';

/** Writes under the attempt's lock, which a result takes first: once a transcript is stored, no captions are kept. */
export function keepCaptions(db: Database): OutcomeStore['keepCaptions'] {
  return async (requestId, captions) => {
    if (captions.length === 0) return;
    await db.transaction(async tx => {
      const attempt = await tx.first(sql<{ id: number; answeredAt: number | null }>`
        select id, answered_at from attempt where request_id = ${requestId}::uuid and (deleted_at is null or tested_by is not null) for no key update`);
      if (!attempt || attempt.answeredAt === null) return;
      const { id, answeredAt } = attempt;
      const segments = captions.map(({ at, startMs, ...caption }) => ({ ...caption, startMs: startMs ?? Math.max(0, at - answeredAt) }));
      await tx.run(sql`
        insert into transcript_segment (attempt_id, segment_id, position, speaker, text, start_ms, end_ms, node_id, source)
        select ${id}, t."segmentId", (select count(*) from transcript_segment where attempt_id = ${id}) + t.place,
          t.speaker, t.text, round(t."startMs"), round(t."endMs"), t."nodeId", 'captions'
        from jsonb_to_recordset(${json(segments.map((segment, place) => ({ ...segment, place })))})
          as t("segmentId" text, place int, speaker text, text text, "startMs" float8, "endMs" float8, "nodeId" text)
        where not exists (select 1 from transcript_segment where attempt_id = ${id} and source = 'result')
        on conflict (attempt_id, segment_id) do update set text = excluded.text, end_ms = excluded.end_ms`);
    });
  };
}
