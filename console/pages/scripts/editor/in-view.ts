export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Pane {
  /** Size of what is seen, px. */
  width: number;
  height: number;
  /** Position of the graph's origin in the pane, px, and the scale of the graph. */
  x: number;
  y: number;
  zoom: number;
}

/** Whether all of a box of the graph is seen. */
export function isInView(box: Box, { width, height, x, y, zoom }: Pane): boolean {
  const [left, top] = [box.x * zoom + x, box.y * zoom + y];
  return left >= 0 && top >= 0 && left + box.width * zoom <= width && top + box.height * zoom <= height;
}
