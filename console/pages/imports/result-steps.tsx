import { Button, Group, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatCount } from '../../text/format.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { FaultyRows } from './faulty-rows.tsx';
import styles from './import.module.css';
import { ImportProgress } from './import-progress.tsx';
import type { Importing, ImportResult } from './use-import.ts';

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
  const nothing = result.createdRows + result.updatedRows === 0 ? t('import.nothingNew') : null;
  return (
    <>
      <section className={`sheet ${styles.sheet}`}>
        <Title order={2} mb="xs">
          {t('import.wouldDo')}
        </Title>
        <ResultNumbers result={result} />
        <ResultNotes result={result} />
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

/** Result of the import, and the next steps. */
export function DoneStep({ importing, campaignId }: { importing: Importing; campaignId: string }) {
  const { t } = useTranslation();
  const { done } = importing;
  if (!done) return null;
  return (
    <>
      <section className={`sheet ${styles.sheet}`}>
        <Title order={2} mb="xs">
          {t('import.did')}
        </Title>
        <ResultNumbers result={done} />
        <ResultNotes result={done} />
        <Group mt="md">
          <Button component={Link} to={`/campaigns/${campaignId}`}>
            {t('import.toStart')}
          </Button>
          <Button component={Link} to={`/campaigns/${campaignId}?tab=contacts`} variant="default">
            {t('import.toContacts')}
          </Button>
          <Button variant="default" onClick={importing.startOver}>
            {t('import.another')}
          </Button>
        </Group>
      </section>
      <FaultyRows result={done} importing={importing} />
    </>
  );
}

const NUMBERS = [
  ['createdRows', 'tone-answered'],
  ['duplicateRows', 'tone-waiting'],
  ['failedRows', 'tone-failed'],
  ['totalRows', ''],
] as const;

/** Numbers of rows that were, or would be, imported, skipped and rejected. */
function ResultNumbers({ result }: { result: ImportResult }) {
  const { t } = useTranslation();
  return (
    <dl className={styles.numbers}>
      {NUMBERS.map(([name, tone]) => (
        <div key={name}>
          <dt className="quiet">{t(`import.${name}`)}</dt>
          <dd className={result[name] > 0 ? tone : 'quiet'}>{formatCount(result[name])}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Notes on an import: updated contacts, those that keep their state, and duplicates by reason. */
function ResultNotes({ result: { updatedRows, keptRows, leftOut } }: { result: ImportResult }) {
  const { t } = useTranslation();
  const notes = [
    ...(updatedRows > 0 ? [t('import.updated', { shown: formatCount(updatedRows) })] : []),
    ...(keptRows > 0 ? [t('import.kept', { shown: formatCount(keptRows) })] : []),
    ...leftOut.map(({ reason, rows }) => t(`leftOut.${reason}`, { shown: formatCount(rows) })),
  ];
  return notes.map(note => (
    <Text key={note} className="quiet" mt="xs">
      {note}
    </Text>
  ));
}
