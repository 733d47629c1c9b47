import { useQuery } from '@apollo/client/react';
import { Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../parts/notice.tsx';
import { formatDateTime } from '../../text/format.ts';
import { useServerWords } from '../../text/server-words.ts';
import { CallActsDocument } from './call.generated.ts';
import styles from './call.module.css';

/** Who looked at the call, listened to it, and did something to it; newest first. */
export function Acts({ attemptId, requestId }: { attemptId: string; requestId: string }) {
  const { t } = useTranslation();
  const words = useServerWords();
  const { data, error } = useQuery(CallActsDocument, { variables: { attemptId, requestId } });
  const acts = [...(data?.seen?.nodes ?? []), ...(data?.done?.nodes ?? [])].sort((a, b) => b.createdAt.localeCompare(a.createdAt));
  return (
    <section className={`sheet ${styles.sheet}`} aria-label={t('call.acts')}>
      <Title order={2} mb="sm">
        {t('call.acts')}
      </Title>
      {error && <Notice error={error} />}
      {data && acts.length === 0 && <Text className="quiet">{t('call.noActs')}</Text>}
      <ul className={styles.acts}>
        {acts.map(({ id, actorName, action, summary, createdAt }) => (
          <li key={id}>
            <strong>{actorName}</strong> {words(`callAct.${action}`, summary)}
            <Text size="xs" className="quiet">
              <time dateTime={createdAt}>{formatDateTime(createdAt)}</time>
            </Text>
          </li>
        ))}
      </ul>
    </section>
  );
}
