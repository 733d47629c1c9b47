/** `test`: fast, thrown away. `durable`: what it has acknowledged survives a crash. */
export type ServiceProfile = 'test' | 'durable';

/** One line for the person at the terminal. */
export type PrintLine = (line: string) => void;

/** A service process that this program started. */
export interface RunningService {
  readonly name: string;
  readonly url: string;
  /** Process id while it runs. */
  pid(): number | undefined;
  /** Ends it without warning (SIGKILL, its children too), as a crash of the machine would. */
  kill(): Promise<void>;
  /** Starts it again on the same port and data, after `kill` or instead of a running one. */
  restart(): Promise<void>;
  /** Ends it in its own way, by force after a bounded wait. Twice is harmless. */
  stop(): Promise<void>;
}

export interface ServiceRequest {
  /** Folder of this service's own, made when absent. */
  dataDir: string;
  profile: ServiceProfile;
  /** The binary to run, found before. */
  binary: string;
}

/** Exit code of sysexits.h: a service that the program needs is unavailable (D1). */
export const EXIT_UNAVAILABLE = 69;

/** Exit code of sysexits.h: try again later, another run holds the folder. */
export const EXIT_TRY_AGAIN = 75;

/** A start-up failure that a person can act on: `message` is all they need, no stack trace. */
export class StartFailure extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode = EXIT_UNAVAILABLE) {
    super(message);
    this.name = 'StartFailure';
    this.exitCode = exitCode;
  }
}
