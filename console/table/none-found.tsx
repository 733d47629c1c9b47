import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';

/** Parameters of the address that say what is shown and how, and exclude no row. */
const KEPT = ['tab', 'view', 'day', 'sort', 'order', 'call'];

/** Content of a list whose filters exclude every row, with the way back to all of them. */
export function NoneFound({ children }: { children: string }) {
  const { t } = useTranslation();
  const [, setQuery] = useSearchParams();
  const clear = () => setQuery(before => new URLSearchParams([...before].filter(([name]) => KEPT.includes(name))), { replace: true });
  return (
    <>
      <p>{children}</p>
      <Button variant="default" onClick={clear}>
        {t('filters.clear')}
      </Button>
    </>
  );
}
