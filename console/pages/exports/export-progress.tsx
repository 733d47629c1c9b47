import { Group, Progress, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../text/format.ts';
import { fileOf, isOpen, percentOf } from './export-facts.ts';
import type { ExportJobFragment } from './exports.generated.ts';

/** Progress of an export: a bar while it runs, then its file or the reason why there is none. */
export function ExportProgress({ job }: { job: ExportJobFragment }) {
  const { t } = useTranslation();
  if (isOpen(job)) return <Running job={job} />;
  const file = fileOf(job);
  if (file) return <Text span>{t('exports.file', { count: file.rows, shown: formatCount(file.rows), size: sizeOf(file.bytes) })}</Text>;
  return (
    <Text span className={job.state === 'FAILED' ? 'tone-failed' : 'quiet'}>
      {job.error?.message ?? t(`exports.state.${job.state}`)}
    </Text>
  );
}

function Running({ job }: { job: ExportJobFragment }) {
  const { t } = useTranslation();
  const percent = percentOf(job);
  const rows = t('exports.rows', { count: job.done, shown: formatCount(job.done) });
  return (
    <Group gap="sm" wrap="nowrap" role="status">
      <Progress
        value={percent ?? 100}
        animated={percent === null}
        striped={percent === null}
        w={140}
        aria-label={t(`exports.state.${job.state}`)}
      />
      <Text span className="quiet">
        {job.state === 'QUEUED' ? t('exports.state.QUEUED') : percent === null ? rows : `${percent}% · ${rows}`}
      </Text>
    </Group>
  );
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB'];

function sizeOf(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  return `${(bytes / 1024 ** power).toFixed(power === 0 ? 0 : 1)} ${UNITS[power]}`;
}
