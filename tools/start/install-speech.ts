import { SYNTHESIS } from '../switch/media/espeak.ts';
import { installPrograms, systemInstallation } from '../services/install.ts';
import { type PrintLine, StartFailure } from '../services/service.ts';
import { WORDS } from './words.ts';

/** Installs the program that speaks on the demo's calls, where this user may; without it tones mark the sentences. */
export async function installSpeech(env: NodeJS.ProcessEnv, print: PrintLine): Promise<void> {
  try {
    await installPrograms([SYNTHESIS], systemInstallation(env, print));
  } catch (error) {
    if (!(error instanceof StartFailure)) throw error;
    print(WORDS.noSpeech);
  }
}
