import { endDueHolds, type Freed } from '#policies/holds.ts';
import { foldAttemptTallies } from '#attempts/attempt-store.ts';
import { foldOverviewTallies } from './overview-tally.ts';
import { foldTallies } from '#campaigns/campaign-store.ts';
import type { Database } from '#platform/postgres/database.ts';
import { dialAttempts, dialProgress } from '#outcomes/progress.ts';
import { claimDials } from './dial-claim.ts';
import { dialMarks } from './mark-statements.ts';
import { dialPlans } from './dial-plan.ts';
import { applyResult } from '#outcomes/result.ts';
import { settleDials, settleUnknown } from '#outcomes/settle.ts';
import { keepCaptions } from '#outcomes/kept-captions.ts';
import { outbox } from '#outcomes/result-write.ts';
import type { DialStore } from './dial-store.ts';

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
