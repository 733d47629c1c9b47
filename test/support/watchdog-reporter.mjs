import { relative } from 'node:path';

/** The slowest file takes less than two minutes on a quiet machine, ms. */
const FILE_LIMIT_MS = 15 * 60_000;
/** For what the tests opened to close after the last of them, ms. */
const END_LIMIT_MS = 30_000;
const EXIT_FAILED = 1;

/** Ends a run that would wait for ever, with the name of what it waits for: a file that does not end, or something that its tests left open. */
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
    // A run that closed everything ends at once.
    watch(END_LIMIT_MS, () => `the tests have ended, but they left open: ${process.getActiveResourcesInfo().join(', ')}`).unref();
    // As in src/compose/run-command.ts: Node's own clean-up can wait for ever.
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
