import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActButton } from '../../ui/act-button.tsx';
import { SideDrawer } from '../../ui/side-drawer.tsx';
import { useDisabledReason } from '../../ui/use-disabled-reason.ts';
import type { ExportAsked } from './export-form.tsx';

const ExportForm = lazy(async () => ({ default: (await import('./export-form.tsx')).ExportForm }));

interface ExportActProps extends ExportAsked {
  /** Rows that match the filter; null until they are counted. */
  total: number | null;
  /** Permission for the rows. */
  needs?: string;
}

/** Exports the rows that the page's filter finds: its drawer asks what the file has, and shows how far it is. */
export function ExportAct({ total, needs = 'campaign:dispatch', ...asked }: ExportActProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const lacks = useDisabledReason(needs);
  return (
    <>
      <ActButton variant="default" reason={lacks ?? (total === 0 ? t('exports.nothing') : null)} act={() => setOpen(true)}>
        {t('exports.open')}
      </ActButton>
      <SideDrawer isOpen={isOpen} close={() => setOpen(false)} title={t('exports.title')} size="md">
        <Suspense>
          <ExportForm {...asked} close={() => setOpen(false)} />
        </Suspense>
      </SideDrawer>
    </>
  );
}
