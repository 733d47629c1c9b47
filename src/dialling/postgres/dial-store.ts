import type { DialStore } from '#ports/dial-store.ts';
import { endDueHolds, type Freed } from './contact-holds.ts';
import { foldAttemptTallies } from '#adapters/postgres/attempt-tally.ts';
import { foldOverviewTallies } from '#adapters/postgres/overview-tally.ts';
import { foldTallies } from '#adapters/postgres/contact-tally.ts';
import type { Database } from '#adapters/postgres/database.ts';
import { dialAttempts } from './dial-attempts.ts';
import { claimDials } from './dial-claim.ts';
import { dialMarks } from './dial-mark.ts';
import { dialPlans } from './dial-plan.ts';
import { dialProgress } from './dial-progress.ts';
import { applyResult } from './dial-result.ts';
import { settleDials, settleUnknown } from './dial-settle.ts';
import { keepCaptions } from './kept-captions.ts';
import { outbox } from './outbox.ts';

/** Business facts of dialling in PostgreSQL. `freed` is called with the campaigns whose contacts waited for an ended call. */
export function dialStore(db: Database, freed: Freed = () => undefined): DialStore {
  return {
    ...dialPlans(db),
    claim: claimDials(db),
    ...dialMarks(db, freed),
    ...dialProgress(db),
    settle: settleDials(db, freed),
    settleUnknown: settleUnknown(db),
    applyResult: applyResult(db, freed),
    keepCaptions: keepCaptions(db),
    ...dialAttempts(db),
    endDueHolds: endDueHolds(db),
    async foldTallies() {
      for (const fold of [foldTallies, foldAttemptTallies, foldOverviewTallies]) await db.transaction(fold);
    },
    ...outbox(db),
  };
}
