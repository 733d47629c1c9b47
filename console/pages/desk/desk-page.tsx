import { useQuery } from '@apollo/client/react';
import { Skeleton } from '@mantine/core';
import { useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../api/me.ts';
import { orderedKeys } from '../../live/call-order.ts';
import { CallStoreContext, useCallList, useCallStream } from '../../live/use-calls.ts';
import { Notice } from '../../ui/notice.tsx';
import { useQueryState } from '../../ui/use-query-state.ts';
import { Alarms } from '../live/alarms.tsx';
import { NodeNamesContext, useRunningCampaigns } from '../live/running-campaigns.ts';
import { useActKeys } from '../live/use-act-keys.ts';
import { CallbacksDue } from './callbacks-due.tsx';
import { MyDeskDocument } from './desk.generated.ts';
import styles from './desk.module.css';
import { CustomerOfCall } from './customer-card.tsx';
import { callsWatchedBy } from './my-calls.ts';
import { MyCall } from './my-call.tsx';
import { MyDay } from './my-day.tsx';
import { MyStatus } from './my-status.tsx';
import { useOwnCall } from './use-own-call.ts';
import { Watched } from './watched.tsx';

/** Refresh interval of what no stream carries, in ms: the status of the user's agent, its own call, its day. */
const LOOK_MS = 3_000;
const BY_NEED = { campaignId: '', state: '', isWanted: false, sort: '' };

/** The first page of agents and monitors: their status, their call with its customer, the calls that they watch, and what waits for them. */
export function DeskPage() {
  const { user } = useMe();
  return user ? <Desk userId={user.databaseId} /> : <Skeleton height={420} />;
}

function Desk({ userId }: { userId: string }) {
  const { t } = useTranslation();
  const { store, error } = useCallStream();
  const calls = useCallList(store);
  const { data, refetch } = useQuery(MyDeskDocument, { pollInterval: LOOK_MS, fetchPolicy: 'network-only' });
  const { call: ownCall, isHere, close } = useOwnCall(calls, userId, data?.myDesk?.agent?.activity.wrapUp?.callKey);
  const own = ownCall?.callKey;
  const [open, setOpen] = useQueryState('call');
  const shown = open || (own ?? '');
  const { priorities, nodeNames } = useRunningCampaigns(calls);
  const keys = useMemo(() => orderedKeys(callsWatchedBy(calls, userId, own), BY_NEED, priorities), [calls, userId, own, priorities]);
  useActKeys({ callKey: shown, close: open ? () => setOpen('') : undefined });
  // The agent's status changes with its call, and is no event of the call.
  useEffect(() => void refetch(), [refetch, own, isHere]);
  if (error) return <Notice error={error} title={t('live.refused')} again={null} />;
  const desk = data?.myDesk;
  return (
    <CallStoreContext value={store}>
      <NodeNamesContext value={nodeNames}>
        <div className={styles.desk}>
          <MyStatus desk={desk ?? null} isOnCall={isHere} changed={() => void refetch()} />
          <div className={styles.main}>
            <MyCall
              desk={desk ?? null}
              isThere={store.isThere()}
              own={ownCall}
              isHere={isHere}
              open={open}
              close={close}
              setOpen={setOpen}
            />
            <Watched keys={keys} own={own} isThere={store.isThere()} open={open} onOpen={setOpen} />
          </div>
          <aside className={styles.side}>
            <CustomerOfCall callKey={shown} own={ownCall} agentCall={desk?.call ?? null} />
            <Alarms onOpen={setOpen} isOwn />
            {desk?.agent && <CallbacksDue agentId={desk.agent.databaseId} changed={() => void refetch()} />}
            <MyDay day={desk?.day ?? null} agentId={desk?.agent?.databaseId ?? null} />
          </aside>
        </div>
      </NodeNamesContext>
    </CallStoreContext>
  );
}
