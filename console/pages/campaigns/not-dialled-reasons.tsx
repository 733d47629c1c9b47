import { Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { notDialledKey } from '../../text/not-dialled-key.ts';
import { formatCount } from '../../text/format.ts';
import { useServerWords } from '../../text/server-words.ts';
import type { OpenCampaignFragment } from './campaign.generated.ts';
import styles from './campaign.module.css';

type Reason = OpenCampaignFragment['notDialedReasons'][number];

/** Why contacts are not dialled now, by the code that admits dials; each bar links to the contacts that it counts. */
export function Reasons({ id, isDraft, reasons }: { id: string; isDraft: boolean; reasons: readonly Reason[] }) {
  const { t } = useTranslation();
  const words = useServerWords();
  const most = Math.max(...reasons.map(({ contacts }) => contacts), 1);
  return (
    <section className={`sheet ${styles.sheet}`}>
      <Title order={2} mb="xs">
        {t('campaign.notDialled')}
      </Title>
      {isDraft && <Text className="quiet">{t('campaign.notStarted')}</Text>}
      {!isDraft && reasons.length === 0 && <Text className="quiet">{t('campaign.nothingInTheWay')}</Text>}
      {(isDraft ? [] : reasons).map(({ reason, detail, message, contacts }) => (
        <Link key={reason} to={`/campaigns/${id}?tab=contacts&why=${reason}`} className={styles.reason ?? ''}>
          <span>{words(notDialledKey({ reason, detail }), message)}</span>
          <span>{t('campaign.contacts', { count: contacts, shown: formatCount(contacts) })}</span>
          <span className={styles.track} style={{ width: `${(contacts / most) * 100}%` }} />
        </Link>
      ))}
    </section>
  );
}
