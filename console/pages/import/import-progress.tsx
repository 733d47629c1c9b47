import { useSubscription } from '@apollo/client/react';
import { Group, Loader, Text } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../text/format.ts';
import { FileImportDocument } from './import.generated.ts';

/** An import of fewer rows is over before anybody reads how far it is; the server knows it from its first byte on, ms. */
const WORTH_TELLING_MS = 400;

/** How far the import under way is; null: none is. */
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
