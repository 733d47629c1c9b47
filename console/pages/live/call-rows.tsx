import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { WatchedCall } from '../../live/call-changes.ts';
import { isWanted } from '../../live/call-order.ts';
import { useCall } from '../../live/use-calls.ts';
import { type Column, DataTable } from '../../table/data-table.tsx';
import { CallStatus, nameOf, Watcher } from './call-card.tsx';
import type { CallListProps } from './call-cards.tsx';
import { Captions } from './captions.tsx';
import { ClaimButton } from './claim-button.tsx';
import styles from './live.module.css';
import { Seconds } from './seconds.tsx';

/** Calls as rows, for hundreds of them. */
export function CallRows({ keys, hold, open, onOpen, empty }: CallListProps) {
  const { t } = useTranslation();
  const columns = useMemo((): Column<string>[] => {
    const column = (key: string, width: string, draw: (call: WatchedCall) => ReactNode) => ({
      key,
      header: t(`liveColumn.${key}`),
      width,
      cell: (callKey: string) => <Cell callKey={callKey} draw={draw} />,
    });
    return [
      column('time', '64px', call => <Seconds call={call} />),
      column('customer', '184px', call => (
        <button
          type="button"
          className="link"
          data-call={call.callKey}
          aria-pressed={call.callKey === open}
          onClick={() => onOpen(call.callKey)}
        >
          {nameOf(call)}
        </button>
      )),
      column('status', '112px', call => <CallStatus call={call} />),
      column('campaign', '112px', call => call.campaignName),
      column('caption', 'auto', call => <Newest call={call} />),
      column('watcher', '150px', call => <Watcher call={call} />),
      column('act', '136px', call => isWanted(call) && <ClaimButton call={call} onClaimed={onOpen} />),
    ];
  }, [t, onOpen, open]);
  return (
    <div className={styles.list} {...hold}>
      <DataTable label={t('pages.live')} columns={columns} rows={keys} keyOf={key => key} empty={empty} isLoading={false} />
    </div>
  );
}

function Cell({ callKey, draw }: { callKey: string; draw: (call: WatchedCall) => ReactNode }) {
  const { t } = useTranslation();
  const call = useCall(callKey);
  return call ? draw(call) : <span className="quiet">{t('live.gone')}</span>;
}

/** The newest caption, in one line. */
function Newest({ call }: { call: WatchedCall }) {
  return (
    <div className={styles.newest}>
      <Captions captions={call.captions.slice(-1)} intentHits={call.intentHits} />
    </div>
  );
}
