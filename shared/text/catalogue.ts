const rules = new Intl.PluralRules('en')

/** Declares the texts of one area of the interface: words, and functions of typed values. */
export const catalogue = <T extends object>(texts: T): T => texts

/** The form for `count` (CLDR plural categories). */
export const plural = (count: number, forms: { readonly other: string } & Partial<Readonly<Record<Intl.LDMLPluralRule, string>>>): string =>
  forms[rules.select(count)] ?? forms.other
