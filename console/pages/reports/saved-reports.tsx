import { useQuery } from '@apollo/client/react';
import { Button, Group, Text, Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { useMe } from '../../api/me.ts';
import { isRefusal } from '../../api/refusal.ts';
import { useCommands } from '../../form/use-commands.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { sayDone } from '../../ui/toast.ts';
import { DeleteReportDocument, SavedReportsDocument, type SavedReportPartsFragment } from './reports.generated.ts';
import styles from './reports.module.css';
import { RenameButton } from './rename-button.tsx';
import { SaveButton } from './save-button.tsx';

/** Questions that the user or a colleague keeps by a name; each opens by a click, and the open one may be deleted. */
export function SavedReports() {
  const { t } = useTranslation();
  const [query, setQuery] = useSearchParams();
  const { data, refetch } = useQuery(SavedReportsDocument);
  const reports = data?.savedReports ?? [];
  const current = query.toString();
  const open = reports.find(({ question }) => question === current);
  return (
    <Group gap={6} className={styles.ready ?? ''} role="group" aria-label={t('reports.saved')}>
      <Text className="quiet" size="sm">
        {t(reports.length === 0 ? 'reports.noneSaved' : 'reports.saved')}
      </Text>
      {reports.map(report => (
        <SavedReport key={report.id} report={report} isOpen={report === open} act={() => setQuery(new URLSearchParams(report.question))} />
      ))}
      {open?.mayChange && <RenameButton report={open} done={() => void refetch()} />}
      {open?.mayChange && <DeleteButton report={open} done={() => void refetch()} />}
      {!open && current !== '' && <SaveButton question={current} done={() => void refetch()} />}
      <ScheduleLinks reportId={open?.databaseId ?? null} />
    </Group>
  );
}

/** A schedule for the open report, and all schedules; for users who may send reports. */
function ScheduleLinks({ reportId }: { reportId: string | null }) {
  const { t } = useTranslation();
  const { may } = useMe();
  if (may('campaign:dispatch') !== true) return null;
  return (
    <>
      {reportId !== null && (
        <Button component={Link} to={`/reports/schedules?open=new&report=${reportId}`} variant="subtle" size="compact-sm">
          {t('reports.schedule')}
        </Button>
      )}
      <Link to="/reports/schedules">{t('pages.schedules')}</Link>
    </>
  );
}

function SavedReport({ report, isOpen, act }: { report: SavedReportPartsFragment; isOpen: boolean; act: () => void }) {
  const { t } = useTranslation();
  const { name, isShared, createdBy } = report;
  const about = isShared ? t('reports.sharedBy', { name: createdBy?.displayName ?? '–' }) : t('reports.private');
  return (
    <Tooltip label={about} openDelay={500}>
      <Button size="compact-md" variant={isOpen ? 'filled' : 'default'} fw={400} aria-pressed={isOpen} onClick={act}>
        {name}
      </Button>
    </Tooltip>
  );
}

function DeleteButton({ report: { databaseId, name, isShared }, done }: { report: SavedReportPartsFragment; done: () => void }) {
  const { t } = useTranslation();
  const { run } = useCommands();
  const remove = async () => {
    const result = await run(DeleteReportDocument, { id: databaseId });
    if (isRefusal(result)) return result.message;
    sayDone(t('reports.deleted', { name }));
    done();
    return null;
  };
  return (
    <ConfirmButton
      act={remove}
      variant="subtle"
      color="red"
      size="compact-sm"
      title={t('reports.deleteAsks', { name })}
      warning={t(isShared ? 'reports.deleteLosesShared' : 'reports.deleteLoses')}
    >
      {t('noun.delete')}
    </ConfirmButton>
  );
}
