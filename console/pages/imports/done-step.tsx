import { Button, Group, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { FaultyRows } from './faulty-rows.tsx';
import styles from './import.module.css';
import { ResultNumbers } from './result-numbers.tsx';
import type { Importing } from './use-import.ts';

/** Result of the import, and the next steps. */
export function DoneStep({ importing, campaignId }: { importing: Importing; campaignId: string }) {
  const { t } = useTranslation();
  const { done } = importing;
  if (!done) return null;
  return (
    <>
      <section className={`sheet ${styles.sheet}`}>
        <Title order={2} mb="xs">
          {t('import.did')}
        </Title>
        <ResultNumbers result={done} />
        <Group mt="md">
          <Button component={Link} to={`/campaigns/${campaignId}`}>
            {t('import.toStart')}
          </Button>
          <Button component={Link} to={`/campaigns/${campaignId}?tab=contacts`} variant="default">
            {t('import.toContacts')}
          </Button>
          <Button variant="default" onClick={importing.startOver}>
            {t('import.another')}
          </Button>
        </Group>
      </section>
      <FaultyRows result={done} importing={importing} />
    </>
  );
}
