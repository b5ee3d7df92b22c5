/** The texts of one area: words, and functions of typed values. */
type Texts = object
/** Gives an area's texts in the language of the screen; null where it has none, which are English then. */
export type Translate = <T extends Texts>(english: T, area: string) => T | null

declare global {
  /** Set before any text is read; absent: English. A page's loader sets it (`renderer/translated.ts`), so that no page waits for it. */
  var spoken: { readonly locale: string; readonly translate: Translate } | undefined
}

/** Declares the English texts of an area. What is read from the result is in the language that is spoken at that time. */
export const catalogue = <T extends Texts>(area: string, english: T): T =>
  new Proxy(english, { get: (texts, key) => Reflect.get(globalThis.spoken?.translate(texts, area) ?? texts, key) })

const rules = new Intl.PluralRules(globalThis.spoken?.locale ?? 'en')

/** The form for `count` (CLDR plural categories). */
export const plural = (count: number, forms: { readonly other: string } & Partial<Readonly<Record<Intl.LDMLPluralRule, string>>>): string =>
  forms[rules.select(count)] ?? forms.other
