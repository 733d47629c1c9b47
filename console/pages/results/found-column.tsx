import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Column } from '../../table/data-table.tsx';
import type { Condition } from './conditions.ts';
import { useResultConditions } from './result-filter.tsx';
import { nameOfField, type ResultField } from './result-values.ts';
import { useResultWords } from './use-result-words.ts';

interface Finding {
  /** Absent while the list is not filtered by it. */
  resultFields?: readonly (ResultField & { value: unknown })[];
}

/** The column of found-out values, for lists that are filtered by them; the fields of the filter come first. */
export function useFoundColumn(): Column<Finding> {
  const { t } = useTranslation();
  const words = useResultWords();
  const conditions = useResultConditions();
  return useMemo(
    () => ({
      key: 'found',
      header: t('results.title'),
      width: '240px',
      cell: ({ resultFields = [] }) =>
        firstAsked(resultFields, conditions)
          .filter(({ value }) => value !== null)
          .map(field => t('results.pair', { field: nameOfField(field), value: words(field, field.value) }))
          .join(t('taker.comma')),
    }),
    [t, words, conditions],
  );
}

function firstAsked<Field extends ResultField>(fields: readonly Field[], conditions: readonly Condition[]): Field[] {
  const isAsked = ({ key }: Field) => Number(conditions.some(condition => condition.key === key));
  return fields.toSorted((a, b) => isAsked(b) - isAsked(a));
}
