import { useQuery } from '@apollo/client/react';
import { Alert, SegmentedControl, Select, Skeleton, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatSeconds } from '../../text/format.ts';
import { useAct } from '../../ui/use-act.ts';
import { useNow } from '../../ui/use-now.ts';
import { RegistrationText } from '../agents/agent-words.tsx';
import { STATUSES } from '../agents/agent-status-choice.tsx';
import { BreakReasonsDocument } from '../dispositions/dispositions.generated.ts';
import { reasonLabel } from '../dispositions/reason-words.ts';
import { Duty } from '../live/duty.tsx';
import { ChooseStatusDocument, type DeskAgentFragment, type MyDeskQuery } from './desk.generated.ts';
import styles from './desk.module.css';

type Desk = NonNullable<MyDeskQuery['myDesk']>;
type State = DeskAgentFragment['activity']['state'];

const TONES: Record<State, string> = {
  TALKING: 'tone-person',
  RINGING: 'tone-person',
  WRAP_UP: 'tone-waiting',
  IDLE: 'tone-answered',
  BUSY: 'tone-waiting',
  OFFLINE: 'quiet',
};

interface StatusProps {
  /** Null until it is read. */
  desk: Desk | null;
  isOnCall: boolean;
  changed: () => void;
}

/** The state of the user's agent, the choice of the next one, and the switch for monitoring. */
export function MyStatus({ desk, isOnCall, changed }: StatusProps) {
  const { t } = useTranslation();
  return (
    <section className={`sheet ${styles.status}`} aria-label={t('desk.status')}>
      {desk === null && <Skeleton height={36} width={320} />}
      {desk?.agent && <Agent agent={desk.agent} isOnCall={isOnCall || desk.call !== null} changed={changed} />}
      {desk && !desk.agent && <Text className="quiet">{t('desk.noAgent')}</Text>}
      <span className={styles.spring} />
      <Duty campaignId="" />
    </section>
  );
}

function Agent({ agent, isOnCall, changed }: { agent: DeskAgentFragment; isOnCall: boolean; changed: () => void }) {
  const { t } = useTranslation();
  const { run, refused } = useAct();
  const { phoneExtension, registrationStatus } = agent;
  const { state, chosen, since } = agent.activity;
  const choose = (wanted: string) => {
    const next = STATUSES.find(each => each === wanted);
    if (next && next !== chosen)
      void run(ChooseStatusDocument, { status: next }, t('desk.chosen', { status: t(`deskStage.${next}`) })).then(changed);
  };
  return (
    <>
      <div className={styles.stage} role="status">
        <span className={`${styles.dot} ${TONES[state]}`} aria-hidden />
        <b className={TONES[state]}>{t(`deskStage.${state}`)}</b>
      </div>
      {since && <Since since={since} />}
      <SegmentedControl
        size="xs"
        aria-label={t('desk.choose')}
        value={chosen}
        onChange={choose}
        data={STATUSES.map(value => ({ value, label: t(`deskStage.${value}`) }))}
      />
      {chosen === 'BUSY' && agent.activity.wrapUp === null && !isOnCall && (
        <BreakReason
          reason={agent.activity.reason}
          choose={(reason, label) =>
            void run(ChooseStatusDocument, { status: 'BUSY', reason }, t('desk.chosen', { status: label })).then(changed)
          }
        />
      )}
      <Text size="xs" className="quiet">
        {phoneExtension ? t('desk.phone', { phone: phoneExtension }) : t('desk.noPhone')} <RegistrationText status={registrationStatus} />
      </Text>
      {refused && (
        <Alert color="red" role="alert" p="xs">
          {refused}
        </Alert>
      )}
    </>
  );
}

/** How long the state has lasted. */
function Since({ since }: { since: string }) {
  const now = useNow();
  return <span className="quiet">{formatSeconds((now - Date.parse(since)) / 1000)}</span>;
}

/** Why the user is paused. */
function BreakReason({ reason, choose }: { reason: string | null; choose: (reason: string, label: string) => void }) {
  const { t } = useTranslation();
  const { data } = useQuery(BreakReasonsDocument);
  const reasons = data?.breakReasons?.reasons.filter(({ isEnabled, code }) => isEnabled || code === reason) ?? [];
  return (
    <Select
      size="xs"
      w={140}
      aria-label={t('breakReasons.why')}
      placeholder={t('breakReasons.why')}
      value={reason}
      allowDeselect={false}
      onChange={(_, option) => option && choose(option.value, option.label)}
      data={reasons.map(row => ({ value: row.code, label: reasonLabel(row, t) }))}
    />
  );
}
