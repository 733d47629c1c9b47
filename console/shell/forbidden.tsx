import { Button, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { PageHeading } from '../ui/page-heading.tsx';
import { usePermissionMissing } from '../ui/use-disabled-reason.ts';

/** Replaces a page for which the user lacks the permission: it names a contact and links to other pages. */
export function Forbidden({ permission }: { permission: string }) {
  const { t } = useTranslation();
  const lacks = usePermissionMissing();
  const navigate = useNavigate();
  return (
    <Stack align="flex-start">
      <PageHeading>{t('forbidden.title')}</PageHeading>
      <Text className="quiet">{lacks(permission)}</Text>
      <Group gap="sm">
        <Button variant="default" onClick={() => void navigate(-1)}>
          {t('forbidden.back')}
        </Button>
        <Button component={Link} to="/">
          {t('notFound.home')}
        </Button>
      </Group>
    </Stack>
  );
}
