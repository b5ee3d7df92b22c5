import { createHash, randomBytes } from 'node:crypto'
import { windowText } from '../../../shared/text/desktop-text.ts'
import { dialogLine, most } from '../../kernel/files/dialogs.ts'
import type { Secret } from '../../kernel/secret.ts'
import { inUserLanguage } from '../../kernel/user-language.ts'

/** Repeats the colours of `renderer/kit/tokens.css`, because the page must not load any file. */
const style = `
:root { color-scheme: light dark; --ground: light-dark(#ffffff, #0f1216); --field: light-dark(#f7f8fa, #151a20); --text: light-dark(#12171d, #e8ecf1); --muted: light-dark(#5b6674, #8a95a3); --line: light-dark(#c9d0d8, #343d49); --accent: light-dark(#2257c9, #86adff) }
* { box-sizing: border-box; margin: 0 }
body { min-height: 100vh; padding: 24px; display: flex; flex-direction: column; gap: 12px; background: var(--ground); color: var(--text); font: 13px/20px system-ui, sans-serif }
h1 { font-size: 14px; font-weight: 600; overflow-wrap: anywhere }
p { color: var(--muted); overflow-wrap: anywhere }
code { padding: 12px; border: 1px solid var(--line); border-radius: 8px; background: var(--field); font: 14px/22px ui-monospace, monospace; overflow-wrap: anywhere; user-select: all }
nav { display: flex; flex-wrap: wrap; justify-content: flex-end; gap: 8px; margin-top: auto }
a { padding: 6px 14px; border: 1px solid var(--line); border-radius: 8px; color: inherit; text-decoration: none }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
.left { height: 3px; background: var(--accent); transform-origin: left; animation: run-out 60s linear forwards }
@keyframes run-out { to { transform: scaleX(0) } }
@media (forced-colors: active) { .left { background: CanvasText } }
`

/**
 * Forbids the page to load, run or send anything. The empty `sandbox` forbids scripts and forms. It also gives the page its own origin, so that the
 * page cannot reach the app's pages.
 */
const plainPolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox`

/** The target of the page's only link. When the user follows the link, the main process closes the window. */
const closePath = '/close'

export const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

function revealPage(label: string, secret: string): Response {
  const words = inUserLanguage(() => ({
    language: globalThis.spoken?.locale ?? 'en',
    title: windowText.secretOf(dialogLine(label, most.message)),
    once: windowText.secretOnce,
    close: windowText.close,
  }))
  const body = `<code>${escaped(secret)}</code>
<p>${escaped(words.once)}</p>
<div class="left" aria-hidden="true"></div>
<nav><a href="${closePath}" autofocus>${escaped(words.close)}</a></nav>`
  return plainPage({ ...words, body })
}

interface PlainPage {
  readonly language: string
  readonly title: string
  /** The content of the page, as HTML. */
  readonly body: string
}

/** Builds a response that contains a page without scripts. The page shows its title as the heading. */
export const plainPage = ({ language, title, body }: PlainPage): Response =>
  new Response(
    `<!doctype html>
<html lang="${escaped(language)}">
<meta charset="utf-8">
<title>${escaped(title)}</title>
<style>${style}</style>
<body>
<h1>${escaped(title)}</h1>
${body}
</body>
</html>
`,
    {
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': plainPolicy,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
      },
    },
  )

/** Host of the app's scheme that serves a secret. The app's pages use a different host. */
export const revealHost = 'reveal'
export const revealCloseUrl = `app://${revealHost}${closePath}`

export interface Reveals {
  /** Creates an address that works once and leads to a page with the secret. */
  offer(label: string, secret: Secret): { readonly url: string; withdraw(): void }
  /** Responds to every request that a window sends to `revealHost`. */
  answer(request: Request): Response
}

/** Shows a secret in its own window, through an unguessable address that works once. Stores nothing. */
export function createReveals(): Reveals {
  const offers = new Map<string, { readonly label: string; readonly secret: Secret }>()
  return {
    offer(label, secret) {
      const token = randomBytes(32).toString('base64url')
      offers.set(token, { label, secret })
      return { url: `app://${revealHost}/${token}`, withdraw: () => void offers.delete(token) }
    },
    answer({ method, url }) {
      const token = new URL(url).pathname.slice(1)
      const offered = method === 'GET' ? offers.get(token) : undefined
      offers.delete(token)
      if (offered === undefined) return new Response(null, { status: 404, headers: { 'cache-control': 'no-store' } })
      return revealPage(offered.label, offered.secret.reveal())
    },
  }
}
