import { relative } from 'node:path';

/** Time limit of a test file, ms; the slowest one takes less than two minutes on an idle machine. */
const FILE_LIMIT_MS = 15 * 60_000;
/** Time for open resources to close after the last test, ms. */
const END_LIMIT_MS = 30_000;
const EXIT_FAILED = 1;

/** Ends a run that would never finish and names the cause: a test file that does not end, or a resource that tests left open. */
export default class WatchdogReporter {
  #files = new Map();

  onTestFileStart({ path }) {
    const file = relative(process.cwd(), path);
    this.#files.set(
      path,
      watch(FILE_LIMIT_MS, () => `${file} has not ended within ${FILE_LIMIT_MS / 60_000} minutes`),
    );
  }

  onTestFileResult({ path }) {
    clearTimeout(this.#files.get(path));
  }

  onRunComplete() {
    // A run with no open resources exits at once.
    watch(END_LIMIT_MS, () => `the tests have ended, but they left open: ${process.getActiveResourcesInfo().join(', ')}`).unref();
    // Node's own clean-up can hang, as explained in src/serve/run-command.ts.
    process.once('beforeExit', () => process.exit());
  }
}

function watch(limitMs, problem) {
  return setTimeout(() => giveUp(problem()), limitMs);
}

function giveUp(problem) {
  process.stderr.write(`callout: ${problem}\n`);
  process.exit(EXIT_FAILED);
}
