import { useQuery } from '@apollo/client/react';
import { Alert, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { StatusChip } from '../campaigns/phase.tsx';
import { ScriptTakeOverDocument } from './script.generated.ts';
import styles from './script.module.css';
import { type TakeOver, takeOverOf } from './take-over.ts';

/** Changes for campaigns when the script comes into force; null while they are being read. */
export function useTakeOver(id: string, businessCode: string, isAsked = true): TakeOver | null {
  const { data } = useQuery(ScriptTakeOverDocument, { variables: { id, businessCode }, fetchPolicy: 'network-only', skip: !isAsked });
  if (!data?.script) return null;
  return takeOverOf(data.script, data.script.business?.script ?? null, data.campaigns?.nodes ?? []);
}

/** Most campaigns by name; the rest are counted. */
const MAX_NAMED = 8;

/** Names the campaigns that take a script from their next call on, and the version that they leave. */
export function TakeOverFacts({ takeOver }: { takeOver: TakeOver | null }) {
  const { t } = useTranslation();
  if (takeOver === null) return <Text className="quiet">{t('takeOver.asking')}</Text>;
  const { takers, isRunning, replaced, instead } = takeOver;
  if (instead) return <Alert color="yellow">{t('takeOver.instead', { ...instead })}</Alert>;
  return (
    <>
      {takers.length === 0 ? <Text>{t('takeOver.nobody')}</Text> : <Text>{t('takeOver.fromNextCall', { count: takers.length })}</Text>}
      <Takers takers={takers} />
      {replaced && <Text className={isRunning ? 'tone-waiting' : ''}>{t('takeOver.replaces', { ...replaced })}</Text>}
      <Text size="sm" className="quiet">
        {t('takeOver.callsGoOn')}
      </Text>
    </>
  );
}

/** The campaigns by name, each with its status. */
export function Takers({ takers }: Pick<TakeOver, 'takers'>) {
  const { t } = useTranslation();
  if (takers.length === 0) return null;
  return (
    <ul className={styles.takers} aria-label={t('takeOver.campaigns')}>
      {takers.slice(0, MAX_NAMED).map(({ databaseId, name, status }) => (
        <li key={databaseId}>
          <Link to={`/campaigns/${databaseId}`}>{name}</Link> <StatusChip status={status} />
        </li>
      ))}
      {takers.length > MAX_NAMED && <li className="quiet">{t('takeOver.more', { count: takers.length - MAX_NAMED })}</li>}
    </ul>
  );
}
