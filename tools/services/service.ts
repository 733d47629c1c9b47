/** `test`: fast and disposable. `durable`: acknowledged data survive a crash. */
export type ServiceProfile = 'test' | 'durable';

/** Prints one line for the user at the terminal. */
export type PrintLine = (line: string) => void;

/** A running service process of this program. */
export interface RunningService {
  readonly name: string;
  readonly url: string;
  /** Process id; undefined when it does not run. */
  pid(): number | undefined;
  /** Kills it and its children with SIGKILL, as a machine crash would. */
  kill(): Promise<void>;
  /** Starts it on the same port and data, after `kill` or after stopping it. */
  restart(): Promise<void>;
  /** Shuts it down cleanly, by force after a bounded wait. Idempotent. */
  stop(): Promise<void>;
}

export interface ServiceRequest {
  /** Folder of this service only; created when absent. */
  dataDir: string;
  profile: ServiceProfile;
  /** Path of the binary. */
  binary: string;
}

/** Exit code of sysexits.h: a service that the program needs is unavailable (D1). */
export const EXIT_UNAVAILABLE = 69;

/** Exit code of sysexits.h: try again later, another run holds the folder. */
export const EXIT_TRY_AGAIN = 75;

/** A start-up failure that the user can fix: `message` says how, and no stack trace is printed. */
export class StartFailure extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode = EXIT_UNAVAILABLE) {
    super(message);
    this.name = 'StartFailure';
    this.exitCode = exitCode;
  }
}
