import { sql } from 'kysely';
import type { AttemptStore } from '#ports/attempt-store.ts';
import type { Attempt } from '#model/attempt.ts';
import { ATTEMPT_COLUMNS } from './attempt-columns.ts';
import { foldAttemptTallies } from './attempt-tally.ts';
import type { Database } from './database.ts';
import { foldOverviewTallies } from './overview-tally.ts';

export function attemptRepository(db: Database): AttemptStore {
  return {
    async find(attemptId) {
      const row = await db.first(sql<Attempt>`select ${ATTEMPT_COLUMNS} from attempt a where a.id = ${attemptId} and a.deleted_at is null`);
      return row ?? null;
    },
    async foldTallies() {
      await db.transaction(foldAttemptTallies);
      await db.transaction(foldOverviewTallies);
    },
  };
}
