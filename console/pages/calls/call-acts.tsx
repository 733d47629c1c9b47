import { useQuery } from '@apollo/client/react';
import { Text, Title } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useServerWords } from '../../text/server-words.ts';
import { Instant } from '../../ui/instant.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useActorName } from '../audit/audit-words.ts';
import { type CallActFragment, CallActsDocument } from './call.generated.ts';
import styles from './call.module.css';

interface ActsProps {
  /** Newest first; null while loading. */
  acts: readonly CallActFragment[] | null;
  error: Error | undefined;
}

/** Users who looked at the call, listened to it, or acted on it. */
export function Acts({ acts, error }: ActsProps) {
  const { t } = useTranslation();
  const words = useServerWords();
  const actorName = useActorName();
  return (
    <section className={`sheet ${styles.sheet}`} aria-label={t('call.acts')}>
      <Title order={2} mb="sm">
        {t('call.acts')}
      </Title>
      {error && <Notice error={error} />}
      {acts?.length === 0 && <Text className="quiet">{t('call.noActs')}</Text>}
      <ul className={styles.acts}>
        {acts?.map(act => (
          <li key={act.id}>
            <strong>{actorName(act)}</strong> {words(`callAct.${act.action}`, act.summary)}
            {reasonOf(act) && t('call.actReason', { reason: reasonOf(act) })}
            <Text size="xs" className="quiet">
              <Instant at={act.createdAt} />
            </Text>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Audited actions on the call, for users who may read them. */
export function useActs({ databaseId, requestId }: { databaseId: string; requestId: string }, isAllowed: boolean): ActsProps {
  const { data, error } = useQuery(CallActsDocument, { variables: { attemptId: databaseId, requestId }, skip: !isAllowed });
  const acts = useMemo(
    () => data && [...(data.seen?.nodes ?? []), ...(data.done?.nodes ?? [])].sort((a, b) => b.createdAt.localeCompare(a.createdAt)),
    [data],
  );
  return { acts: acts ?? null, error };
}

/** The reason that the user gave for the action; empty when none. */
function reasonOf({ detail }: Pick<CallActFragment, 'detail'>): string {
  const { reason } = (detail ?? {}) as { reason?: unknown };
  return typeof reason === 'string' ? reason : '';
}
