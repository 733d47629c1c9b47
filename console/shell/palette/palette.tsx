import '@mantine/spotlight/styles.css';
import { Spotlight, useSpotlight } from '@mantine/spotlight';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { markFirst, spotlight, spotlightStore } from './spotlight.ts';
import { usePaletteActions } from './use-palette-actions.ts';

/** Command palette: pages, campaigns by name, a number as it is typed, and actions that are possible anywhere. Opens when it mounts. */
export function Palette({ close }: { close: () => void }) {
  const { t } = useTranslation();
  const [typed, type] = useState('');
  const actions = usePaletteActions(typed);
  useEffect(() => {
    const opener = document.activeElement;
    spotlight.open();
    // A chosen page takes the focus from there.
    return () => void (opener instanceof HTMLElement && opener.focus({ preventScroll: true }));
  }, []);
  useSpotlight(spotlightStore);
  // Enter triggers the highlighted action.
  useEffect(markFirst);
  return (
    <Spotlight
      store={spotlightStore}
      actions={actions}
      // The actions are filtered already: the server has found some of them by text that their label does not show.
      filter={(_typed, fitting) => fitting}
      query={typed}
      onQueryChange={type}
      onSpotlightClose={close}
      nothingFound={t('palette.nothing')}
      shortcut={null}
      returnFocus={false}
      scrollable
      maxHeight={420}
      // Locking it injects a style that the CSP forbids.
      lockScroll={false}
      overlayProps={{ backgroundOpacity: 0.25, blur: 0 }}
      attributes={{ content: { 'aria-label': t('palette.title') } }}
      searchProps={{ placeholder: t('palette.hint'), 'aria-label': t('palette.hint') }}
    />
  );
}
