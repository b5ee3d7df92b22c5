/** The pages that a link of the app may open, and their routes. A link opens a page and does nothing else: it signs and sends nothing. */
const linkedPages = {
  overview: '/overview',
  trade: '/trade',
  account: '/account',
  markets: '/markets',
  keys: '/keys',
  webhooks: '/webhooks',
  activity: '/activity',
  notices: '/notices',
  settings: '/settings',
  help: '/help',
  stop: '/trade/stop',
} as const

/** The app's own link scheme. The app is not a wallet, so it never registers for `wc:`. */
export const linkScheme = 'svcdesk'

/** The route that a link such as `svcdesk://open/keys` opens; null for any other text. */
export function linkedPage(link: string): string | null {
  const page = new RegExp(`^${linkScheme}://open/([a-z]+)/?$`).exec(link)?.[1] ?? ''
  return Object.hasOwn(linkedPages, page) ? linkedPages[page as keyof typeof linkedPages] : null // checked before
}

/** The words with which the app starts itself at login, and from the menu of its icon in the taskbar. */
export const startWord = { hidden: '--hidden', lock: '--lock-now', stop: '--stop-everything', practice: '--practice' } as const

/** What a start of the app asks for. */
export interface StartWords {
  /** The system started the app at login. */
  readonly hidden: boolean
  readonly lock: boolean
  /** The route to open; null if none. */
  readonly page: string | null
}

/** Reads a command line. Ignores every word that it does not know. The system puts `--` before a link, so that no link can act as a switch. */
export function readStartWords(argv: readonly string[]): StartWords {
  const end = argv.indexOf('--')
  const switches = new Set(end < 0 ? argv : argv.slice(0, end))
  const link = argv.find((word) => word.startsWith(`${linkScheme}:`))
  return {
    hidden: switches.has(startWord.hidden),
    lock: switches.has(startWord.lock),
    page: switches.has(startWord.stop) ? linkedPages.stop : switches.has(startWord.practice) ? '/connect' : link === undefined ? null : linkedPage(link),
  }
}

const own: ReadonlySet<string> = new Set(Object.values(startWord))

/** The arguments for another start, without what the first start asked for. `argv`: the arguments of this process, its program first. */
export const plainWords = (argv: readonly string[]): string[] =>
  argv.slice(1).filter((word) => !own.has(word) && word !== '--' && !word.startsWith(`${linkScheme}:`) && !word.startsWith('--restarted-after='))

type Listener = (argv: readonly string[]) => void

/** Collects the command lines of further starts until the app is ready to act on them. */
export interface Starts {
  give(argv: readonly string[]): void
  /** Passes on the collected command lines and all later ones. */
  take(listener: Listener): void
}

export function createStarts(): Starts {
  const early: (readonly string[])[] = []
  let listener: Listener | null = null
  return {
    give: (argv) => (listener === null ? void early.push(argv) : listener(argv)),
    take(given) {
      listener = given
      for (const argv of early.splice(0)) given(argv)
    },
  }
}
