// One file, in a worker: hand it to the library, and send back the report or the message.
import { AnorankError, checkSize, compiled } from '../npm/engine';
import type { Answer, Job } from './messages';

const tell = (answer: Answer): void => postMessage(answer);

async function run({ wasm, file, chosen }: Job): Promise<void> {
  checkSize(file.name, file.size);
  const library = await compiled(new Response(new Blob([wasm]).stream().pipeThrough(new DecompressionStream('gzip'))));
  const progress = (share: number, what: string): void => tell({ kind: 'progress', share, what });
  const page = await library.report(new Uint8Array(await file.arrayBuffer()), Object.fromEntries(chosen), { name: file.name, onProgress: progress });
  tell({ kind: 'report', page: new Blob([page], { type: 'text/html' }) });
}

onmessage = (event: MessageEvent<Job>): void => {
  run(event.data).catch((error: unknown) =>
    tell({ kind: 'failure', message: error instanceof Error ? error.message : String(error), remedies: error instanceof AnorankError ? error.remedies.map(({ setting, value }) => [setting, value]) : [] }));
};
