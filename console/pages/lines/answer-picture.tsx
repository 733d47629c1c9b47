import type { NumberUseRowFragment } from './lines.generated.ts';

const WIDTH = 120;
const HEIGHT = 28;
const MS_PER_HOUR = 3_600_000;
/** Hours that stand together: single ones have too few dials for a rate. */
const HOURS_OF_STEP = 4;
const STEPS = 12;

interface Step {
  own: number | null;
  others: number | null;
}

interface AnswerPictureProps {
  label: string;
  hours: NumberUseRowFragment['hours'];
}

/** Answer rate of a number over the last 48 hours, and that of the others of its line, as two lines. */
export function AnswerPicture({ label, hours }: AnswerPictureProps) {
  const steps = stepsOf(hours, Date.now());
  const top = Math.max(0.01, ...steps.flatMap(({ own, others }) => [own ?? 0, others ?? 0]));
  const line = (of: (step: Step) => number | null) => pathOf(steps.map(step => of(step)).map(rate => (rate === null ? null : rate / top)));
  return (
    <svg role="img" aria-label={label} width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} style={{ display: 'block' }}>
      <path d={line(({ others }) => others)} fill="none" stroke="var(--rest-fill)" strokeWidth={2} strokeLinecap="round" />
      <path d={line(({ own }) => own)} fill="none" stroke="var(--answered-fill)" strokeWidth={2} strokeLinecap="round" />
    </svg>
  );
}

function stepsOf(hours: NumberUseRowFragment['hours'], now: number): Step[] {
  const end = Math.floor(now / MS_PER_HOUR) + 1;
  return Array.from({ length: STEPS }, (_, index) => {
    const from = end - (STEPS - index) * HOURS_OF_STEP;
    const inStep = hours.filter(({ at }) => {
      const hour = Date.parse(at) / MS_PER_HOUR;
      return hour >= from && hour < from + HOURS_OF_STEP;
    });
    const dials = inStep.reduce((sum, hour) => sum + hour.dials, 0);
    if (dials === 0) return { own: null, others: null };
    return {
      own: inStep.reduce((sum, hour) => sum + hour.answered, 0) / dials,
      others: inStep.reduce((sum, hour) => sum + hour.expected, 0) / dials,
    };
  });
}

/** Steps without dials leave a gap. A step between gaps is a dot. */
function pathOf(heights: readonly (number | null)[]): string {
  const x = (index: number) => 2 + (index * (WIDTH - 4)) / (STEPS - 1);
  const y = (height: number) => HEIGHT - 2 - height * (HEIGHT - 4);
  return heights
    .flatMap((height, index) => {
      if (height === null) return [];
      const isJoined = (heights[index - 1] ?? null) !== null;
      return [`${isJoined ? 'L' : 'M'}${x(index)} ${y(height)}${isJoined ? '' : 'h0.1'}`];
    })
    .join('');
}
