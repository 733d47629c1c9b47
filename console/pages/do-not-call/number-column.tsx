import { Alert, Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { NumberList } from './use-number-file.ts';

const MOST_SAMPLES = 2;

interface NumberColumnProps {
  list: NumberList;
  isPasted: boolean;
  isBusy: boolean;
  choose: (column: string) => void;
}

/** Lets the user choose the column with the numbers: required when the server is not sure, otherwise a correction. */
export function NumberColumn({ list: { column, columns }, isPasted, isBusy, choose }: NumberColumnProps) {
  const { t } = useTranslation();
  if (column !== null && columns.length < 2) return null;
  return (
    <>
      {column === null && (
        <Alert color="yellow" role="status" mb="sm">
          {t('doNotCallImport.which')}
        </Alert>
      )}
      {column !== null && isPasted && (
        <Alert color="yellow" role="status" mb="sm">
          {t('doNotCallImport.reread')}
        </Alert>
      )}
      <Select
        label={t('doNotCallImport.takenFrom')}
        disabled={isBusy}
        allowDeselect={false}
        value={column}
        data={columns.map(({ key, name, samples }, index) => ({
          value: key,
          label: [name || t('doNotCallImport.columnAt', { index: index + 1 }), ...samples.filter(Boolean).slice(0, MOST_SAMPLES)].join(
            ' · ',
          ),
        }))}
        onChange={value => value !== null && choose(value)}
        mb="md"
      />
    </>
  );
}
