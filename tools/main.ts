import { enableCompileCache } from 'node:module';

enableCompileCache();
// A reader that has seen enough, as `| head` has, stops the command as a signal would: safely, and without a trace.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.kill(process.pid, 'SIGTERM');
});
const [{ runProcess }, { COMMANDS }] = await Promise.all([import('#compose/run-command.ts'), import('./tool-table.ts')]);
await runProcess(COMMANDS);
