import { Button, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { PageHeading } from '../ui/page-heading.tsx';

export function NotFoundPage() {
  const { t } = useTranslation();
  return (
    <Stack align="flex-start" p="xl">
      <PageHeading>{t('notFound.title')}</PageHeading>
      <Text className="quiet">{t('notFound.text')}</Text>
      <Button component={Link} to="/">
        {t('notFound.home')}
      </Button>
    </Stack>
  );
}
