import { Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../text/format.ts';
import { useServerWords } from '../../text/server-words.ts';
import type { CampaignQuery } from './campaign.generated.ts';
import styles from './campaign.module.css';

type Reason = NonNullable<CampaignQuery['campaign']>['notDialedReasons'][number];

/** Why contacts are not dialled now, by the code that admits dials. */
export function Reasons({ reasons }: { reasons: readonly Reason[] }) {
  const { t } = useTranslation();
  const words = useServerWords();
  const most = Math.max(...reasons.map(({ contacts }) => contacts), 1);
  return (
    <section className={`sheet ${styles.sheet}`}>
      <Title order={2} mb="xs">
        {t('campaign.notDialled')}
      </Title>
      {reasons.length === 0 && <Text className="quiet">{t('campaign.nothingInTheWay')}</Text>}
      {reasons.map(({ reason, message, contacts }) => (
        <div key={reason} className={styles.reason}>
          <span>{words(`notDialledReason.${reason}`, message)}</span>
          <span>{t('campaign.contacts', { count: contacts, shown: formatCount(contacts) })}</span>
          <div className={styles.track} style={{ width: `${(contacts / most) * 100}%` }} />
        </div>
      ))}
    </section>
  );
}
