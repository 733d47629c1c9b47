import { sql } from 'kysely';
import type { ActorCommit, ActorStore, StoredEffect } from '../actor-host/actor-store.ts';
import type { Database, Sql } from './database.ts';
import { json, texts } from './values.ts';

/** Effects of the actors of one type, as rows of the table `outbox`. */
interface EffectOutbox extends Pick<ActorStore, 'takeDueEffects' | 'clearEffects'> {
  /** Writes the effects of a commit, in its transaction. */
  put(tx: Sql, key: string, commit: Pick<ActorCommit, 'effects' | 'effectLeaseMs'>): Promise<void>;
}

/** Key of an effect's row. */
export function effectKey(key: string, effectId: string): string {
  return `${key}|${effectId}`;
}

/** `maxAgeMs`: an effect that could not be carried out for this long is given up; default: never. */
export function effectOutbox(db: Database, kind: string, { maxAgeMs }: { maxAgeMs?: number } = {}): EffectOutbox {
  const isOver = maxAgeMs === undefined ? sql`false` : sql`created_at <= now() - ${maxAgeMs}::float8 * interval '1 millisecond'`;
  return {
    async put(tx, key, { effects, effectLeaseMs }) {
      if (effects.length === 0) return;
      const rows = effects.map(({ effectId, body }) => ({ key: effectKey(key, effectId), payload: { body } }));
      await tx.run(sql`
        insert into outbox (kind, key, payload, due_at)
        select ${kind}, row.key, row.payload, now() + ${effectLeaseMs} * interval '1 millisecond'
        from jsonb_to_recordset(${json(rows)}) as row (key text, payload jsonb)`);
    },
    async takeDueEffects(limit, leaseMs) {
      const rows = await db.rows(sql<{ key: string; payload: { body: string } }>`
        with over as (delete from outbox where kind = ${kind} and due_at <= now() and ${isOver})
        update outbox set due_at = now() + ${leaseMs} * interval '1 millisecond', tries = tries + 1
        where id in (
          select id from outbox where kind = ${kind} and due_at <= now() and not ${isOver} order by due_at, id limit ${limit} for update skip locked)
        returning key, payload`);
      return rows.map(effectOf);
    },
    async clearEffects(effects) {
      const keys = effects.map(({ key, effectId }) => effectKey(key, effectId));
      await db.hot.rows(sql`delete from outbox where kind = ${kind} and key = any(${texts(keys)})`);
    },
  };
}

function effectOf({ key, payload }: { key: string; payload: { body: string } }): StoredEffect {
  const split = key.indexOf('|');
  return { key: key.slice(0, split), effectId: key.slice(split + 1), body: payload.body };
}
