/** Requests that are checked together. */
export const BATCH = 10;
/** Requests of a route that are sent one at a time before batches. */
const PROBE = 10;
const FIRST_REFUSAL = 400;

export interface Judging<Asked, Answer extends { status: number }> {
  /** Whether requests of a batch may run concurrently: writers would only wait for each other's locks. */
  isReader: boolean;
  ask(asked: Asked): Promise<Answer>;
  /** Changes committed since the last call. */
  changes(): Promise<string[]>;
  /** Fault of a response with these changes; null when there is none. */
  faultOf(answer: Answer, changes: readonly string[]): string | null;
}

export interface Verdict {
  status: number;
  fault: string | null;
}

/**
 * Judges the requests of one route, in batches as long as the route changes nothing.
 *
 * Why:   a change of a batch cannot be attributed to a request, so a batch with changes is repeated one request at a time, each with its
 *        own changes. When every request was refused, the change is a fault even if it does not recur; with a success among them, the
 *        second round decides. A route that has changed something is tested one request at a time from then on, so that a refusal never
 *        hides behind another request's success
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
