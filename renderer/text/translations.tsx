import type { ReactNode } from 'react'
import type { Translate } from '../../shared/text/catalogue.ts'
import type { accountText } from './en/account.en.tsx'
import type { activityText } from './en/activity.en.tsx'
import type { appText } from './en/app.en.tsx'
import type { helpText } from './en/help.en.tsx'
import type { keysText } from './en/keys.en.tsx'
import type { kitText } from './en/kit.en.tsx'
import type { marketsText } from './en/markets.en.tsx'
import type { overviewText } from './en/overview.en.tsx'
import type { partsText, serviceWords } from './en/parts.en.tsx'
import type { searchText } from './en/search.en.tsx'
import type { settingsText } from './en/settings.en.tsx'
import type { signInText } from './en/signIn.en.tsx'
import type { signingText } from './en/signing.en.tsx'
import type { statesText } from './en/states.en.tsx'
import type { tradeText } from './en/trade.en.tsx'
import type { webhooksText } from './en/webhooks.en.tsx'

/** Every text of the app's pages. Each language has one file with all of them: `de.tsx`, `ja.tsx`. */
export interface RendererTexts {
  readonly account: typeof accountText
  readonly activity: typeof activityText
  readonly app: typeof appText
  readonly help: typeof helpText
  readonly keys: typeof keysText
  readonly kit: typeof kitText
  readonly markets: typeof marketsText
  readonly overview: typeof overviewText
  readonly parts: typeof partsText
  readonly search: typeof searchText
  readonly serviceWords: typeof serviceWords
  readonly settings: typeof settingsText
  readonly signIn: typeof signInText
  readonly signing: typeof signingText
  readonly states: typeof statesText
  readonly trade: typeof tradeText
  readonly webhooks: typeof webhooksText
}

/**
 * Areas of texts about signing, refusals and exits (cancel, close, revoke). A wrong translation there could cost money, so the English always
 * appears beside it.
 */
const areasWithEnglish: ReadonlySet<string> = new Set([
  ...['signing', 'remarks', 'against', 'typedData', 'contradictions', 'challengeProblems', 'challengeChecks', 'grants', 'spending'],
  ...['reasons', 'serviceReasons', 'killSwitch', 'comparison', 'comparedSubjects', 'lineNames', 'lineWords', 'lineValues'],
])

/**
 * Keys of texts outside `areasWithEnglish` that describe an exit (cancel, close, revoke, disable) or label its button. These texts also show the
 * English beside the translation.
 */
const textsWithEnglish = {
  keys: [
    ...['revokeNamed', 'revokeEffect', 'revokeKey', 'keepKey', 'keepKeys', 'allKeysStop', 'someKeysStop'],
    ...['revokeKeysEffect', 'reviewRevokingKeys', 'revokeKeyCount'],
  ] as const,
  trade: [
    ...['stopEverything', 'killSwitchEffect', 'cancelAllEffect', 'closeAllEffect', 'ordersToCancel', 'positionsToClose', 'activeKeysToRevoke'],
    ...['leaveOpen', 'revokeNow', 'closeTitle', 'closeLead', 'reviewClose', 'reviewCloseOf', 'reviewFullClose'],
  ] as const,
  webhooks: ['disableNamed', 'disableEffect', 'disableWebhook', 'keepWebhook'] as const,
  app: ['accountRefusedTitle', 'accountRefusedWhy', 'accountRefusedTodo'] as const,
} satisfies { readonly [A in keyof RendererTexts]?: readonly (keyof RendererTexts[A])[] }

/** Returns a translation function that uses the texts of one language, keyed by area. */
export function translateBy(texts: Readonly<Record<string, object | undefined>>): Translate {
  const known = new Map<string, object | null>()
  const translated = (english: object, area: string): object | null => {
    const own = texts[area] ?? null
    if (own === null) return null
    if (areasWithEnglish.has(area)) return withEnglish(english, own, () => true)
    const marked: readonly string[] | undefined = Object.entries(textsWithEnglish).find(([name]) => name === area)?.[1]
    return marked === undefined ? own : withEnglish(english, own, (key) => marked.includes(key))
  }
  return <T extends object>(english: T, area: string) => {
    if (!known.has(area)) known.set(area, translated(english, area))
    // The cast is safe: the language file's type guarantees the same texts per area as in English.
    return (known.get(area) ?? null) as T | null
  }
}

/** Replaces English texts by their translations. If `has` accepts a text's key, the English is shown beside the translation. */
const withEnglish = (english: object, translated: object, has: (key: string) => boolean): object =>
  new Proxy(english, {
    get: (texts, key) => {
      const own: unknown = Reflect.get(translated, key)
      return has(String(key)) ? together(Reflect.get(texts, key), own) : own
    },
  })

interface Both {
  readonly translated: unknown
  readonly english: unknown
}

/**
 * The two halves (translation and English) of each bilingual text. If one bilingual text is inserted into another, each half of the outer text uses
 * only the matching half of the inner text.
 */
const stringHalves = new Map<string, Both>()
const mostHalves = 2_000
const partHalves = new WeakMap<object, Both>()

function halfOf(value: unknown, language: keyof Both): unknown {
  const both = typeof value === 'string' ? stringHalves.get(value) : typeof value === 'object' && value !== null ? partHalves.get(value) : undefined
  return both === undefined ? value : both[language]
}

function together(english: unknown, translated: unknown): unknown {
  if (typeof english === 'function' && typeof translated === 'function')
    return (...values: readonly unknown[]) =>
      together(
        spokenInEnglish(() => english(...values.map((value) => halfOf(value, 'english')))),
        translated(...values.map((value) => halfOf(value, 'translated'))),
      )
  if (translated === english || english === null || english === '') return translated
  if (typeof english === 'string' && typeof translated === 'string') {
    const text = `${translated} · ${english}`
    if (stringHalves.size > mostHalves) stringHalves.clear()
    stringHalves.set(text, { translated, english })
    return text
  }
  // The cast is safe: texts are strings or React nodes.
  const part = (
    <>
      {translated as ReactNode}
      {' · '}
      <span lang="en">{english as ReactNode}</span>
    </>
  )
  partHalves.set(part, { translated, english })
  return part
}

/** Evaluates a text function in English, including the texts and plural forms that it uses. */
function spokenInEnglish<T>(text: () => T): T {
  const { spoken } = globalThis
  globalThis.spoken = undefined
  try {
    return text()
  } finally {
    globalThis.spoken = spoken
  }
}
