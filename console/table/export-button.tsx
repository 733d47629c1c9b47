import { Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fetchFile } from '../api/fetch-file.ts';
import { ActButton } from '../ui/act-button.tsx';
import { useDisabledReason } from '../ui/use-disabled-reason.ts';

/** Same bound as the server's. */
const MOST_ROWS = 100_000;

interface ExportButtonProps {
  /** Rows that match the filter; null until they are counted. */
  total: number | null;
  /** Creates the export with the current filter; resolves to its URL. */
  ask: () => Promise<string | undefined>;
  /** File name without its extension. */
  name: string;
}

/** Exports the rows that match the filter: the server writes the spreadsheet and audits the download. */
export function ExportButton({ total, ask, name }: ExportButtonProps) {
  const { t } = useTranslation();
  const lacks = useDisabledReason('campaign:dispatch');
  const [isBusy, setBusy] = useState(false);
  const [failed, setFailed] = useState<string | null>(null);
  const reason =
    lacks ?? (total === 0 ? t('export.nothing') : total !== null && total > MOST_ROWS ? t('export.tooMany', { count: MOST_ROWS }) : null);

  async function take(): Promise<void> {
    setBusy(true);
    setFailed(null);
    try {
      const url = await ask();
      if (url) save(await fetchFile(url, new AbortController().signal), `${name}.csv`);
    } catch (error) {
      setFailed((error as Error).message);
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      {failed && (
        <Text role="alert" className="tone-failed">
          {failed}
        </Text>
      )}
      <ActButton variant="default" loading={isBusy} reason={reason} act={() => void take()}>
        {t('export.csv')}
      </ActButton>
    </>
  );
}

function save(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
