import { Checkbox } from '@mantine/core';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../text/format.ts';
import styles from './bulk.module.css';
import type { Column } from './data-table.tsx';

interface Chosen<Row> {
  rows: readonly Row[];
  set: (rows: readonly Row[]) => void;
  /** First column of the table: a checkbox for each row, and one for all loaded rows. */
  column: Column<Row>;
}

/** Rows selected from a list to be changed together; rows that a narrower filter hides stay selected. */
export function useChosen<Row extends { id: string }>(loaded: readonly Row[], nameOf: (row: Row) => string): Chosen<Row> {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<ReadonlyMap<string, Row>>(new Map());
  const cell = useCallback(
    (row: Row) => {
      const toggle = () =>
        setChosen(before => {
          const after = new Map(before);
          if (!after.delete(row.id)) after.set(row.id, row);
          return after;
        });
      return (
        // A native checkbox: each scrolled page adds dozens of them.
        <input
          type="checkbox"
          className={styles.box}
          aria-label={t('bulk.chooseOne', { name: nameOf(row) })}
          checked={chosen.has(row.id)}
          onChange={toggle}
        />
      );
    },
    [t, chosen, nameOf],
  );
  const column = useMemo((): Column<Row> => {
    const isEvery = loaded.length > 0 && loaded.every(({ id }) => chosen.has(id));
    return {
      key: 'choose',
      header: t('bulk.choose'),
      width: '40px',
      head: (
        <Checkbox
          size="xs"
          aria-label={t('bulk.chooseLoaded', { shown: formatCount(loaded.length) })}
          checked={isEvery}
          indeterminate={!isEvery && chosen.size > 0}
          disabled={loaded.length === 0}
          onChange={() => setChosen(new Map(isEvery ? [] : loaded.map(row => [row.id, row])))}
        />
      ),
      cell,
    };
  }, [t, loaded, chosen, cell]);
  return { rows: useMemo(() => [...chosen.values()], [chosen]), set: rows => setChosen(new Map(rows.map(row => [row.id, row]))), column };
}
