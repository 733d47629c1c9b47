import { useQuery } from '@apollo/client/react';
import { Button, Group, Skeleton, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { useMe } from '../../api/me.ts';
import { addDays, today } from '../../text/date-range.ts';
import { formatTypedDay } from '../../text/format.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { useQueryState } from '../../ui/use-query-state.ts';
import { OwnAgentDocument } from '../callbacks/callbacks.generated.ts';
import { AgentDayDocument } from './agent-day.generated.ts';
import styles from './agent-day.module.css';
import { DayBand } from './day-band.tsx';
import { DayCallbacks } from './day-callbacks.tsx';
import { DayCalls } from './day-calls.tsx';
import { DaySums } from './day-sums.tsx';

/** Refresh interval of the current day, in ms. */
const LOOK_MS = 10_000;

/** What an agent did on one day of the business time zone. An agent may see the own days only, and asks for no others. */
export function AgentDayPage() {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  const { may } = useMe();
  const { data } = useQuery(OwnAgentDocument, { skip: may('campaign:dispatch') });
  if (may('campaign:dispatch') || data?.myAgent?.databaseId === id) return <AgentDay id={id} />;
  if (!data) return <Skeleton height={320} />;
  return (
    <section className="sheet">
      <PageHeading>{t('agentDay.notYours')}</PageHeading>
      <p className="quiet">{t('agentDay.notYoursAbout')}</p>
    </section>
  );
}

function AgentDay({ id }: { id: string }) {
  const [day, setDay] = useQueryState('day');
  const shown = day || today();
  const { data, previousData, error } = useQuery(AgentDayDocument, {
    variables: { id, date: shown },
    pollInterval: shown === today() ? LOOK_MS : 0,
    skipPollAttempt: () => document.hidden,
  });
  const now = data ?? previousData;
  if (!now?.agentDay) return error ? <Notice error={error} /> : <Skeleton height={320} />;
  const { sums, states, calls, callbacks, from, to } = now.agentDay;
  const name = now.agent?.name ?? sums.name;
  return (
    <div className={styles.page}>
      <title>{`${name} · Callout`}</title>
      <Heading name={name} day={shown} setDay={setDay} />
      {error && <Notice error={error} />}
      <DaySums sums={sums} />
      <DayBand states={states} from={from} to={to} />
      <DayCalls calls={calls} />
      <DayCallbacks callbacks={callbacks} />
    </div>
  );
}

function Heading({ name, day, setDay }: { name: string; day: string; setDay: (day: string) => void }) {
  const { t } = useTranslation();
  const last = today();
  const choose = (next: string) => setDay(next === last ? '' : next);
  return (
    <Group justify="space-between">
      <PageHeading>{t('agentDay.title', { name, date: formatTypedDay(day) })}</PageHeading>
      <Group gap="xs">
        <Button variant="default" onClick={() => choose(addDays(day, -1))}>
          {t('agentDay.before')}
        </Button>
        <TextInput
          type="date"
          aria-label={t('agentDay.day')}
          value={day}
          max={last}
          onChange={event => event.currentTarget.value && event.currentTarget.value <= last && choose(event.currentTarget.value)}
        />
        <ActButton variant="default" reason={day >= last ? t('agentDay.noLater') : null} act={() => choose(addDays(day, 1))}>
          {t('agentDay.after')}
        </ActButton>
      </Group>
    </Group>
  );
}
