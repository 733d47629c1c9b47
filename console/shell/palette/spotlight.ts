import { createSpotlight } from '@mantine/spotlight';

/** Store of the palette only. */
export const [spotlightStore, spotlight] = createSpotlight();

/**
 * Highlights the first result when none is highlighted, as the arrow keys do: results of the server arrive after the keystroke that
 * searched for them.
 */
export function markFirst(): void {
  if (document.querySelector('[data-action][data-selected]')) return;
  const first = document.querySelector('[data-action]');
  if (!first) return;
  first.setAttribute('data-selected', 'true');
  spotlightStore.updateState(state => ({ ...state, selected: 0 }));
}
