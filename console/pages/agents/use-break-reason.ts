import { useQuery } from '@apollo/client/react';
import { useTranslation } from 'react-i18next';
import { BreakReasonsDocument } from '../dispositions/dispositions.generated.ts';
import { reasonLabel } from '../dispositions/reason-words.ts';
import type { BoardAgentFragment } from './agent-board.generated.ts';

/** Label of the reason for which an agent is on a break; null in any other state, and without a reason. */
export function useBreakReason(): (agent: BoardAgentFragment) => string | null {
  const { t } = useTranslation();
  const { data } = useQuery(BreakReasonsDocument);
  return ({ activity: { state, reason } }) => {
    if (state !== 'BUSY' || reason === null) return null;
    const row = data?.breakReasons?.reasons.find(({ code }) => code === reason);
    return row ? reasonLabel(row, t) : reason;
  };
}
