import { Button, Group, Text, TextInput, Title } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { downloadCsv } from '../../table/csv.ts';
import { type Column, DataTable } from '../../table/data-table.tsx';
import { formatCount } from '../../text/format.ts';
import { ActButton } from '../../ui/act-button.tsx';
import styles from './import.module.css';
import type { FaultyRow, Importing, ImportResult } from './use-import.ts';

/** Corrected cells, by row and column. */
type Mended = Readonly<Record<string, string>>;

const keyOf = (row: FaultyRow, column: number) => `${row.rowNumber} ${column}`;

/** Rejected rows: the reason appears at the cell, a field once the user can correct it; corrected rows are checked again. */
export function FaultyRows({ result, importing }: { result: ImportResult; importing: Importing }) {
  const { t } = useTranslation();
  const [mended, setMended] = useState<Mended>({});
  const header = useMemo(() => importing.preview?.columns.map(({ key }) => key) ?? [], [importing.preview]);
  // The file of corrected rows replaces the first file, so the good rows of the first must be in the campaign before.
  const isOpen = importing.step === 'done' || result.createdRows === 0;
  const mend = isOpen ? (key: string, value: string) => setMended(before => ({ ...before, [key]: value })) : null;
  const columns = useFaultColumns(header, mended, mend);
  if (result.errors.length === 0) return null;
  const cellsOf = (row: FaultyRow) => header.map((_name, index) => mended[keyOf(row, index)] ?? row.cells?.[index] ?? '');
  const changed = result.errors.filter(row => header.some((_name, index) => keyOf(row, index) in mended));
  return (
    <section className={styles.faulty} aria-label={t('import.faulty')}>
      <Group justify="space-between" my="sm">
        <div>
          <Title order={2}>{t('import.faulty')}</Title>
          <Text className="quiet">
            {result.skippedRows > result.errors.length
              ? t('import.firstFaulty', { shown: formatCount(result.errors.length), all: formatCount(result.skippedRows) })
              : t(isOpen ? 'import.mendAbout' : 'import.mendLater')}
          </Text>
        </div>
        <Group gap="sm">
          <Button
            variant="default"
            onClick={() =>
              downloadCsv(t('import.faultyFile'), [
                [...header, t('import.reasonColumn')],
                ...result.errors.map(row => [...cellsOf(row), row.reason]),
              ])
            }
          >
            {t('import.download')}
          </Button>
          <ActButton
            loading={importing.isBusy}
            reason={!isOpen ? t('import.mendLater') : changed.length === 0 ? t('import.nothingMended') : null}
            act={() => importing.checkMended(changed, cellsOf)}
          >
            {t('import.checkMended', { count: changed.length, shown: formatCount(changed.length) })}
          </ActButton>
        </Group>
      </Group>
      <DataTable
        label={t('import.faulty')}
        columns={columns}
        rows={result.errors}
        keyOf={row => String(row.rowNumber)}
        empty=""
        isLoading={false}
      />
    </section>
  );
}

type Mend = (key: string, value: string) => void;

function useFaultColumns(header: readonly string[], mended: Mended, mend: Mend | null): Column<FaultyRow>[] {
  const { t } = useTranslation();
  return [
    { key: 'row', header: t('import.row'), width: '80px', isNumber: true, cell: row => row.rowNumber },
    { key: 'reason', header: t('import.why'), width: '220px', cell: row => <span className="tone-failed">{row.reason}</span> },
    ...header.map((name, index) => ({
      key: `${index}`,
      header: name || t('import.nameless', { index: index + 1 }),
      width: '150px',
      cell: (row: FaultyRow) =>
        mend === null ? (
          <span className={row.column === name ? 'tone-failed' : ''}>{row.cells?.[index]}</span>
        ) : (
          <TextInput
            size="xs"
            aria-label={t('import.cell', { row: row.rowNumber, name: name || index + 1 })}
            aria-description={row.column === name ? row.reason : undefined}
            error={row.column === name && !(keyOf(row, index) in mended)}
            value={mended[keyOf(row, index)] ?? row.cells?.[index] ?? ''}
            onChange={event => mend(keyOf(row, index), event.currentTarget.value)}
          />
        ),
    })),
  ];
}
