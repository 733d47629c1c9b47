import { useReducedMotion } from '@mantine/hooks';
import { useReactFlow, useStore, useStoreApi } from '@xyflow/react';
import { useEffect, useRef } from 'react';
import { CARD } from './card-handles.ts';
import { isInView } from './in-view.ts';
import type { Place } from './layout.ts';

/** How the whole graph is shown. */
export const FIT = { maxZoom: 1, padding: 0.15 } as const;
/** How long the graph moves to a node, in ms. */
const MOVE_MS = 250;

/** Keeps in view what matters: the chosen node, also one that has just been added, and the whole graph when its room changes. */
export function ViewFollower({ chosen }: { chosen: Place | undefined }) {
  useChosenInView(chosen);
  useFitToRoom();
  return null;
}

function useChosenInView(chosen: Place | undefined): void {
  const { setCenter } = useReactFlow();
  const store = useStoreApi();
  const isStill = useReducedMotion();
  const { x, y } = chosen ?? {};
  useEffect(() => {
    const { width, height, transform } = store.getState();
    if (x === undefined || y === undefined || width === 0) return;
    const [left, top, zoom] = transform;
    if (isInView({ x, y, ...CARD }, { width, height, x: left, y: top, zoom })) return;
    void setCenter(x + CARD.width / 2, y + CARD.height / 2, { zoom, duration: isStill ? 0 : MOVE_MS });
    // A move of the view by the user must not bring it back.
  }, [x, y]);
}

function useFitToRoom(): void {
  const { fitView } = useReactFlow();
  const width = useStore(state => state.width);
  const height = useStore(state => state.height);
  const fitted = useRef({ width: 0, height: 0 });
  useEffect(() => {
    const before = fitted.current;
    fitted.current = { width, height };
    // The graph fits itself when it is first drawn.
    if (before.width !== 0 && (before.width !== width || before.height !== height)) void fitView(FIT);
  }, [width, height, fitView]);
}
