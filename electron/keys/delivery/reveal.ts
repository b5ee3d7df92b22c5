import { randomBytes } from 'node:crypto'
import type { Secret } from '../../kernel/secret.ts'
import { closePath, revealPage, revealPolicy } from './reveal-page.ts'

/** Host of the app's scheme under which a secret is answered; the pages have another one. */
export const revealHost = 'reveal'
export const revealCloseUrl = `app://${revealHost}${closePath}`

export interface Reveals {
  /** An address that is answered once, with a page that shows the secret. */
  offer(label: string, secret: Secret): { readonly url: string; withdraw(): void }
  /** For every request to the host. */
  answer(request: Request): Response
}

/** Hands a secret to a window of its own: through an unguessable address, once, kept nowhere. */
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
      return new Response(revealPage(offered.label, offered.secret.reveal()), {
        headers: {
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': revealPolicy,
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
          'referrer-policy': 'no-referrer',
          'cross-origin-opener-policy': 'same-origin',
          'cross-origin-resource-policy': 'same-origin',
        },
      })
    },
  }
}
