// The page of a report in a browser: what it shows is what the program says, and every control does its work.
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { anorank, at, check, dataOf, finish, near, open } from './harness.mjs';

anorank('example', 'cards', '--seed', '2', '--rows', '9000', '--anomalies', '0', '-o', 'history.csv', '-q');
anorank('example', 'cards', '--seed', '2', '--first-row', '36000', '--rows', '3000', '--anomalies', '0.02', '-o', 'april.csv', '-q');
anorank('fit', 'history.csv', '--id', 'transaction,account', '--drop', 'fraud', '-o', 'm.anr', '-q');
anorank('report', 'm.anr', 'april.csv', '--labels', 'fraud', '--bootstrap', '200', '-o', 'report.html', '-q');
const data = dataOf('report.html');
const ranked = JSON.parse(anorank('rank', 'm.anr', 'april.csv', '--json', '-q')), said = JSON.parse(anorank('evaluate', 'm.anr', 'april.csv', '--labels', 'fraud', '--bootstrap', '200', '--json', '-q'));

// ---- numbers

await check('findings are those of rank --json', () => {
  assert.equal(data.rows, ranked.rows);
  assert.ok(data.listed >= 100 && data.flagged > 5);
  assert.equal(data.flagged, ranked.findings.filter((one) => one.q_value <= 0.1).length);
  data.findings.forEach((finding, i) => {
    const one = ranked.findings[i];
    for (const key of ['rank', 'row', 'score', 'p_value', 'q_value', 'reasons']) assert.deepEqual(finding[key], one[key], `${key} of place ${i}`);
  });
  for (const row of data.sample) {
    const one = ranked.findings.find((finding) => finding.row === row.row);
    for (const key of ['rank', 'score', 'p_value', 'q_value']) assert.equal(row[key], one[key]);
  }
  for (const [rows, score, p, q] of data.thresholds) {
    const one = ranked.findings[rows - 1];
    assert.deepEqual([score, p, q], [one.score, one.p_value, one.q_value]);
  }
});

await check('the evaluation is that of evaluate --json', () => {
  for (const [key, value] of Object.entries(said)) if (!['name', 'settings'].includes(key)) assert.deepEqual(data.evaluation[key], value, key);
});

await check('detect --report has the numbers of detect and of evaluate FILE', () => {
  anorank('example', 'cards', '--seed', '3', '--rows', '600', '-o', 'small.csv', '-q');
  const ranked = JSON.parse(anorank('detect', 'small.csv', '--drop', 'fraud', '--json', '--report', 'detect.html', '-q'));
  const said = JSON.parse(anorank('evaluate', 'small.csv', '--drop', 'fraud', '--json', '-q'));
  const own = dataOf('detect.html');
  own.findings.forEach((finding, i) => {
    for (const key of ['rank', 'row', 'score', 'p_value', 'q_value', 'reasons']) assert.deepEqual(finding[key], ranked.findings[i][key]);
  });
  for (const [key, value] of Object.entries(said)) if (!['name', 'settings'].includes(key)) assert.deepEqual(own.evaluation[key], value, key);
  assert.ok(own.evaluation.stability.spearman > 0);
});

await check('a selection cuts the output, not the report', () => {
  const cut = JSON.parse(anorank('detect', 'small.csv', '--drop', 'fraud', '--lowest', '3', '--json', '--report', 'cut.html', '-q'));
  const whole = dataOf('detect.html'), own = dataOf('cut.html');
  assert.equal(cut.findings.length, 3);
  assert.deepEqual(own.findings.map((one) => [one.row, one.score, one.q_value]), whole.findings.map((one) => [one.row, one.score, one.q_value]));
});

await check('rank --report writes what report does', () => {
  anorank('rank', 'm.anr', 'april.csv', '--lowest', '20', '--report', 'rank.html', '-o', 'alerts.csv', '-q');
  const own = dataOf('rank.html');
  assert.equal(own.answer, data.answer);
  assert.deepEqual(own.findings.map((one) => [one.rank, one.row, one.score, one.q_value, one.reasons]), data.findings.map((one) => [one.rank, one.row, one.score, one.q_value, one.reasons]));
});

await check('the same bytes on one thread and on two', () => {
  anorank('report', 'm.anr', 'april.csv', '--labels', 'fraud', '--bootstrap', '200', '-o', 'a.html', '--threads', '1', '-q');
  anorank('report', 'm.anr', 'april.csv', '--labels', 'fraud', '--bootstrap', '200', '-o', 'b.html', '--threads', '2', '-q');
  const strip = (name) => readFileSync(at(name), 'utf8').replace(/"command":"[^"]*"/, '');
  assert.ok(strip('a.html') === strip('b.html'));
});

await check('the column over time is the one of most contributions; its extremes and marked rows are drawn', () => {
  const { series } = data, weight = {};
  for (const { reasons } of data.findings.slice(0, Math.max(10, data.flagged))) for (const { column, contribution } of reasons) weight[column] = (weight[column] ?? 0) + contribution;
  const numeric = data.columns.filter((column) => column.role === 'numeric').map((column) => column.name);
  assert.equal(series.column, numeric.reduce((best, name) => ((weight[name] ?? 0) > (weight[best] ?? 0) ? name : best)));
  const lines = readFileSync(at('april.csv'), 'utf8').trim().split('\n').map((line) => line.split(',')), names = lines.shift();
  const points = lines.map((cells, row) => ({ row, time: Date.parse(cells[names.indexOf(series.time)].replace(/Z?$/, 'Z')) / 1000, cell: cells[names.indexOf(series.column)] })).filter(({ cell }) => cell !== '').map((point) => ({ ...point, value: Number(point.cell) }));
  const unusual = new Set(ranked.findings.filter((one) => one.tier !== 'rest' || one.q_value <= 0.1).map((one) => one.row - 1));
  assert.deepEqual([series.moments, series.rows, series.marked], [true, points.length, points.filter((point) => unusual.has(point.row)).length]);
  assert.ok(points.length > 1920 && series.times.length <= 1920 && series.marked > 10);
  const drawn = series.times.map((time, i) => `${time} ${series.values[i]}`), all = new Map(points.map((point) => [`${point.time} ${point.value}`, point.row]));
  assert.deepEqual(series.times, [...series.times].sort((a, b) => a - b));
  drawn.forEach((point, i) => assert.equal(unusual.has(all.get(point)), series.marks.includes(i), point));
  const from = Math.min(...points.map((point) => point.time)), to = Math.max(...points.map((point) => point.time)), spans = Array.from({ length: 640 }, () => []);
  for (const point of points) spans[Math.min(639, Math.floor((640 * (point.time - from)) / (to - from)))].push(point);
  for (const span of spans.filter((one) => one.length > 0)) {
    const values = span.map((point) => point.value);
    const shown = span.filter((point) => drawn.includes(`${point.time} ${point.value}`));
    for (const most of [Math.min(...values), Math.max(...values)]) assert.ok(shown.some((point) => point.value === most), String(most));
    assert.equal(shown.some((point) => unusual.has(point.row)), span.some((point) => unusual.has(point.row)));
  }
});

// ---- the window

const window = await open('report.html');
const { page, troubles } = window;
const text = (selector) => page.locator(selector).first().textContent();
const ranks = () => page.$$eval('#rows tbody tr[data-place] .opener', (list) => list.map((one) => Number(one.textContent)));

await check('the first screen needs no scrolling', async () => {
  assert.equal(await text('h1'), `${data.answer}.`);
  assert.equal(await page.locator('.worst li').count(), 10);
  assert.deepEqual(await page.$$eval('#first h2', (list) => list.slice(1).map((one) => one.textContent)), [`${data.series.column} over time`, 'How good is the order']);
  for (const selector of ['.worst li:last-child', '#first figure:last-child .plot', '.sure']) {
    const box = await page.locator(selector).boundingBox();
    assert.ok(box.y >= 0 && box.y + box.height <= 800, `${selector} ends at ${box.y + box.height}`);
  }
});

await check('every number of the table is that of the data', async () => {
  const shown = await page.$$eval('#rows tbody tr[data-place]', (rows) => rows.map((row) => ({ place: Number(row.dataset.place), cells: [...row.cells].map((cell) => cell.textContent) })));
  assert.equal(shown.length, 25);
  for (const { place, cells } of shown) {
    const finding = data.findings[place];
    assert.equal(cells[0].trim(), String(finding.rank));
    near(cells[1], finding.row, 9);
    assert.deepEqual(cells.slice(2, 5), [finding.cells[0], finding.cells[1][0], finding.cells[2]]);
    near(cells[5], finding.score, 4);
    near(cells[6], finding.p_value, 3);
    near(cells[7], finding.q_value, 3);
    assert.equal(cells[8], finding.reasons.map((reason) => reason.text).join('; '));
  }
});

await check('cells are shown as the file has them', async () => {
  const lines = readFileSync(at('april.csv'), 'utf8').split('\n'), names = lines[0].split(',');
  for (const finding of data.findings.slice(0, 25)) {
    const cells = lines[finding.row].split(',');
    finding.cells.forEach((cell, k) => assert.equal(cell === null ? '' : Array.isArray(cell) ? cell[0] : String(cell), cells[names.indexOf(data.table_columns[k].name)]));
  }
});

await check('the curve says what the evaluation says', async () => {
  const said = await text('#first figure:last-child .said');
  const [area, , low, high] = said.match(/[\d.]+(?= |\)|;)/g).map(Number);
  near(String(area), data.evaluation.area, 4);
  near(String(low), data.evaluation.area_interval[0], 4);
  near(String(high), data.evaluation.area_interval[1], 4);
});

/** The cells of the table with that caption. */
const cellsOf = (caption) => page.$$eval('table', (tables, wanted) => [...tables.find((one) => one.caption?.textContent === wanted).tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.textContent)), caption);

await check('what is said of the order are the numbers of evaluate --json', async () => {
  const statistics = await cellsOf('Rank statistics');
  assert.deepEqual(statistics.map((row) => row[0]).sort(), Object.keys(said.w).sort());
  for (const [name, , mean, z, p] of statistics) {
    near(mean, said.w[name].mean, 4);
    near(z, said.w[name].z, 4);
    if (said.w[name].p_value === 0) assert.equal(p, '< 1e-300');
    else near(p, said.w[name].p_value, 3);
  }
  const parts = await cellsOf('Partial areas');
  assert.equal(parts.length, said.partial_areas.length);
  parts.forEach(([mass, area, interval], i) => {
    const { from, to, area: own, interval: around } = said.partial_areas[i];
    [from, to].forEach((one, k) => near(mass.split(' to ')[k], one, 4));
    near(area, own, 4);
    if (around[0] !== null) around.forEach((one, k) => near(interval.split(' to ')[k], one, 4));
  });
  const labels = said.labelled, lowest = await cellsOf('Precision among the lowest rows');
  assert.deepEqual(lowest.map((row) => Number(row[0].replaceAll(',', ''))), labels.precision_lowest.map((one) => one.k));
  lowest.forEach(([, share], i) => near(share.replace(' %', ''), 100 * labels.precision_lowest[i].precision, 3));
  const words = await page.$$eval('#order .said', (list) => list.map((one) => one.textContent));
  const [, auc, low, high] = words.join(' ').match(/Area ([\d.]+) \(95 % interval ([\d.]+) to ([\d.]+)\); 1 is best/);
  [[auc, labels.roc_auc], [low, labels.roc_auc_interval[0]], [high, labels.roc_auc_interval[1]]].forEach(([shown, own]) => near(shown, own, 4));
  near(words.join(' ').match(/Average precision ([\d.]+);/)[1], labels.average_precision, 4);
  assert.ok((await text('#order')).includes(said.verdict) && (await text('#order')).includes(said.not_proven));
});

await check('what is said of all rows are counts of rank --json', async () => {
  const all = ranked.findings;
  const within = (low, high) => all.filter((one) => one.p_value >= low && (one.p_value < high || high === 1)).length;
  assert.deepEqual(data.p_values, data.p_values.map((_, i) => within(i / 20, (i + 1) / 20)));
  assert.match((await page.$$eval('#scores .said', (list) => list.map((one) => one.textContent))).join(' '), new RegExp(`${data.p_values[0]} rows of 3,000 have a p-value below 0.05, where 150 are expected`));
  const width = (data.scores.to - data.scores.from) / 60, place = (score) => Math.min(59, Math.max(0, Math.floor((score - data.scores.from) / width)));
  const counts = Array(60).fill(0);
  for (const one of all) counts[place(one.score)]++;
  data.scores.rows.forEach((share, i) => assert.ok(Math.abs(share * all.length - counts[i]) <= 1, `bin ${i}`)); // a score on a border
  const blamed = all.slice(0, data.flagged), with_reasons = blamed.filter((one) => one.reasons.length > 0).length;
  for (const column of data.columns) {
    const any = blamed.filter((one) => one.reasons.some((reason) => reason.column === column.name)).length, first = blamed.filter((one) => one.reasons[0]?.column === column.name).length;
    assert.deepEqual([column.any_reason, column.first_reason], [any, first], column.name);
    const card = page.locator('#columns .card', { has: page.locator('h3', { hasText: new RegExp(`^${column.name}$`) }) });
    if (await card.count()) assert.ok((await card.textContent()).includes(`a reason for ${any} of ${with_reasons} rows that stand out, the first for ${first}`), column.name);
  }
});

await check('columns sort both ways', async () => {
  const head = (name) => page.locator('#rows thead th', { hasText: name }).first();
  const amount = data.table_columns.findIndex((column) => column.name === 'amount');
  const by = (sign) => data.findings.map((finding, place) => [finding.cells[amount], place]).sort((a, b) => sign * (a[0] - b[0]) || a[1] - b[1]).map(([, place]) => data.findings[place].rank);
  await head('amount').locator('button').click();
  assert.equal(await head('amount').getAttribute('aria-sort'), 'ascending');
  assert.deepEqual(await ranks(), by(1).slice(0, 25));
  await head('amount').locator('button').click();
  assert.equal(await head('amount').getAttribute('aria-sort'), 'descending');
  assert.deepEqual(await ranks(), by(-1).slice(0, 25));
  await head('Rank').locator('button').click();
});

await check('search and filters leave the rows that fit', async () => {
  const hits = data.findings.filter((finding) => JSON.stringify(finding.cells).includes('travel')).map((finding) => finding.rank);
  await page.fill('#search', 'travel');
  assert.ok(hits.length > 0);
  assert.deepEqual(await ranks(), hits.slice(0, 25));
  assert.match(await text('.shown'), new RegExp(`of ${hits.length}$`));
  await page.fill('#search', 'no such thing');
  assert.match(await text('.shown'), /No row fits/);
  await page.fill('#search', '');
  await page.selectOption('#state', 'flagged');
  assert.match(await text('.shown'), new RegExp(`of ${data.flagged}$`));
  await page.selectOption('#state', 'all');
  await page.selectOption('#blamed', 'amount');
  assert.match(await text('.shown'), new RegExp(`of ${data.findings.filter((finding) => finding.reasons.some((reason) => reason.column === 'amount')).length}$`));
  await page.selectOption('#blamed', '');
});

await check('pages turn', async () => {
  await page.click('.pages button:last-child');
  assert.deepEqual(await ranks(), data.findings.slice(25, 50).map((finding) => finding.rank));
  await page.click('.pages button:first-child');
});

await check('a row opens: bars, usual ranges, neighbours', async () => {
  await page.click('#rows tr[data-place="1"] .opener');
  const finding = data.findings[1];
  assert.equal(await page.locator('.bars li').count(), finding.reasons.length);
  assert.equal(await text('.bars li bdi'), `${finding.reasons[0].text}.`);
  assert.equal(await page.locator('.against tbody tr').count(), data.table_columns.length);
  assert.equal(await page.locator('.against thead th').count(), 3 + finding.near.length);
  assert.equal(finding.near.length, 3);
  const amount = data.columns.find((column) => column.name === 'amount');
  const usual = await page.locator('.against tr', { hasText: 'amount' }).locator('td').nth(1).textContent();
  near(usual.split(' to ')[0], amount.low, 4);
  near(usual.split(' to ')[1], amount.high, 4);
});

await check('answers are saved as a file of labels', async () => {
  await page.click('.questions button:first-of-type');
  assert.equal(await page.locator('.questions button').first().getAttribute('aria-pressed'), 'true');
  await page.click('#rows tr[data-place="4"] .opener');
  await page.click('.questions button:last-of-type');
  const saved = page.waitForEvent('download');
  await page.click('#save');
  const file = await saved;
  assert.equal(file.suggestedFilename(), 'labels.csv');
  const line = (place, label) => `${[data.findings[place].row, ...data.findings[place].cells.slice(0, 3).map((cell) => [cell].flat()[0]), label].join(',')}\n`;
  assert.equal(readFileSync(await file.path(), 'utf8'), `row,transaction,time,account,label\n${line(1, 1)}${line(4, 0)}`);
  copyFileSync(await file.path(), at('labels.csv'));
  await page.selectOption('#state', '1');
  assert.deepEqual(await ranks(), [data.findings[1].rank]);
  await page.selectOption('#state', 'all');
});

await check('saved answers are what --feedback and --review take', () => {
  const detect = ['detect', 'april.csv', '--id', 'transaction,account', '--drop', 'fraud', '-o', 'answered.csv', '-q'];
  anorank(...detect, '--feedback', 'labels.csv', '--save-model', 'answered.anr');
  assert.equal(JSON.parse(anorank('inspect', 'answered.anr', '--json')).known_rows, 1);
  anorank(...detect, '--review', 'labels.csv');
  const answers = readFileSync(at('labels.csv'), 'utf8').trim().split('\n').slice(1).map((line) => line.split(',')[3]);
  assert.deepEqual(answers, ['1', '0', '', '', '', '', '']); // the two that were saved, and five to answer
});

await check('each thing that undermines a result is a warning', async () => {
  const lines = readFileSync(at('history.csv'), 'utf8').trim().split('\n');
  const warnings = (name, train, rows) => {
    anorank('fit', train, '--id', 'transaction,account', '--drop', 'fraud', '-o', `${name}.anr`, '-q');
    anorank('report', `${name}.anr`, rows, '--bootstrap', '200', '-o', `${name}.html`, '-q');
    return dataOf(`${name}.html`).warnings.map((one) => `${one.what}: ${one.text}`);
  };
  const has = (list, pattern) => assert.ok(list.some((one) => pattern.test(one)), `${pattern} in ${JSON.stringify(list)}`);
  writeFileSync(at('twice.csv'), [...lines, ...lines.slice(1)].join('\n'));
  has(warnings('twice', 'twice.csv', 'april.csv'), /^fit: .*9000 .*18000 rows /);
  const amount = lines[0].split(',').indexOf('amount');
  const cents = readFileSync(at('april.csv'), 'utf8').trim().split('\n').map((line, i) => line.split(',').map((cell, j) => (i > 0 && j === amount && cell ? 100 * cell : cell)).join(','));
  writeFileSync(at('cents.csv'), cents.join('\n'));
  has(warnings('cents', 'history.csv', 'cents.csv'), /^these rows: .*'amount' is about \d+ times larger/);
  has(warnings('cents', 'history.csv', 'cents.csv'), /^one column: column 'amount'/);
  writeFileSync(at('few.csv'), lines.slice(0, 41).join('\n'));
  const few = warnings('few', 'few.csv', 'april.csv');
  has(few, /^calibration: .*40 calibration rows/);
  assert.ok(!few.some((one) => one.includes('rows have reasons')), 'how many rows have reasons is no warning');
  // One row so far off that the contrast rows, drawn from the box around all, meet none of the others.
  const wave = (i, k) => (Math.sin(i * 12.9898 + k) * 43758.5453) % 1;
  writeFileSync(at('box.csv'), ['a,b', ...Array.from({ length: 1500 }, (_, i) => (i === 7 ? '1e7,1e7' : `${wave(i, 1)},${wave(i, 2)}`))].join('\n'));
  anorank('fit', 'box.csv', '--scorer', 'mahalanobis', '-o', 'box.anr', '-q');
  anorank('report', 'box.anr', 'box.csv', '--bootstrap', '200', '-o', 'box.html', '-q');
  const { page: looked } = await open('box.html');
  assert.match(await looked.locator('.warnings').textContent(), /Blind: fewer than 30 contrast rows/);
});

await check('the map and the table show each other', async () => {
  const canvas = page.locator('#map canvas');
  await canvas.scrollIntoViewIfNeeded();
  const box = await canvas.boundingBox();
  const place = data.findings.findIndex((one, i) => i < 20 && one.x > data.map.x[0] && one.x < data.map.x[1] && one.y > data.map.y[0] && one.y < data.map.y[1] && data.findings.every((other, k) => k === i || Math.hypot(other.x - one.x, other.y - one.y) > 0.1));
  const share = (value, [low, high]) => (value - low) / (high - low);
  const x = 52 + (box.width - 64) * share(data.findings[place].x, data.map.x), y = 10 + (box.height - 46) * (1 - share(data.findings[place].y, data.map.y));
  await canvas.hover({ position: { x, y } });
  assert.ok((await text('#map-tip')).startsWith(`Row ${data.findings[place].row.toLocaleString('en-US')} `));
  assert.equal(await page.locator('#rows tr.hovered').getAttribute('data-place'), String(place));
  await canvas.click({ position: { x, y } });
  assert.equal(await page.locator('#rows tr[data-place] .opener[aria-expanded="true"]').textContent(), String(data.findings[place].rank));
  const before = await canvas.evaluate((node) => node.toDataURL());
  await page.selectOption('#map-x', { label: 'amount' });
  await page.selectOption('#map-y', { label: 'category' });
  assert.notEqual(await canvas.evaluate((node) => node.toDataURL()), before);
});

await check('the keyboard reaches the map and the rows', async () => {
  await page.focus('#map canvas');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  const said = await text('#map-tip');
  await page.keyboard.press('Enter');
  const opened = Number(await page.locator('#rows .opener[aria-expanded="true"]').textContent());
  assert.ok(said.includes(`rank ${opened},`));
  await page.keyboard.press('Enter');
  assert.equal(await page.locator('#rows .opener[aria-expanded="true"]').count(), 0);
});

await check('the slider says rows and rate', async () => {
  for (const i of [0, 60, data.thresholds.length - 1]) {
    await page.locator('#threshold').fill(String(i));
    const [rows, score, p, q] = data.thresholds[i];
    const [, shown, , at, upTo, rate] = (await text('#threshold-said')).match(/^([\d,]+) rows? \((.*?) %\) with a score of (\S+) or lower, p-value up to (\S+)\. Expected share of false alarms among them: (\S+) %/);
    near(shown, rows, 9);
    near(at, score, 4);
    near(upTo, p, 4);
    near(rate, 100 * q, 3);
  }
});

await check('every section is there, every chart has words', async () => {
  assert.deepEqual(await page.$$eval('section', (list) => list.map((one) => one.id)), ['ranking', 'map', 'order', 'scores', 'columns', 'time', 'provenance']);
  const plots = await page.$$eval('.plot', (list) => list.map((one) => [one.getAttribute('role'), one.getAttribute('aria-label').length > 20, one.querySelector('canvas').width > 100]));
  assert.ok(plots.length >= 8);
  for (const plot of plots) assert.deepEqual(plot, ['img', true, true]);
  assert.ok((await text('#provenance pre')).includes('anorank report m.anr april.csv --labels fraud'));
});

await check('it prints to A4', async () => {
  const pdf = (await page.pdf({ format: 'A4', preferCSSPageSize: true })).toString('latin1');
  assert.ok(pdf.startsWith('%PDF') && pdf.length > 50000);
  assert.ok((pdf.match(/\/Type \/Page\b/g) ?? []).length >= 4);
});

await check('nothing went wrong meanwhile', () => assert.deepEqual(troubles, []));

await check('answers outlive the page', async () => {
  await page.reload();
  await page.waitForSelector('#rows tbody tr');
  assert.match(await text('#save'), /2 answers/);
});

// ---- other windows

await check('dark by the system, and by the button', async () => {
  const { page: dark, troubles: wrong } = await open('report.html', { colorScheme: 'dark' });
  const paper = () => dark.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal(await paper(), 'rgb(20, 24, 29)');
  await dark.click('#theme');
  assert.equal(await paper(), 'rgb(255, 255, 255)');
  assert.deepEqual(wrong, []);
});

await check('390 pixels are wide enough', async () => {
  const { page: phone, troubles: wrong } = await open('report.html', { viewport: { width: 390, height: 844 } });
  await phone.click('#rows tr[data-place="0"] .opener');
  assert.ok((await phone.evaluate(() => document.documentElement.scrollWidth)) <= 390);
  assert.deepEqual(wrong, []);
});

await check('axe finds nothing serious', async () => {
  const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  for (const colorScheme of ['light', 'dark']) {
    const { page: looked } = await open('report.html', { bypassCSP: true, colorScheme });
    await looked.click('#rows tr[data-place="0"] .opener');
    await looked.evaluate(source);
    const found = await looked.evaluate(() => globalThis.axe.run());
    const bad = found.violations.filter((one) => ['serious', 'critical'].includes(one.impact)).map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => node.html.slice(0, 120)).join(' | ')}`);
    assert.deepEqual(bad, [], colorScheme);
  }
});

// ---- strangers

const evil = ['<img src=x onerror="window.hacked=1">', '</script><script>window.hacked=1</script>', '<!--<script>', '"><svg onload=window.hacked=1>', 'x'.repeat(10000), '\u202Eright to left', 'שלום עולם', '🧨 \u2028 \u2029', "'; alert(1) //", '&lt;b&gt;', '{{1+1}}', '=1+1'];

await check('hostile cells, names and files stay text', async () => {
  const quoted = (cell) => `"${cell.replaceAll('"', '""')}"`;
  const lines = [`"<b onclick=alert(1)>id",${quoted('</script>name')},kind,"__proto__","<i>when"`];
  for (let i = 0; i < 240; i++) lines.push(`${quoted(evil[i % evil.length])},${(i * 7) % 31}.5,${i % 20 === 3 ? quoted(evil[(i / 20) % evil.length | 0]) : ['a', 'b'][i % 2]},${i === 77 ? 9000 : (i * i) % 17},2025-03-01T${String(i / 60 | 0).padStart(2, '0')}:${String(i % 60).padStart(2, '0')}:00Z`);
  const name = '<img src=x onerror=alert(1)>.csv';
  writeFileSync(at(name), lines.join('\n'));
  anorank('detect', name, '--id', '<b onclick=alert(1)>id', '--lowest', '60', '--report', 'evil.html', '-o', 'evil.csv', '-q');
  const { page: looked, troubles: wrong } = await open('evil.html');
  assert.match(await looked.locator('#first h2').nth(1).textContent(), /^(<\/script>name|__proto__) over time$/);
  await looked.click('#rows tr[data-place="0"] .opener');
  for (const one of evil) {
    await looked.fill('#search', one.slice(0, 30));
    assert.ok((await looked.locator('#rows tr[data-place]').count()) > 0, `not found: ${one.slice(0, 30)}`);
  }
  assert.equal(await looked.evaluate(() => globalThis.hacked), undefined);
  assert.equal(await looked.locator('img, main script, iframe, object').count(), 0);
  assert.equal(await looked.locator('nav .title').textContent(), name);
  assert.ok((await looked.evaluate(() => document.documentElement.scrollWidth)) <= 1280);
  assert.deepEqual(wrong, []);
  assert.deepEqual(readFileSync(at('evil.html'), 'utf8').match(/<script/g).length, 2);
});

await check('a NUL never comes as far as a page', () => {
  const refused = (name, content) => {
    writeFileSync(at(name), content);
    assert.throws(() => anorank('detect', name, '--report', 'nul.html', '-q'), (error) => error.status === 3 && /NUL|u0000/.test(error.stderr), name);
    assert.ok(!existsSync(at('nul.html')));
  };
  const rows = (cell) => Array.from({ length: 60 }, (_, i) => cell(i === 7 ? `a\0b` : 'a', i));
  refused('nul.csv', `k,x\n${rows((k, i) => `${k},${(i * 7) % 31}`).join('\n')}`);
  refused('nul.jsonl', rows((k, i) => JSON.stringify({ k, x: (i * 7) % 31 })).join('\n'));
});

await check('the policy forbids every load and every other script', async () => {
  const { page: looked } = await open('report.html');
  const policy = await looked.getAttribute('meta[http-equiv="Content-Security-Policy"]', 'content');
  assert.match(policy, /^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; img-src data:;/);
  const broken = await looked.evaluate(async () => {
    const seen = [];
    document.addEventListener('securitypolicyviolation', (event) => seen.push(event.effectiveDirective));
    const script = document.createElement('script');
    script.textContent = 'globalThis.hacked = 1';
    const image = document.createElement('img');
    image.src = 'https://example.org/x.png';
    document.body.append(script, image);
    await fetch('https://example.org/').catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 200));
    return [...seen.sort(), globalThis.hacked];
  });
  assert.deepEqual(broken, ['connect-src', 'img-src', 'script-src-elem', undefined]);
});

await check('a table in which nothing stands out, without identifiers and times', async () => {
  const lines = ['a,b'];
  for (let i = 0; i < 25; i++) lines.push(`${(i * 7) % 12}.5,${(i * 11) % 13}.5`);
  writeFileSync(at('plain.csv'), lines.join('\n'));
  anorank('detect', 'plain.csv', '--report', 'plain.html', '-o', 'plain-out.csv', '-q');
  const { page: looked, troubles: wrong } = await open('plain.html');
  assert.match(await looked.locator('h1').textContent(), /^No row of 25 is far apart/);
  assert.equal(await looked.locator('#time').count(), 0);
  assert.equal(await looked.locator('#first .plot').count(), 0);
  assert.match(await looked.locator('#order').textContent(), /was not evaluated/);
  assert.deepEqual(wrong, []);
});

await finish();
