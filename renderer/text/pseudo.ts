import type { Translate } from '../../shared/text/catalogue.ts'

/**
 * A fake language for finding two kinds of mistakes. It shows English with accented letters, a third longer. Text without accents does not come from
 * the catalogues. Text that is cut off would also be cut off in German.
 */
export const pseudo: Translate = (english) => new Proxy(english, { get: (texts, key) => marked(Reflect.get(texts, key)) })

const accents = new Map([...'aeiouAEIOUcnsyCNSY'].map((letter, at) => [letter, [...'áéíóúÁÉÍÓÚçñšýÇÑŠÝ'][at] ?? letter]))

/** Adds accents to the letters, and appends one dot for every three characters. */
const markedWords = (text: string): string =>
  /\p{L}/u.test(text) ? [...text].map((letter) => accents.get(letter) ?? letter).join('') + '·'.repeat(Math.ceil(text.length / 3)) : text

function marked(text: unknown): unknown {
  if (typeof text === 'string') return markedWords(text)
  if (typeof text !== 'function') return text
  return (...values: readonly unknown[]) => {
    // Arguments do not come from the catalogue, so they must not get accents. Placeholder characters represent them while the other words get
    // accents.
    const places = values.map((value, at) => (typeof value === 'string' ? String.fromCharCode(0xe000 + at) : value))
    const filled = (words: string) => words.replace(/[\ue000-\ue0ff]/g, (place) => String(values[place.charCodeAt(0) - 0xe000]))
    return within(text(...places), (words) => filled(markedWords(words)), values)
  }
}

const isElement = (node: unknown): node is { readonly props: { readonly children?: unknown } } => typeof node === 'object' && node !== null && 'props' in node

/** Applies `mark`, which adds accents, to all text in an element. Leaves the texts in `values` unchanged. */
function within(node: unknown, mark: (words: string) => string, values: readonly unknown[]): unknown {
  if (typeof node === 'string') return mark(node)
  if (values.includes(node)) return node
  if (Array.isArray(node)) return node.map((child) => within(child, mark, values))
  return isElement(node) ? { ...node, props: { ...node.props, children: within(node.props.children, mark, values) } } : node
}
