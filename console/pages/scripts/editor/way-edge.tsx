import { BaseEdge, type Edge, EdgeLabelRenderer, type EdgeProps } from '@xyflow/react';
import styles from './editor.module.css';
import type { Place } from './layout.ts';

interface WayData extends Record<string, unknown> {
  /** Points between the ends. */
  way: readonly Place[];
  /** Words of the branches that go this way. */
  words: string;
  /** How many ways with words lead to the same node and come before this one: their words stand below. */
  level: number;
}

export type WayEdge = Edge<WayData, 'way'>;

/** Radius of corners, px. */
const CORNER = 10;
/** Distance of the words from the node that the edge leads to, px. */
const ABOVE_TARGET = 22;
/** Height of a line of words, px. */
const LINE = 17;

/** An edge of right angles along its way; its words stand above the node that it leads to, where other edges do not pass. */
function Way({ sourceX, sourceY, targetX, targetY, data, markerEnd }: EdgeProps<WayEdge>) {
  const points = [{ x: sourceX, y: sourceY }, ...(data?.way ?? []), { x: targetX, y: targetY }];
  const last = points.at(-2) ?? { x: sourceX, y: sourceY };
  const height = ABOVE_TARGET + (data?.level ?? 0) * LINE;
  const side = last.x === targetX ? 0 : Math.sign(last.x - targetX) * Math.min(60, Math.abs(last.x - targetX) / 2);
  return (
    <>
      <BaseEdge path={pathOf(points)} {...(markerEnd !== undefined && { markerEnd })} />
      {data?.words && (
        <EdgeLabelRenderer>
          <div
            className={styles.words}
            style={{ transform: `translate(-50%, -50%) translate(${targetX + side}px, ${targetY - height}px)` }}
          >
            {data.words}
          </div>
        </EdgeLabelRenderer>
      )}
    </>
  );
}

/** Goes down, across in the middle between two points, and down again. */
function pathOf(points: readonly Place[]): string {
  const [first, ...others] = points;
  if (first === undefined) return '';
  let path = `M ${first.x} ${first.y}`;
  let from = first;
  for (const to of others) {
    path += stepTo(from, to);
    from = to;
  }
  return path;
}

function stepTo(from: Place, to: Place): string {
  if (Math.abs(from.x - to.x) < 1 || to.y <= from.y) return ` L ${to.x} ${to.y}`;
  const y = (from.y + to.y) / 2;
  const corner = Math.min(CORNER, Math.abs(to.x - from.x) / 2, (to.y - from.y) / 2);
  const right = Math.sign(to.x - from.x) * corner;
  return ` L ${from.x} ${y - corner} Q ${from.x} ${y} ${from.x + right} ${y} L ${to.x - right} ${y} Q ${to.x} ${y} ${to.x} ${y + corner} L ${to.x} ${to.y}`;
}

export const EDGE_TYPES = { way: Way };
