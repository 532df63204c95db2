// Everything on the page is made here: texts become text nodes, never markup.

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | undefined | ((event: never) => void)>;

function fill(element: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value as EventListener);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== undefined) element.setAttribute(name, String(value));
  }
  for (const child of children) if (child) element.append(child);
}

/** An element: attributes that are functions listen to the event of that name. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

export function svg(tag: string, attributes: Attributes = {}, ...children: Child[]): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  fill(element, attributes, children);
  return element;
}

/** A text of the user's: its direction stays its own. */
export const own = (text: string): HTMLElement => h('bdi', /\S{30}/.test(text) ? { class: 'long' } : {}, text);

/** A sentence of the library: what stands in backquotes is a name of a setting. */
export const prose = (text: string): HTMLElement => h('bdi', {}, ...text.split('`').map((part, i) => (i % 2 ? h('code', {}, part) : part)));

/** A plain table; the first row of cells is the head. */
export function table(caption: string, head: string[], rows: (string | Node)[][], attributes: Attributes = {}): HTMLElement {
  return h(
    'div',
    { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': caption },
    h(
      'table',
      attributes,
      h('caption', { class: 'unseen' }, caption),
      h('thead', {}, h('tr', {}, ...head.map((text) => h('th', { scope: 'col' }, text)))),
      h('tbody', {}, ...rows.map((row) => h('tr', {}, ...row.map((cell, i) => (i === 0 ? h('th', { scope: 'row' }, cell) : h('td', {}, cell)))))),
    ),
  );
}

export const section = (id: string, title: string, ...children: Child[]): HTMLElement =>
  h('section', { id, 'aria-labelledby': `${id}-title` }, h('h2', { id: `${id}-title` }, title), ...children);

const colours = new Map<string, string>();

/** A colour of the present theme. */
export function colour(name: string): string {
  const known = colours.get(name);
  if (known !== undefined) return known;
  const found = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  colours.set(name, found);
  return found;
}

const listeners: (() => void)[] = [];

/** Call back when the colours change. */
export const onTheme = (listener: () => void): void => void listeners.push(listener);

export function setTheme(theme: 'light' | 'dark' | ''): void {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  colours.clear();
  for (const listener of listeners) listener();
}

export const isDark = (): boolean => colour('scheme') === 'dark';
