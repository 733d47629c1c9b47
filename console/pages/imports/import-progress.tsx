import { useSubscription } from '@apollo/client/react';
import { Group, Loader, Text } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../text/format.ts';
import { FileImportDocument } from './import.generated.ts';

/**
 * Delay before the progress appears, in ms: a small import ends before anyone could read it, and the server knows an import only from its
 * first byte on.
 */
const WORTH_TELLING_MS = 400;

/** Progress of the running import; null id: none is running. */
export function ImportProgress({ campaignId, importId }: { campaignId: string; importId: string | null }) {
  return importId === null ? null : <Stage key={importId} campaignId={campaignId} importId={importId} />;
}

function Stage({ campaignId, importId }: { campaignId: string; importId: string }) {
  const { t } = useTranslation();
  const [isThere, setThere] = useState(false);
  const { start, clear } = useTimeout(() => setThere(true), WORTH_TELLING_MS);
  useEffect(() => {
    start();
    return clear;
  }, [start, clear]);
  const { data } = useSubscription(FileImportDocument, { variables: { campaignId, importId }, skip: !isThere });
  const event = data?.fileImport;
  const { stage, totalRows } = event && 'import' in event ? event.import : { stage: 'RECEIVING', totalRows: null };
  return (
    <Group mt="md" gap="sm" role="status">
      <Loader size="sm" />
      <Text>
        {t(`import.stage.${stage}`)}
        {totalRows !== null && ` · ${t('import.rows', { count: totalRows, shown: formatCount(totalRows) })}`}
      </Text>
    </Group>
  );
}
