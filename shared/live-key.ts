import type { KeySummary } from './ipc/keys/keys.ts'

/** Whether a key may still work. A key whose status is unknown counts as one that may. */
export const isLiveKey = ({ status }: Pick<KeySummary, 'status'>): boolean => status === 'active' || status === 'unknown'
