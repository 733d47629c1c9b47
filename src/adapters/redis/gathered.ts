/** Most questions in one round trip: beyond, an answer would wait for the last of them. */
const MAX_GATHERED = 200;

/**
 * Asks for many callers at once: the questions of one turn of the event loop leave together.
 *
 * Why:    a write to the socket costs as much as a script itself; what is asked all the time waits for nothing but company
 * Shape:  `askAll` gives one reply per question, in their order
 * Errors: those of `askAll`, for all that left together; the others may have happened
 */
export function gathered<Question, Reply>(
  askAll: (questions: Question[]) => Promise<readonly Reply[]>,
): (question: Question) => Promise<Reply> {
  let waiting: { question: Question; resolve: (reply: Reply) => void; reject: (error: unknown) => void }[] = [];
  const leave = () => {
    const leaving = waiting;
    waiting = [];
    askAll(leaving.map(({ question }) => question)).then(
      replies => leaving.forEach(({ resolve }, index) => resolve(replies[index] as Reply)),
      (error: unknown) => leaving.forEach(({ reject }) => reject(error)),
    );
  };
  return question =>
    new Promise((resolve, reject) => {
      waiting.push({ question, resolve, reject });
      if (waiting.length === 1) setImmediate(() => (waiting.length > 0 ? leave() : undefined));
      else if (waiting.length === MAX_GATHERED) leave();
    });
}
