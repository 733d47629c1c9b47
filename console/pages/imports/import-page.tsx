import { useQuery } from '@apollo/client/react';
import { Alert, Button, Group, Skeleton, Stepper } from '@mantine/core';
import { type RefObject, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { NotFoundPage } from '../../shell/not-found-page.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { ColumnsStep } from './columns-step.tsx';
import { FileStep } from './file-step.tsx';
import { ImportCampaignDocument } from './import.generated.ts';
import styles from './import.module.css';
import { CheckStep, DoneStep } from './result-steps.tsx';
import { STEPS, useImport } from './use-import.ts';

const LOOK_MS = 10_000;

/** Imports contacts from a file or from pasted text into one campaign, in four steps that the user can go back to. */
export function ImportPage() {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  const { data, error } = useQuery(ImportCampaignDocument, { variables: { id }, pollInterval: LOOK_MS });
  const importing = useImport(id);
  const place = useRef<HTMLDivElement>(null);
  useFocusOnStep(place, importing.step);
  const campaign = data?.campaign;
  if (!campaign) return error ? <Notice error={error} /> : data ? <NotFoundPage /> : <Skeleton height={400} />;
  const inTheWay = campaign.actions.find(({ name }) => name === 'IMPORT_CONTACTS')?.message ?? null;
  return (
    <>
      <title>{`${t('pages.import')} · ${campaign.name} · Callout`}</title>
      <Group justify="space-between" mb="md">
        <PageHeading>{t('import.title', { name: campaign.name })}</PageHeading>
        <Button component={Link} to={`/campaigns/${id}`} variant="default">
          {t('import.toCampaign')}
        </Button>
      </Group>
      {inTheWay && (
        <Alert color="yellow" mb="md" title={t('import.notNow')}>
          {inTheWay} <Link to={`/campaigns/${id}`}>{t('import.toCampaign')}</Link>
        </Alert>
      )}
      <Stepper active={STEPS.indexOf(importing.step)} onStepClick={importing.goTo} allowNextStepsSelect={false} size="sm" mb="md">
        {STEPS.map((step, index) => (
          <Stepper.Step
            key={step}
            label={t(`import.step.${step}`)}
            description={t(`import.stepAbout.${step}`)}
            allowStepSelect={index <= importing.reached}
            loading={importing.isBusy && step === importing.step}
          />
        ))}
      </Stepper>
      {importing.error && <Notice error={importing.error} title={t('import.refused')} again={null} />}
      <div ref={place} role="group" tabIndex={-1} className={styles.step} aria-label={t(`import.step.${importing.step}`)}>
        {importing.step === 'file' && <FileStep importing={importing} />}
        {importing.step === 'columns' && <ColumnsStep importing={importing} campaignId={id} />}
        {importing.step === 'check' && <CheckStep importing={importing} campaignId={id} inTheWay={inTheWay} />}
        {importing.step === 'done' && <DoneStep importing={importing} campaignId={id} />}
      </div>
    </>
  );
}

/** Moves the focus to the step that the user has come to: the button that led there is gone. */
function useFocusOnStep(place: RefObject<HTMLElement | null>, step: string): void {
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    place.current?.focus();
  }, [place, step]);
}
