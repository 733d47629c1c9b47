import { useQuery } from '@apollo/client/react';
import { Skeleton, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CapBar } from '../../ui/cap-bar.tsx';
import { CampaignPreflightDocument } from './campaign.generated.ts';
import styles from './campaign.module.css';

const LOOK_MS = 10_000;

/** The lines on which the campaign calls, and the current load of each. */
export function Lines({ id }: { id: string }) {
  const { t } = useTranslation();
  const { data } = useQuery(CampaignPreflightDocument, { variables: { id }, pollInterval: LOOK_MS });
  const lines = data?.campaign?.preflight.lines;
  if (!lines) return <Skeleton height={80} />;
  return (
    <section className={`sheet ${styles.sheet}`}>
      <Title order={2} mb="xs">
        {t('campaign.lines')}
      </Title>
      {lines.length === 0 && <Text className="quiet">{t('campaign.noLines')}</Text>}
      {lines.map(({ lineId, name, isEnabled, active, maxConcurrency }) => (
        <CapBar
          key={lineId}
          name={name}
          to={`/lines?open=${lineId}`}
          active={active}
          cap={maxConcurrency}
          note={!isEnabled && <span className="tone-failed">{t('wall.disabled')}</span>}
        />
      ))}
    </section>
  );
}
