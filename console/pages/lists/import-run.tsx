import { useQuery } from '@apollo/client/react';
import { Alert, Group, Progress, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fetchFile } from '../../api/fetch-file.ts';
import { useCommands } from '../../form/use-commands.ts';
import { formatCount, formatDateTime } from '../../text/format.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { CancelImportDocument, OneListImportDocument, type OneListImportFragment } from './lists.generated.ts';
import { saveFile } from '../../ui/save-file.ts';
import styles from './lists.module.css';

const LOOK_MS = 1_000;

/** An import while it goes on, and what has become of its rows. */
export function ImportRun({ importId }: { importId: string }) {
  const { data, startPolling, stopPolling } = useQuery(OneListImportDocument, {
    variables: { id: importId },
    fetchPolicy: 'cache-and-network',
  });
  const found = data?.listImport;
  const isOpen = found ? isUnderWay(found) : true;
  useEffect(() => {
    if (isOpen) startPolling(LOOK_MS);
    return stopPolling;
  }, [isOpen, startPolling, stopPolling]);
  return found ? <Run run={found} /> : null;
}

function isUnderWay({ state }: OneListImportFragment): boolean {
  return state === 'QUEUED' || state === 'RUNNING';
}

function Run({ run }: { run: OneListImportFragment }) {
  const { t } = useTranslation();
  const { counts, percent, error, finishedAt, createdAt } = run;
  const isOpen = isUnderWay(run);
  return (
    <section className={`sheet ${styles.run}`} role="status" aria-label={run.title}>
      <Group justify="space-between" mb="xs">
        <Text fw={600}>{run.fileName ?? run.title}</Text>
        <Text size="sm" className="quiet">
          {t(`lists.job.${run.state}`)}
          {percent !== null && isOpen && ` · ${percent} %`} · {formatDateTime(finishedAt ?? createdAt)}
        </Text>
      </Group>
      {isOpen && <Progress value={percent ?? 0} animated aria-label={t('lists.progress')} mb="xs" />}
      {error && (
        <Alert color="red" role="alert" mb="xs">
          {error.message}
        </Alert>
      )}
      <Counts counts={counts} />
      <Group mt="xs" gap="sm">
        {isOpen && <Cancel run={run} />}
        {run.refusalsUrl !== null && <Refusals run={run} url={run.refusalsUrl} />}
      </Group>
    </section>
  );
}

const COUNTS = [
  ['totalRows', ''],
  ['createdRows', 'tone-answered'],
  ['updatedRows', 'tone-answered'],
  ['unchangedRows', ''],
  ['failedRows', 'tone-failed'],
] as const;

function Counts({ counts }: { counts: OneListImportFragment['counts'] }) {
  const { t } = useTranslation();
  const { repeated, known, business, contacted } = counts.leftOut;
  const leftOut = repeated + known + business + contacted;
  return (
    <>
      <dl className={styles.counts}>
        {COUNTS.map(([name, tone]) => (
          <div key={name}>
            <dt className="quiet">{t(`lists.countOf.${name}`)}</dt>
            <dd className={counts[name] > 0 ? tone : 'quiet'}>{formatCount(counts[name])}</dd>
          </div>
        ))}
        <div>
          <dt className="quiet">{t('lists.countOf.leftOut')}</dt>
          <dd className={leftOut > 0 ? 'tone-waiting' : 'quiet'}>{formatCount(leftOut)}</dd>
        </div>
      </dl>
      {leftOut > 0 && (
        <Text size="sm" className="quiet">
          {(['repeated', 'known', 'business', 'contacted'] as const)
            .filter(reason => counts.leftOut[reason] > 0)
            .map(reason => t(`lists.leftOut.${reason}`, { shown: formatCount(counts.leftOut[reason]) }))
            .join(' · ')}
        </Text>
      )}
    </>
  );
}

function Cancel({ run }: { run: OneListImportFragment }) {
  const { t } = useTranslation();
  const { run: command } = useCommands();
  const cancel = async () => {
    const answer = await command(CancelImportDocument, { id: run.databaseId });
    return answer && 'message' in answer ? answer.message : null;
  };
  return (
    <ConfirmButton
      variant="default"
      act={cancel}
      reason={null}
      title={t('lists.cancelAsks')}
      warning={t(run.listId !== null && run.campaignId === null ? 'lists.cancelList' : 'lists.cancelCampaign')}
    >
      {t('lists.cancel')}
    </ConfirmButton>
  );
}

function Refusals({ run, url }: { run: OneListImportFragment; url: string }) {
  const { t } = useTranslation();
  const [failed, setFailed] = useState<string | null>(null);
  const take = () =>
    fetchFile(url, new AbortController().signal).then(
      file => saveFile(`refused-${run.databaseId}.csv`, file),
      (error: Error) => setFailed(error.message),
    );
  return (
    <>
      <ActButton variant="default" act={() => void take()}>
        {t('lists.refusals')}
      </ActButton>
      {failed && (
        <Text role="alert" className="tone-failed">
          {failed}
        </Text>
      )}
    </>
  );
}
