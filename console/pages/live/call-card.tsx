import { Badge } from '@mantine/core';
import { useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { formatPhone } from '../../text/phone-number.ts';
import type { WatchedCall } from '../../live/call-changes.ts';
import { isClaimed, isOver, isWanted } from '../../live/call-order.ts';
import { useCall } from '../../live/use-calls.ts';
import { Captions } from './captions.tsx';
import { ClaimButton } from './claim-button.tsx';
import styles from './live.module.css';
import { NodeNamesContext } from './running-campaigns.ts';
import { SecondsRing, Waiting } from './seconds.tsx';

interface CardProps {
  callKey: string;
  isOpen: boolean;
  onOpen: (callKey: string) => void;
}

/** A call as a card: customer, duration, captions, and who handles it. */
export function CallCard({ callKey, isOpen, onOpen }: CardProps) {
  const { t } = useTranslation();
  const call = useCall(callKey);
  if (!call) return <div className={`${styles.card} ${styles.gone} quiet`}>{t('live.gone')}</div>;
  const classes = [styles.card, isWanted(call) && styles.wanted, isOver(call) && styles.over, isOpen && styles.chosen];
  return (
    // Keyboard and screen readers use the button inside; the rest of the card is a larger target for the pointer.
    // oxlint-disable-next-line jsx_a11y/click-events-have-key-events, jsx_a11y/no-noninteractive-element-interactions
    <article
      className={classes.filter(Boolean).join(' ')}
      aria-label={t('live.callOf', { who: nameOf(call) })}
      onClick={() => onOpen(callKey)}
    >
      <header className={styles.cardHead}>
        <SecondsRing call={call} />
        <div className={styles.who}>
          <button type="button" className="link" data-call={callKey} aria-pressed={isOpen}>
            {nameOf(call)}
          </button>
          <div className="quiet" title={call.campaignName}>
            {call.campaignName}
          </div>
        </div>
        <CallStatus call={call} />
      </header>
      <div className={styles.captions}>
        {call.captions.length > 0 ? (
          <Captions {...call} />
        ) : (
          <p className="quiet">{t(isOver(call) ? 'live.nothingWasSaid' : 'live.nothingSaid')}</p>
        )}
      </div>
      <footer className={styles.cardFoot}>
        <span className={styles.ellipsis}>
          <Watcher call={call} />
        </span>
        {isWanted(call) && <ClaimButton call={call} onClaimed={onOpen} />}
      </footer>
    </article>
  );
}

/** Name and number, as far as known. */
export function nameOf({ customerName, phoneNumber }: Pick<WatchedCall, 'customerName' | 'phoneNumber'>): string {
  return [customerName, formatPhone(phoneNumber)].filter(Boolean).join(' ');
}

export function CallStatus({ call }: { call: WatchedCall }) {
  const { t } = useTranslation();
  const { status, intervention } = call;
  if (isClaimed(call) && intervention && !isOver(call))
    return (
      <Badge variant="light" color="violet" radius="sm" tt="none">
        {t(`interventionStatus.${intervention.status}`)}
      </Badge>
    );
  const color = status === 'LIVE' ? 'green' : isOver(call) ? 'gray' : 'yellow';
  return (
    <Badge variant="light" color={color} radius="sm" tt="none">
      {t(`liveStatus.${status}`)}
    </Badge>
  );
}

/** Handler of the call, or the time it has waited for an agent, and the current node of its script. */
export function Watcher({ call }: { call: WatchedCall }) {
  const { t } = useTranslation();
  const nodeNames = useContext(NodeNamesContext);
  const { campaignId, waitingSince, monitorAssignment, currentNodeId } = call;
  return (
    <>
      {monitorAssignment ? (
        <span className="tone-person">{monitorAssignment.displayName}</span>
      ) : (
        waitingSince && !isOver(call) && !isClaimed(call) && <Waiting since={waitingSince} />
      )}
      {currentNodeId && <span className="quiet"> {t('live.node', { node: nodeNames(campaignId, currentNodeId) })}</span>}
    </>
  );
}
