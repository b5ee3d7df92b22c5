import type { WebhookSummary } from '../../../shared/ipc/webhooks/webhooks.ts'
import type { IconName } from '../../kit/icons/icon.tsx'
import type { StateTone } from '../../kit/layout/state.tsx'

/** What a webhook is called: where it goes. */
export const urlOf = ({ url, id }: Pick<WebhookSummary, 'url' | 'id'>): string => url ?? id

/** What is typed to disable it: the host, since a URL is long. */
export const shortName = (webhook: Pick<WebhookSummary, 'url' | 'id'>): string => (webhook.url === null ? null : URL.parse(webhook.url)?.host) ?? webhook.id

export const statusLooks: Readonly<Record<WebhookSummary['status'], { readonly tone: StateTone; readonly icon: IconName; readonly word: string }>> = {
  active: { tone: 'ok', icon: 'check', word: 'Active' },
  disabled: { tone: 'off', icon: 'x', word: 'Disabled' },
  unknown: { tone: 'warn', icon: 'unknown', word: 'Not said' },
}
