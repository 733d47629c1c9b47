import { createSpotlight } from '@mantine/spotlight';

/** Of the palette, and of nothing else. */
export const [spotlightStore, spotlight] = createSpotlight();

/** Marks the first of what is found where nothing is marked, as the arrows do: what the server finds comes after the key that asked for it. */
export function markFirst(): void {
  if (document.querySelector('[data-action][data-selected]')) return;
  const first = document.querySelector('[data-action]');
  if (!first) return;
  first.setAttribute('data-selected', 'true');
  spotlightStore.updateState(state => ({ ...state, selected: 0 }));
}
