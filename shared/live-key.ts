import type { KeySummary } from './ipc/keys/keys.ts'

/** Whether a key may still work. Where the service does not say in words that the app knows, it may. */
export const isLiveKey = ({ status }: Pick<KeySummary, 'status'>): boolean => status === 'active' || status === 'unknown'
