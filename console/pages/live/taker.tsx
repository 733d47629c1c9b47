import { useQuery } from '@apollo/client/react';
import { useTranslation } from 'react-i18next';
import { TakersDocument, type TakersQuery } from './call-panel.generated.ts';

/** Refresh interval of the agents' statuses, in ms. */
const LOOK_MS = 3_000;

/** The user's own phone when it can ring now; null when it cannot, undefined while that is unknown. */
export function ownPhone(data: TakersQuery | undefined) {
  return data && (data.agents?.find(({ databaseId }) => databaseId === data.myAgent?.databaseId) ?? null);
}

export function useTakers(): TakersQuery | undefined {
  return useQuery(TakersDocument, { pollInterval: LOOK_MS, fetchPolicy: 'network-only' }).data;
}

/** The phone that rings at a take-over: the user's own, else that of the agent chosen by the user. */
export function Taker({ takers }: { takers: TakersQuery | undefined }) {
  const { t } = useTranslation();
  const mine = ownPhone(takers);
  if (!takers || mine === undefined) return null;
  if (mine) return t('taker.mine', { name: mine.name, phone: mine.phoneExtension });
  const none = t(takers.myAgent ? 'taker.notReady' : 'taker.noPhone');
  if (!takers.agents?.length) return <span className="tone-waiting">{none + t('taker.nobody')}</span>;
  return none + t('taker.choose', { count: takers.agents.length });
}

/** The phone that rings when the user listens, whispers or barges in. */
export function Listener({ takers }: { takers: TakersQuery | undefined }) {
  const { t } = useTranslation();
  const mine = ownPhone(takers);
  return mine ? t('taker.listens', { name: mine.name, phone: mine.phoneExtension }) : null;
}
