import { Button, Skeleton, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../api/me.ts';
import type { WatchedCall } from '../../live/call-changes.ts';
import { formatSeconds } from '../../text/format.ts';
import { formatPhone } from '../../text/phone-number.ts';
import { useNow } from '../../ui/use-now.ts';
import { AgentCallStatus } from '../agent-calls/agent-call-status.tsx';
import { NeverCallOfCallButton } from '../dispositions/never-call-button.tsx';
import { DispositionForm } from '../dispositions/disposition-form.tsx';
import { CallPanel } from '../live/call-panel.tsx';
import type { DeskAgentCallFragment, DeskAgentFragment, MyDeskQuery } from './desk.generated.ts';
import styles from './desk.module.css';
import { hasTalked } from './my-calls.ts';

interface CallProps {
  /** Null until it is read. */
  desk: NonNullable<MyDeskQuery['myDesk']> | null;
  /** The live calls are known. */
  isThere: boolean;
  /** The user's own call, with its last facts once it has left them. */
  own: WatchedCall | undefined;
  /** Whether the user's phone is in it, or rings for it. */
  isHere: boolean;
  /** Key of the watched call that is open; empty: none. */
  open: string;
  close: () => void;
  setOpen: (callKey: string) => void;
}

/** The open call, else the user's own, else what comes next. */
export function MyCall({ desk, isThere, own, isHere, open, close, setOpen }: CallProps) {
  const { t } = useTranslation();
  const isOther = open !== '' && open !== own?.callKey;
  if (isOther)
    return (
      <div data-acts>
        {own !== undefined && (
          <Button size="compact-sm" variant="default" mb="xs" onClick={() => setOpen('')}>
            {t('desk.backToOwn')}
          </Button>
        )}
        <CallPanel key={open} callKey={open} onClose={() => setOpen('')} />
      </div>
    );
  if (own !== undefined) return <OwnCall call={own} close={isHere ? undefined : close} />;
  if (desk === null || !isThere) return <Skeleton height={180} />;
  const wrapUp = desk.agent?.activity.wrapUp;
  if (desk.call) return <AgentCall call={desk.call} />;
  return wrapUp ? <WrapUp callKey={wrapUp.callKey} /> : <NoCall agent={desk.agent} />;
}

/** The user's own call; it is put aside only when their part in it is over. */
function OwnCall({ call, close }: { call: WatchedCall; close: (() => void) | undefined }) {
  const { user } = useMe();
  const { callKey } = call;
  // The server has a form for those who have spoken in the call.
  const asks = hasTalked(call, user?.databaseId ?? '');
  return (
    <div data-acts className={styles.own}>
      <CallPanel key={callKey} callKey={callKey} onClose={close} />
      {asks && <DispositionForm callKey={callKey} isQuiet />}
    </div>
  );
}

/** The call is over, and the agent says what came of it before the next one. */
function WrapUp({ callKey }: { callKey: string }) {
  const { t } = useTranslation();
  return (
    <section aria-label={t('agentState.WRAP_UP')}>
      <DispositionForm callKey={callKey} unspoken={<Unreached />} />
    </section>
  );
}

/** The agent's phone was answered, the customer's was not. */
function Unreached() {
  const { t } = useTranslation();
  return (
    <div className={`sheet ${styles.none}`} role="status">
      <Title order={2}>{t('desk.unreached')}</Title>
      <Text className="quiet">{t('desk.unreachedNext')}</Text>
    </div>
  );
}

/** A call that the agent made: no bot is in it, and nothing is captioned. */
function AgentCall({ call }: { call: DeskAgentCallFragment }) {
  const { t } = useTranslation();
  const now = useNow();
  const { contact, phoneNumber, direction, status, campaign, note, createdAt, answeredAt } = call;
  return (
    <section className={`sheet ${styles.agentCall}`} aria-label={t('live.openCall')}>
      <Title order={2}>{[contact?.customerName, formatPhone(phoneNumber)].filter(Boolean).join(' ')}</Title>
      <div className={styles.line}>
        <AgentCallStatus status={status} />
        <span>{formatSeconds((now - Date.parse(answeredAt ?? createdAt)) / 1000)}</span>
        <span className="quiet">{[t(`softphoneDirection.${direction}`), campaign?.name].filter(Boolean).join(' · ')}</span>
      </div>
      {note && <Text>{note}</Text>}
      <Text size="sm" className="quiet">
        {t('desk.byPhone')}
      </Text>
      {answeredAt && (
        <div>
          <NeverCallOfCallButton
            size="compact-sm"
            variant="subtle"
            color="red"
            callKey={`request:${call.requestId}`}
            number={phoneNumber}
          />
        </div>
      )}
      {answeredAt !== null && <DispositionForm callKey={`request:${call.requestId}`} isQuiet />}
    </section>
  );
}

/** No call is the user's: why, and what happens next. */
function NoCall({ agent }: { agent: DeskAgentFragment | null }) {
  const { t } = useTranslation();
  const phone = agent?.phoneExtension ?? '';
  return (
    <section className={`sheet ${styles.none}`} aria-label={t('desk.myCall')}>
      <Title order={2}>{t('desk.none')}</Title>
      <Text className="quiet">{t(`desk.next.${nextOf(agent)}`, { phone })}</Text>
    </section>
  );
}

function nextOf(agent: DeskAgentFragment | null): string {
  if (agent === null) return 'noAgent';
  if (agent.registrationStatus !== 'REGISTERED') return agent.registrationStatus === 'UNKNOWN' ? 'phoneUnknown' : 'noPhone';
  return agent.status;
}
