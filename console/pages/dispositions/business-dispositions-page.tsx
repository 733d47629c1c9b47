import { Anchor } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { PageHeading } from '../../ui/page-heading.tsx';
import { BusinessDispositions } from './disposition-settings.tsx';

/** Dispositions and wrap-up of one business. */
export function BusinessDispositionsPage() {
  const { t } = useTranslation();
  const { businessCode = '' } = useParams();
  return (
    <>
      <Anchor component={Link} to="/businesses">
        {t('dispositions.toBusinesses')}
      </Anchor>
      <PageHeading my="sm">{t('dispositions.titleOf', { name: businessCode })}</PageHeading>
      <BusinessDispositions key={businessCode} businessCode={businessCode} />
    </>
  );
}
