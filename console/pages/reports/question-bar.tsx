import { useQuery } from '@apollo/client/react';
import { Button, MultiSelect, Select } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DateRange } from '../../table/date-range.tsx';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import { FactFilters } from './fact-filters.tsx';
import { DIMENSIONS, type Dimension, keyOf, MAX_GROUPINGS, TIMES, FACTS } from './question.ts';
import styles from './reports.module.css';
import { ReportScriptsDocument } from './reports.generated.ts';
import { type Measures, RANGE, useMeasures } from './use-answer.ts';
import { useQuestion } from './use-question.ts';

/** The parts of a question, each of which changes the address. */
export function QuestionBar() {
  const { t } = useTranslation();
  const isNarrow = useIsNarrow();
  const [isOpen, setOpen] = useState(false);
  return (
    <section className={`sheet ${styles.bar}`}>
      <DateRange {...RANGE} />
      {isNarrow && (
        <Button variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t('reports.edit')}
        </Button>
      )}
      {(!isNarrow || isOpen) && <Parts />}
    </section>
  );
}

function Parts() {
  const { question } = useQuestion();
  if (question.report === 'calls') return <CallParts />;
  return question.report === 'nodes' ? <ScriptSelect /> : <FactFilters facts={['AGENT_GROUP']} isSingle />;
}

function CallParts() {
  return (
    <>
      <MeasureSelect />
      <GroupSelect />
      <FactFilters facts={FACTS} />
    </>
  );
}

/** Measures of one sort in the list of choices. */
const SORTS = ['CALLS', 'SHARE', 'TIMES', 'SECONDS', 'MONEY'] as const;

function MeasureSelect() {
  const { t } = useTranslation();
  const { question, ask } = useQuestion();
  const dictionary = useMeasures();
  return (
    <MultiSelect
      className={styles.measures ?? ''}
      label={t('reports.measures')}
      placeholder={question.measures.length === 0 ? t('reports.chooseMeasure') : undefined}
      searchable
      hidePickedOptions
      maxValues={12}
      value={[...question.measures]}
      onChange={measures => ask({ measures: measures.length > 0 ? measures : question.measures })}
      data={SORTS.map(unit => ({ group: t(`reports.unit.${unit}`), items: choicesOf(dictionary, unit) }))}
      nothingFoundMessage={t('reports.nothingFound')}
      comboboxProps={{ width: 300, position: 'bottom-start' }}
    />
  );
}

function choicesOf(dictionary: Measures, wanted: string) {
  return dictionary.filter(({ unit }) => unit === wanted).map(({ name, title }) => ({ value: name.toLowerCase(), label: title }));
}

function GroupSelect() {
  const { t } = useTranslation();
  const { question, ask } = useQuestion();
  const items = (dimensions: readonly Dimension[]) =>
    dimensions.map(dimension => ({ value: dimension, label: t(`reports.dimension.${keyOf(dimension)}`) }));
  return (
    <MultiSelect
      className={styles.groups ?? ''}
      label={t('reports.groupBy')}
      placeholder={question.groupBy.length === 0 ? t('reports.noGroups') : undefined}
      searchable
      hidePickedOptions
      maxValues={MAX_GROUPINGS}
      value={[...question.groupBy]}
      onChange={names => ask({ groupBy: names.flatMap(name => DIMENSIONS.filter(dimension => dimension === name)) })}
      data={[
        { group: t('reports.times'), items: items(TIMES) },
        { group: t('reports.facts'), items: items(FACTS) },
      ]}
      nothingFoundMessage={t('reports.nothingFound')}
    />
  );
}

function ScriptSelect() {
  const { t } = useTranslation();
  const { question, ask } = useQuestion();
  const { data } = useQuery(ReportScriptsDocument);
  const scripts = data?.scripts?.nodes ?? [];
  return (
    <Select
      w={280}
      label={t('reports.dimension.script')}
      placeholder={t('reports.chooseScript')}
      searchable
      value={question.chosen.SCRIPT?.[0] ?? null}
      onChange={script => ask({ chosen: { ...question.chosen, SCRIPT: script === null ? [] : [script] } })}
      data={scripts.map(({ databaseId, name }) => ({ value: databaseId, label: name }))}
    />
  );
}
