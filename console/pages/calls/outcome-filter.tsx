import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { ChoiceFilter } from '../../table/filters.tsx';
import { CALL_STATUSES } from './call-words.tsx';
import type { CallsQueryVariables } from './calls.generated.ts';

/** Choices that stand for several outcomes: an answered call is ANSWERED while it goes on and COMPLETED afterwards. */
const MANY = {
  ANSWERED: { answered: true },
  UNANSWERED: { answered: false, open: false },
  OPEN: { open: true },
} as const;
const MANY_NAMES = ['ANSWERED', 'UNANSWERED', 'OPEN'] as const;
const SINGLE = CALL_STATUSES.filter(status => status !== 'ANSWERED');

type OutcomeFilter = Pick<CallsQueryVariables['filter'], 'answered' | 'open' | 'callStatus'>;

/** Filter by the outcome in the URL; an unknown outcome is ignored. */
export function useOutcomeFilter(): OutcomeFilter {
  const [query] = useSearchParams();
  const asked = query.get('outcome');
  const many = MANY_NAMES.find(name => name === asked);
  return many ? MANY[many] : { callStatus: SINGLE.find(status => status === asked) ?? null };
}

/** Choice of calls by outcome, in the URL: answered or not, in progress, or one outcome. */
export function OutcomeChoice() {
  const { t } = useTranslation();
  return (
    <ChoiceFilter
      name="outcome"
      label={t('calls.outcome')}
      choices={[
        ...MANY_NAMES.map(value => ({ value, label: t(`calls.outcomes.${value}`) })),
        { group: t('calls.singleOutcome'), items: SINGLE.map(value => ({ value, label: t(`callStatus.${value}`) })) },
      ]}
    />
  );
}
