// What the type checker of a user sees, without the types of a browser or of Node.js: this file is checked, never run.
import { type Anorank, AnorankError, type Finding, load, type Ranking, type Scores } from 'anorank';

const anorank: Anorank = await load(new Uint8Array());
const ranking: Ranking = await anorank.detect('a,b\n1,2\n', { fdr: 0.1, drop: ['b'], fast: true }, { name: 'rows.csv', onProgress: (share: number) => share });
const worst: Finding | undefined = ranking.findings[0];
const sentence: string | undefined = worst?.reasons[0]?.text;
const model: Uint8Array = await anorank.fit(new Uint8Array(), { train: 'clean' });
const scores: Scores = await anorank.score(model, 'a,b\n1,2\n');
const lowest: number = Math.min(...scores.scores);
const failed = (error: unknown): string => (error instanceof AnorankError ? error.code : '');
// @ts-expect-error: a table is a text or bytes
await anorank.detect(1);
// @ts-expect-error: a setting is no object
await anorank.rank(model, 'a', { id: {} });
export { failed, lowest, sentence };
