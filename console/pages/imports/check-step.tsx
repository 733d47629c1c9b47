import { Button, Group, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ActButton } from '../../ui/act-button.tsx';
import { formatCount } from '../../text/format.ts';
import { FaultyRows } from './faulty-rows.tsx';
import styles from './import.module.css';
import { ImportProgress } from './import-progress.tsx';
import { ResultNumbers } from './result-numbers.tsx';
import type { Importing } from './use-import.ts';

interface CheckStepProps {
  importing: Importing;
  campaignId: string;
  /** Why the campaign accepts no file now. */
  inTheWay: string | null;
}

/** Preview of the import: nothing has been written yet. */
export function CheckStep({ importing, campaignId, inTheWay }: CheckStepProps) {
  const { t } = useTranslation();
  const { check: result } = importing;
  if (!result) return null;
  const nothing = result.createdRows === 0 ? t('import.nothingNew') : null;
  return (
    <>
      <section className={`sheet ${styles.sheet}`}>
        <Title order={2} mb="xs">
          {t('import.wouldDo')}
        </Title>
        <ResultNumbers result={result} />
        <Text className="quiet" mt="xs">
          {t('import.nothingWritten')}
        </Text>
        <Group mt="md">
          <ActButton loading={importing.isBusy} reason={inTheWay ?? nothing} act={importing.runImport}>
            {t('import.run', { count: result.createdRows, shown: formatCount(result.createdRows) })}
          </ActButton>
          <Button variant="default" onClick={() => importing.goTo(1)}>
            {t('import.otherColumns')}
          </Button>
        </Group>
        <ImportProgress campaignId={campaignId} importId={importing.importId} />
      </section>
      <FaultyRows key={importing.file?.lastModified ?? 0} result={result} importing={importing} />
    </>
  );
}
