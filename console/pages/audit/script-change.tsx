import { Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

interface ScriptChangeProps {
  id: string;
  /** Version before the change. */
  before: unknown;
  /** Version after it. */
  after: unknown;
}

/** Leads to what a new version of a script says otherwise than the one before; nothing when the version stayed. */
export function ScriptChange({ id, before, after }: ScriptChangeProps) {
  const { t } = useTranslation();
  if (typeof before !== 'number' || typeof after !== 'number') return null;
  return (
    <Title order={3} mt="md" mb="xs">
      <Link to={`/scripts/${id}?tab=difference&version=${after}&against=${before}`}>{t('script.difference')}</Link>
    </Title>
  );
}
