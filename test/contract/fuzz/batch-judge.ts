/** Requests that are looked after together. */
export const BATCH = 10;
/** Requests that a row is asked one by one before it may be asked in batches. */
const PROBE = 10;
const FIRST_REFUSAL = 400;

export interface Judging<Asked, Answer extends { status: number }> {
  /** Whether requests of a batch may be on their way at once: writers would only meet each other's locks. */
  isReader: boolean;
  ask(asked: Asked): Promise<Answer>;
  /** What was committed since the last call. */
  changes(): Promise<string[]>;
  /** What is wrong with an answer that came with these changes; null when nothing is. */
  faultOf(answer: Answer, changes: readonly string[]): string | null;
}

export interface Verdict {
  status: number;
  fault: string | null;
}

/**
 * Judges the requests of one row, in batches as long as the row changes nothing.
 *
 * Why:   what a batch changed is nobody's in particular: a batch that changed anything is asked again one by one, each with its own changes. When
 *        all of it was refused, the change stays a fault even when it does not happen again; with a success among it, the second round decides. A row that was once seen to change something is
 *        asked one by one from then on, so that a refusal never hides behind another request's success
 * Shape: one verdict per request, in their order
 */
export function batchJudge<Asked, Answer extends { status: number }>(judging: Judging<Asked, Answer>) {
  let asked = 0;
  let isWriter = false;
  const oneByOne = async (requests: readonly Asked[]) => {
    const verdicts: Verdict[] = [];
    for (const request of requests) {
      const answer = await judging.ask(request);
      const changes = await judging.changes();
      isWriter ||= changes.length > 0;
      verdicts.push({ status: answer.status, fault: judging.faultOf(answer, changes) });
    }
    asked += requests.length;
    return verdicts;
  };
  const together = async (requests: readonly Asked[]) => {
    const answers = await answersOf(judging, requests);
    const changes = await judging.changes();
    const verdicts = answers.map(answer => ({ status: answer.status, fault: judging.faultOf(answer, []) }));
    if (changes.length === 0 || verdicts.some(isFault)) return verdicts;
    isWriter = true;
    const again = await oneByOne(requests);
    return again.some(isFault) || answers.some(({ status }) => status < FIRST_REFUSAL) ? again : blamed(verdicts, changes);
  };
  return (requests: readonly Asked[]): Promise<Verdict[]> => (isWriter || asked < PROBE ? oneByOne(requests) : together(requests));
}

async function answersOf<Asked, Answer extends { status: number }>(
  judging: Judging<Asked, Answer>,
  requests: readonly Asked[],
): Promise<Answer[]> {
  if (judging.isReader) return Promise.all(requests.map(request => judging.ask(request)));
  const answers: Answer[] = [];
  for (const request of requests) answers.push(await judging.ask(request));
  return answers;
}

function isFault({ fault }: Verdict): boolean {
  return fault !== null;
}

function blamed(verdicts: readonly Verdict[], changes: readonly string[]): Verdict[] {
  const fault = `one of ${verdicts.length} requests, all refused, has changed ${changes.join(' | ')}, and none does so alone`;
  return verdicts.map(({ status }) => ({ status, fault }));
}
