import { useQuery } from '@apollo/client/react';
import { Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { OPEN } from '../../form/noun-page.tsx';
import { formatCount } from '../../text/format.ts';
import { useServerWords } from '../../text/server-words.ts';
import { CapBar } from '../../ui/cap-bar.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Instant } from '../../ui/instant.tsx';
import { SideDrawer } from '../../ui/side-drawer.tsx';
import { useQueryState } from '../../ui/use-query-state.ts';
import { CellEventsDocument, type CellRowFragment, type CellsQuery } from './cells.generated.ts';

/** One switch cell: its load, its status and since when it has it. */
export function CellDrawer({ cells, recordings }: { cells: readonly CellRowFragment[]; recordings: readonly CellRecordings[] }) {
  const { t } = useTranslation();
  const [open, setOpen] = useQueryState(OPEN);
  const cell = cells.find(({ cellId }) => cellId === open);
  return (
    <SideDrawer isOpen={open !== ''} close={() => setOpen('')} size="md" title={open}>
      {!cell && <Text>{t('noun.gone')}</Text>}
      {cell && (
        <>
          <Facts
            facts={[
              [t('cells.answers'), <CellStateText key="state" state={cell.state} />],
              [t('cells.recordings'), <RecordingCounts key="recordings" found={recordings.find(({ cellId }) => cellId === open)} />],
              [t('noun.state'), cell.isEnabled ? t('noun.enabled') : t('cells.disabledAbout')],
            ]}
          />
          <CapBar name={t('cells.channels')} active={cell.active} cap={cell.maxConcurrency} />
          <Text size="sm" className="quiet" mt="sm">
            {t('cells.settings')}
          </Text>
          <Events cellId={cell.cellId} />
        </>
      )}
    </SideDrawer>
  );
}

type CellRecordings = NonNullable<CellsQuery['recordingHealth']>['cells'][number];

const WRONG = ['missing', 'short', 'silent', 'unknown'] as const;

/** How many recordings of a cell are complete, and what is wrong with the others. */
function RecordingCounts({ found }: { found: CellRecordings | undefined }) {
  const { t } = useTranslation();
  if (!found) return <span className="quiet">{t('cells.noRecordings')}</span>;
  const all = found.complete + found.pending + WRONG.reduce((sum, state) => sum + found[state], 0);
  return (
    <>
      {t('cells.recordingsComplete', { complete: formatCount(found.complete), all: formatCount(all) })}
      {WRONG.filter(state => found[state] > 0).map(state => (
        <div key={state}>
          <Link to={`/calls?recording=${state.toUpperCase()}`}>{t(`recordingState.${state.toUpperCase()}`)}</Link>{' '}
          {formatCount(found[state])}
        </div>
      ))}
    </>
  );
}

const TONES: Record<CellRowFragment['state'], string> = { UP: 'tone-answered', CONNECTING: 'tone-waiting', DOWN: 'tone-failed' };

/** Whether the switch of a cell answers, as a label. */
export function CellStateText({ state }: Pick<CellRowFragment, 'state'>) {
  const { t } = useTranslation();
  return <span className={TONES[state]}>{t(`cellState.${state}`)}</span>;
}

function Events({ cellId }: { cellId: string }) {
  const { t } = useTranslation();
  const words = useServerWords();
  const { data } = useQuery(CellEventsDocument, { variables: { cellId } });
  const events = data?.runtimeEvents?.nodes ?? [];
  return (
    <section>
      <Title order={3} mt="xl" mb="xs">
        {t('cells.events')}
      </Title>
      {data && events.length === 0 && <Text className="quiet">{t('cells.noEvents')}</Text>}
      {events.map(({ id, type, title, createdAt }) => (
        <p key={id}>
          {words(`eventType.${type}`, title)}{' '}
          <span className="quiet">
            <Instant at={createdAt} />
          </span>
        </p>
      ))}
      <Link to={`/events?cell=${encodeURIComponent(cellId)}`}>{t('cells.allEvents')}</Link>
    </section>
  );
}
