import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { useLacks } from '../parts/use-may-or-why.ts';

/** Stands where a page would that the person may not see: whom to ask, and the ways from here. */
export function Forbidden({ permission }: { permission: string }) {
  const { t } = useTranslation();
  const lacks = useLacks();
  const navigate = useNavigate();
  return (
    <Stack align="flex-start">
      <Title order={1}>{t('forbidden.title')}</Title>
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
