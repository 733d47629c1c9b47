import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Column } from '../../table/data-table.tsx';
import { nameOfField, type ResultField } from './result-values.ts';
import { useResultWords } from './use-result-words.ts';

interface Finding {
  /** Absent while the list is not filtered by it. */
  resultFields?: readonly (ResultField & { value: unknown })[];
}

/** What calls found out, for lists that are filtered by it. */
export function useFoundColumn(): Column<Finding> {
  const { t } = useTranslation();
  const words = useResultWords();
  return useMemo(
    () => ({
      key: 'found',
      header: t('results.title'),
      width: '240px',
      cell: ({ resultFields = [] }) =>
        resultFields
          .filter(({ value }) => value !== null)
          .map(field => t('results.pair', { field: nameOfField(field), value: words(field, field.value) }))
          .join(t('taker.comma')),
    }),
    [t, words],
  );
}
