import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { sayDone } from '../../ui/toast.ts';

/** Copies the address, which holds the whole question. */
export function CopyLink() {
  const { t } = useTranslation();
  const copy = async () => {
    await navigator.clipboard.writeText(window.location.href);
    sayDone(t('reports.linkCopied'));
  };
  // Browsers offer the clipboard to pages over HTTPS alone; the address bar has the same address.
  if (!navigator.clipboard) return null;
  return (
    <Button variant="default" size="compact-sm" onClick={() => void copy()}>
      {t('reports.copyLink')}
    </Button>
  );
}
