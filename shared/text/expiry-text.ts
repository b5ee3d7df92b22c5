import type { ExpiryItem } from '../ipc/keys/expiry.ts'
import { shortAddress } from '../signing/wording.ts'

/** The window, notices and the calendar file say the same of what ends. */

export const agentTitle = (label: string, agent: string | null): string => `Agent of ${label}${agent === null ? '' : `, ${shortAddress(agent)}`}`

export function expiryTitle({ kind, label, agent }: Pick<ExpiryItem, 'kind' | 'label' | 'agent'>): string {
  switch (kind) {
    case 'key':
      return label
    case 'grant':
      return agentTitle(label, agent)
    case 'sign_in':
      return 'Your sign-in'
  }
}

/** What stops with the end. */
export const expiryStops: Readonly<Record<ExpiryItem['kind'], string>> = {
  key: 'Every call with this key: the bots that use it, and what this app reads and orders with it.',
  grant: 'The agent may no longer trade for you. The key itself still works.',
  sign_in: 'Managing keys and webhooks. Trading continues without it.',
}

/** How the end is known. */
export const expirySources: Readonly<Record<ExpiryItem['source'], string>> = {
  untold: 'The service did not say when it ends.',
  listed: 'As the service listed it last.',
  signed_here: 'As the grant that you signed here says.',
  signed_elsewhere: 'It was signed elsewhere; a grant does not outlive its key.',
  signed_elsewhere_endless: 'It was signed elsewhere, and the key’s own end is not known.',
  sign_in: 'As the service said when you signed in.',
}

export const expiryActions: Readonly<Record<NonNullable<ExpiryItem['action']>['kind'], string>> = {
  show_key: 'Show',
  extend: 'Extend',
  renew_grant: 'Renew',
  sign_in: 'Sign in again',
}

/** For a calendar. */
export const expiryReminder = ({ kind }: Pick<ExpiryItem, 'kind'>): string => `${expiryStops[kind]} Open Svc Desk to renew it in time.`
