import { Button, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '../../table/data-table.tsx';
import { FilterBar } from '../../table/filters.tsx';
import { useRows } from '../../table/use-rows.ts';
import { Instant } from '../../ui/instant.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useAct } from '../../ui/use-act.ts';
import { aboutOf, fileOf, isOpen } from './export-facts.ts';
import { ExportProgress } from './export-progress.tsx';
import { CancelExportDocument, type ExportJobFragment, ExportsDocument, type ExportsQuery } from './exports.generated.ts';
import { useDownload } from './use-download.ts';

const PAGE_ROWS = 50;
/** Refresh interval, in ms. */
const LOOK_MS = 2_000;
const jobsOf = ({ jobs }: ExportsQuery) => jobs;

/** Exports of the user, an administrator sees everybody's: how far they are, and their files. */
export function ExportsPage() {
  const { t } = useTranslation();
  const list = useRows({ document: ExportsDocument, variables: { first: PAGE_ROWS }, sliceOf: jobsOf, lookMs: LOOK_MS });
  const { download, refused } = useDownload();
  const act = useAct();
  const cancel = async (id: string) => {
    if (await act.run(CancelExportDocument, { id }, t('exports.cancelled'))) list.reload();
  };
  const columns = useColumns({ download, cancel: id => void cancel(id) });
  const failure = refused ?? act.refused;
  return (
    <>
      <FilterBar count={list.total === null ? null : t('exports.count', { count: list.total })}>{null}</FilterBar>
      {list.error && <Notice error={list.error} again={list.reload} />}
      {failure && <Notice error={new Error(failure)} title={t('exports.refused')} again={null} />}
      <DataTable
        label={t('pages.exports')}
        columns={columns}
        rows={list.rows}
        keyOf={({ id }) => id}
        empty={<p>{t('exports.none')}</p>}
        isLoading={list.isLoading}
        of={list.of}
        loadMore={list.loadMore}
      />
    </>
  );
}

interface Acts {
  download: (id: string) => void;
  cancel: (id: string) => void;
}

function useColumns({ download, cancel }: Acts): Column<ExportJobFragment>[] {
  const { t } = useTranslation();
  return [
    { key: 'what', header: t('exports.what'), width: '340px', cell: job => <What job={job} /> },
    { key: 'state', header: t('exports.progress'), cell: job => <ExportProgress job={job} /> },
    { key: 'who', header: t('exports.who'), width: '130px', cell: ({ ownerName }) => ownerName },
    {
      key: 'at',
      header: t('exports.at'),
      width: '190px',
      cell: ({ createdAt }) => (
        <span className="quiet">
          <Instant at={createdAt} />
        </span>
      ),
    },
    {
      key: 'acts',
      header: t('exports.acts'),
      width: '130px',
      cell: job => (
        <Group gap="xs">
          {isOpen(job) && (
            <Button size="xs" variant="default" onClick={() => cancel(job.databaseId)}>
              {t('exports.cancel')}
            </Button>
          )}
          {fileOf(job) && (
            <Button size="xs" variant="default" onClick={() => download(job.databaseId)}>
              {t('exports.download')}
            </Button>
          )}
        </Group>
      ),
    },
  ];
}

/** The name of the file, or what it will have. */
function What({ job }: { job: ExportJobFragment }) {
  const { t } = useTranslation();
  const about = aboutOf(job);
  return fileOf(job)?.fileName ?? (about && `${t(`exports.kind.${about.kind}`)} · ${t(`exports.format.${about.format}`)}`);
}
