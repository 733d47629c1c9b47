import { enableCompileCache } from 'node:module';

enableCompileCache();
// A reader that closes early, such as `| head`, stops the command like a signal: safely and without a stack trace.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.kill(process.pid, 'SIGTERM');
});
const [{ runProcess }, { COMMANDS }] = await Promise.all([import('#serve/run-command.ts'), import('./tool-table.ts')]);
await runProcess(COMMANDS);
