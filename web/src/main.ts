// The page of a report. The data stand in the page; nothing is loaded.
import 'uplot/dist/uPlot.min.css';
import './style.css';
import { watchCharts } from './charts';
import { columns } from './columns';
import { setTheme } from './dom';
import { first } from './first';
import { incidents } from './incidents';
import { map } from './map';
import { order } from './order';
import { provenance } from './provenance';
import { ranking } from './ranking';
import { scores } from './scores';
import { time } from './time';

const page = document.getElementById('report')!;
const sections = [incidents(), ranking(), map(), order(), scores(), columns(), time(), provenance()].filter((one) => one !== null);
page.replaceChildren(first(sections.map((one) => [one.id, one.querySelector('h2')!.textContent!])), ...sections);
watchCharts();

// Paper is white: the colours of the screen come back afterwards.
let before: string | undefined;
addEventListener('beforeprint', () => {
  before = document.documentElement.dataset.theme;
  setTheme('light');
});
addEventListener('afterprint', () => setTheme((before ?? '') as 'light' | 'dark' | ''));
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => setTheme((document.documentElement.dataset.theme ?? '') as 'light' | 'dark' | ''));
