import { Skeleton, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatSeconds, formatShare, formatTime } from '../../text/format.ts';
import { useNow } from '../../ui/use-now.ts';
import type { BoardStaffingFragment } from './agent-board.generated.ts';
import styles from './board.module.css';

/** Refresh interval of what counts as an hour, in ms. */
const LOOK_MS = 60_000;
/** A time that differs from an hour by less is called one, in ms. */
const WHOLE_MS = 3_300_000;

type Outlook = BoardStaffingFragment['outlooks'][number];

/** How likely a needed agent is busy, by the last hour, and what one agent more or less would change. */
export function StaffingForecast({ staffing }: { staffing: BoardStaffingFragment | null }) {
  const { t } = useTranslation();
  return (
    <section className={`sheet ${styles.box}`} aria-label={t('staffing.title')}>
      <Title order={2}>{t('staffing.title')}</Title>
      {staffing === null ? <Skeleton height={84} /> : <Forecast staffing={staffing} />}
    </section>
  );
}

function Forecast({ staffing }: { staffing: BoardStaffingFragment }) {
  const { t } = useTranslation();
  const now = useNow(LOOK_MS);
  const { since, arrivals: count, agentsOnDuty, averageTalkSeconds, averageWrapUpSeconds, lacks, outlooks } = staffing;
  if (lacks)
    return (
      <>
        <Text className="quiet">{t(`staffing.lacks.${lacks}`, { count })}</Text>
        <Text className="quiet">{t('staffing.onDuty', { count: agentsOnDuty })}</Text>
      </>
    );
  const [talk, wrapUp] = [averageTalkSeconds ?? 0, averageWrapUpSeconds ?? 0];
  const handling = { each: formatSeconds(talk + wrapUp), talk: formatSeconds(talk), wrapUp: formatSeconds(wrapUp) };
  const isShort = now - Date.parse(since) < WHOLE_MS;
  const when = isShort ? t('staffing.since', { at: formatTime(since) }) : t('staffing.lastHour');
  return (
    <>
      <Text className="quiet">{t('staffing.basis', { when, count, ...handling })}</Text>
      <table className={styles.outlooks}>
        <thead>
          <tr>
            <th scope="col">{t('staffing.agents')}</th>
            <th scope="col">{t('staffing.waits')}</th>
            <th scope="col">{t('staffing.wait')}</th>
            <th scope="col">{t('staffing.allBusy')}</th>
          </tr>
        </thead>
        <tbody>
          {outlooks.map(outlook => (
            <Row key={outlook.agents} outlook={outlook} onDuty={agentsOnDuty} />
          ))}
        </tbody>
      </table>
      <Text className="quiet" size="xs">
        {t('staffing.about')}
      </Text>
    </>
  );
}

function Row({ outlook: { agents, waits, waitSeconds, allBusy }, onDuty }: { outlook: Outlook; onDuty: number }) {
  const { t } = useTranslation();
  const difference = agents === onDuty ? 'NOW' : agents < onDuty ? 'LESS' : 'MORE';
  return (
    <tr data-now={agents === onDuty || undefined}>
      <th scope="row">{t(`staffing.with.${difference}`, { count: agents })}</th>
      <td>{chance(waits)}</td>
      <td>{waitSeconds === null ? <span className="tone-failed">{t('staffing.tooFew')}</span> : formatSeconds(waitSeconds)}</td>
      <td>{chance(allBusy)}</td>
    </tr>
  );
}

const SMALL = 0.01;

/** A probability; a small one is not shown as never. */
function chance(share: number): string {
  return share > 0 && share < SMALL ? `< ${formatShare(SMALL)}` : formatShare(share);
}
