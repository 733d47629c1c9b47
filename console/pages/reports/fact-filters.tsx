import { useQuery } from '@apollo/client/react';
import { MultiSelect, Select } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useKeyWords } from './key-words.ts';
import { type Fact, keyOf } from './question.ts';
import { CallReportDocument } from './reports.generated.ts';
import { useReportRange } from './use-answer.ts';
import { useQuestion } from './use-question.ts';

/** Values that a filter offers: those with most calls. */
const MOST_VALUES = 100;
/** Filters that stand there before they are used. */
const COMMON: readonly Fact[] = ['LINE', 'CAMPAIGN'];

interface FactFiltersProps {
  facts: readonly Fact[];
  /** Whether a filter takes one value, as some reports do. */
  isSingle?: boolean;
}

/** Filters of the question: the common ones, those that are used, and a choice of further ones. */
export function FactFilters({ facts, isSingle = false }: FactFiltersProps) {
  const { t } = useTranslation();
  const { question } = useQuestion();
  const [added, setAdded] = useState<readonly Fact[]>([]);
  const isShown = (fact: Fact) => isSingle || COMMON.includes(fact) || added.includes(fact) || (question.chosen[fact]?.length ?? 0) > 0;
  const further = facts.filter(fact => !isShown(fact));
  return (
    <>
      {[...COMMON, ...facts.filter(fact => !COMMON.includes(fact))]
        .filter(fact => facts.includes(fact) && isShown(fact))
        .map(fact => (
          <FactFilter key={fact} fact={fact} isSingle={isSingle} isOpen={added.at(-1) === fact} />
        ))}
      {further.length > 0 && (
        <Select
          w={140}
          label={t('reports.moreFilters')}
          placeholder={t('reports.addFilter')}
          value={null}
          onChange={name => setAdded([...added, ...further.filter(fact => fact === name)])}
          data={further.map(fact => ({ value: fact, label: t(`reports.dimension.${keyOf(fact)}`) }))}
        />
      )}
    </>
  );
}

/** Filters by the values that calls of the range have, most calls first. */
function FactFilter({ fact, isSingle, isOpen }: { fact: Fact; isSingle: boolean; isOpen: boolean }) {
  const { t } = useTranslation();
  const { question, ask } = useQuestion();
  const [isAsked, setAsked] = useState(false);
  const chosen = question.chosen[fact] ?? [];
  const choices = useValues(fact, chosen, isAsked || isOpen || chosen.length > 0);
  return (
    <MultiSelect
      w={170}
      label={t(`reports.dimension.${keyOf(fact)}`)}
      placeholder={chosen.length === 0 ? t('reports.every') : undefined}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('filters.any', { name: t(`reports.dimension.${keyOf(fact)}`) }) }}
      defaultDropdownOpened={isOpen}
      onDropdownOpen={() => setAsked(true)}
      value={[...chosen]}
      onChange={values => ask({ chosen: { ...question.chosen, [fact]: isSingle ? values.slice(-1) : values } })}
      data={choices}
      nothingFoundMessage={t('reports.noValues')}
    />
  );
}

function useValues(fact: Fact, chosen: readonly string[], isAsked: boolean) {
  const words = useKeyWords();
  const range = useReportRange();
  const { data } = useQuery(CallReportDocument, {
    variables: {
      from: range?.from ?? '',
      to: range?.to ?? '',
      filter: {},
      groupBy: [fact],
      measures: ['DIALS'],
      orderBy: { measure: 'DIALS', direction: 'DESC' },
      limit: MOST_VALUES,
    },
    skip: !isAsked || range === null,
  });
  const found = (data?.report?.rows ?? []).flatMap(({ keys }) => keys);
  const unfound = chosen.filter(value => !found.some(key => key.value === value)).map(value => ({ value, label: null }));
  return [...found, ...unfound].map(({ value, label }) => ({ value, label: words(fact, value, label) }));
}
