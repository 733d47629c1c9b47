import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fetchFile } from '../../api/fetch-file.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { useDisabledReason } from '../../ui/use-disabled-reason.ts';
import type { FollowUpListsQuery } from './follow-ups.generated.ts';

/** Same bound as the server's. */
const MOST_ROWS = 100_000;

type List = Pick<NonNullable<FollowUpListsQuery['followUpLists']>[number], 'name' | 'count' | 'exportUrl'>;

/** Saves the current rows of a list as a CSV file, which the server audits. The page of the list exports other formats and any number of rows. */
export function ExportListButton({ list: { name, count, exportUrl } }: { list: List }) {
  const { t } = useTranslation();
  const lacks = useDisabledReason('campaign:dispatch');
  const [isBusy, setBusy] = useState(false);
  const [failed, setFailed] = useState<string | null>(null);
  const hindered = count === 0 ? t('followUps.nobody') : count > MOST_ROWS ? t('followUps.tooMany') : failed;

  async function take(url: string): Promise<void> {
    setBusy(true);
    try {
      save(await fetchFile(url, new AbortController().signal), `${name}.csv`);
    } catch (error) {
      setFailed(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <ActButton size="xs" variant="default" loading={isBusy} reason={lacks ?? hindered} act={() => exportUrl && void take(exportUrl)}>
      {t('followUps.export')}
    </ActButton>
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
