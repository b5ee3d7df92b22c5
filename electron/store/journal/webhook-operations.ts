import type { SecretOperation } from '../../../shared/ipc/reads/activity.ts'

/** Whether an operation of the journal is about a webhook; its `keyId` is the webhook's id then, and its `label` the URL. */
export const isOfWebhook = (kind: SecretOperation['kind']): boolean => kind === 'webhook_create' || kind === 'webhook_disable'
