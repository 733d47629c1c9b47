import { useQuery } from '@apollo/client/react';
import { Badge, CloseButton, Skeleton, Text, Title } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useMe } from '../../api/me.ts';
import { isOver } from '../../live/call-order.ts';
import { useStream } from '../../live/use-stream.ts';
import { formatTime } from '../../text/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { useWhoHungUp } from '../calls/call-words.tsx';
import { NeverCallOfCallButton } from '../dispositions/never-call-button.tsx';
import { ActBar } from './act-bar.tsx';
import { CallStatus, nameOf, Watcher } from './call-card.tsx';
import { CallEndDocument, OpenCallDocument } from './call-panel.generated.ts';
import { Captions } from './captions.tsx';
import styles from './live.module.css';
import { type Leaving, leavingOf, type OpenCall, openCall } from './open-call.ts';
import { Outcome } from './outcome.tsx';
import { SecondsRing } from './seconds.tsx';

interface PanelProps {
  callKey: string;
  /** Absent while the call may not be put aside. */
  onClose?: (() => void) | undefined;
}

/** One call with its transcript, the actions on it, and their outcome. */
export function CallPanel({ callKey, onClose }: PanelProps) {
  const { t } = useTranslation();
  const { state: call, isThere, error } = useStream(OpenCallDocument, { variables: { callKey }, initial: null, reduce: openCall });
  return (
    <section className={`sheet ${styles.panel}`} aria-label={t('live.openCall')}>
      {onClose && (
        <CloseButton className={styles.close} aria-label={t('drawer.close')} title={`${t('drawer.close')} (Esc)`} onClick={onClose} />
      )}
      {error && <Notice error={error} />}
      {call ? <Open call={call} /> : !error && (isThere ? <Text className="quiet">{t('live.notThere')}</Text> : <Skeleton height={300} />)}
    </section>
  );
}

function Open({ call }: { call: OpenCall }) {
  const { t } = useTranslation();
  const { leaving, handedBack } = useLeaving(call);
  return (
    <>
      <header className={styles.cardHead}>
        <SecondsRing call={leaving ? { ...call, endedAt: call.goneAt } : call} />
        <div className={styles.who}>
          <Title order={2}>{nameOf(call)}</Title>
          <div className="quiet">
            <Link to={`/campaigns/${call.campaignId}`}>{call.campaignName}</Link>
            {call.line && ` · ${call.line.name}`} · {call.cellId}
          </div>
        </div>
      </header>
      <div className={styles.facts}>
        {leaving ? <LeavingBadge leaving={leaving} /> : <CallStatus call={call} />}
        <Watcher call={call} />
        {call.monitorAssignment && !leaving && (
          <span className="quiet">{t('live.watchedSince', { at: formatTime(call.monitorAssignment.assignedAt) })}</span>
        )}
        {call.retainedBy.map(({ id, displayName }) => (
          <span key={id} className="quiet">
            {t('live.retainedBy', { name: displayName })}
          </span>
        ))}
      </div>
      {!leaving && <Outcome call={call} />}
      {isOver(call) || leaving ? <Ending attemptId={call.attemptId} leaving={leaving} /> : <ActBar call={call} handedBack={handedBack} />}
      <div>
        <NeverCallOfCallButton size="compact-sm" variant="subtle" color="red" callKey={call.callKey} number={call.phoneNumber} />
      </div>
      <Transcript call={call} />
    </>
  );
}

/** How the call ceased to be the user's before it was over; null: it is theirs, or over. */
function useLeaving(call: OpenCall): { leaving: Leaving | null; handedBack: () => void } {
  const { user } = useMe();
  // The phone often leaves before watchers hear of its own order to hand back.
  const [isHandedBack, setHandedBack] = useState(false);
  const isGone = call.goneAt !== null && !isOver(call);
  const leaving = isGone ? leavingOf(call, user?.databaseId ?? '') : null;
  return { leaving: leaving === 'LEFT' && isHandedBack ? 'HANDED_BACK' : leaving, handedBack: () => setHandedBack(true) };
}

function LeavingBadge({ leaving }: { leaving: Leaving }) {
  const { t } = useTranslation();
  return (
    <Badge variant="light" color="gray" radius="sm" tt="none" role="status">
      {t(`leaving.${leaving}`)}
    </Badge>
  );
}

/** Distance from the end within which the user counts as reading the newest caption, in px. */
const NEAR_END_PX = 60;

/** Scrolls with the captions, unless the user has scrolled up. */
function Transcript({ call }: { call: OpenCall }) {
  const { t } = useTranslation();
  const place = useRef<HTMLDivElement>(null);
  const isFollowing = useRef(true);
  useEffect(() => {
    if (isFollowing.current && place.current) place.current.scrollTop = place.current.scrollHeight;
  }, [call.captions]);
  return (
    <div
      ref={place}
      className={styles.transcript}
      role="log"
      aria-label={t('live.transcript')}
      tabIndex={0}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        isFollowing.current = scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
      }}
    >
      {call.captions.length === 0 && <p className="quiet">{t(isOver(call) ? 'live.nothingWasSaid' : 'live.nothingSaid')}</p>}
      <Captions {...call} />
    </div>
  );
}

/** Interval in ms at which the record of an ended call is read until it says who hung up. */
const LOOK_MS = 2_000;

/** Says that the call has ended, and who hung up once that is recorded; before, how it ceased to be the user's. */
function Ending({ attemptId, leaving }: { attemptId: string; leaving: Leaving | null }) {
  const { t } = useTranslation();
  const whoHungUp = useWhoHungUp();
  const { data, stopPolling } = useQuery(CallEndDocument, {
    variables: { id: attemptId },
    pollInterval: LOOK_MS,
    fetchPolicy: 'network-only',
  });
  const attempt = data?.attempt;
  const who = attempt && whoHungUp(attempt);
  useEffect(() => {
    if (who) stopPolling();
  }, [who, stopPolling]);
  const why = attempt?.userHangup?.reason;
  return (
    <Text>
      {who ? t(why ? 'live.hungUpFor' : 'live.hungUp', { who, why }) : t(leaving ? `leavingTold.${leaving}` : 'live.isOver')}{' '}
      <Link to={`/calls/${attemptId}`}>{t('live.toCall')}</Link>
    </Text>
  );
}
