import type { KeySummary } from './ipc/keys/keys.ts'

/** Whether a key may still work. It may if the service gives no status that the app knows. */
export const isLiveKey = ({ status }: Pick<KeySummary, 'status'>): boolean => status === 'active' || status === 'unknown'
