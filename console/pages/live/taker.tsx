import { useQuery } from '@apollo/client/react';
import { useTranslation } from 'react-i18next';
import { TakersDocument } from './call-panel.generated.ts';

const LOOK_MS = 3_000;
/** Most names shown; the others are counted. */
const NAMED = 3;

/** Phone that rings when the user takes the call over: the user's own, else an idle agent's. */
export function Taker() {
  const { t } = useTranslation();
  const { data } = useQuery(TakersDocument, { pollInterval: LOOK_MS, fetchPolicy: 'network-only' });
  if (!data) return null;
  const free = data.agents ?? [];
  const mine = free.find(({ databaseId }) => databaseId === data.myAgent?.databaseId);
  if (mine) return t('taker.mine', { name: mine.name, phone: mine.phoneExtension });
  const none = t(data.myAgent ? 'taker.notReady' : 'taker.noPhone');
  const [first] = free;
  if (!first) return <span className="tone-waiting">{none + t('taker.nobody')}</span>;
  if (free.length === 1) return none + t('taker.one', { name: first.name });
  const names = free.slice(0, NAMED).map(({ name }) => name);
  return none + t('taker.some', { count: free.length, names: names.join(t('taker.comma')), more: free.length > NAMED ? ' …' : '' });
}
