import { useTranslation } from 'react-i18next';
import { formatCount } from '../../text/format.ts';
import { STATES } from './board-lines.ts';

interface StateCount {
  state: (typeof STATES)[number];
  count: number;
}

/** Agents by what they do, those with customers first; states without an agent are left out. */
export function StateCounts({ counts }: { counts: readonly StateCount[] }) {
  const { t } = useTranslation();
  const countOf = (state: StateCount['state']) => counts.find(each => each.state === state)?.count ?? 0;
  const shown = STATES.filter(state => countOf(state) > 0);
  return shown.map(state => `${t(`agentState.${state}`)} ${formatCount(countOf(state))}`).join(' · ');
}
